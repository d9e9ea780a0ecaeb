package runtime

import (
	"context"

	"github.com/hlocc/hlocc/bundle"
)

// The interfaces below are what a Model needs of the engine that runs compiled
// modules. They exist so that the logic of sessions is tested without one; the
// implementation that runs things is engineDevice.

// device loads modules and owns the threads that run them. It may be used from
// several goroutines.
type device interface {
	// load reads a module. Its bytes and those that parameter returns outlive
	// the program.
	load(module []byte, parameter func(key string) ([]byte, error)) (program, error)
	// tensor allocates zeroed memory outside the Go heap, aligned for any load.
	tensor(dtype bundle.DType, shape []int) (tensor, error)
	// part gives a view of the memory of a tensor of this device, from byte off on.
	// It is valid until that is released; releasing the view does nothing.
	part(of tensor, off int64, dtype bundle.DType, shape []int) (tensor, error)
	threads() int
	// probe allocates n bytes to measure how fast they are read.
	probe(n int64) (prober, error)
	// profile gives what was collected since the last call; see Model.TakeProfile.
	profile() []KernelTime
	close() error
}

// program is a loaded module, which may be instantiated from several goroutines.
type program interface {
	instance(ctx context.Context) (instance, error)
	close() error
}

// instance is the state of a program for one caller at a time.
type instance interface {
	// call runs an exported function. The results are in order; those that are
	// not one of the arguments belong to the caller, who releases them; the slice
	// is valid until the next call. ctx stops the work soon.
	call(ctx context.Context, function string, args []tensor) ([]tensor, error)
	close() error
}

// tensor is dense memory that graphs read and write.
type tensor interface {
	bytes() []byte // nil after release
	same(tensor) bool
	release()
}

// prober is memory to be read.
type prober interface {
	Run() (bytesPerSecond float64, err error)
	Close()
}

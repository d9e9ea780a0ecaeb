package hal

import (
	"runtime"
	"strings"
	"sync"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/elf"
	"github.com/hlocc/hlocc/runtime/internal/native"
)

var errClosed = &diag.Error{Kind: diag.Failed, Code: "device_closed", Message: "internal error: the device is closed"}

// DeviceOptions are the settings of a Device; the zero value is sensible.
type DeviceOptions struct {
	// Threads that may work on one command buffer, the calling one included;
	// 0 is as many as the Go runtime uses (GOMAXPROCS).
	Threads int
	// Cache bounds the bytes of released memory that are kept for reuse;
	// 0 is 256 MiB.
	Cache int64
	// Trace receives the tensors of hal.buffer_view.trace, which compiled
	// modules have only when built for debugging. nil ignores them.
	Trace func(key string, views []*BufferView)
	// Profile, if not nil, collects the time of dispatches and host commands.
	Profile *Profile
}

// Device is the CPU: memory and threads. Any number of goroutines may use it.
type Device struct {
	opts      DeviceOptions
	arena     arena
	pool      *native.Pool
	processor [8]uint64
	allocator *allocator
	close     sync.Once
}

// allocator is the same device under another type, as modules see it.
type allocator struct{ dev *Device }

func (*allocator) RefType() string { return "hal.allocator" }

func (*Device) RefType() string { return "hal.device" }

// NewDevice starts a device. It fails where compiled code cannot run.
func NewDevice(opts DeviceOptions) (*Device, error) {
	if opts.Threads <= 0 {
		opts.Threads = runtime.GOMAXPROCS(0)
	}
	pool, err := native.NewPool(opts.Threads)
	if err != nil {
		return nil, err
	}
	d := &Device{opts: opts, pool: pool, processor: processorData()}
	d.arena.init(opts.Cache)
	d.allocator = &allocator{d}
	return d, nil
}

// Threads is the number of threads that may work on one command buffer.
func (d *Device) Threads() int { return d.pool.Threads() }

// NewBuffer allocates n zero bytes, aligned as compiled code needs them. They
// are the caller's to Release.
func (d *Device) NewBuffer(n int64) (*Buffer, error) {
	mem, zero, err := d.arena.get(n, nil)
	if err != nil {
		return nil, err
	}
	if !zero {
		clear(mem)
	}
	return newBuffer(&d.arena, mem, n), nil
}

// NewProbe allocates n bytes to measure how fast the device's threads read memory.
func (d *Device) NewProbe(n int64) (*native.Probe, error) { return native.NewProbe(d.pool, int(n)) }

// Memory is how much the device has handed out, in bytes: now, at the most so
// far, and what it keeps for reuse.
func (d *Device) Memory() (inUse, peak, cached int64) {
	d.arena.mu.Lock()
	defer d.arena.mu.Unlock()
	return d.arena.inUse, d.arena.peak, d.arena.bytes
}

// Trim gives memory that is kept for reuse back to the system.
func (d *Device) Trim() { d.arena.trim() }

// Close waits for the work in progress, ends the threads and frees all memory,
// also that of Buffers that were not released: their bytes must not be used any
// more.
func (d *Device) Close() {
	d.close.Do(func() {
		d.pool.Close()
		d.arena.close()
	})
}

// deviceID is matched by the patterns that modules look devices up by.
const deviceID = "local"

// query answers hal.device.query.i64.
func (d *Device) query(category, key string) (int64, bool) {
	switch category {
	case "hal.device.id":
		return boolean(glob(key, deviceID)), true
	case "hal.executable.format":
		return boolean(key == elf.Host().Format()), true
	case "hal.device":
		if key == "concurrency" {
			return 1, true // queues
		}
	case "hal.dispatch":
		if key == "concurrency" {
			return int64(d.Threads()), true
		}
	case "hal.cpu":
		return lookupFeature(key)
	}
	return 0, false
}

func boolean(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// glob matches s against a pattern in which * is any text and ? any one byte.
func glob(pattern, s string) bool {
	head, tail, star := strings.Cut(pattern, "*")
	if len(s) < len(head) || !star && len(s) != len(head) {
		return false
	}
	for i := range len(head) {
		if head[i] != '?' && head[i] != s[i] {
			return false
		}
	}
	if !star {
		return true
	}
	for s = s[len(head):]; ; s = s[1:] {
		if glob(tail, s) {
			return true
		}
		if s == "" {
			return false
		}
	}
}

package native

// DispatchState is iree_hal_executable_dispatch_state_v0_t: what is the same
// for all workgroups of a dispatch. The pointers are addresses of memory that
// the owner of the Batch keeps reachable.
//
// Layout: iree/hal/local/executable_library.h.
type DispatchState struct {
	SizeX, SizeY   uint32 // workgroup size
	SizeZ          uint16
	ConstantCount  uint16
	CountX, CountY uint32 // workgroup count
	CountZ         uint16
	MaxConcurrency uint8
	BindingCount   uint8
	Constants      uintptr // *[ConstantCount]uint32
	Bindings       uintptr // *[BindingCount]uintptr
	Lengths        uintptr // *[BindingCount]uint64, in bytes
}

// workgroupState is iree_hal_executable_workgroup_state_v0_t: one per thread.
type workgroupState struct {
	x, y      uint32
	z         uint16
	reserved  uint16
	processor uint32
	local     uintptr
	localSize uint32
	padding   uint32
}

// Environment is iree_hal_executable_environment_v0_t: one per executable.
// Imports are not supported, so the import fields stay zero.
type Environment struct {
	Constants      uintptr // specialization constants, *[n]uint32
	ImportThunk    uintptr
	ImportFuncs    uintptr
	ImportContexts uintptr
	Processor      [8]uint64 // CPU features, bits of iree/schemas/cpu_feature_bits.inl
}

// command is one dispatch of a Batch, 64 bytes, not written while the batch runs. The
// assembly knows the layout.
type command struct {
	fn         uintptr // 0
	env        uintptr // 8, *Environment
	state      uintptr // 16, *DispatchState
	gx, gy, gz uint32  // 24, 28, 32: workgroups
	// The workgroups are divided between the lanes: each has share of them, the first
	// extra lanes have one more.
	share, extra uint32 // 36, 40
	last         uint32 // 44, 1 if the phase ends after this dispatch
	target       uint64 // 48, workgroups of the batch up to here
	ticks        uint64 // 56, time spent so far, if the batch is profiled
}

// lane is what one thread that takes part in a Batch does for others to see. The two
// words lie on lines of their own, 128 bytes apart because processors fetch lines in
// pairs: all that wait look at done while the owner still claims. The assembly knows
// the layout.
type lane struct {
	// claimed is the number of the command, from 1, that the last workgroup of this lane
	// was claimed of, and below it, in the lower 32 bits, how many of that were. Other
	// threads that have nothing left to do claim here too.
	claimed uint64 // 0
	_       [15]uint64
	done    uint64 // 128, workgroups completed by the lane's thread, of all lanes
	_       [15]uint64
}

// loop is what the threads that take part in a Batch share. The assembly knows
// the layout.
type loop struct {
	cmds    uintptr // 0, *command
	count   uint64  // 8
	lanes   uintptr // 16, *lane
	width   uint64  // 24, number of lanes
	cancel  uintptr // 32, *uint32: stop when it becomes nonzero
	status  uint32  // 40, one of the constants below
	code    int32   // 44, what the failed dispatch returned
	failed  uintptr // 48, the failed *command
	profile uint64  // 56, nonzero to add to command.ticks
}

// Values of loop.status. Anything but running makes threads leave.
const (
	running   = 0
	cancelled = 1
	failed    = 2
	finished  = 3
)

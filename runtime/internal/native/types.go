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

// command is one dispatch of a Batch, 64 bytes. The assembly knows the layout.
type command struct {
	fn         uintptr // 0
	env        uintptr // 8, *Environment
	state      uintptr // 16, *DispatchState
	next       uint64  // 24, workgroups handed out; may exceed total
	total      uint64  // 32, workgroups in all
	gx, gy, gz uint32  // 40, 44, 48
	last       uint32  // 52, 1 if the phase ends after this dispatch
	_          uint64
}

// phase counts the completed workgroups of a phase. The assembly knows the layout.
type phase struct {
	done   uint64 // 0
	target uint64 // 8
}

// loop is what the threads that take part in a Batch share. The assembly knows
// the layout.
type loop struct {
	cmds   uintptr // 0, *command
	count  uint64  // 8
	phases uintptr // 16, *phase
	cancel uintptr // 24, *uint32: stop when it becomes nonzero
	status uint32  // 32, one of the constants below
	code   int32   // 36, what the failed dispatch returned
	failed uintptr // 40, the failed *command
}

// Values of loop.status. Anything but running makes threads leave.
const (
	running   = 0
	cancelled = 1
	failed    = 2
	finished  = 3
)

// Package vm interprets the bytecode of IREE VM modules.
//
// A Program holds the functions of one module, decoded and validated once; it
// is immutable and may be shared by any number of sessions. An Instance is one
// session's state: its globals, its resolved imports and its stack.
//
// The package knows nothing of the hardware abstraction layer. Everything a
// module imports ("hal.fence.create", "io_parameters.load", ...) is a HostFunc
// that the caller's Resolver provides.
//
// Bytecode is untrusted. Everything that can be checked before running is
// checked by NewProgram: opcodes, register ordinals, branch targets, ordinals
// of globals, constants, types and functions, and call signatures. What remains
// (indices into lists and buffers, division, depth, memory) is checked while
// running and ends the invocation with an error, never with a panic.
package vm

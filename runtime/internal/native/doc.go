// Package native runs compiled dispatches: functions of the IREE executable
// library ABI (version 6) that know nothing of Go.
//
// Native code is called on stacks of our own, outside the Go heap and with a
// guard area below, because it does not check for stack growth. Denormal
// numbers are flushed to zero while it runs, as the stock runtime does: results
// differ otherwise. The goroutine counts as being in a system call meanwhile,
// so that garbage collection and other goroutines proceed however long the
// call takes.
//
// Nothing here checks what native code does with memory: that buffers are large
// enough and 64-byte aligned is checked by the caller (package hal) before a
// Batch is built. A fault in native code ends the process.
//
// # Batches
//
// A Batch is a list of dispatches in phases. Dispatches of one phase are
// independent of each other; a phase starts when the one before it is complete.
// A thread that takes part in a Batch loops in assembly: it takes the next
// workgroup of the current dispatch from a shared counter until there is none,
// and at the end of a phase waits until the count of completed workgroups has
// reached the phase's total. Nobody ever waits for a thread to arrive, only for
// workgroups that a thread has taken: on a busy machine the caller does all the
// work that the others do not get to. A thread that comes late finds counters
// that are used up, and leaves.
//
// Linux on amd64 only; elsewhere Supported reports an error and nothing runs.
package native

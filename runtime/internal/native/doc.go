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
// A thread that takes part in a Batch loops in assembly. The workgroups of every
// dispatch are divided between the threads, the same way on every run; each claims
// its own one by one, on a cache line that nobody else touches as long as all goes well.
// At the end of a phase it tells how many it has completed and waits until all
// have; if that takes long, it looks for workgroups that others have not claimed and
// does them. Nobody ever waits for a thread to arrive, only for workgroups that a
// thread has claimed: on a busy machine the caller does all the work that the others
// do not get to. A thread that comes late finds everything claimed, and leaves.
//
// A cache line takes 0.1 to 0.3 microseconds from one core to another. In the good case
// a phase costs one such exchange, however many workgroups it has.
//
// Linux on amd64 only; elsewhere Supported reports an error and nothing runs.
package native

// Package hal is the hardware abstraction layer that compiled modules call: one
// CPU device with buffers, executables, command buffers and fences.
//
// Everything happens in order and in place: a queue operation is complete when
// its call returns, and fences only remember that. Commands between two
// barriers of a command buffer are independent and may run at the same time on
// the threads of the device.
//
// A module is trusted no more than its native code has to be: every binding of
// a dispatch is checked against its buffer, and for the 64-byte alignment that
// compiled code takes for granted, before native code runs. What is wrong is an
// error, not a crash.
//
// Interface: compiler/src/iree/compiler/Dialect/HAL/hal.imports.mlir of IREE,
// version 7.
package hal

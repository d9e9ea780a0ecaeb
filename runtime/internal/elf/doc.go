// Package elf loads the executables that IREE embeds in its modules: small
// ELF64 shared objects without imports that export one function, which returns
// a table of the dispatches inside.
//
// The bytes are untrusted as far as the loader goes: nothing is read or written
// outside the file and the image made of it, memory and time are bounded by the
// file's size, and no page is ever writable and executable at once. Every
// address in the library table is checked against the image before it is
// followed. What the machine code does when it is called cannot be checked.
//
// Formats: the System V ABI (ELF64 and its x86-64 and AArch64 supplements) and
// iree/hal/local/executable_library.h, version 0.6.
package elf

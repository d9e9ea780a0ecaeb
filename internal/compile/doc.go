// Package compile turns StableHLO text into modules for a target, by running
// the pinned iree-compile as a subprocess.
//
// A compilation is a pure function of text, flags and compiler identity. Its
// result is kept in a cache under the digest of the three, shared by all
// builds and processes of a user; an [Executor] computes it when it is not there.
package compile

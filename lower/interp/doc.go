// Package interp evaluates graphs of lower/ir: slow, obvious, and the same bits on
// every machine. It is the reference that compiled code, passes and kernels are
// judged against, and the oracle of golden tokens.
//
// Every operation rounds its result to the element type once: products are summed
// in float64, where the product of two float32 is exact, so that the order of a sum does
// not show. With [Options].Float64 values of type F32 are kept in float64 throughout.
// The elementary functions are the package's own, since those of the standard library
// differ between machines, and no product is fused with a sum where that would change a result.
package interp

package kernel

import "fmt"

// Functions of vectors of float32. The compiler expands math operations of vectors into
// polynomials on every target, in our kernels as in its own code, with these errors
// (measured, x86-64-v2 and v4 alike): exp 1 ulp, with 0 and infinity beyond float32;
// tanh 5 ulp. Scalars would become calls of a C library: use vectors of one lane.

// exp is e^x.
func (e *emit) exp(x string, lanes int) string {
	return e.val("exp", "math.exp %s : vector<%dxf32>", x, lanes)
}

// tanh is the hyperbolic tangent.
func (e *emit) tanh(x string, lanes int) string {
	return e.val("tanh", "math.tanh %s : vector<%dxf32>", x, lanes)
}

// logistic is 1/(1+e^-x).
func (e *emit) logistic(x string, lanes int) string {
	typ := fmt.Sprintf("vector<%dxf32>", lanes)
	one := e.constant("one", "dense<1.0> : "+typ)
	neg := e.val("neg", "arith.negf %s : %s", x, typ)
	sum := e.val("sum", "arith.addf %s, %s : %s", e.exp(neg, lanes), one, typ)
	return e.val("logistic", "arith.divf %s, %s : %s", one, sum, typ)
}

// silu is x * logistic(x).
func (e *emit) silu(x string, lanes int) string {
	return e.val("silu", "arith.mulf %s, %s : vector<%dxf32>", x, e.logistic(x, lanes), lanes)
}

// geluTanh is x/2 * (1 + tanh(u)) with u = sqrt(2/π)(x + 0.044715x³), which equals
// x * logistic(2u): this way nothing cancels where tanh is near -1.
func (e *emit) geluTanh(x string, lanes int) string {
	typ := fmt.Sprintf("vector<%dxf32>", lanes)
	cubic := e.constant("gelu_cubic", "dense<0.0713548162726> : "+typ)    // 2 sqrt(2/π) 0.044715
	linear := e.constant("gelu_linear", "dense<1.59576912160573> : "+typ) // 2 sqrt(2/π)
	square := e.val("square", "arith.mulf %s, %s : %s", x, x, typ)
	cube := e.val("cube", "arith.mulf %s, %s : %s", square, cubic, typ)
	scale := e.val("scale", "arith.addf %s, %s : %s", cube, linear, typ)
	u := e.val("u", "arith.mulf %s, %s : %s", x, scale, typ)
	return e.val("gelu", "arith.mulf %s, %s : %s", x, e.logistic(u, lanes), typ)
}

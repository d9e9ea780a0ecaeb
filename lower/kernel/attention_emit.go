package kernel

import (
	"fmt"
	"iter"
	"strings"

	"github.com/hlocc/hlocc/lower/ir"
)

// f32s is the type of a vector of n float32.
func f32s(n int) string { return fmt.Sprintf("vector<%dxf32>", n) }

// vectors covers [from,to) with vectors of 16, 8, 4, 2 or 1 elements: begin and length.
func vectors(from, to int) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for n := 16; from < to; {
			if from+n > to {
				n /= 2
				continue
			}
			if !yield(from, n) {
				return
			}
			from += n
		}
	}
}

// loadFloats loads n elements of a binding of type d, F32 or F16, as float32.
func (e *emit) loadFloats(hint string, m memory, d ir.DType, n int, at ...string) string {
	typ := fmt.Sprintf("vector<%dx%s>", n, d)
	v := e.val(hint, "vector.load %s[%s] : %s, %s", m.name, list(at), m.typ, typ)
	if d == ir.F32 {
		return v
	}
	return e.val(hint, "arith.extf %s : %s to %s", v, typ, f32s(n))
}

// storeFloats stores n float32 as elements of type d, F32 or F16.
func (e *emit) storeFloats(v string, m memory, d ir.DType, n int, at ...string) {
	typ := fmt.Sprintf("vector<%dx%s>", n, d)
	if d != ir.F32 {
		v = e.val("stored", "arith.truncf %s : %s to %s", v, f32s(n), typ)
	}
	e.line("vector.store %s, %s[%s] : %s, %s", v, m.name, list(at), m.typ, typ)
}

// lanes lists n lanes: from, from+step, ...
func lanes(n, step, from int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = from + i*step
	}
	return all
}

// shuffle picks lanes of two vectors of n float32, those of b counted from n on.
func (e *emit) shuffle(a, b string, n int, pick []int) string {
	at := strings.ReplaceAll(strings.Trim(fmt.Sprint(pick), "[]"), " ", ", ")
	return e.val("s", "vector.shuffle %s, %s [%s] : %s, %s", a, b, at, f32s(n), f32s(n))
}

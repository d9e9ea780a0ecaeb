package kernel

import (
	"fmt"

	"github.com/hlocc/hlocc/lower/ir"
)

// finish writes what follows the sums of a tile: bias, gate, residual, and where the
// outputs go. part is the panel's place in the unit.
func (w *matmulText) finish(sums []string, tile []vec, t string, rows int, part string) {
	add := func(a, b string) string { return w.val("y", "arith.addf %s, %s : %s", a, b, w.f32()) }
	columns := make([]string, len(tile))
	for c, v := range tile {
		columns[c] = w.offset(w.val("n", "arith.muli %s, %s : index", v.block, w.index(ir.LaneRows)), v.at)
	}
	if bias, ok := w.mem["bias"]; ok {
		for c, v := range tile {
			if v.valid == 0 {
				continue
			}
			b := w.loadPart(bias, v, columns[c])
			for r := range rows {
				sums[r*len(tile)+c] = add(sums[r*len(tile)+c], b)
			}
		}
	}
	outs := len(tile)
	if w.k.Gate != 0 {
		outs /= 2
	}
	for r := range rows {
		row := w.offset(t, r)
		for c, v := range tile[:outs] {
			if v.valid == 0 {
				continue
			}
			y := sums[r*len(tile)+c]
			if w.k.Gate != 0 {
				y = w.val("y", "arith.mulf %s, %s : %s", w.gated(w.k.Gate, y), sums[r*len(tile)+outs+c], w.f32())
			}
			if residual, ok := w.mem["residual"]; ok {
				y = add(y, w.loadPart(residual, v, row, columns[c]))
			}
			if !w.k.QuantizeOut {
				w.storePart(y, w.mem["y"], v, row, columns[c])
				continue
			}
			n := w.val("n", "arith.muli %s, %s : index", part, w.index(w.outBlocks*ir.LaneRows))
			w.storeFloats(y, w.buffer, ir.F32, w.isa.Lanes, w.index(r), w.offset(n, tile[0].at+c*w.isa.Lanes))
		}
	}
}

// loadPart loads the valid lanes of a vector of float32; the others are 0.
func (w *matmulText) loadPart(m memory, v vec, at ...string) string {
	if v.valid == w.isa.Lanes {
		return w.loadFloats("v", m, ir.F32, w.isa.Lanes, at...)
	}
	zero := w.constant("zeros", "dense<0.0> : "+w.f32())
	return w.val("v", "vector.maskedload %s[%s], %s, %s : %s, %s, %s into %s", m.name, list(at), w.mask(v), zero, m.typ, w.masks(), w.f32(), w.f32())
}

// storePart stores the valid lanes of a vector.
func (w *matmulText) storePart(y string, m memory, v vec, at ...string) {
	if v.valid == w.isa.Lanes {
		w.storeFloats(y, m, ir.F32, w.isa.Lanes, at...)
		return
	}
	w.line("vector.maskedstore %s[%s], %s, %s : %s, %s, %s", m.name, list(at), w.mask(v), y, m.typ, w.masks(), w.f32())
}

func (w *matmulText) masks() string { return fmt.Sprintf("vector<%dxi1>", w.isa.Lanes) }

func (w *matmulText) mask(v vec) string {
	return w.val("mask", "vector.constant_mask [%d] : %s", v.valid, w.masks())
}

package kernel

import (
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
)

// tileSize is how many vectors of outputs and how many rows a tile has at most: as many
// sums as registers hold next to the weights and one broadcast activation. The sums in
// float32, of fast linears, may be spilled: they are used once in a group.
func tileSize(isa ISA, k Linear) (cols, rows int) {
	wide := isa.Lanes == 16 // 32 registers, else 16
	switch {
	case !k.ActI8 && wide:
		return 2, 10
	case !k.ActI8:
		return 2, 5
	case isa.Dot == DotVNNI512:
		return 2, 6
	case isa.Dot == DotVNNI256:
		return 2, 4
	case wide:
		return 2, 6 * 4 / k.Bits
	}
	return 2, 4 * 4 / k.Bits
}

// sums writes a tile's sums over all groups: those of row r and vector c at r*len(tile)+c.
func (w *matmulText) sums(tile []vec, t string, rows int) []string {
	at := make([]string, rows)
	for r := range at {
		at[r] = w.offset(t, r)
	}
	return w.loop("g", w.index(0), w.index(w.groups), w.index(1), w.zeros(len(tile)*rows, "sum", w.f32()), func(g string, sums []string) []string {
		if !w.k.ActI8 {
			return w.floats(tile, g, at, sums)
		}
		if w.isa.Dot == DotVNNI256 || w.isa.Dot == DotVNNI512 {
			return w.scaled(tile, g, at, w.quads(tile, g, at), sums)
		}
		return w.scaled(tile, g, at, w.pairs(tile, g, at), sums)
	})
}

// zeros are n carried zeros.
func (w *matmulText) zeros(n int, hint, typ string) []carried {
	text := "dense<0> : " + typ
	if typ == w.f32() {
		text = "dense<0.0> : " + typ
	}
	return slices.Repeat([]carried{{hint, typ, w.constant("zeros", text)}}, n)
}

// affine loads the scales and the offsets of the vectors of a tile.
func (w *matmulText) affine(tile []vec, g string) (scales, offsets []string) {
	for _, v := range tile {
		scales = append(scales, w.loadFloats("scale", w.mem["scale"], w.k.Scales, w.isa.Lanes, v.block, g, w.index(v.at)))
		offsets = append(offsets, w.loadFloats("offset", w.mem["offset"], w.k.Scales, w.isa.Lanes, v.block, g, w.index(v.at)))
	}
	return scales, offsets
}

// scaled adds to sums what a group's dot products stand for.
func (w *matmulText) scaled(tile []vec, g string, at, dots, sums []string) []string {
	scales, offsets := w.affine(tile, g)
	sums = slices.Clone(sums)
	for r, row := range at {
		s := w.splat("s", w.mem["xs"], "f32", w.index(0), row, g)
		total := w.splat("total", w.mem["xs"], "f32", w.index(1), row, g)
		for c := range tile {
			i := r*len(tile) + c
			d := w.val("dot", "arith.sitofp %s : %s to %s", dots[i], w.i32(), w.f32())
			d = w.val("dot", "arith.mulf %s, %s : %s", d, s, w.f32())
			sums[i] = w.multiplyAdd(offsets[c], total, w.multiplyAdd(d, scales[c], sums[i]))
		}
	}
	return sums
}

// words is word p of the weights of every vector. The first tile of a panel reads it from
// memory: fetching ahead is worth a quarter of the time of a large matrix.
func (w *matmulText) words(tile []vec, g, p string) []string {
	q := w.mem["q"]
	var words []string
	for _, v := range tile {
		if v.at == 0 {
			ahead := w.offset(p, prefetchBytes/64)
			w.line("memref.prefetch %s[%s, %s, %s, %s], read, locality<3>, data : %s", q.name, v.block, g, ahead, w.index(0), q.typ)
		}
		words = append(words, w.val("word", "vector.load %s[%s, %s, %s, %s] : %s, %s", q.name, v.block, g, p, w.index(v.at), q.typ, w.i32()))
	}
	return words
}

// nibbles are the low or high halves of the bytes of words.
func (w *matmulText) nibbles(words []string, half int) []string {
	var list []string
	for _, v := range words {
		list = append(list, w.nibble(v, half))
	}
	return list
}

// word is the number of the word of activations that goes with word p of a group.
func (w *matmulText) word(g, p string) string {
	first := w.val("k", "arith.muli %s, %s : index", g, w.index(wordsPerGroup))
	return w.val("k", "arith.addi %s, %s : index", first, p)
}

// quads writes a group's dot products with an instruction for four bytes.
func (w *matmulText) quads(tile []vec, g string, at []string) []string {
	return w.loop("p", w.index(0), w.index(w.k.words()), w.index(1), w.zeros(len(tile)*len(at), "dot", w.i32()), func(p string, dots []string) []string {
		dots = slices.Clone(dots)
		first := w.word(g, p)
		add := func(k string, weights []string) {
			for r, row := range at {
				x := w.splat("x", w.mem["xq"], "i32", row, k)
				for c, q := range weights {
					dots[r*len(tile)+c] = w.dot4(dots[r*len(tile)+c], q, x)
				}
			}
		}
		words := w.words(tile, g, p)
		if w.k.Bits == 8 {
			add(first, words)
			return dots
		}
		low, high := w.nibbles(words, 0), w.nibbles(words, 1)
		add(first, low)
		add(w.offset(first, wordsPerGroup/2), high)
		return dots
	})
}

// pairs writes a group's dot products with 16-bit sums of nibbles' products, some words at a
// time. Bytes are two nibbles with sums of their own.
func (w *matmulText) pairs(tile []vec, g string, at []string) []string {
	cells := len(tile) * len(at)
	parts, step := 1, pairsMost/2 // 4 bits: both halves of a word add to the same sums
	if w.k.Bits == 8 {
		parts, step = 2, pairsMost
	}
	return w.loop("first", w.index(0), w.index(w.k.words()), w.index(step), w.zeros(cells, "dot", w.i32()), func(first string, dots []string) []string {
		dots = slices.Clone(dots)
		zeros := w.zeros(cells*parts, "pair", w.i16())
		pairs := w.loop("p", first, w.offset(first, step), w.index(1), zeros, func(p string, pairs []string) []string {
			pairs = slices.Clone(pairs)
			words, k := w.words(tile, g, p), w.word(g, p)
			low, high := w.nibbles(words, 0), w.nibbles(words, 1)
			for r, row := range at {
				x := w.splat("x", w.mem["xq"], "i32", row, k)
				for c := range tile {
					i := r*len(tile) + c
					pairs[i] = w.dot2(pairs[i], low[c], x)
				}
				if parts == 1 {
					x = w.splat("x", w.mem["xq"], "i32", row, w.offset(k, wordsPerGroup/2))
				}
				for c := range tile {
					i := (parts-1)*cells + r*len(tile) + c
					pairs[i] = w.dot2(pairs[i], high[c], x)
				}
			}
			return pairs
		})
		for i, v := range pairs {
			v = w.widened(v)
			if i >= cells { // high halves
				v = w.val("high", "arith.shli %s, %s : %s", v, w.every(4, w.i32()), w.i32())
			}
			dots[i%cells] = w.val("dot", "arith.addi %s, %s : %s", dots[i%cells], v, w.i32())
		}
		return dots
	})
}

// floats adds to sums the products of a group's weights, dequantized, and activations.
func (w *matmulText) floats(tile []vec, g string, at, sums []string) []string {
	scales, offsets := w.affine(tile, g)
	vars := make([]carried, len(sums))
	for i, s := range sums {
		vars[i] = carried{"sum", w.f32(), s}
	}
	return w.loop("p", w.index(0), w.index(w.k.words()), w.index(1), vars, func(p string, sums []string) []string {
		sums = slices.Clone(sums)
		first := w.val("k", "arith.muli %s, %s : index", w.word(g, p), w.index(4))
		words := w.words(tile, g, p)
		for n := range 32 / w.k.Bits {
			k := w.offset(first, n)
			if w.k.Bits == 4 { // low halves hold the first 32 columns, high halves the others
				k = w.offset(first, n/2+n%2*ir.GroupSize/2)
			}
			weights := make([]string, len(tile))
			for c := range tile {
				weights[c] = w.multiplyAdd(w.integer(words[c], w.k.Bits, n), scales[c], offsets[c])
			}
			for r, row := range at {
				x := w.splat("x", w.mem["xp"], "f32", row, k)
				for c, q := range weights {
					sums[r*len(tile)+c] = w.multiplyAdd(q, x, sums[r*len(tile)+c])
				}
			}
		}
		return sums
	})
}

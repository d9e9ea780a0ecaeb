package kernel

import (
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
)

// prefetchBytes is how far ahead the matrix is fetched into the cache. The prefetcher of
// the CPU alone leaves a quarter to a third of the speed on the table.
const prefetchBytes = 4096

// word loads word p of a strip, 4 columns of each row, or 8 of 4 bits, and fetches the
// line that comes later.
func (m *matvec) word(b part, g, p, lane string) string {
	q, block := m.mem["q"], m.stored(b.block)
	if lane == b.lanes[0] {
		m.line("memref.prefetch %s[%s, %s, %s, %s], read, locality<3>, data : %s", q.name, block, g, m.offset(p, prefetchBytes/64), m.index(0), q.typ)
	}
	return m.val("word", "vector.load %s[%s, %s, %s, %s] : %s, %s", q.name, block, g, p, lane, q.typ, m.i32())
}

// words is how many words of q a row has in a group.
func (k Linear) words() int { return 2 * k.Bits }

// wordsPerGroup is how many words of quantized activations a group has.
const wordsPerGroup = ir.GroupSize / 4

// overWords runs body for n words from first on, with sums that go round: in a loop
// where registers are so short that the text would be long, unrolled elsewhere.
func (m *matvec) overWords(first, n int, typ string, sums []string, body func(p string, sums []string)) []string {
	sums = slices.Clone(sums)
	if m.isa.Lanes > 4 {
		for p := first; p < first+n; p++ {
			body(m.index(p), sums)
		}
		return sums
	}
	vars := make([]carried, len(sums))
	for i, init := range sums {
		vars[i] = carried{"sum", typ, init}
	}
	return m.loop("p", m.index(first), m.index(first+n), m.index(1), vars, func(p string, sums []string) []string {
		body(p, sums)
		return sums
	})
}

// wordOf is the number of word p of group g within a row of quantized activations.
func (m *matvec) wordOf(g, p string) string {
	base := m.val("k", "arith.muli %s, %s : index", g, m.index(wordsPerGroup))
	return m.val("k", "arith.addi %s, %s : index", base, p)
}

// integerProducts is s * Σ q*xq of group g, exact but for the last product.
func (m *matvec) integerProducts(b part, g string) []string {
	var sums []string
	switch m.isa.Dot {
	case DotVNNI256, DotVNNI512:
		sums = m.dotProducts(b, g)
	case DotMaddAVX2, DotMaddAVX512, DotWiden:
		sums = m.pairProducts(b, g)
	}
	for i := range sums {
		scale := m.splat("s", m.mem["xs"], "f32", m.index(0), b.row(i), g)
		f := m.val("dot", "arith.sitofp %s : %s to %s", sums[i], m.i32(), m.f32())
		sums[i] = m.val("dot", "arith.mulf %s, %s : %s", f, scale, m.f32())
	}
	return sums
}

// dotProducts sums by an instruction for dot products of four bytes.
func (m *matvec) dotProducts(b part, g string) []string {
	ways := 1
	if b.len() < 4 {
		ways = 2 // the sum of a sum takes several cycles
	}
	n := b.len()
	sums := slices.Repeat([]string{m.every(0, m.i32())}, ways*n)
	step := 0
	sums = m.overWords(0, m.k.words(), m.i32(), sums, func(p string, sums []string) {
		at := m.wordOf(g, p)
		add := func(way, strip, offset int, w string) {
			for r, row := range b.rows {
				i := way%ways*n + r*len(b.lanes) + strip
				sums[i] = m.dot4(sums[i], w, m.activations(row, m.offset(at, offset)))
			}
		}
		for s, lane := range b.lanes {
			w := m.word(b, g, p, lane)
			if m.k.Bits == 8 {
				add(step, s, 0, w)
				continue
			}
			add(0, s, 0, m.nibble(w, 0))
			add(1, s, wordsPerGroup/2, m.nibble(w, 1))
		}
		step++
	})
	if ways == 2 {
		for i := range n {
			sums[i] = m.val("sum", "arith.addi %s, %s : %s", sums[i], sums[n+i], m.i32())
		}
	}
	return sums[:n]
}

// activations is a word of quantized activations in all lanes.
func (m *matvec) activations(row, word string) string {
	return m.splat("x", m.mem["xq"], "i32", row, word)
}

// pairProducts sums without such an instruction, in 16-bit lanes: pairsMost words at a
// time. Bytes are taken as two nibbles, since products of whole ones are too large for such lanes.
func (m *matvec) pairProducts(b part, g string) []string {
	sums := make([]string, b.len())
	for i := range sums {
		sums[i] = m.every(0, m.i32())
	}
	halves := [][]int{{0, 1}}
	if b.len() > 2 {
		halves = [][]int{{0}, {1}} // half the sums at a time, for words loaded twice
	}
	for segment := 0; segment < m.k.words(); segment += pairsMost {
		for _, h := range halves {
			m.pairSegment(b, g, segment, h, sums)
		}
	}
	return sums
}

// pairSegment adds the products of pairsMost words with the given halves of their bytes.
func (m *matvec) pairSegment(b part, g string, first int, halves []int, sums []string) {
	n := b.len()
	pairs := slices.Repeat([]string{m.every(0, m.i16())}, len(halves)*n)
	pairs = m.overWords(first, pairsMost, m.i16(), pairs, func(p string, pairs []string) {
		at := m.wordOf(g, p)
		for s, lane := range b.lanes {
			w := m.word(b, g, p, lane)
			for h, half := range halves {
				nibbles, word := m.nibble(w, half), at
				if m.k.Bits == 4 {
					word = m.offset(at, half*wordsPerGroup/2)
				}
				for r, row := range b.rows {
					i := h*n + r*len(b.lanes) + s
					pairs[i] = m.dot2(pairs[i], nibbles, m.activations(row, word))
				}
			}
		}
	})
	for i, v := range pairs {
		v = m.widened(v)
		if m.k.Bits == 8 && halves[i/n] == 1 {
			v = m.val("high", "arith.shli %s, %s : %s", v, m.every(4, m.i32()), m.i32())
		}
		sums[i%n] = m.val("sum", "arith.addi %s, %s : %s", sums[i%n], v, m.i32())
	}
}

// floatProducts is Σ q*x of group g.
func (m *matvec) floatProducts(b part, g string) []string {
	n := b.len()
	ways := max(1, 4/n)
	sums := slices.Repeat([]string{m.constant("zero", "dense<0.0> : "+m.f32())}, ways*n)
	base := m.val("k", "arith.muli %s, %s : index", g, m.index(ir.GroupSize))
	sums = m.overWords(0, m.k.words(), m.f32(), sums, func(p string, sums []string) {
		at := m.val("k", "arith.addi %s, %s : index", base, m.val("k", "arith.muli %s, %s : index", p, m.index(4)))
		for s, lane := range b.lanes {
			w := m.word(b, g, p, lane)
			for j := range 32 / m.k.Bits {
				column := j
				if m.k.Bits == 4 {
					column = j/2 + j%2*ir.GroupSize/2
				}
				q := m.integer(w, m.k.Bits, j)
				for r, row := range b.rows {
					i := j%ways*n + r*len(b.lanes) + s
					sums[i] = m.multiplyAdd(q, m.splat("x", m.mem["xp"], "f32", row, m.offset(at, column)), sums[i])
				}
			}
		}
	})
	for half := ways / 2; half > 0; half /= 2 {
		for i := range half * n {
			sums[i] = m.val("sum", "arith.addf %s, %s : %s", sums[i], sums[half*n+i], m.f32())
		}
	}
	return sums[:n]
}

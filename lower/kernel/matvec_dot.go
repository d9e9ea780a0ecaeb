package kernel

import (
	"fmt"
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
)

// prefetchBytes is how far ahead the matrix is fetched into the cache. The prefetcher of
// the CPU alone leaves a quarter to a third of the speed on the table.
const prefetchBytes = 4096

// word loads word p of a strip: 4 columns of each row, or 8 of 4 bits. The first strip
// fetches the line ahead.
func (m *matvec) word(b part, g, p string, strip int) string {
	q := m.mem["q"]
	if strip == 0 && b.rows[0] == 0 {
		m.line("memref.prefetch %s[%s, %s, %s, %s], read, locality<3>, data : %s", q.name, b.block, g, m.offset(p, prefetchBytes/64), m.index(0), q.typ)
	}
	return m.val("word", "vector.load %s[%s, %s, %s, %s] : %s, %s", q.name, b.block, g, p, m.index(strip*m.isa.Lanes), q.typ, m.i32())
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

// wordOf is the number of word p of group g within a row of activations.
func (m *matvec) wordOf(g, p string, words int) string {
	base := m.val("k", "arith.muli %s, %s : index", g, m.index(words))
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
		scale := m.splat("s", m.mem["xs"], "f32", m.index(0), m.index(b.row(i)), g)
		f := m.val("dot", "arith.sitofp %s : %s to %s", sums[i], m.i32(), m.f32())
		sums[i] = m.val("dot", "arith.mulf %s, %s : %s", f, scale, m.f32())
	}
	return sums
}

// nibble is the low (0) or high (1) half of every byte of a word.
func (m *matvec) nibble(word string, half int) string {
	if half == 1 {
		word = m.val("high", "arith.shrui %s, %s : %s", word, m.constant("c4", "dense<4> : "+m.i32()), m.i32())
	}
	return m.val("nibble", "arith.andi %s, %s : %s", word, m.constant("nibbles", "dense<0x0F0F0F0F> : "+m.i32()), m.i32())
}

// dotProducts sums by an instruction for dot products of four bytes.
func (m *matvec) dotProducts(b part, g string) []string {
	ways := 1
	if b.len() < 4 {
		ways = 2 // the sum of a sum takes several cycles
	}
	n := b.len()
	sums := slices.Repeat([]string{m.constant("zero32", "dense<0> : "+m.i32())}, ways*n)
	step := 0
	sums = m.overWords(0, m.k.words(), m.i32(), sums, func(p string, sums []string) {
		at := m.wordOf(g, p, wordsPerGroup)
		add := func(way, strip, offset int, w string) {
			for r, row := range b.rows {
				i := way%ways*n + r*len(b.strips) + strip
				sums[i] = m.dot4(sums[i], w, m.activations(row, m.offset(at, offset)))
			}
		}
		for s, strip := range b.strips {
			w := m.word(b, g, p, strip)
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
func (m *matvec) activations(row int, word string) string {
	return m.splat("x", m.mem["xq"], "i32", m.index(row), word)
}

// dot4 adds the products of the bytes of a word, unsigned by signed, to 32-bit lanes.
func (m *matvec) dot4(sum, w, x string) string {
	w, x = m.cast(w, m.i32(), m.i8()), m.cast(x, m.i32(), m.i8())
	return m.val("sum", "llvm.call_intrinsic \"llvm.x86.avx512.vpdpbusd.%d\"(%s, %s, %s) : (%s, %s, %s) -> %s",
		32*m.isa.Lanes, sum, w, x, m.i32(), m.i8(), m.i8(), m.i32())
}

// cast reinterprets a register.
func (m *matvec) cast(v, from, to string) string {
	return m.val("cast", "vector.bitcast %s : %s to %s", v, from, to)
}

// pairProducts sums without such an instruction, in 16-bit lanes. A lane takes 16
// products of a nibble and an activation, at most 16*15*127 = 30480: those of 8 words. Bytes
// are two nibbles, since one product of a byte and an activation is too large already.
func (m *matvec) pairProducts(b part, g string) []string {
	sums := make([]string, b.len())
	for i := range sums {
		sums[i] = m.constant("zero32", "dense<0> : "+m.i32())
	}
	halves := [][]int{{0, 1}}
	if b.len() > 2 {
		halves = [][]int{{0}, {1}} // half the sums at a time, for words loaded twice
	}
	for segment := 0; segment < m.k.words(); segment += wordsPerGroup / 2 {
		for _, h := range halves {
			m.pairSegment(b, g, segment, h, sums)
		}
	}
	return sums
}

// pairSegment adds the products of 8 words with the given halves of their bytes.
func (m *matvec) pairSegment(b part, g string, first int, halves []int, sums []string) {
	n := b.len()
	pairs := slices.Repeat([]string{m.constant("zero16", "dense<0> : "+m.i16())}, len(halves)*n)
	pairs = m.overWords(first, wordsPerGroup/2, m.i16(), pairs, func(p string, pairs []string) {
		at := m.wordOf(g, p, wordsPerGroup)
		for s, strip := range b.strips {
			w := m.word(b, g, p, strip)
			for h, half := range halves {
				nibbles, word := m.nibble(w, half), at
				if m.k.Bits == 4 {
					word = m.offset(at, half*wordsPerGroup/2)
				}
				for r, row := range b.rows {
					i := h*n + r*len(b.strips) + s
					pairs[i] = m.dot2(pairs[i], nibbles, m.activations(row, word))
				}
			}
		}
	})
	for i, v := range pairs {
		v = m.widened(v)
		if m.k.Bits == 8 && halves[i/n] == 1 {
			v = m.val("high", "arith.shli %s, %s : %s", v, m.constant("c4", "dense<4> : "+m.i32()), m.i32())
		}
		sums[i%n] = m.val("sum", "arith.addi %s, %s : %s", sums[i%n], v, m.i32())
	}
}

// dot2 adds the products of the bytes of nibbles and of activations to 16-bit lanes, the
// first two of a word to one and the others to the next.
func (m *matvec) dot2(sum, nibbles, x string) string {
	if m.isa.Dot == DotWiden {
		eight := m.constant("c8", "dense<8> : "+m.i16())
		n, y := m.cast(nibbles, m.i32(), m.i16()), m.cast(x, m.i32(), m.i16())
		low := m.val("low", "arith.andi %s, %s : %s", n, m.constant("bytes", "dense<255> : "+m.i16()), m.i16())
		first := m.val("x", "arith.shrsi %s, %s : %s", m.val("x", "arith.shli %s, %s : %s", y, eight, m.i16()), eight, m.i16())
		high := m.val("high", "arith.shrui %s, %s : %s", n, eight, m.i16())
		second := m.val("x", "arith.shrsi %s, %s : %s", y, eight, m.i16())
		for _, pair := range [][2]string{{low, first}, {high, second}} {
			sum = m.val("pair", "arith.addi %s, %s : %s", sum, m.val("product", "arith.muli %s, %s : %s", pair[0], pair[1], m.i16()), m.i16())
		}
		return sum
	}
	name := map[DotInstruction]string{DotMaddAVX2: "llvm.x86.avx2.pmadd.ub.sw", DotMaddAVX512: "llvm.x86.avx512.pmaddubs.w.512"}[m.isa.Dot]
	pair := m.val("pair", "llvm.call_intrinsic \"%s\"(%s, %s) : (%s, %s) -> %s", name,
		m.cast(nibbles, m.i32(), m.i8()), m.cast(x, m.i32(), m.i8()), m.i8(), m.i8(), m.i16())
	return m.val("pair", "arith.addi %s, %s : %s", sum, pair, m.i16())
}

// widened adds neighbours of 16 bits to lanes of 32.
func (m *matvec) widened(v string) string {
	if m.isa.Dot == DotWiden {
		v, sixteen := m.cast(v, m.i16(), m.i32()), m.constant("c16", "dense<16> : "+m.i32())
		low := m.val("low", "arith.shrsi %s, %s : %s", m.val("low", "arith.shli %s, %s : %s", v, sixteen, m.i32()), sixteen, m.i32())
		high := m.val("high", "arith.shrsi %s, %s : %s", v, sixteen, m.i32())
		return m.val("wide", "arith.addi %s, %s : %s", low, high, m.i32())
	}
	name := map[DotInstruction]string{DotMaddAVX2: "llvm.x86.avx2.pmadd.wd", DotMaddAVX512: "llvm.x86.avx512.pmaddw.d.512"}[m.isa.Dot]
	ones := m.constant("ones16", "dense<1> : "+m.i16())
	return m.val("wide", "llvm.call_intrinsic \"%s\"(%s, %s) : (%s, %s) -> %s", name, v, ones, m.i16(), m.i16(), m.i32())
}

// floatProducts is Σ q*x of group g.
func (m *matvec) floatProducts(b part, g string) []string {
	n := b.len()
	ways := max(1, 4/n)
	sums := slices.Repeat([]string{m.constant("zero", "dense<0.0> : "+m.f32())}, ways*n)
	base := m.val("k", "arith.muli %s, %s : index", g, m.index(ir.GroupSize))
	sums = m.overWords(0, m.k.words(), m.f32(), sums, func(p string, sums []string) {
		at := m.val("k", "arith.addi %s, %s : index", base, m.val("k", "arith.muli %s, %s : index", p, m.index(4)))
		for s, strip := range b.strips {
			w := m.word(b, g, p, strip)
			for j := range 32 / m.k.Bits {
				column := j
				if m.k.Bits == 4 {
					column = j/2 + j%2*ir.GroupSize/2
				}
				q := m.integer(w, j)
				for r, row := range b.rows {
					i := j%ways*n + r*len(b.strips) + s
					sums[i] = m.multiplyAdd(q, m.splat("x", m.mem["xp"], "f32", m.index(row), m.offset(at, column)), sums[i])
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

// integer is the j-th integer of a word as float32.
func (m *matvec) integer(w string, j int) string {
	if j > 0 {
		w = m.val("shifted", "arith.shrui %s, %s : %s", w, m.constant(fmt.Sprintf("c%dbits", j*m.k.Bits), fmt.Sprintf("dense<%d> : %s", j*m.k.Bits, m.i32())), m.i32())
	}
	if m.k.Bits == 4 && m.isa.PermuteF32 { // looks at the low 4 bits only
		table := m.constant("table", "dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]> : vector<16xf32>")
		return m.val("q", "llvm.call_intrinsic \"llvm.x86.avx512.permvar.sf.512\"(%s, %s) : (%s, %s) -> %s", table, w, m.f32(), m.i32(), m.f32())
	}
	if (j+1)*m.k.Bits < 32 {
		w = m.val("q", "arith.andi %s, %s : %s", w, m.constant("mask", fmt.Sprintf("dense<%d> : %s", 1<<m.k.Bits-1, m.i32())), m.i32())
	}
	return m.val("q", "arith.sitofp %s : %s to %s", w, m.i32(), m.f32())
}

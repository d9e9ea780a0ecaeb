package kernel

import (
	"fmt"

	"github.com/hlocc/hlocc/lower/ir"
)

// registers writes operations of whole registers, of an instruction set.
type registers struct {
	*emit
	isa ISA
}

// f32, i32, i16 and i8 are the types of a register.
func (r registers) f32() string { return fmt.Sprintf("vector<%dxf32>", r.isa.Lanes) }
func (r registers) i32() string { return fmt.Sprintf("vector<%dxi32>", r.isa.Lanes) }
func (r registers) i16() string { return fmt.Sprintf("vector<%dxi16>", 2*r.isa.Lanes) }
func (r registers) i8() string  { return fmt.Sprintf("vector<%dxi8>", 4*r.isa.Lanes) }

// cast reinterprets a register.
func (r registers) cast(v, from, to string) string {
	return r.val("cast", "vector.bitcast %s : %s to %s", v, from, to)
}

// every is a register with the same number in every lane.
func (r registers) every(n int, typ string) string {
	return r.constant(fmt.Sprintf("c%d", n), fmt.Sprintf("dense<%d> : %s", n, typ))
}

// splat is an element of memory, "f32" or "i32", in every lane.
func (r registers) splat(hint string, mem memory, elem string, at ...string) string {
	v := r.val(hint, "memref.load %s[%s] : %s", mem.name, list(at), mem.typ)
	return r.val(hint, "vector.broadcast %s : %s to vector<%dx%s>", v, elem, r.isa.Lanes, elem)
}

// multiplyAdd is a*b + c, fused where there is an instruction: elsewhere vector.fma would
// become a call per lane.
func (r registers) multiplyAdd(a, b, c string) string {
	if r.isa.FMA {
		return r.val("y", "vector.fma %s, %s, %s : %s", a, b, c, r.f32())
	}
	return r.val("y", "arith.addf %s, %s : %s", r.val("product", "arith.mulf %s, %s : %s", a, b, r.f32()), c, r.f32())
}

// gated applies the activation of a gate.
func (r registers) gated(fn ir.ActivateFn, x string) string {
	if fn == ir.SiLU {
		return r.silu(x, r.isa.Lanes)
	}
	return r.geluTanh(x, r.isa.Lanes)
}

// integer is the j-th integer, of some bits, of a word of the matrix as float32.
func (r registers) integer(word string, bits, j int) string {
	if j > 0 {
		word = r.val("shifted", "arith.shrui %s, %s : %s", word, r.every(j*bits, r.i32()), r.i32())
	}
	if bits == 4 && r.isa.PermuteF32 { // looks at the low 4 bits only
		table := r.constant("table", "dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]> : vector<16xf32>")
		return r.val("q", "llvm.call_intrinsic \"llvm.x86.avx512.permvar.sf.512\"(%s, %s) : (%s, %s) -> %s", table, word, r.f32(), r.i32(), r.f32())
	}
	if (j+1)*bits < 32 {
		word = r.val("q", "arith.andi %s, %s : %s", word, r.every(1<<bits-1, r.i32()), r.i32())
	}
	return r.val("q", "arith.sitofp %s : %s to %s", word, r.i32(), r.f32())
}

// nibble is the low (0) or high (1) half of every byte of a word.
func (r registers) nibble(word string, half int) string {
	if half == 1 {
		word = r.val("high", "arith.shrui %s, %s : %s", word, r.every(4, r.i32()), r.i32())
	}
	return r.val("nibble", "arith.andi %s, %s : %s", word, r.every(0x0f0f0f0f, r.i32()), r.i32())
}

// dot4 adds the products of the bytes of words, unsigned by signed, to 32-bit lanes.
func (r registers) dot4(sum, word, x string) string {
	word, x = r.cast(word, r.i32(), r.i8()), r.cast(x, r.i32(), r.i8())
	return r.val("sum", "llvm.call_intrinsic \"llvm.x86.avx512.vpdpbusd.%d\"(%s, %s, %s) : (%s, %s, %s) -> %s",
		32*r.isa.Lanes, sum, word, x, r.i32(), r.i8(), r.i8(), r.i32())
}

// pairsMost is how many words of nibbles a 16-bit lane can take in: it adds two products a word,
// of 15*127 at most.
const pairsMost = 8

// dot2 adds the products of the bytes of nibbles and of activations to 16-bit lanes, the
// first two of a word to one and the others to the next.
func (r registers) dot2(sum, nibbles, x string) string {
	if r.isa.Dot == DotWiden {
		n, y, eight := r.cast(nibbles, r.i32(), r.i16()), r.cast(x, r.i32(), r.i16()), r.every(8, r.i16())
		low := r.val("low", "arith.andi %s, %s : %s", n, r.every(255, r.i16()), r.i16())
		first := r.val("x", "arith.shrsi %s, %s : %s", r.val("x", "arith.shli %s, %s : %s", y, eight, r.i16()), eight, r.i16())
		high := r.val("high", "arith.shrui %s, %s : %s", n, eight, r.i16())
		second := r.val("x", "arith.shrsi %s, %s : %s", y, eight, r.i16())
		for _, pair := range [][2]string{{low, first}, {high, second}} {
			sum = r.val("pair", "arith.addi %s, %s : %s", sum, r.val("product", "arith.muli %s, %s : %s", pair[0], pair[1], r.i16()), r.i16())
		}
		return sum
	}
	name := map[DotInstruction]string{DotMaddAVX2: "llvm.x86.avx2.pmadd.ub.sw", DotMaddAVX512: "llvm.x86.avx512.pmaddubs.w.512"}[r.isa.Dot]
	pair := r.val("pair", "llvm.call_intrinsic \"%s\"(%s, %s) : (%s, %s) -> %s", name,
		r.cast(nibbles, r.i32(), r.i8()), r.cast(x, r.i32(), r.i8()), r.i8(), r.i8(), r.i16())
	return r.val("pair", "arith.addi %s, %s : %s", sum, pair, r.i16())
}

// widened adds neighbours of 16 bits to lanes of 32.
func (r registers) widened(v string) string {
	if r.isa.Dot == DotWiden {
		v, sixteen := r.cast(v, r.i16(), r.i32()), r.every(16, r.i32())
		low := r.val("low", "arith.shrsi %s, %s : %s", r.val("low", "arith.shli %s, %s : %s", v, sixteen, r.i32()), sixteen, r.i32())
		high := r.val("high", "arith.shrsi %s, %s : %s", v, sixteen, r.i32())
		return r.val("wide", "arith.addi %s, %s : %s", low, high, r.i32())
	}
	name := map[DotInstruction]string{DotMaddAVX2: "llvm.x86.avx2.pmadd.wd", DotMaddAVX512: "llvm.x86.avx512.pmaddw.d.512"}[r.isa.Dot]
	return r.val("wide", "llvm.call_intrinsic \"%s\"(%s, %s) : (%s, %s) -> %s", name, v, r.every(1, r.i16()), r.i16(), r.i16(), r.i32())
}

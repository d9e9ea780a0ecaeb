package vm

import "math"

func f32at(regs []uint32, r uint16) float32 { return math.Float32frombits(regs[r]) }

// runF32 executes the instructions on 32-bit floats. Their rounding follows
// IREE's interpreter, which is compiled C: the transcendental functions are
// evaluated in double precision and rounded, which is what C libraries do.
func (in *Instance) runF32(fn *function, i *inst, regs []uint32, refs []Ref) error {
	switch i.op {
	case opF32ConstF32Zero:
		regs[i.a] = 0
	case opF32ConstF32:
		regs[i.a] = i.x
	case opF32GlobalLoadF32:
		regs[i.a] = le.Uint32(in.globals[i.x:])
	case opF32GlobalStoreF32:
		le.PutUint32(in.globals[i.x:], regs[i.a])
	case opF32GlobalLoadIndirectF32:
		g, err := in.global(regs[i.a], 4)
		if err != nil {
			return err
		}
		regs[i.b] = le.Uint32(g)
	case opF32GlobalStoreIndirectF32:
		g, err := in.global(regs[i.a], 4)
		if err != nil {
			return err
		}
		le.PutUint32(g, regs[i.b])
	case opF32SelectF32:
		if regs[i.a] != 0 {
			regs[i.d] = regs[i.b]
		} else {
			regs[i.d] = regs[i.c]
		}
	case opF32SwitchF32:
		regs[i.c] = regs[choose(fn, i.x, regs[i.a], i.b)]

	case opF32ListGetF32, opF32ListSetF32:
		l, err := asList(refs[i.a])
		if err != nil {
			return err
		}
		if i.op == opF32ListSetF32 {
			return l.set(regs[i.b], KindF32, uint64(regs[i.c]))
		}
		v, err := l.get(regs[i.b], KindF32)
		if err != nil {
			return err
		}
		regs[i.c] = uint32(v)
	case opF32BufferLoadF32:
		b, err := asBuffer(refs[i.a])
		if err != nil {
			return err
		}
		p, err := b.elements(get64(regs, i.b), 1, 2)
		if err != nil {
			return err
		}
		regs[i.c] = le.Uint32(p)
	case opF32BufferStoreF32:
		b, err := asBuffer(refs[i.a])
		if err != nil {
			return err
		}
		p, err := b.writable(get64(regs, i.b), 1, 2)
		if err != nil {
			return err
		}
		le.PutUint32(p, regs[i.c])
	case opF32BufferFillF32:
		return in.fill(i, regs, refs, 2, uint64(regs[i.d]))

	case opF32BitcastI32F32, opF32BitcastF32I32:
		regs[i.b] = regs[i.a]
	case opF32CastSI32F32:
		regs[i.b] = math.Float32bits(float32(int32(regs[i.a])))
	case opF32CastUI32F32:
		regs[i.b] = math.Float32bits(float32(regs[i.a]))
	case opF32CastSI64F32:
		regs[i.b] = math.Float32bits(float32(int64(get64(regs, i.a))))
	case opF32CastUI64F32:
		regs[i.b] = math.Float32bits(float32(get64(regs, i.a)))
	case opF32CastF32SI32, opF32CastF32UI32:
		regs[i.b] = uint32(roundToInt(float64(f32at(regs, i.a))))
	case opF32CastF32SI64:
		set64(regs, i.b, uint64(roundToInt(float64(f32at(regs, i.a)))))
	case opF32CastF32UI64:
		set64(regs, i.b, truncToUint(math.Round(float64(f32at(regs, i.a)))))

	case opF32CmpEQF32O, opF32CmpEQF32U, opF32CmpNEF32O, opF32CmpNEF32U, opF32CmpLTF32O, opF32CmpLTF32U,
		opF32CmpLTEF32O, opF32CmpLTEF32U:
		regs[i.c] = bit(compare(comparison(i.op-opF32CmpEQF32O), float64(f32at(regs, i.a)), float64(f32at(regs, i.b))))
	case opF32CmpNaNF32:
		v := f32at(regs, i.a)
		regs[i.b] = bit(v != v)

	case opF32FMAF32:
		// Two roundings: the interpreter's x86-64 build has no fused instruction.
		regs[i.d] = math.Float32bits(float32(f32at(regs, i.a)*f32at(regs, i.b)) + f32at(regs, i.c))
	case opF32AddF32, opF32SubF32, opF32MulF32, opF32DivF32, opF32RemF32, opF32MinF32, opF32MaxF32,
		opF32Atan2F32, opF32PowF32:
		regs[i.c] = math.Float32bits(binaryF32(i.op, f32at(regs, i.a), f32at(regs, i.b)))
	default:
		regs[i.b] = math.Float32bits(unaryF32(i.op, f32at(regs, i.a)))
	}
	return nil
}

func binaryF32(op opcode, a, b float32) float32 {
	switch op {
	case opF32AddF32:
		return a + b
	case opF32SubF32:
		return a - b
	case opF32MulF32:
		return a * b
	case opF32DivF32:
		return a / b
	case opF32RemF32:
		return float32(math.Remainder(float64(a), float64(b))) // C's remainder, not fmod
	case opF32MinF32:
		if b < a { // a NaN on the right is dropped, one on the left is kept
			return b
		}
		return a
	case opF32MaxF32:
		if a < b {
			return b
		}
		return a
	case opF32Atan2F32:
		return float32(math.Atan2(float64(a), float64(b)))
	case opF32PowF32:
		return float32(math.Pow(float64(a), float64(b)))
	}
	return 0
}

func unaryF32(op opcode, a float32) float32 {
	x := float64(a)
	switch op {
	case opF32AbsF32:
		x = math.Abs(x)
	case opF32NegF32:
		return -a
	case opF32CeilF32:
		x = math.Ceil(x)
	case opF32FloorF32:
		x = math.Floor(x)
	case opF32RoundF32:
		x = math.Round(x)
	case opF32RoundF32Even:
		x = math.RoundToEven(x)
	case opF32AtanF32:
		x = math.Atan(x)
	case opF32CosF32:
		x = math.Cos(x)
	case opF32SinF32:
		x = math.Sin(x)
	case opF32ExpF32:
		x = math.Exp(x)
	case opF32Exp2F32:
		x = math.Exp2(x)
	case opF32ExpM1F32:
		x = math.Expm1(x)
	case opF32LogF32:
		x = math.Log(x)
	case opF32Log10F32:
		x = math.Log10(x)
	case opF32Log1pF32:
		x = math.Log1p(x)
	case opF32Log2F32:
		x = math.Log2(x)
	case opF32RsqrtF32:
		return 1 / float32(math.Sqrt(x))
	case opF32SqrtF32:
		x = math.Sqrt(x)
	case opF32TanhF32:
		x = math.Tanh(x)
	case opF32ErfF32:
		x = math.Erf(x)
	}
	return float32(x)
}

// comparison is one of the eight comparisons, in the order of their opcodes.
type comparison opcode

// compare compares two floats. The u variants hold if one of them is NaN; so
// does "not equal", in both variants, as in IREE's interpreter.
func compare(c comparison, a, b float64) bool {
	unordered := c&1 != 0 && (a != a || b != b)
	switch c &^ 1 {
	case 0:
		return unordered || a == b
	case 2:
		return a != b
	case 4:
		return unordered || a < b
	default:
		return unordered || a <= b
	}
}

const (
	two63 = 1 << 63
	two64 = 1 << 64
)

// roundToInt rounds to the nearest integer, halves away from zero. What no
// int64 can hold, also NaN, gives the least one, as on x86-64.
func roundToInt(x float64) int64 {
	x = math.Round(x)
	if x >= -two63 && x < two63 {
		return int64(x)
	}
	return math.MinInt64
}

// truncToUint is the conversion that C compilers make for x86-64: negative
// values wrap around, what no uint64 can hold gives 1<<63.
func truncToUint(x float64) uint64 {
	switch {
	case x >= -two63 && x < two63:
		return uint64(int64(x))
	case x >= two63 && x < two64:
		return uint64(int64(x-two63)) | 1<<63
	}
	return 1 << 63
}

package vm

import "math"

func f64at(regs []uint32, r uint16) float64 { return math.Float64frombits(get64(regs, r)) }

func setF64(regs []uint32, r uint16, v float64) { set64(regs, r, math.Float64bits(v)) }

// runF64 executes the instructions on 64-bit floats; see runF32.
func (in *Instance) runF64(fn *function, i *inst, regs []uint32, refs []Ref) error {
	switch i.op {
	case opF64ConstF64Zero:
		set64(regs, i.a, 0)
	case opF64ConstF64:
		set64(regs, i.a, uint64(i.x)|uint64(i.y())<<32)
	case opF64GlobalLoadF64:
		set64(regs, i.a, le.Uint64(in.globals[i.x:]))
	case opF64GlobalStoreF64:
		le.PutUint64(in.globals[i.x:], get64(regs, i.a))
	case opF64GlobalLoadIndirectF64:
		g, err := in.global(regs[i.a], 8)
		if err != nil {
			return err
		}
		set64(regs, i.b, le.Uint64(g))
	case opF64GlobalStoreIndirectF64:
		g, err := in.global(regs[i.a], 8)
		if err != nil {
			return err
		}
		le.PutUint64(g, get64(regs, i.b))
	case opF64SelectF64:
		if regs[i.a] != 0 {
			set64(regs, i.d, get64(regs, i.b))
		} else {
			set64(regs, i.d, get64(regs, i.c))
		}
	case opF64SwitchF64:
		set64(regs, i.c, get64(regs, choose(fn, i.x, regs[i.a], i.b)))

	case opF64ListGetF64, opF64ListSetF64:
		l, err := asList(refs[i.a])
		if err != nil {
			return err
		}
		if i.op == opF64ListSetF64 {
			return l.set(regs[i.b], KindF64, get64(regs, i.c))
		}
		v, err := l.get(regs[i.b], KindF64)
		if err != nil {
			return err
		}
		set64(regs, i.c, v)
	case opF64BufferLoadF64:
		b, err := asBuffer(refs[i.a])
		if err != nil {
			return err
		}
		p, err := b.elements(get64(regs, i.b), 1, 3)
		if err != nil {
			return err
		}
		set64(regs, i.c, le.Uint64(p))
	case opF64BufferStoreF64:
		b, err := asBuffer(refs[i.a])
		if err != nil {
			return err
		}
		p, err := b.writable(get64(regs, i.b), 1, 3)
		if err != nil {
			return err
		}
		le.PutUint64(p, get64(regs, i.c))
	case opF64BufferFillF64:
		return in.fill(i, regs, refs, 3, get64(regs, i.d))

	case opF64BitcastI64F64, opF64BitcastF64I64:
		set64(regs, i.b, get64(regs, i.a))
	case opF64TruncF64F32:
		regs[i.b] = math.Float32bits(float32(f64at(regs, i.a)))
	case opF64ExtF32F64:
		setF64(regs, i.b, float64(f32at(regs, i.a)))
	case opF64CastSI32F64:
		setF64(regs, i.b, float64(int32(regs[i.a])))
	case opF64CastUI32F64:
		setF64(regs, i.b, float64(regs[i.a]))
	case opF64CastSI64F64:
		setF64(regs, i.b, float64(int64(get64(regs, i.a))))
	case opF64CastUI64F64:
		setF64(regs, i.b, float64(get64(regs, i.a)))
	case opF64CastF64SI32, opF64CastF64UI32:
		// By way of a 32-bit float, which loses low bits: so does IREE.
		regs[i.b] = uint32(roundToInt(float64(float32(f64at(regs, i.a)))))
	case opF64CastF64SI64, opF64CastF64UI64:
		set64(regs, i.b, uint64(roundToInt(f64at(regs, i.a))))

	case opF64CmpEQF64O, opF64CmpEQF64U, opF64CmpNEF64O, opF64CmpNEF64U, opF64CmpLTF64O, opF64CmpLTF64U,
		opF64CmpLTEF64O, opF64CmpLTEF64U:
		regs[i.c] = bit(compare(comparison(i.op-opF64CmpEQF64O), f64at(regs, i.a), f64at(regs, i.b)))
	case opF64CmpNaNF64:
		v := f64at(regs, i.a)
		regs[i.b] = bit(v != v)

	case opF64FMAF64:
		setF64(regs, i.d, float64(f64at(regs, i.a)*f64at(regs, i.b))+f64at(regs, i.c))
	case opF64AddF64, opF64SubF64, opF64MulF64, opF64DivF64, opF64RemF64, opF64MinF64, opF64MaxF64,
		opF64Atan2F64, opF64PowF64:
		setF64(regs, i.c, binaryF64(i.op, f64at(regs, i.a), f64at(regs, i.b)))
	default:
		setF64(regs, i.b, unaryF64(i.op, f64at(regs, i.a)))
	}
	return nil
}

func binaryF64(op opcode, a, b float64) float64 {
	switch op {
	case opF64AddF64:
		return a + b
	case opF64SubF64:
		return a - b
	case opF64MulF64:
		return a * b
	case opF64DivF64:
		return a / b
	case opF64RemF64:
		return math.Remainder(a, b)
	case opF64MinF64:
		if b < a {
			return b
		}
		return a
	case opF64MaxF64:
		if a < b {
			return b
		}
		return a
	case opF64Atan2F64:
		return math.Atan2(a, b)
	case opF64PowF64:
		return math.Pow(a, b)
	}
	return 0
}

func unaryF64(op opcode, a float64) float64 {
	switch op {
	case opF64AbsF64:
		return math.Abs(a)
	case opF64NegF64:
		return -a
	case opF64CeilF64:
		return math.Ceil(a)
	case opF64FloorF64:
		return math.Floor(a)
	case opF64RoundF64:
		return math.Round(a)
	case opF64RoundF64Even:
		return math.RoundToEven(a)
	case opF64AtanF64:
		return math.Atan(a)
	case opF64CosF64:
		return math.Cos(a)
	case opF64SinF64:
		return math.Sin(a)
	case opF64ExpF64:
		return math.Exp(a)
	case opF64Exp2F64:
		return math.Exp2(a)
	case opF64ExpM1F64:
		return math.Expm1(a)
	case opF64LogF64:
		return math.Log(a)
	case opF64Log10F64:
		return math.Log10(a)
	case opF64Log1pF64:
		return math.Log1p(a)
	case opF64Log2F64:
		return math.Log2(a)
	case opF64RsqrtF64:
		return 1 / math.Sqrt(a)
	case opF64SqrtF64:
		return math.Sqrt(a)
	case opF64TanhF64:
		return math.Tanh(a)
	case opF64ErfF64:
		return math.Erf(a)
	}
	return 0
}

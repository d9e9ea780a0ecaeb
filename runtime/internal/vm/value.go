package vm

import "math"

// Ref is a reference held in a register, a global or a list: a *Buffer, a
// *List, or an object of the host (a device, a buffer view, ...). nil is the
// null reference.
//
// The dynamic type must be a pointer: references are compared by identity.
type Ref interface {
	// RefType is the name of the type as modules spell it in their type
	// tables, without the leading '!': "vm.buffer", "hal.buffer_view". It must
	// be a constant of the dynamic type.
	RefType() string
}

// Kind is the type of a Value, in the letters of the VM's calling convention.
type Kind byte

const (
	KindI32 Kind = 'i'
	KindI64 Kind = 'I'
	KindF32 Kind = 'f'
	KindF64 Kind = 'F'
	KindRef Kind = 'r'
)

func (k Kind) String() string {
	switch k {
	case KindI32:
		return "i32"
	case KindI64:
		return "i64"
	case KindF32:
		return "f32"
	case KindF64:
		return "f64"
	case KindRef:
		return "ref"
	case kindSpan:
		return "span"
	}
	return "none"
}

// Value is one argument or result of a function. The zero Value has no kind
// and is what an empty list slot of a variant list holds.
type Value struct {
	kind Kind
	bits uint64
	ref  Ref
}

func I32Value(v int32) Value   { return Value{kind: KindI32, bits: uint64(uint32(v))} }
func I64Value(v int64) Value   { return Value{kind: KindI64, bits: uint64(v)} }
func F32Value(v float32) Value { return Value{kind: KindF32, bits: uint64(math.Float32bits(v))} }
func F64Value(v float64) Value { return Value{kind: KindF64, bits: math.Float64bits(v)} }
func RefValue(r Ref) Value     { return Value{kind: KindRef, ref: r} }

// Kind is the kind of v, 0 for the zero Value.
func (v Value) Kind() Kind { return v.kind }

// The accessors below reinterpret nothing but bits: they are meaningful only
// for a Value of their own kind.

func (v Value) I32() int32   { return int32(uint32(v.bits)) }
func (v Value) I64() int64   { return int64(v.bits) }
func (v Value) F32() float32 { return math.Float32frombits(uint32(v.bits)) }
func (v Value) F64() float64 { return math.Float64frombits(v.bits) }
func (v Value) Ref() Ref     { return v.ref }

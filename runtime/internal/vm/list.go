package vm

import "math"

// elemType is what a list holds, or what a type id of a module stands for.
type elemType uint8

const (
	elemAny elemType = iota // each element has its own kind
	elemI8
	elemI16
	elemI32
	elemI64
	elemF32
	elemF64
	elemRef
)

func (e elemType) kind() Kind {
	return [...]Kind{0, KindI32, KindI32, KindI32, KindI64, KindF32, KindF64, KindRef}[e]
}

// List is a !vm.list: a growable sequence of Values.
type List struct {
	elem   elemType
	name   string // of the objects, for elemRef; "" is any
	items  []Value
	charge *charge // nil if the host made the list
}

// NewList makes a list of n zero elements (null references for KindRef). A
// kind of 0 makes a list whose elements may be of any kind.
func NewList(elem Kind, n int) *List {
	l := &List{items: make([]Value, n)}
	for e := elemI32; e <= elemRef; e++ {
		if e.kind() == elem {
			l.elem = e
		}
	}
	for i := range l.items {
		l.items[i].kind = l.elem.kind()
	}
	return l
}

func (*List) RefType() string { return "vm.list" }

// Len is the number of elements.
func (l *List) Len() int { return len(l.items) }

// At is element i, the zero Value if i is out of range.
func (l *List) At(i int) Value {
	if uint(i) >= uint(len(l.items)) {
		return Value{}
	}
	return l.items[i]
}

// Set stores v as element i and reports whether i is in range and v is of a
// kind and type that the list holds.
func (l *List) Set(i int, v Value) bool {
	if uint(i) >= uint(len(l.items)) || !l.holds(v) {
		return false
	}
	l.items[i] = v
	return true
}

// Append adds v and reports whether v is of a kind and type that the list holds.
func (l *List) Append(v Value) bool {
	if !l.holds(v) || !l.grow(len(l.items)+1) {
		return false
	}
	l.items = append(l.items, v)
	return true
}

func (l *List) holds(v Value) bool {
	switch l.elem {
	case elemAny:
		return true
	case elemRef:
		t := typeDef{elemRef, l.name}
		return v.kind == KindRef && t.admits(v.ref)
	}
	return v.kind == l.elem.kind()
}

func asList(r Ref) (*List, error) {
	l, ok := r.(*List)
	if !ok || l == nil {
		return nil, trap(statusInvalidArgument, "%s where a list is needed", describe(r))
	}
	return l, nil
}

func (l *List) slot(i uint32) (*Value, error) {
	if uint64(i) >= uint64(len(l.items)) {
		return nil, trap(statusOutOfRange, "element %d of a list of %d", i, len(l.items))
	}
	return &l.items[i], nil
}

func (l *List) resize(n uint32) error {
	if int(n) > len(l.items) && !l.grow(int(n)) {
		return trap(statusResourceExhausted, "no memory for a list of %d elements", n)
	}
	old := len(l.items)
	if int(n) < old {
		clear(l.items[n:])
	}
	l.items = l.items[:n]
	for i := old; i < int(n); i++ {
		l.items[i] = Value{kind: l.elem.kind()}
	}
	return nil
}

// get is the bits of element i as a value of kind k. Integers are converted to
// each other, and so are floats; between the two there is no conversion and the
// result is 0.
func (l *List) get(i uint32, k Kind) (uint64, error) {
	v, err := l.slot(i)
	if err != nil {
		return 0, err
	}
	if v.kind == 0 || v.kind == KindRef {
		return 0, trap(statusFailedPrecondition, "element %d of the list is not a plain value", i)
	}
	return convert(v.bits, v.kind, k), nil
}

// set stores the bits of a value of kind k as element i.
func (l *List) set(i uint32, k Kind, bits uint64) error {
	v, err := l.slot(i)
	if err != nil {
		return err
	}
	switch l.elem {
	case elemAny:
		*v = Value{kind: k, bits: bits}
	case elemRef:
		return trap(statusFailedPrecondition, "a plain value for a list of references")
	case elemI8:
		v.bits = uint64(uint32(int8(convert(bits, k, KindI32))))
	case elemI16:
		v.bits = uint64(uint32(int16(convert(bits, k, KindI32))))
	default:
		v.bits = convert(bits, k, v.kind)
	}
	return nil
}

func convert(bits uint64, from, to Kind) uint64 {
	switch {
	case from == to:
		return bits
	case from == KindI32 && to == KindI64:
		return uint64(int64(int32(bits)))
	case from == KindI64 && to == KindI32:
		return uint64(uint32(bits))
	case from == KindF32 && to == KindF64:
		return math.Float64bits(float64(math.Float32frombits(uint32(bits))))
	case from == KindF64 && to == KindF32:
		return uint64(math.Float32bits(float32(math.Float64frombits(bits))))
	}
	return 0
}

// getRef is the reference at element i. If it is not of the type t, the result
// is null: that is how bytecode asks what a variant holds.
func (l *List) getRef(i uint32, t *typeDef, move bool) (Ref, error) {
	v, err := l.slot(i)
	if err != nil {
		return nil, err
	}
	if v.kind != KindRef && v.kind != 0 {
		return nil, trap(statusFailedPrecondition, "element %d of the list is not a reference", i)
	}
	r := v.ref
	if move {
		*v = Value{kind: l.elem.kind()}
	}
	if !t.admits(r) {
		return nil, nil
	}
	return r, nil
}

func (l *List) setRef(i uint32, r Ref) error {
	v, err := l.slot(i)
	if err != nil {
		return err
	}
	if !l.holds(RefValue(r)) {
		return trap(statusInvalidArgument, "%s for a list that does not hold it", describe(r))
	}
	*v = RefValue(r)
	return nil
}

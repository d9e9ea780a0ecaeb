package vm

// List is a !vm.list: a growable sequence of Values.
type List struct {
	elem  Kind // 0: variant, each element has its own kind
	items []Value
}

// NewList makes a list of n zero elements (null references for KindRef). A
// kind of 0 makes a list whose elements may be of any kind.
func NewList(elem Kind, n int) *List {
	l := &List{elem: elem, items: make([]Value, n)}
	for i := range l.items {
		l.items[i].kind = elem
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

// Set stores v as element i and reports whether i is in range and v's kind fits the list.
func (l *List) Set(i int, v Value) bool {
	if uint(i) >= uint(len(l.items)) || l.elem != 0 && l.elem != v.kind {
		return false
	}
	l.items[i] = v
	return true
}

// Append adds v and reports whether v's kind fits the list.
func (l *List) Append(v Value) bool {
	if l.elem != 0 && l.elem != v.kind {
		return false
	}
	l.items = append(l.items, v)
	return true
}

package ir

import (
	"errors"
	"fmt"
)

// A Kernel is a function that we write ourselves for the compiler, in place of the
// operations whose meaning it has. The implementations are comparable structs of
// attributes in lower/kernel.
type Kernel interface {
	// Name is an identifier, different for kernels that differ.
	Name() string
	// Infer gives the types of its results, at least one, or why it cannot take such operands.
	Infer(args []Type) ([]Type, error)
	// Ties says for each result which operand's memory it takes over, updated in
	// place; -1 or a missing entry for a result of its own.
	Ties() []int
	// Reference computes the results by portable operations: what the kernel means.
	Reference(b *Builder, args []*Value) []*Value
}

// Dispatch calls a kernel. Its value is the kernel's first result; [Also] has the others.
type Dispatch struct{ Kernel Kernel }

// Mnemonic implements [Op].
func (Dispatch) Mnemonic() string { return "kernel" }

func (o Dispatch) infer(args []Type) (Type, error) {
	types, err := o.types(args)
	if err != nil {
		return Type{}, err
	}
	return types[0], nil
}

// types are the types of all results.
func (o Dispatch) types(args []Type) ([]Type, error) {
	if o.Kernel == nil {
		return nil, errors.New("no kernel")
	}
	if !isIdent(o.Kernel.Name()) {
		return nil, fmt.Errorf("kernel name %q is not an identifier", o.Kernel.Name())
	}
	types, err := o.Kernel.Infer(args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Kernel.Name(), err)
	}
	if len(types) == 0 {
		return nil, fmt.Errorf("%s has no results", o.Kernel.Name())
	}
	for i, t := range types {
		if err := t.Check(); err != nil {
			return nil, err
		}
		if tie := o.tie(i); tie >= 0 && (tie >= len(args) || args[tie] != t) {
			return nil, fmt.Errorf("%s: result %d of type %v updates operand %d", o.Kernel.Name(), i, t, tie)
		}
	}
	return types, nil
}

// tie is the operand that result i updates, -1 for none.
func (o Dispatch) tie(i int) int {
	if ties := o.Kernel.Ties(); i < len(ties) {
		return ties[i]
	}
	return -1
}

func (o Dispatch) attrs() string { return o.Kernel.Name() }

// Also is a further result of the [Dispatch] that is its operand.
type Also struct {
	Index int // 1 or more
	Type  Type
}

// Mnemonic implements [Op].
func (Also) Mnemonic() string { return "also" }

func (o Also) infer(args []Type) (Type, error) {
	if len(args) != 1 {
		return Type{}, arity(1, args)
	}
	return o.Type, nil
}

func (o Also) check(args []*Value) error {
	d, ok := args[0].op.(Dispatch)
	if !ok {
		return fmt.Errorf("%v calls no kernel", args[0])
	}
	types, err := d.types(typesOf(args[0].args))
	if err != nil {
		return err
	}
	if o.Index < 1 || o.Index >= len(types) || types[o.Index] != o.Type {
		return fmt.Errorf("%s has no result %d of type %v", d.Kernel.Name(), o.Index, o.Type)
	}
	return nil
}

func (o Also) attrs() string { return fmt.Sprintf("result=%d", o.Index) }

// Dispatch calls a kernel and gives all its results.
func (b *Builder) Dispatch(k Kernel, args ...*Value) []*Value {
	first := b.Apply(Dispatch{k}, args...)
	all := []*Value{first}
	if first.op == nil { // an error; as many as a caller may ask for
		for range 7 {
			all = append(all, first)
		}
		return all
	}
	types, _ := Dispatch{k}.types(typesOf(first.args)) // as Apply found them
	for i, t := range types[1:] {
		all = append(all, b.Apply(Also{Index: i + 1, Type: t}, first))
	}
	return all
}

func typesOf(values []*Value) []Type {
	types := make([]Type, len(values))
	for i, v := range values {
		types[i] = v.typ
	}
	return types
}

// updates is the operation behind v that changes memory in place, and the operand
// whose memory v stands in; nil if v has memory of its own.
func (v *Value) updates() (by *Value, operand int) {
	switch o := v.op.(type) {
	case ScatterRows, DynamicUpdateSlice:
		return v, 0
	case Dispatch:
		if tie := o.tie(0); tie >= 0 {
			return v, tie
		}
	case Also:
		if d, ok := v.args[0].op.(Dispatch); ok {
			if tie := d.tie(o.Index); tie >= 0 {
				return v.args[0], tie
			}
		}
	}
	return nil, 0
}

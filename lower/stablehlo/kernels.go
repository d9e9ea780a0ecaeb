package stablehlo

import (
	"fmt"
	"strings"

	"github.com/hlocc/hlocc/lower/ir"
)

// kernels prints the kernels that g calls, each once, in order of first use.
func (p *printer) kernels(g *ir.Graph) error {
	p.also, p.portable = map[*ir.Value][]*ir.Value{}, map[*ir.Value]bool{}
	seen := map[string]ir.Kernel{}
	for _, v := range g.Ops() {
		if _, ok := v.Op().(ir.Dispatch); !ok {
			for _, a := range v.Args() {
				p.portable[a] = true
			}
		}
		switch o := v.Op().(type) {
		case ir.Also:
			d := v.Args()[0]
			p.also[d] = append(p.also[d], v)
		case ir.Dispatch:
			name := o.Kernel.Name()
			if k, ok := seen[name]; ok {
				if k != o.Kernel {
					return fmt.Errorf("graph %s calls two kernels %s: BUG in their names", g.Name(), name)
				}
				continue
			}
			seen[name] = o.Kernel
			if p.opt.Kernel == nil {
				return fmt.Errorf("graph %s calls kernel %s, and there is no text for it: BUG in the list of passes", g.Name(), name)
			}
			text, err := p.opt.Kernel(o.Kernel)
			if err != nil {
				return fmt.Errorf("kernel %s: %w", name, err)
			}
			p.loc = "kernel " + name
			for line := range strings.Lines(text) {
				p.line("  %s", strings.TrimSuffix(line, "\n"))
			}
			p.loc = ""
		}
	}
	return nil
}

// dispatch calls a kernel. A result in place is written as the operand that it updates.
func (p *printer) dispatch(v *ir.Value, k ir.Kernel) {
	types := make([]ir.Type, len(v.Args()))
	from, args := make([]string, len(types)), make([]string, len(types))
	for i, a := range v.Args() {
		types[i] = a.Type()
		from[i], args[i] = tensor(types[i]), a.String()
		if _, ok := a.Op().(ir.Parameter); ok && p.opt.Weights == Params {
			from[i], args[i] = signless(types[i]), p.raw(a)
		} else if types[i].DType() == ir.U8 { // the compiler's own integers have no sign, and it does not convert the types of dispatches
			args[i], from[i] = fmt.Sprintf("%v$arg%d", v, i), signless(types[i])
			p.line("    %s = stablehlo.bitcast_convert %v : (%s) -> %s", args[i], a, tensor(types[i]), from[i])
		}
	}
	results, err := k.Infer(types)
	if err != nil {
		panic("stablehlo: BUG: unverified graph: " + err.Error())
	}
	ties := k.Ties()
	names, to := make([]string, len(results)), make([]string, len(results))
	for i, t := range results {
		names[i], to[i] = fmt.Sprintf("%v$%d", v, i), tensor(t) // a result that nothing uses
		if i < len(ties) && ties[i] >= 0 {
			to[i] = v.Args()[ties[i]].String()
		}
	}
	names[0] = v.String()
	for _, a := range p.also[v] {
		if o, ok := a.Op().(ir.Also); ok {
			names[o.Index] = a.String()
		}
	}
	p.line("    %s = flow.dispatch @%s::@%s(%s) : (%s) -> (%s)", strings.Join(names, ", "), k.Name(), k.Name(), strings.Join(args, ", "),
		strings.Join(from, ", "), strings.Join(to, ", "))
}

// signless is the type of a parameter as a global has it: iree-compile 3.13 does not take
// globals of ui8.
func signless(t ir.Type) string {
	if t.DType() == ir.U8 {
		t = t.WithDType(ir.I8)
	}
	return tensor(t)
}

// raw is what loads a parameter: its value, but for bytes, which portable operations read
// after a conversion from signless ones.
func (p *printer) raw(v *ir.Value) string {
	if v.Type().DType() == ir.U8 {
		return v.String() + "$i8"
	}
	return v.String()
}

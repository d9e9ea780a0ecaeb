package stablehlo

import (
	"bufio"
	"fmt"
	"io"

	"github.com/hlocc/hlocc/lower/ir"
)

// Weights says how parameters enter the program.
type Weights uint8

const (
	// Params makes them named parameters of IREE, resolved when the module is loaded.
	Params Weights = iota
	// Args makes them further arguments of the function, after the graph's own, and calls
	// the function main: pure StableHLO for any consumer. XLA wants that name.
	Args
)

// ParameterScope is the scope of all named parameters; the key is that of [ir.Parameter].
const ParameterScope = "model"

// Options choose the form of the text. The zero value is what is compiled.
type Options struct {
	Weights   Weights
	Locations bool // adds loc("layers.3.attn.q") to every operation
	// Kernel gives the text of a kernel that the graph calls, without indentation: a
	// stream.executable with one export, both called like the kernel. Graphs that call
	// none do not need it.
	Kernel func(ir.Kernel) (string, error)
}

// An Input is one argument of the printed function.
type Input struct {
	Name string // without the leading %
	Role string // role of a graph argument, "" for a weight
	Key  string // key of a weight, "" for a graph argument
	Type ir.Type
}

// An Output is one result of the printed function.
type Output struct {
	Role string
	Type ir.Type
}

// A Listing describes a printed module.
type Listing struct {
	// Inputs are the arguments of the function in order.
	Inputs []Input
	// Outputs are its results in order.
	Outputs []Output
	// locs[i] is the location of line i+1, "" for lines that belong to no operation.
	locs []string
}

// Location is the location in the model of a line of the text, counted from 1, as
// compiler diagnostics name it; "" if the line belongs to no operation.
func (l *Listing) Location(line int) string {
	if line < 1 || line > len(l.locs) {
		return ""
	}
	return l.locs[line-1]
}

// Print writes the module of g: one public function, both called like the graph
// unless the weights are arguments.
func Print(w io.Writer, g *ir.Graph, opt Options) (*Listing, error) {
	p := &printer{w: bufio.NewWriter(w), opt: opt}
	if err := p.module(g); err != nil {
		return nil, err
	}
	if err := p.w.Flush(); err != nil {
		return nil, fmt.Errorf("writing graph %s: %w", g.Name(), err)
	}
	return &p.list, nil
}

// printer writes line by line. Write errors stick in w and are reported by Flush.
type printer struct {
	w        *bufio.Writer
	opt      Options
	list     Listing
	loc      string                    // of the lines being printed
	portable map[*ir.Value]bool        // values that operations of StableHLO read
	also     map[*ir.Value][]*ir.Value // further results in use of each dispatch
}

// line writes one line and remembers its location.
func (p *printer) line(format string, a ...any) {
	fmt.Fprintf(p.w, format, a...)
	if p.opt.Locations && p.loc != "" {
		fmt.Fprintf(p.w, " loc(%q)", p.loc)
	}
	p.w.WriteByte('\n')
	p.list.locs = append(p.list.locs, p.loc)
}

func (p *printer) module(g *ir.Graph) error {
	p.line("module @%s {", g.Name())
	if p.opt.Weights == Params {
		for _, v := range g.Params() {
			key := parameter(v).Key
			p.line("  util.global private @%s = #flow.parameter.named<%q::%q> : %s", key, ParameterScope, key, signless(v.Type()))
		}
	}
	if err := p.kernels(g); err != nil {
		return err
	}
	p.signature(g)
	if p.opt.Weights == Params {
		for _, v := range g.Params() {
			p.line("    %s = util.global.load @%s : %s", p.raw(v), parameter(v).Key, signless(v.Type()))
		}
		for _, v := range g.Params() {
			if v.Type().DType() == ir.U8 && p.portable[v] {
				p.line("    %v = stablehlo.bitcast_convert %s : (%s) -> %s", v, p.raw(v), signless(v.Type()), tensor(v.Type()))
			}
		}
	}
	p.identities(g)
	for _, v := range g.Ops() {
		p.loc = v.Loc()
		if err := p.op(v); err != nil {
			return err
		}
		p.loc = ""
	}
	p.line("    return")
	for i, r := range g.Results() {
		p.line("      %v%s", r.Value, comma(i, len(g.Results())))
	}
	p.line("      :")
	for i, r := range g.Results() {
		p.line("      %s%s", tensor(r.Value.Type()), comma(i, len(g.Results())))
	}
	p.line("  }")
	p.line("}")
	return nil
}

// signature prints the head of the function: one argument or result on a line, with
// its role in a comment.
func (p *printer) signature(g *ir.Graph) {
	name := g.Name()
	if p.opt.Weights == Args {
		name = "main"
	}
	p.line("  func.func public @%s(", name)
	for _, v := range g.Args() {
		arg, _ := v.Op().(ir.Argument)
		p.list.Inputs = append(p.list.Inputs, Input{Name: v.Name(), Role: arg.Role, Type: v.Type()})
	}
	if p.opt.Weights == Args {
		for _, v := range g.Params() {
			p.list.Inputs = append(p.list.Inputs, Input{Name: v.Name(), Key: parameter(v).Key, Type: v.Type()})
		}
	}
	for i, in := range p.list.Inputs {
		alias, note := "", ""
		if i < len(g.Args()) {
			if arg, _ := g.Args()[i].Op().(ir.Argument); arg.Alias >= 0 {
				alias = fmt.Sprintf(" {tf.aliasing_output = %d : i32}", arg.Alias)
			}
		}
		if in.Role != "" && in.Role != in.Name {
			note = " // " + in.Role
		}
		p.line("    %%%s: %s%s%s%s", in.Name, tensor(in.Type), alias, comma(i, len(p.list.Inputs)), note)
	}
	p.line("  ) -> (")
	for i, r := range g.Results() {
		p.list.Outputs = append(p.list.Outputs, Output{Role: r.Role, Type: r.Value.Type()})
		p.line("    %s%s // %s", tensor(r.Value.Type()), comma(i, len(g.Results())), r.Role)
	}
	p.line("  ) {")
}

func comma(i, n int) string {
	if i < n-1 {
		return ","
	}
	return ""
}

func parameter(v *ir.Value) ir.Parameter {
	o, _ := v.Op().(ir.Parameter)
	return o
}

package kernel

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/lower/ir"
)

// emit writes the text of one kernel, an operation on a line. Values get names from
// hints, so that the text can be read: w, w_1, w_2.
type emit struct {
	text   strings.Builder
	indent int
	names  map[string]int
	consts map[string]string // text of a constant -> its name
	head   []string          // constants, printed at the top of the function
}

// A binding is an operand or result of a kernel as the function sees it.
type binding struct {
	hint string
	typ  ir.Type
}

// executable writes a kernel: its bindings in order, its workgroups, its body. The body
// gets a !stream.binding for each binding; see [emit.view].
func executable(name string, bindings []binding, groups [3]int, body func(e *emit, args []string)) string {
	e := &emit{indent: 3, names: map[string]int{}, consts: map[string]string{}}
	args := make([]string, len(bindings))
	params := make([]string, len(bindings))
	for i, b := range bindings {
		args[i] = e.name(b.hint + "_binding")
		params[i] = args[i] + ": !stream.binding"
	}
	body(e, args)
	var s strings.Builder
	line := func(format string, a ...any) { fmt.Fprintf(&s, format+"\n", a...) }
	line("stream.executable private @%s {", name)
	line("  stream.executable.export public @%s workgroups() -> (index, index, index) {", name)
	for i, n := range groups {
		line("    %%n%d = arith.constant %d : index", i, max(n, 1))
	}
	line("    stream.return %%n0, %%n1, %%n2 : index, index, index")
	line("  }")
	line("  builtin.module {")
	line("    func.func @%s(%s) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline>} {",
		name, strings.Join(params, ", "))
	for _, c := range e.head {
		line("      %s", c)
	}
	s.WriteString(e.text.String())
	line("      return")
	line("    }")
	line("  }")
	line("}")
	return s.String()
}

// name makes a fresh value name from a hint.
func (e *emit) name(hint string) string {
	n := e.names[hint]
	e.names[hint]++
	if n == 0 {
		return "%" + hint
	}
	return fmt.Sprintf("%%%s_%d", hint, n)
}

// line writes one line that makes no value.
func (e *emit) line(format string, a ...any) {
	e.text.WriteString(strings.Repeat("  ", e.indent))
	fmt.Fprintf(&e.text, format, a...)
	e.text.WriteByte('\n')
}

// val writes an operation of one result and gives the result's name.
func (e *emit) val(hint, format string, a ...any) string {
	n := e.name(hint)
	e.line("%s = %s", n, fmt.Sprintf(format, a...))
	return n
}

// constant is a constant at the top of the function, the same one for the same text:
// constant("z", "dense<0.0> : vector<16xf32>").
func (e *emit) constant(hint, text string) string {
	if n, ok := e.consts[text]; ok {
		return n
	}
	n := e.name(hint)
	e.consts[text] = n
	e.head = append(e.head, fmt.Sprintf("%s = arith.constant %s", n, text))
	return n
}

// index is a constant index.
func (e *emit) index(n int) string {
	return e.constant(fmt.Sprintf("c%d", n), fmt.Sprintf("%d : index", n))
}

// group is the workgroup's number along an axis.
func (e *emit) group(axis int) string {
	return e.val("group", "stream.dispatch.workgroup.id[%d] : index", axis)
}

// view is a binding seen as a memref of the given text, "8x64xi8", at a byte offset.
func (e *emit) view(hint, binding string, offset int, memref string) string {
	return e.val(hint, "stream.binding.subspan %s[%s] : !stream.binding -> memref<%s>", binding, e.index(offset), memref)
}

// span is a workgroup's share of total items along an axis, per to each.
func (e *emit) span(axis, per, total int) (first, end string) {
	first = e.val("first", "arith.muli %s, %s : index", e.group(axis), e.index(per))
	end = e.val("end", "arith.addi %s, %s : index", first, e.index(per))
	if total%per != 0 {
		end = e.val("end", "arith.minui %s, %s : index", end, e.index(total))
	}
	return first, end
}

// A carried value goes round a loop.
type carried struct{ hint, typ, init string }

// loop writes for i = lo; i < hi; i += step with carried values; body returns their next
// values. lo, hi, step are names of indices. The results are their last values.
func (e *emit) loop(hint, lo, hi, step string, vars []carried, body func(i string, vars []string) []string) []string {
	i := e.name(hint)
	if len(vars) == 0 {
		e.line("scf.for %s = %s to %s step %s {", i, lo, hi, step)
		e.indent++
		body(i, nil)
		e.indent--
		e.line("}")
		return nil
	}
	var inits, types, inner, out []string
	result := e.name(hint + "_out")
	for n, v := range vars {
		in := e.name(v.hint)
		inner = append(inner, in)
		inits = append(inits, in+" = "+v.init)
		types = append(types, v.typ)
		if len(vars) == 1 {
			out = append(out, result)
		} else {
			out = append(out, fmt.Sprintf("%s#%d", result, n))
		}
	}
	def := result
	if len(vars) > 1 {
		def = fmt.Sprintf("%s:%d", result, len(vars))
	}
	e.line("%s = scf.for %s = %s to %s step %s iter_args(%s) -> (%s) {", def, i, lo, hi, step, strings.Join(inits, ", "), strings.Join(types, ", "))
	e.indent++
	next := body(i, inner)
	e.line("scf.yield %s : %s", strings.Join(next, ", "), strings.Join(types, ", "))
	e.indent--
	e.line("}")
	return out
}

// list joins names.
func list(names []string) string { return strings.Join(names, ", ") }

// floatText is a number that reads as the nearest float32 to v. MLIR wants a decimal point.
func floatText(v float64) string {
	s := strconv.FormatFloat(v, 'e', -1, 32)
	if !strings.Contains(s, ".") {
		s = strings.Replace(s, "e", ".0e", 1)
	}
	return s
}

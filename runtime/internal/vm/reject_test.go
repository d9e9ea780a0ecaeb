package vm

import (
	"errors"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

// TestRejectCode gives NewProgram code that is wrong in one way each.
func TestRejectCode(t *testing.T) {
	block := func() *asm { return newAsm().block("a") }
	ret := func(a *asm) *asm { return a.op("return", regs{}) }
	for name, c := range map[string]struct {
		body *asm
		want string
	}{
		"empty":                 {newAsm(), "0 blocks, but 1 are declared"},
		"no block":              {newAsm().op("return", regs{}), "f+0x0: the compiled module has invalid code: an instruction outside of a block"},
		"block in block":        {block().block("b"), "f+0x1: the compiled module has invalid code: a block starts where the one before has not ended"},
		"no end":                {block().op("const.i32.zero", 0), "the last block does not end"},
		"after the end":         {ret(ret(block())), "an instruction outside of a block"},
		"unknown opcode":        {&asm{code: []byte{byteBlock, 200, 0}}, "unknown opcode 200"},
		"gap in opcodes":        {&asm{code: []byte{byteBlock, 137, 0}}, "unknown opcode 137"},
		"own opcode":            {&asm{code: []byte{byteBlock, 255, 0}}, "unknown opcode 255"},
		"unknown f32 opcode":    {&asm{code: []byte{byteBlock, bytePrefixExtF32, 62, 0}}, "unknown opcode 62"},
		"unknown f64 opcode":    {&asm{code: []byte{byteBlock, bytePrefixExtF64, 64, 0}}, "unknown opcode 64"},
		"prefix at the end":     {&asm{code: []byte{byteBlock, bytePrefixExtF32}}, "the code ends in an instruction"},
		"ends in a register":    {&asm{code: []byte{byteBlock, 12, 0}}, "the code ends in an instruction"},
		"ends in a list":        {&asm{code: []byte{byteBlock, 90, 9, 0, 0, 0}}, "the code ends in an instruction"},
		"i32 out of range":      {ret(block().op("const.i32.zero", 8)), "32-bit register 0x8 of 8"},
		"i32 is a reference":    {ret(block().op("const.i32.zero", ref(0))), "32-bit register 0x8000 of 8"},
		"i64 out of range":      {ret(block().op("const.i64.zero", 8)), "64-bit register 0x8 of 8"},
		"i64 is odd":            {ret(block().op("const.i64.zero", 3)), "64-bit register 0x3 of 8"},
		"f64 is odd":            {ret(block().op("const.f64.zero", 3)), "64-bit register 0x3 of 8"},
		"ref out of range":      {ret(block().op("const.ref.zero", ref(4))), "reference register 0x8004 of 4"},
		"ref is plain":          {ret(block().op("const.ref.zero", 0)), "reference register 0x0 of 4"},
		"move not allowed":      {ret(block().op("buffer.length", mv(0), 0)), "reference register 0xc000 of 4"},
		"global":                {ret(block().op("global.load.i32", 29, 0)), "a global of 4 bytes at 29 of 32"},
		"global, huge":          {ret(block().op("global.load.i32", 1<<32-1, 0)), "a global of 4 bytes at 4294967295 of 32"},
		"global, 64 bits":       {ret(block().op("global.store.f64", 25, 0)), "a global of 8 bytes at 25 of 32"},
		"global reference":      {ret(block().op("global.load.ref", 4, 0, ref(0))), "global reference 4 of 4"},
		"type":                  {ret(block().op("list.alloc", 11, 0, ref(0))), "type 11 of 11"},
		"constant":              {ret(block().op("const.ref.rodata", 2, ref(0))), "constant 2 of 2"},
		"target in code":        {block().op("br", "x", moves{}), "a branch to 0x3, which is not the start of a block"},
		"moves of two kinds":    {block().op("br", "a", moves{{0, ref(0)}}), "a branch moves between registers of different kinds"},
		"moves out of range":    {block().op("br", "a", moves{{0, 8}}), "32-bit register 0x8 of 8"},
		"case not a block":      {block().op("br_table", 0, "a", moves{}, "x", moves{}), "a branch to 0x3"},
		"case moves":            {block().op("br_table", 0, "a", moves{}, "a", moves{{ref(9), ref(1)}}), "reference register 0x8009 of 4"},
		"switch list":           {ret(block().op("switch.i64", 0, 2, regs{3}, 4)), "64-bit register 0x3 of 8"},
		"switch of a reference": {ret(block().op("switch.i32", 0, 2, regs{ref(0)}, 4)), "32-bit register 0x8000 of 8"},
		"too few results":       {block().op("return", regs{0}), "1 registers for 0 returned values"},
		"resume not a block":    {block().op("call.yieldable", 1, regs{0, 2, ref(0)}, "x", regs{0}), "a branch to 0x3"},
		"resume, huge":          {&asm{code: []byte{byteBlock, 135, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0}}, "a branch to 0x80000000"},
		"callee":                {block().op("call", 2, regs{}, regs{}), "function 2 of 2"},
		"import":                {block().op("call", imp|2, regs{}, regs{}), "import 2 of 2"},
		"too few operands":      {block().op("call", 1, regs{0, 2}, regs{0}), "2 operands for 3 arguments"},
		"too many operands":     {block().op("call", 1, regs{0, 2, ref(0), 1}, regs{0}), "4 operands for 3 arguments"},
		"operand of no kind":    {block().op("call", 1, regs{0, 3, ref(0)}, regs{0}), "64-bit register 0x3 of 8"},
		"operand not a ref":     {block().op("call", 1, regs{0, 2, 4}, regs{0}), "reference register 0x4 of 4"},
		"result of no kind":     {block().op("call", 1, regs{0, 2, ref(0)}, regs{ref(0)}), "32-bit register 0x8000 of 8"},
		"too many results":      {block().op("call", 1, regs{0, 2, ref(0)}, regs{0, 1}), "2 registers for 1 results"},
		"variadic function":     {block().op("call.variadic", 1, regs{}, regs{0, 2, ref(0)}, regs{0}), "a variadic call of a function of the module"},
		"plain variadic":        {block().op("call", imp|1, regs{0}, regs{}), "a plain call of a variadic import"},
		"import, too few":       {block().op("call", imp, regs{0}, regs{}), "1 operands are too few for"},
		"import, too many":      {block().op("call", imp, regs{0, 2, ref(0)}, regs{0}), "3 operands for 2 values"},
		"import, no kind":       {block().op("call", imp, regs{0, 3}, regs{0}), "64-bit register 0x3 of 8"},
		"import, results":       {block().op("call", imp, regs{0, 2}, regs{}), "0 registers for 1 results"},
		"no span size":          {block().op("call.variadic", imp|1, regs{raw(0)}, regs{0}, regs{}), "no size for the span at argument 1"},
		"span too long":         {block().op("call.variadic", imp|1, regs{raw(0), raw(0xffff)}, regs{0, 0, 2}, regs{}), "3 operands are too few"},
		"span too short":        {block().op("call.variadic", imp|1, regs{raw(0), raw(0)}, regs{0, 0, 2}, regs{}), "3 operands for 1 values"},
		"span of no kind":       {block().op("call.variadic", imp|1, regs{raw(0), raw(1)}, regs{0, 0, 3}, regs{}), "64-bit register 0x3 of 8"},
		"resolve a function":    {ret(block().op("import.resolved", 0, 0)), "function 0 is not an import"},
		"resolve":               {ret(block().op("import.resolved", imp|2, 0)), "import 2 of 2"},
	} {
		if c.body.labels == nil {
			c.body.labels, c.body.fixups = map[string]int{}, map[int]string{}
		}
		c.body.labels["x"] = 3
		c.body.blocks = max(c.body.blocks, 1)
		m := withImports(testModule(
			testFunc{"f", "0v_v", 8, 4, c.body},
			testFunc{"g", "0iIr_i", 8, 4, block().op("return", regs{0})}), "test.fixed", "0iI_i", "test.span", "0iCiID_v")
		_, err := NewProgram(m)
		var d *diag.Error
		if !errors.As(err, &d) || d.Kind != diag.BadInput || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

func TestRejectModule(t *testing.T) {
	body := func() *asm { return newAsm().block("a").op("return", regs{}) }
	for name, c := range map[string]struct {
		change func(m *vmfb.Module)
		want   string
	}{
		"type":             {func(m *vmfb.Module) { m.Types[2] = "i7" }, `types[2]: the compiled module has invalid code: unknown type "i7"`},
		"unnamed type":     {func(m *vmfb.Module) { m.Types[2] = "!" }, `unknown type "!"`},
		"import signature": {func(m *vmfb.Module) { withImports(m, "test.bad", "0x") }, `import test.bad: the compiled module has invalid code: calling convention "0x" has an unknown letter 'x'`},
		"signature":        {func(m *vmfb.Module) { m.Functions[0].CConv = "1v_v" }, `f: the compiled module has invalid code: calling convention "1v_v" is of unknown version '1'`},
		"results":          {func(m *vmfb.Module) { m.Functions[0].CConv = "0v_C" }, `has 'C' among its results`},
		"open span":        {func(m *vmfb.Module) { m.Functions[0].CConv = "0Ci" }, `a span that is empty or not closed`},
		"empty span":       {func(m *vmfb.Module) { m.Functions[0].CConv = "0CD" }, `a span that is empty or not closed`},
		"nested span":      {func(m *vmfb.Module) { m.Functions[0].CConv = "0CCiDD" }, `has 'C' in a span`},
		"variadic":         {func(m *vmfb.Module) { m.Functions[0].CConv = "0CiD_v" }, `a function of the module cannot take a span`},
		"many arguments":   {func(m *vmfb.Module) { m.Functions[0].CConv = "0" + strings.Repeat("I", 20000) }, `the arguments take 40000 and 0 registers`},
		"more arguments":   {func(m *vmfb.Module) { m.Functions[0].CConv = "0" + strings.Repeat("r", 1<<15) }, `calling convention of 32769 letters`},
		"blocks":           {func(m *vmfb.Module) { m.Functions[0].Blocks = 2 }, `1 blocks, but 2 are declared`},
		"export twice":     {func(m *vmfb.Module) { m.Exports = append(m.Exports, m.Exports[0]) }, `export f: the compiled module has invalid code: the name is exported twice`},
		"floats":           {func(m *vmfb.Module) { m.Functions[1].Requirements = vmfb.ExtF64 }, `add.f32 in a function that does not declare floating point`},
	} {
		m := testModule(testFunc{"f", "0v_v", 8, 4, body()},
			testFunc{"g", "0v_v", 8, 4, newAsm().block("a").op("add.f32", 0, 0, 0).op("return", regs{})})
		if _, err := NewProgram(m); err != nil {
			t.Fatal(err)
		}
		c.change(m)
		_, err := NewProgram(m)
		if err == nil || diag.KindOf(err) != diag.BadInput || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// The compiler may leave a byte behind the last block, and declares too few
// registers for arguments that are not read.
func TestTolerated(t *testing.T) {
	a := newAsm().block("a").op("return", regs{})
	a.code = append(a.code, 0)
	in := single(t, "0iIr_v", 0, 0, a)
	invoke(t, in, "f", I32Value(1), I64Value(2), RefValue(nil))
}

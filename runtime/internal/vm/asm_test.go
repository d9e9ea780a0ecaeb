package vm

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

// asm writes bytecode. A register is an int, a ref or a mv (a ref with the move
// bit); a label is a string; lists are regs and branch moves are moves.
type asm struct {
	code   []byte
	blocks int
	labels map[string]int
	fixups map[int]string
}

type (
	ref   int
	mv    int
	regs  []any
	moves [][2]any
	raw   uint16 // any encoding of a register
)

func newAsm() *asm { return &asm{labels: map[string]int{}, fixups: map[int]string{}} }

func (a *asm) u16(v uint16) { a.code = le.AppendUint16(a.code, v) }
func (a *asm) u32(v uint32) { a.code = le.AppendUint32(a.code, v) }
func (a *asm) align() {
	if len(a.code)%2 != 0 {
		a.code = append(a.code, 0)
	}
}

// block starts a block.
func (a *asm) block(label string) *asm {
	a.labels[label] = len(a.code)
	a.code = append(a.code, byteBlock)
	a.blocks++
	return a
}

func encodeReg(v any) uint16 {
	switch v := v.(type) {
	case int:
		return uint16(v)
	case ref:
		return uint16(v) | regRef
	case mv:
		return uint16(v) | regRef | regMove
	case raw:
		return uint16(v)
	}
	panic(fmt.Sprintf("%T is not a register", v))
}

func (a *asm) list(l regs) {
	a.align()
	a.u16(uint16(len(l)))
	for _, r := range l {
		a.u16(encodeReg(r))
	}
}

// op writes an instruction by its mnemonic. The cases of a br_table are pairs
// of label and moves after the default's.
func (a *asm) op(name string, args ...any) *asm {
	op := -1
	for i := range opTable {
		if opTable[i].name == name {
			op = i
		}
	}
	switch {
	case op < 0:
		panic("no instruction " + name)
	case opcode(op) >= firstF64:
		a.code = append(a.code, bytePrefixExtF64, byte(opcode(op)-firstF64))
	case opcode(op) >= firstF32:
		a.code = append(a.code, bytePrefixExtF32, byte(opcode(op)-firstF32))
	default:
		a.code = append(a.code, byte(op))
	}
	next := func() any {
		if len(args) == 0 {
			panic("too few arguments for " + name)
		}
		v := args[0]
		args = args[1:]
		return v
	}
	branch := func() {
		a.fixups[len(a.code)] = next().(string)
		a.u32(0)
	}
	remap := func() {
		a.align()
		m := next().(moves)
		a.u16(uint16(len(m)))
		for _, p := range m {
			a.u16(encodeReg(p[0]))
			a.u16(encodeReg(p[1]))
		}
	}
	fields := opTable[op].fields
	for k := 0; k < len(fields); k++ {
		switch fields[k] {
		case 'i', 'I', 'f', 'F', 'r', 'm':
			a.u16(encodeReg(next()))
		case '4':
			switch v := next().(type) {
			case int:
				a.u32(uint32(v))
			case float64:
				a.u32(math.Float32bits(float32(v)))
			}
		case '8':
			switch v := next().(type) {
			case int:
				a.code = le.AppendUint64(a.code, uint64(v))
			case float64:
				a.code = le.AppendUint64(a.code, math.Float64bits(v))
			}
		case 'g', 't', 'd', 'n':
			a.u32(uint32(next().(int)))
		case 's':
			s := next().(string)
			a.u16(uint16(len(s)))
			a.code = append(a.code, s...)
		case 'b':
			branch()
		case 'p':
			remap()
		case 'h':
			a.u16(uint16(len(args) / 2))
		case 'c':
			for len(args) > 0 {
				branch()
				remap()
			}
		case 'v', 'w':
			k++
			a.list(next().(regs))
		}
	}
	if len(args) > 0 {
		panic("too many arguments for " + name)
	}
	return a
}

// function is what a test module is made of. Every function is exported under
// its name.
type testFunc struct {
	name, cconv string
	i32, ref    int
	body        *asm
}

// testModule is a module with some types, constants and globals to use.
func testModule(fns ...testFunc) *vmfb.Module {
	m := &vmfb.Module{
		Name:        "test",
		Types:       []string{"i32", "!vm.buffer", "!vm.list<i32>", "!vm.opaque", "i8", "i16", "i64", "f32", "f64", "!test.thing", "!vm.ref<?>"},
		Rodata:      [][]byte{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 0xff}, []byte("0123456789abcdef")},
		GlobalBytes: 32, GlobalRefs: 4,
	}
	for i, f := range fns {
		a := f.body
		for at, label := range a.fixups {
			le.PutUint32(a.code[at:], uint32(a.labels[label]))
		}
		m.Functions = append(m.Functions, vmfb.Function{
			Signature: vmfb.Signature{CConv: f.cconv}, Requirements: vmfb.ExtF32 | vmfb.ExtF64,
			Code: a.code, Blocks: a.blocks, I32Regs: f.i32, RefRegs: f.ref,
		})
		m.Exports = append(m.Exports, vmfb.Export{Name: f.name, Function: i})
	}
	return m
}

// Types of testModule.
const (
	tI32 = iota
	tBuffer
	tList
	tAny
	tI8
	tI16
	tI64
	tF32
	tF64
	tThing
	tRef
)

// thing is a reference type of the host.
type thing struct{ id int }

func (*thing) RefType() string { return "test.thing" }

// newInstance makes an initialised instance of a module that must be valid.
func newInstance(t testing.TB, m *vmfb.Module, imports Resolver, limits Limits) *Instance {
	t.Helper()
	p, err := NewProgram(m)
	if err != nil {
		t.Fatal(err)
	}
	record(p)
	in, err := p.NewInstance(imports, limits)
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Init(context.Background()); err != nil {
		t.Fatal(err)
	}
	return in
}

// single is an instance whose only function, f, is body.
func single(t testing.TB, cconv string, i32, ref int, body *asm) *Instance {
	t.Helper()
	return newInstance(t, testModule(testFunc{"f", cconv, i32, ref, body}), noImports, Limits{})
}

// fails checks that an invocation fails with the given code and text.
func fails(t testing.TB, in *Instance, function, code, text string, args ...Value) {
	t.Helper()
	_, err := in.Invoke(context.Background(), function, args)
	var d *diag.Error
	if !errors.As(err, &d) {
		t.Fatalf("got %v, want %s: %s", err, code, text)
	}
	if d.Code != code || !strings.Contains(err.Error(), text) {
		t.Errorf("got %s: %v, want %s: %s", d.Code, err, code, text)
	}
}

// seen are the instructions that some test has decoded, and mostly run.
var seen struct {
	sync.Mutex
	ops [numOps]bool
}

func record(p *Program) {
	seen.Lock()
	defer seen.Unlock()
	for i := range p.funcs {
		for k := range p.funcs[i].code {
			seen.ops[p.funcs[i].code[k].op] = true
		}
	}
}

// TestMain checks, after a run of all tests, that they have used every instruction.
func TestMain(m *testing.M) {
	code := m.Run()
	whole := flag.Lookup("test.run").Value.String() == "" && flag.Lookup("test.fuzz").Value.String() == "" &&
		flag.Lookup("test.fuzzworker").Value.String() == "false" && flag.Lookup("test.list").Value.String() == ""
	if code == 0 && whole {
		for i, used := range seen.ops {
			name := opTable[i].name
			// The variants of a call are decoded to two instructions.
			if name != "" && !used && !strings.HasPrefix(name, "call") {
				fmt.Printf("no test uses %s\n", name)
				code = 1
			}
		}
	}
	os.Exit(code)
}

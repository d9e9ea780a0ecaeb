package vm

import (
	"encoding/binary"
	"fmt"
	"sort"

	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

var le = binary.LittleEndian

// Encoding of a register: the top bit tells references from plain values. A
// reference may have the move bit: the operation takes the value and leaves
// null. Decoded instructions keep regMove but not regRef, except in lists of
// registers of any kind.
const (
	regRef     = 0x8000
	regMove    = 0x4000
	regOrdinal = 0x3fff
)

const importBit = 1 << 31 // of a callee's ordinal

// function is a decoded function.
type function struct {
	name     string
	sig      *signature
	i32Regs  int
	refRegs  int
	features vmfb.Requirements

	code    []inst
	offsets []uint32 // of code in the bytecode, for messages
	edges   []edge
	calls   []callSite
	lists   [][]uint16
	strings []string
}

// inst is a decoded instruction: registers in a to e in the order of the
// bytecode's fields, immediate values and indices into the function's tables in
// x and y(). No instruction has both a y and more than three registers.
type inst struct {
	op            opcode
	a, b, c, d, e uint16
	x             uint32
}

func (i *inst) y() uint32 { return uint32(i.d) | uint32(i.e)<<16 }

// edge is a branch: register moves, in order, then the jump.
type edge struct {
	target uint32 // index into code
	moves  []move
}

// move copies a register; src has regRef and regMove, dst is a bare ordinal.
type move struct{ src, dst uint16 }

// callSite is a call instruction. Operands and results have one entry per
// value, also for those that take two registers.
type callSite struct {
	callee  int    // function or import
	next    uint32 // where to go on
	ops     []uint16
	results []uint16
	args    []callArg // imports: where each argument is in ops
	moved   []uint16  // imports: references to drop after the call
	moves   []move    // functions: from the caller's to the callee's registers
}

type callArg struct {
	first uint16 // in ops
	count uint16 // of elements, for spans
}

// prepare takes what other functions need to know of f before their code can be
// checked.
func (f *function) prepare(src *vmfb.Function, sig *signature) error {
	f.i32Regs, f.refRegs, f.features = src.I32Regs, src.RefRegs, src.Requirements
	if sig.variadic {
		return fmt.Errorf("calling convention %q: a function of the module cannot take a span", src.CConv)
	}
	i32, ref := sig.registers()
	if i32 > regRef-1 || ref > regOrdinal {
		return fmt.Errorf("calling convention %q: the arguments take %d and %d registers", src.CConv, i32, ref)
	}
	// The declared numbers leave out arguments that are never read.
	f.i32Regs, f.refRegs = max(f.i32Regs, i32), max(f.refRegs, ref)
	f.sig = sig
	return nil
}

// registers is the number of registers that the arguments take: they are put
// into the first ones of their bank, 64-bit values at even ordinals.
func (s *signature) registers() (i32, ref int) {
	for i := range s.args {
		switch s.args[i].kind {
		case KindI32, KindF32:
			i32++
		case KindI64, KindF64:
			i32 = (i32+1)&^1 + 2
		case KindRef:
			ref++
		}
	}
	return i32, ref
}

// terminators end a block.
var terminators = [numOps]bool{
	opBranch: true, opCondBranch: true, opBranchTable: true, opReturn: true, opFail: true,
	opYield: true, opBreak: true, opCondBreak: true, opCallYieldable: true, opCallVariadicYieldable: true,
}

// decoder decodes one function. After the first error all reads yield zero.
type decoder struct {
	prog *Program
	fn   *function
	src  []byte
	pc   int
	err  error

	blocks []block
	regs   [6]uint16 // registers and immediates of the instruction at hand
	imms   [2]uint32
	nr, ni int
	target uint32 // of the edge at hand
}

// block is a block marker's place in the bytecode and in the decoded code.
type block struct {
	offset uint32
	index  uint32
}

func (d *decoder) fail(format string, args ...any) {
	if d.err == nil {
		d.err = fmt.Errorf(format, args...)
	}
}

// take is the next n bytes, nil if there are not as many.
func (d *decoder) take(n int) []byte {
	if d.err != nil {
		return nil
	}
	if n > len(d.src)-d.pc {
		d.fail("the code ends in an instruction")
		return nil
	}
	b := d.src[d.pc : d.pc+n]
	d.pc += n
	return b
}

func (d *decoder) u16() uint16 {
	if b := d.take(2); b != nil {
		return le.Uint16(b)
	}
	return 0
}

func (d *decoder) u32() uint32 {
	if b := d.take(4); b != nil {
		return le.Uint32(b)
	}
	return 0
}

// list is a list of u16 in groups of width, which starts at an even offset.
func (d *decoder) list(width int) []uint16 {
	if d.pc&1 != 0 {
		d.take(1)
	}
	b := d.take(2 * width * int(d.u16()))
	if len(b) == 0 {
		return nil
	}
	l := make([]uint16, len(b)/2)
	for i := range l {
		l[i] = le.Uint16(b[2*i:])
	}
	return l
}

func (p *Program) decode(fn *function, src *vmfb.Function) error {
	d := &decoder{prog: p, fn: fn, src: src.Code}
	start, inBlock := 0, false
	// The compiler may leave one byte of padding behind the last block.
	for d.pc < len(d.src) && (inBlock || d.pc < len(d.src)-1) && d.err == nil {
		start = d.pc
		marker := d.src[d.pc] == byteBlock
		if marker && inBlock {
			d.fail("a block starts where the one before has not ended")
		} else if marker {
			d.pc++
			d.blocks = append(d.blocks, block{uint32(start), uint32(len(fn.code))})
			inBlock = true
		} else if !inBlock {
			d.fail("an instruction outside of a block")
		} else {
			inBlock = !d.instruction(uint32(start))
		}
	}
	if d.err == nil && inBlock {
		start = len(d.src)
		d.fail("the last block does not end")
	}
	if d.err == nil && len(d.blocks) != src.Blocks {
		d.fail("%d blocks, but %d are declared", len(d.blocks), src.Blocks)
	}
	fn.code = append(fn.code, inst{op: opEnd})
	fn.offsets = append(fn.offsets, uint32(len(d.src)))
	d.link()
	if d.err != nil {
		return invalid(fmt.Sprintf("%s+%#x", fn.name, start), d.err)
	}
	return nil
}

// link turns branch targets from offsets in the bytecode to indices in the code.
func (d *decoder) link() {
	for i := range d.fn.edges {
		d.fn.edges[i].target = d.blockAt(d.fn.edges[i].target)
	}
	for i := range d.fn.calls {
		// A plain call has its next index already; see call.
		if c := &d.fn.calls[i]; c.next&importBit == 0 {
			c.next = d.blockAt(c.next)
		} else {
			c.next &^= importBit
		}
	}
}

func (d *decoder) blockAt(offset uint32) uint32 {
	i := sort.Search(len(d.blocks), func(i int) bool { return d.blocks[i].offset >= offset })
	if i == len(d.blocks) || d.blocks[i].offset != offset {
		d.fail("a branch to %#x, which is not the start of a block", offset)
		return 0
	}
	return d.blocks[i].index
}

// instruction decodes one instruction and reports whether it ends its block.
func (d *decoder) instruction(start uint32) bool {
	code := d.take(1)[0]
	op, first, last := opcode(code), opcode(0), firstF32
	var need vmfb.Requirements
	switch code {
	case bytePrefixExtF32:
		first, last, need = firstF32, firstF64, vmfb.ExtF32
	case bytePrefixExtF64:
		first, last, need = firstF64, firstOwn, vmfb.ExtF64
	}
	if need != 0 {
		b := d.take(1)
		if b == nil {
			return false
		}
		op = first + opcode(b[0])
	}
	if op >= last || opTable[op].name == "" {
		d.fail("unknown opcode %d", op-first)
		return false
	}
	if d.fn.features&need != need {
		d.fail("%s in a function that does not declare floating point", opTable[op].name)
		return false
	}
	switch op {
	case opCall, opCallVariadic, opCallYieldable, opCallVariadicYieldable:
		d.call(op, start)
	default:
		d.plain(op, start)
	}
	return terminators[op]
}

// emit appends the instruction that is in regs and imms.
func (d *decoder) emit(op opcode, start uint32) {
	in := inst{op: op, a: d.regs[0], b: d.regs[1], c: d.regs[2], d: d.regs[3], e: d.regs[4], x: d.imms[0]}
	switch {
	case d.nr == 6:
		in.x = uint32(d.regs[5])
	case d.ni == 2:
		in.d, in.e = uint16(d.imms[1]), uint16(d.imms[1]>>16)
	}
	d.fn.code = append(d.fn.code, in)
	d.fn.offsets = append(d.fn.offsets, start)
}

// plain decodes an instruction that is not a call by its table entry.
func (d *decoder) plain(op opcode, start uint32) {
	d.regs, d.imms, d.nr, d.ni = [6]uint16{}, [2]uint32{}, 0, 0
	fields := opTable[op].fields
	for k := 0; k < len(fields) && d.err == nil; k++ {
		switch c := fields[k]; c {
		case 'i', 'I', 'f', 'F', 'r', 'm':
			d.reg(d.register(c, d.u16()))
		case '4':
			d.imm(d.u32())
		case '8':
			d.imm(d.u32())
			d.imm(d.u32())
		case 'g':
			d.imm(d.global(d.u32(), fields[1]))
		case 't':
			d.imm(d.ordinal("type", d.u32(), len(d.prog.types)))
		case 'd':
			d.imm(d.ordinal("constant", d.u32(), len(d.prog.rodata)))
		case 'n':
			n := d.u32()
			if n&importBit == 0 {
				d.fail("function %d is not an import", n)
			}
			d.imm(d.ordinal("import", n&^importBit, len(d.prog.imports)))
		case 's':
			d.imm(uint32(len(d.fn.strings)))
			d.fn.strings = append(d.fn.strings, string(d.take(int(d.u16()))))
		case 'b':
			d.target = d.u32()
		case 'p':
			d.edge(c)
		case 'h':
			d.reg(d.u16())
		case 'c':
			for n := d.regs[d.nr-1]; n > 0 && d.err == nil; n-- {
				d.target = d.u32()
				d.edge(c)
			}
		case 'v', 'w':
			k++
			l := d.list(1)
			for i, r := range l {
				l[i] = d.register(fields[k], r)
			}
			if op == opReturn {
				d.checkKinds("returned value", d.fn.sig.results, l)
			}
			d.imm(uint32(len(d.fn.lists)))
			d.fn.lists = append(d.fn.lists, l)
		}
	}
	if d.err == nil {
		d.emit(op, start)
	}
}

func (d *decoder) reg(r uint16) {
	d.regs[d.nr] = r
	d.nr++
}

func (d *decoder) imm(v uint32) {
	d.imms[d.ni] = v
	d.ni++
}

// edge reads the moves of a branch to target. kind is 'c' in the cases of a
// table, whose edges follow that of the default; x is the first edge.
func (d *decoder) edge(kind byte) {
	l := d.list(2)
	e := edge{target: d.target}
	for i := 0; i+1 < len(l); i += 2 {
		src, dst := d.register('a', l[i]), d.register('a', l[i+1])
		if (src^dst)&regRef != 0 {
			d.fail("a branch moves between registers of different kinds")
			return
		}
		if dst&regRef != 0 {
			dst &= regOrdinal
		}
		e.moves = append(e.moves, move{src, dst})
	}
	if kind == 'p' && d.ni == 0 {
		d.imm(uint32(len(d.fn.edges)))
	}
	d.fn.edges = append(d.fn.edges, e)
}

func (d *decoder) ordinal(what string, n uint32, count int) uint32 {
	if uint64(n) >= uint64(count) {
		d.fail("%s %d of %d", what, n, count)
		return 0
	}
	return n
}

// global checks a global's place; next is the letter of the field behind it.
func (d *decoder) global(n uint32, next byte) uint32 {
	m := d.prog.module
	if next == 't' {
		return d.ordinal("global reference", n, m.GlobalRefs)
	}
	size := uint64(4)
	if next == 'I' || next == 'F' {
		size = 8
	}
	if uint64(n)+size > uint64(m.GlobalBytes) {
		d.fail("a global of %d bytes at %d of %d", size, n, m.GlobalBytes)
		return 0
	}
	return n
}

// register checks an encoded register against a field letter, or a Kind, which
// is the same. The result lacks regRef unless any kind is allowed.
func (d *decoder) register(kind byte, r uint16) uint16 {
	ref := r&regRef != 0
	switch kind {
	case 'i', 'f':
		if ref || int(r) >= d.fn.i32Regs {
			d.fail("32-bit register %#x of %d", r, d.fn.i32Regs)
			return 0
		}
	case 'I', 'F':
		if ref || r&1 != 0 || int(r)+1 >= d.fn.i32Regs {
			d.fail("64-bit register %#x of %d", r, d.fn.i32Regs)
			return 0
		}
	case 'r', 'm':
		if !ref || int(r&regOrdinal) >= d.fn.refRegs || kind == 'r' && r&regMove != 0 {
			d.fail("reference register %#x of %d", r, d.fn.refRegs)
			return 0
		}
		return r &^ regRef
	case 'a':
		if ref {
			return d.register('m', r) | regRef
		}
		return d.register('i', r)
	}
	return r
}

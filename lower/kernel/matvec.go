package kernel

import (
	"fmt"

	"github.com/hlocc/hlocc/lower/ir"
)

// matvec is the form of a linear for few rows: every workgroup reads its share of the
// matrix in one stream, unpacks each register of it once, and multiplies it with all rows.
type matvec struct {
	*emit
	k   Linear
	isa ISA
	mem map[string]memory
	// results holds rows of 64 results until they are quantized, sums the sums of the
	// groups of f32 activations.
	results, sums memory
}

// A strip is as many rows of the matrix, within a block of 16, as a register has lanes.
// stripsOf is the number of strips of a block.
func stripsOf(isa ISA) int { return ir.LaneRows / isa.Lanes }

// workgroupBytes is how much of a matrix a workgroup should read: some tenths of a
// microsecond for one row of activations, several times what it costs to start one.
const workgroupBytes = 16 << 10

// share gives how many units a workgroup takes: few enough that threads are
// busy to the end, and a number of workgroups that two, four and eight threads divide, if there is one.
func share(units, unitBytes int) int {
	want := min(max(1, units*unitBytes/workgroupBytes), 64)
	best, score := 0, -1
	for n := max(1, want/2); n <= min(units, want+want/2, 64); n++ {
		if units%n != 0 {
			continue
		}
		if even := n & -n; min(even, 8) >= score {
			best, score = n, min(even, 8)
		}
	}
	if best == 0 {
		best = min(want, units)
	}
	return ir.CeilDiv(units, best)
}

// blockBytes is the size of 16 rows of the matrix.
func (k Linear) blockBytes() int {
	q, scale := ir.QuantizedTypes(k.Bits, ir.LaneRows, k.K, 0, k.Scales)
	return q.Bytes() + 2*scale.Bytes()
}

func (k Linear) matvec(isa ISA) string {
	bindings := append(k.operands(), k.results()...)
	units, unitBytes := ir.CeilDiv(k.width(), ir.LaneRows), k.blockBytes()
	if k.Gate != 0 {
		unitBytes *= 2
	}
	if k.QuantizeOut {
		units, unitBytes = units/blocksPerGroup, unitBytes*blocksPerGroup
	}
	per := share(units, unitBytes)
	return executable(k.Name(), bindings, [3]int{ir.CeilDiv(units, per)}, func(e *emit, args []string) {
		m := &matvec{emit: e, k: k, isa: isa, mem: map[string]memory{}}
		m.views(bindings, args)
		if !k.ActI8 {
			m.sumRows()
		}
		first, end := e.span(0, per, units)
		e.loop("unit", first, end, e.index(1), nil, func(unit string, _ []string) []string {
			if k.QuantizeOut {
				m.quantizedUnit(unit)
			} else {
				m.block(unit, func(t, strip int, y string) { m.store(unit, t, strip, y) })
			}
			return nil
		})
	})
}

// blocksPerGroup is how many blocks of rows make a group of results.
const blocksPerGroup = ir.GroupSize / ir.LaneRows

// views makes the memrefs: bytes that are multiplied by four are seen as 32-bit words.
func (m *matvec) views(bindings []binding, args []string) {
	for i, b := range bindings {
		s := b.typ.Shape()
		switch b.hint {
		case "q":
			m.mem["q"] = m.words(args[i], "q", s[0], s[1], s[2], s[3])
		case "xq":
			m.mem["xq"] = m.words(args[i], "xq", s[0], s[1]/4)
		default:
			m.mem[b.hint] = m.memory(args[i], b)
		}
	}
	if m.k.QuantizeOut {
		m.results = m.scratch("results", fmt.Sprintf("%dx%dxf32", m.k.T, ir.GroupSize))
	}
}

// words is a binding seen as 32-bit words.
func (e *emit) words(binding, hint string, shape ...int) memory {
	typ := ""
	for _, n := range shape {
		typ += fmt.Sprintf("%dx", n)
	}
	return memory{e.view(hint, binding, 0, typ+"i32"), "memref<" + typ + "i32>"}
}

// sumRows sums the f32 activations of every group: once per workgroup, not once per block.
func (m *matvec) sumRows() {
	g := ir.CeilDiv(m.k.K, ir.GroupSize)
	x := m.mem["xp"]
	m.sums = m.scratch("sums", fmt.Sprintf("%dx%dxf32", m.k.T, g))
	m.loop("t", m.index(0), m.index(m.k.T), m.index(1), nil, func(t string, _ []string) []string {
		m.loop("g", m.index(0), m.index(g), m.index(1), nil, func(g string, _ []string) []string {
			k := m.val("k", "arith.muli %s, %s : index", g, m.index(ir.GroupSize))
			sum := ""
			for i := 0; i < ir.GroupSize; i += chunkLanes {
				v := m.val("x", "vector.load %s[%s, %s] : %s, %s", x.name, t, m.offset(k, i), x.typ, f32x16)
				if sum != "" {
					v = m.val("sum", "arith.addf %s, %s : %s", sum, v, f32x16)
				}
				sum = v
			}
			total := m.val("total", "vector.reduction <add>, %s fastmath<reassoc> : %s into f32", sum, f32x16)
			m.line("memref.store %s, %s[%s, %s] : %s", total, m.sums.name, t, g, m.sums.typ)
			return nil
		})
		return nil
	})
}

// quantizedUnit writes 64 results of every row, quantized.
func (m *matvec) quantizedUnit(unit string) {
	m.loop("part", m.index(0), m.index(blocksPerGroup), m.index(1), nil, func(part string, _ []string) []string {
		base := m.val("block", "arith.muli %s, %s : index", unit, m.index(blocksPerGroup))
		block := m.val("block", "arith.addi %s, %s : index", base, part)
		at := m.val("at", "arith.muli %s, %s : index", part, m.index(ir.LaneRows))
		m.block(block, func(t, strip int, y string) {
			m.line("vector.store %s, %s[%s, %s] : %s, %s", y, m.results.name, m.index(t), m.offset(at, strip*m.isa.Lanes), m.results.typ, m.f32())
		})
		return nil
	})
	m.loop("t", m.index(0), m.index(m.k.T), m.index(1), nil, func(t string, _ []string) []string {
		var y []string
		for i := 0; i < ir.GroupSize; i += chunkLanes {
			y = append(y, m.val("y", "vector.load %s[%s, %s] : %s, %s", m.results.name, t, m.index(i), m.results.typ, f32x16))
		}
		m.quantized(y, m.mem["yq"], m.mem["ys"], t, unit)
		return nil
	})
}

// block computes 16 results of every row and hands them to out, a register at a time.
func (m *matvec) block(block string, out func(t, strip int, y string)) {
	tile := m.tile()
	for first := 0; first < m.k.T; first += tile.rows {
		for strip := 0; strip < stripsOf(m.isa); strip += tile.strips {
			p := part{block: block, rows: count(first, min(tile.rows, m.k.T-first)), strips: count(strip, tile.strips)}
			y := m.dots(p)
			for i := range y {
				y[i] = m.biased(block, p.strip(i), y[i])
			}
			if m.k.Gate != 0 {
				p.block = m.val("up", "arith.addi %s, %s : index", block, m.index(m.k.width()/ir.LaneRows))
				for i, up := range m.dots(p) {
					up = m.biased(p.block, p.strip(i), up)
					y[i] = m.val("y", "arith.mulf %s, %s : %s", m.activated(y[i]), up, m.f32())
				}
			}
			for i := range y {
				if m.k.Residual {
					r := m.columns("residual", m.mem["residual"], block, p.strip(i), m.k.width(), m.index(p.row(i)))
					y[i] = m.val("y", "arith.addf %s, %s : %s", y[i], r, m.f32())
				}
				out(p.row(i), p.strip(i), y[i])
			}
		}
	}
}

// count lists n numbers from first on.
func count(first, n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = first + i
	}
	return list
}

// A part is what is in registers at once: rows of activations times strips of a block.
// Its values stand row by row.
type part struct {
	block        string
	rows, strips []int
}

func (p part) len() int        { return len(p.rows) * len(p.strips) }
func (p part) row(i int) int   { return p.rows[i/len(p.strips)] }
func (p part) strip(i int) int { return p.strips[i%len(p.strips)] }

// tile is the size of a part: sums, activations and unpacked weights must fit the registers.
func (m *matvec) tile() (t struct{ rows, strips int }) {
	most := 4 // 16 registers
	if m.isa.Lanes == 16 {
		most = 8 // 32
	}
	passes := ir.CeilDiv(m.k.T, most)
	t.rows, t.strips = ir.CeilDiv(m.k.T, passes), 1
	if m.k.T == 1 {
		t.strips = stripsOf(m.isa)
	}
	return t
}

func (m *matvec) f32() string { return fmt.Sprintf("vector<%dxf32>", m.isa.Lanes) }
func (m *matvec) i32() string { return fmt.Sprintf("vector<%dxi32>", m.isa.Lanes) }
func (m *matvec) i16() string { return fmt.Sprintf("vector<%dxi16>", 2*m.isa.Lanes) }
func (m *matvec) i8() string  { return fmt.Sprintf("vector<%dxi8>", 4*m.isa.Lanes) }

// dots multiplies rows with a block of the matrix: scale*q + offset over all columns.
func (m *matvec) dots(p part) []string {
	zero := m.constant("zero", "dense<0.0> : "+m.f32())
	vars := make([]carried, p.len())
	for i := range vars {
		vars[i] = carried{"y", m.f32(), zero}
	}
	groups := ir.CeilDiv(m.k.K, ir.GroupSize)
	return m.loop("g", m.index(0), m.index(groups), m.index(1), vars, func(g string, y []string) []string {
		var sums, products []string
		if m.k.ActI8 {
			products = m.integerProducts(p, g)
		} else {
			products = m.floatProducts(p, g)
		}
		for _, row := range p.rows {
			sums = append(sums, m.groupSum(row, g))
		}
		for s, strip := range p.strips {
			scale, offset := m.affine("scale", p.block, g, strip), m.affine("offset", p.block, g, strip)
			for r := range p.rows {
				i := r*len(p.strips) + s
				y[i] = m.multiplyAdd(products[i], scale, y[i])
				y[i] = m.multiplyAdd(offset, sums[r], y[i])
			}
		}
		return y
	})
}

// groupSum is the sum of a row's activations in group g, in all lanes.
func (m *matvec) groupSum(row int, g string) string {
	if m.k.ActI8 {
		return m.splat("sum", m.mem["xs"], "f32", m.index(1), m.index(row), g)
	}
	return m.splat("sum", m.sums, "f32", m.index(row), g)
}

// splat is an element of memory in all lanes.
func (m *matvec) splat(hint string, mem memory, elem string, at ...string) string {
	v := m.val(hint, "memref.load %s[%s] : %s", mem.name, list(at), mem.typ)
	return m.val(hint, "vector.broadcast %s : %s to vector<%dx%s>", v, elem, m.isa.Lanes, elem)
}

// affine loads scales or offsets as float32.
func (m *matvec) affine(name, block, g string, strip int) string {
	mem := m.mem[name]
	if m.k.Scales == ir.F32 {
		return m.val(name, "vector.load %s[%s, %s, %s] : %s, %s", mem.name, block, g, m.index(strip*m.isa.Lanes), mem.typ, m.f32())
	}
	half := fmt.Sprintf("vector<%dxf16>", m.isa.Lanes)
	v := m.val(name, "vector.load %s[%s, %s, %s] : %s, %s", mem.name, block, g, m.index(strip*m.isa.Lanes), mem.typ, half)
	return m.val(name, "arith.extf %s : %s to %s", v, half, m.f32())
}

// multiplyAdd is a*b + c, fused where there is an instruction: elsewhere vector.fma would
// become a call per lane.
func (m *matvec) multiplyAdd(a, b, c string) string {
	if m.isa.FMA {
		return m.val("y", "vector.fma %s, %s, %s : %s", a, b, c, m.f32())
	}
	return m.val("y", "arith.addf %s, %s : %s", m.val("product", "arith.mulf %s, %s : %s", a, b, m.f32()), c, m.f32())
}

// activated applies the activation of the gate.
func (m *matvec) activated(x string) string {
	if m.k.Gate == ir.SiLU {
		return m.silu(x, m.isa.Lanes)
	}
	return m.geluTanh(x, m.isa.Lanes)
}

// biased adds the bias of a strip.
func (m *matvec) biased(block string, strip int, y string) string {
	if !m.k.Bias {
		return y
	}
	return m.val("y", "arith.addf %s, %s : %s", y, m.columns("bias", m.mem["bias"], block, strip, m.k.N), m.f32())
}

// columns loads what belongs to the matrix rows of a strip from a memory whose last
// dimension has width of them; lanes beyond hold 0.
func (m *matvec) columns(hint string, mem memory, block string, strip, width int, lead ...string) string {
	n, mask := m.column(block, strip, width)
	at := list(append(lead, n))
	if mask == "" {
		return m.val(hint, "vector.load %s[%s] : %s, %s", mem.name, at, mem.typ, m.f32())
	}
	zero := m.constant("zero", "dense<0.0> : "+m.f32())
	return m.val(hint, "vector.maskedload %s[%s], %s, %s : %s, vector<%dxi1>, %s into %s", mem.name, at, mask, zero, mem.typ, m.isa.Lanes, m.f32(), m.f32())
}

// store writes results of row t.
func (m *matvec) store(block string, t, strip int, y string) {
	mem := m.mem["y"]
	n, mask := m.column(block, strip, m.k.width())
	if mask == "" {
		m.line("vector.store %s, %s[%s, %s] : %s, %s", y, mem.name, m.index(t), n, mem.typ, m.f32())
		return
	}
	m.line("vector.maskedstore %s[%s, %s], %s, %s : %s, vector<%dxi1>, %s", mem.name, m.index(t), n, mask, y, mem.typ, m.isa.Lanes, m.f32())
}

// column is the number of a strip's first matrix row, and a mask of those lanes that
// exist, "" if all do.
func (m *matvec) column(block string, strip, width int) (n, mask string) {
	n = m.offset(m.val("n", "arith.muli %s, %s : index", block, m.index(ir.LaneRows)), strip*m.isa.Lanes)
	if width%ir.LaneRows == 0 {
		return n, ""
	}
	// The difference may be negative: a mask of no lanes.
	rest := m.val("rest", "arith.subi %s, %s : index", m.index(width), n)
	return n, m.val("mask", "vector.create_mask %s : vector<%dxi1>", rest, m.isa.Lanes)
}

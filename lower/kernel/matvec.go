package kernel

import (
	"fmt"

	"github.com/hlocc/hlocc/lower/ir"
)

// matvec is the form of a linear for few rows: every workgroup reads its share of the
// matrix in one stream, unpacks each register of it once, and multiplies it with all rows.
type matvec struct {
	registers
	k   Linear
	mem map[string]memory
	// results holds rows of 64 results until they are quantized, sums the sums of the
	// groups of f32 activations.
	results, sums memory
	// Of experts a workgroup has one row, and the first block of its matrix; both are
	// empty otherwise.
	row, base string
}

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
	groups := [3]int{ir.CeilDiv(units, per)}
	if k.Experts > 0 {
		groups[1] = k.T
	}
	return executable(k.Name(), bindings, groups, func(e *emit, args []string) {
		m := &matvec{registers: registers{e, isa}, k: k, mem: map[string]memory{}}
		m.views(bindings, args)
		if k.Experts > 0 {
			m.chooseExpert()
		}
		if !k.ActI8 {
			m.sumRows()
		}
		first, end := e.span(0, per, units)
		e.loop("unit", first, end, e.index(1), nil, func(unit string, _ []string) []string {
			if k.QuantizeOut {
				m.quantizedUnit(unit)
			} else {
				m.block(unit, func(t, lane, y string) { m.store(unit, t, lane, y) })
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
		if m.k.Experts > 0 && (b.hint == "q" || b.hint == "scale" || b.hint == "offset") {
			s = append([]int{s[0] * s[1]}, s[2:]...) // all blocks one after another
			b.typ = ir.T(b.typ.DType(), s...)
		}
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
		m.results = m.scratch("results", fmt.Sprintf("%dx%dxf32", m.rowsHere(), ir.GroupSize))
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

// chooseExpert finds the workgroup's row and the matrix for it.
func (m *matvec) chooseExpert() {
	expert := m.mem["expert"]
	m.row = m.group(1)
	e := m.val("expert", "memref.load %s[%s] : %s", expert.name, m.row, expert.typ)
	e = m.val("expert", "arith.maxsi %s, %s : i32", e, m.constant("none", "0 : i32"))
	e = m.val("expert", "arith.minsi %s, %s : i32", e, m.constant("last", fmt.Sprintf("%d : i32", m.k.Experts-1)))
	e = m.val("expert", "arith.index_cast %s : i32 to index", e)
	m.base = m.val("base", "arith.muli %s, %s : index", e, m.index(ir.CeilDiv(m.k.N, ir.LaneRows)))
}

// stored is where a block of matrix rows lies among all blocks.
func (m *matvec) stored(block string) string {
	if m.base == "" {
		return block
	}
	return m.val("stored", "arith.addi %s, %s : index", m.base, block)
}

// rowsHere is how many rows of activations a workgroup has, and here which of them row t is.
func (m *matvec) rowsHere() int {
	if m.k.Experts > 0 {
		return 1
	}
	return m.k.T
}

func (m *matvec) here(t string) string {
	if m.k.Experts > 0 {
		return m.index(0)
	}
	return t
}

// eachRow runs body for every row of activations that the workgroup has.
func (m *matvec) eachRow(body func(t string)) {
	if m.row != "" {
		body(m.row)
		return
	}
	m.loop("t", m.index(0), m.index(m.k.T), m.index(1), nil, func(t string, _ []string) []string {
		body(t)
		return nil
	})
}

// sumRows sums the f32 activations of every group: once per workgroup, not once per block.
func (m *matvec) sumRows() {
	g := ir.CeilDiv(m.k.K, ir.GroupSize)
	x := m.mem["xp"]
	m.sums = m.scratch("sums", fmt.Sprintf("%dx%dxf32", m.rowsHere(), g))
	m.eachRow(func(t string) {
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
			m.line("memref.store %s, %s[%s, %s] : %s", total, m.sums.name, m.here(t), g, m.sums.typ)
			return nil
		})
	})
}

// quantizedUnit writes 64 results of every row, quantized.
func (m *matvec) quantizedUnit(unit string) {
	m.loop("part", m.index(0), m.index(blocksPerGroup), m.index(1), nil, func(part string, _ []string) []string {
		base := m.val("block", "arith.muli %s, %s : index", unit, m.index(blocksPerGroup))
		block := m.val("block", "arith.addi %s, %s : index", base, part)
		at := m.val("at", "arith.muli %s, %s : index", part, m.index(ir.LaneRows))
		m.block(block, func(t, lane, y string) {
			n := m.val("n", "arith.addi %s, %s : index", at, lane)
			m.line("vector.store %s, %s[%s, %s] : %s, %s", y, m.results.name, m.here(t), n, m.results.typ, m.f32())
		})
		return nil
	})
	m.eachRow(func(t string) {
		var y []string
		for i := 0; i < ir.GroupSize; i += chunkLanes {
			y = append(y, m.val("y", "vector.load %s[%s, %s] : %s, %s", m.results.name, m.here(t), m.index(i), m.results.typ, f32x16))
		}
		m.quantized(y, m.mem["yq"], m.mem["ys"], t, unit)
	})
}

// block computes 16 results of every row and hands them to out, a register at a time:
// of row t, from lane on.
func (m *matvec) block(block string, out func(t, lane, y string)) {
	tile := m.tile()
	each := func(body func(rows []string)) { m.overTiles("t", m.k.T, tile.rows, 1, body) }
	if m.row != "" {
		each = func(body func(rows []string)) { body([]string{m.row}) }
	}
	each(func(rows []string) {
		m.overTiles("lane", ir.LaneRows/m.isa.Lanes, tile.strips, m.isa.Lanes, func(lanes []string) {
			m.tileOf(part{block: block, rows: rows, lanes: lanes}, out)
		})
	})
}

// overTiles runs body for the multiples i*scale of i = 0, ..., n-1, size of them at a
// time and the rest at the end.
func (m *matvec) overTiles(hint string, n, size, scale int, body func(list []string)) {
	from := func(first string, n int) []string {
		list := make([]string, n)
		for i := range list {
			list[i] = m.offset(first, i*scale)
		}
		return list
	}
	whole := n / size * size
	if whole == size { // one tile: no loop
		body(from(m.index(0), size))
	} else {
		m.loop(hint, m.index(0), m.index(whole*scale), m.index(size*scale), nil, func(first string, _ []string) []string {
			body(from(first, size))
			return nil
		})
	}
	if n > whole {
		body(from(m.index(whole*scale), n-whole))
	}
}

// togetherSums is up to how many sums gate and up are computed together, which keeps more
// of the matrix on its way from memory; more would not fit the registers.
const togetherSums = 4

// tileOf computes the results of a part.
func (m *matvec) tileOf(p part, out func(t, lane, y string)) {
	parts := []part{p}
	if m.k.Gate != 0 {
		up := p
		up.block = m.val("up", "arith.addi %s, %s : index", p.block, m.index(m.k.width()/ir.LaneRows))
		parts = append(parts, up)
	}
	var sums [][]string
	if len(parts)*p.len() <= togetherSums {
		sums = m.dots(parts...)
	} else {
		for _, p := range parts {
			sums = append(sums, m.dots(p)...)
		}
	}
	y := sums[0]
	for i := range y {
		y[i] = m.biased(p.block, p.lane(i), y[i])
	}
	if m.k.Gate != 0 {
		up := parts[1]
		for i, v := range sums[1] {
			v = m.biased(up.block, p.lane(i), v)
			y[i] = m.val("y", "arith.mulf %s, %s : %s", m.gated(m.k.Gate, y[i]), v, m.f32())
		}
	}
	for i := range y {
		if m.k.Residual {
			r := m.columns("residual", m.mem["residual"], p.block, p.lane(i), m.k.width(), p.row(i))
			y[i] = m.val("y", "arith.addf %s, %s : %s", y[i], r, m.f32())
		}
		out(p.row(i), p.lane(i), y[i])
	}
}

// A part is what is in registers at once: some rows of activations times some strips of
// a block. A strip is as many rows of the matrix as a register has lanes, and named by the first
// of them. Values of a part stand row by row.
type part struct {
	block       string
	rows, lanes []string
}

func (p part) len() int          { return len(p.rows) * len(p.lanes) }
func (p part) row(i int) string  { return p.rows[i/len(p.lanes)] }
func (p part) lane(i int) string { return p.lanes[i%len(p.lanes)] }

// tile is the size of a part: sums, activations and unpacked weights must fit the registers.
func (m *matvec) tile() (t struct{ rows, strips int }) {
	most := 4 // 16 registers
	if m.isa.Lanes == 16 {
		most = 8 // 32
	}
	passes := ir.CeilDiv(m.k.T, most)
	t.rows, t.strips = ir.CeilDiv(m.k.T, passes), 1
	if m.k.T == 1 || m.row != "" {
		t.strips = ir.LaneRows / m.isa.Lanes
	}
	return t
}

// dots multiplies rows with blocks of the matrix, of parts that differ in nothing else:
// scale*q + offset over all columns, for each part.
func (m *matvec) dots(parts ...part) [][]string {
	zero := m.constant("zero", "dense<0.0> : "+m.f32())
	n := parts[0].len()
	vars := make([]carried, len(parts)*n)
	for i := range vars {
		vars[i] = carried{"y", m.f32(), zero}
	}
	groups := ir.CeilDiv(m.k.K, ir.GroupSize)
	all := m.loop("g", m.index(0), m.index(groups), m.index(1), vars, func(g string, y []string) []string {
		var sums []string
		for _, row := range parts[0].rows {
			sums = append(sums, m.groupSum(row, g))
		}
		for j, p := range parts {
			m.addGroup(p, g, sums, y[j*n:(j+1)*n])
		}
		return y
	})
	var y [][]string
	for j := range parts {
		y = append(y, all[j*n:(j+1)*n])
	}
	return y
}

// addGroup adds the products of group g to y; sums are those of the rows' activations.
func (m *matvec) addGroup(p part, g string, sums, y []string) {
	var products []string
	if m.k.ActI8 {
		products = m.integerProducts(p, g)
	} else {
		products = m.floatProducts(p, g)
	}
	for s, lane := range p.lanes {
		scale, offset := m.affine("scale", p.block, g, lane), m.affine("offset", p.block, g, lane)
		for r := range p.rows {
			i := r*len(p.lanes) + s
			y[i] = m.multiplyAdd(products[i], scale, y[i])
			y[i] = m.multiplyAdd(offset, sums[r], y[i])
		}
	}
}

// groupSum is the sum of a row's activations in group g, in all lanes.
func (m *matvec) groupSum(row, g string) string {
	if m.k.ActI8 {
		return m.splat("sum", m.mem["xs"], "f32", m.index(1), row, g)
	}
	return m.splat("sum", m.sums, "f32", m.here(row), g)
}

// affine loads scales or offsets of a strip as float32.
func (m *matvec) affine(name, block, g, lane string) string {
	mem, block := m.mem[name], m.stored(block)
	if m.k.Scales == ir.F32 {
		return m.val(name, "vector.load %s[%s, %s, %s] : %s, %s", mem.name, block, g, lane, mem.typ, m.f32())
	}
	half := fmt.Sprintf("vector<%dxf16>", m.isa.Lanes)
	v := m.val(name, "vector.load %s[%s, %s, %s] : %s, %s", mem.name, block, g, lane, mem.typ, half)
	return m.val(name, "arith.extf %s : %s to %s", v, half, m.f32())
}

// biased adds the bias of a strip.
func (m *matvec) biased(block, lane, y string) string {
	if !m.k.Bias {
		return y
	}
	return m.val("y", "arith.addf %s, %s : %s", y, m.columns("bias", m.mem["bias"], block, lane, m.k.N), m.f32())
}

// columns loads what belongs to the matrix rows of a strip from a memory whose last
// dimension has width of them; lanes beyond hold 0.
func (m *matvec) columns(hint string, mem memory, block, lane string, width int, lead ...string) string {
	n, mask := m.column(block, lane, width)
	at := list(append(lead, n))
	if mask == "" {
		return m.val(hint, "vector.load %s[%s] : %s, %s", mem.name, at, mem.typ, m.f32())
	}
	zero := m.constant("zero", "dense<0.0> : "+m.f32())
	return m.val(hint, "vector.maskedload %s[%s], %s, %s : %s, vector<%dxi1>, %s into %s", mem.name, at, mask, zero, mem.typ, m.isa.Lanes, m.f32(), m.f32())
}

// store writes results of row t.
func (m *matvec) store(block, t, lane, y string) {
	mem := m.mem["y"]
	n, mask := m.column(block, lane, m.k.width())
	if mask == "" {
		m.line("vector.store %s, %s[%s, %s] : %s, %s", y, mem.name, t, n, mem.typ, m.f32())
		return
	}
	m.line("vector.maskedstore %s[%s, %s], %s, %s : %s, vector<%dxi1>, %s", mem.name, t, n, mask, y, mem.typ, m.isa.Lanes, m.f32())
}

// column is the number of a strip's first matrix row, and a mask of those lanes that
// exist, "" if all do.
func (m *matvec) column(block, lane string, width int) (n, mask string) {
	n = m.val("n", "arith.addi %s, %s : index", m.val("n", "arith.muli %s, %s : index", block, m.index(ir.LaneRows)), lane)
	if width%ir.LaneRows == 0 {
		return n, ""
	}
	// The difference may be negative: a mask of no lanes.
	rest := m.val("rest", "arith.subi %s, %s : index", m.index(width), n)
	return n, m.val("mask", "vector.create_mask %s : vector<%dxi1>", rest, m.isa.Lanes)
}

package kernel

import (
	"fmt"
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
)

// The strategy for many rows. Registers hold the sums of a tile, some rows by some vectors
// of outputs; weights are unpacked in registers, once for the rows of a tile, and the
// activations are broadcast from memory. A workgroup computes a few output blocks (a
// panel) of many rows, so that the packed weights stay in the first-level cache (in the
// second for wide matrices) and the activations in the second.

// matvecRows is up to how many rows the strategy for few rows is used.
const matvecRows = 16

// A vec is a vector of outputs.
type vec struct {
	block string // the block of 16 rows of the matrix, an index
	at    int    // where it begins in the block
	valid int    // how many of its lanes are outputs; the others are padding
}

// Rows are split between workgroups only for machines of many threads: a panel of a large
// matrix comes from memory once for each of its workgroups.
const (
	matmulGroups = 64      // workgroups that there should be
	matmulWork   = 1 << 21 // multiply-adds that a workgroup should have nevertheless: some 10 us
)

// matmul is the kernel for many rows.
func (k Linear) matmul(isa ISA) string {
	w := matmulText{registers: registers{isa: isa}, k: k, groups: ir.CeilDiv(k.K, ir.GroupSize), mem: map[string]memory{}}
	w.plan()
	bindings := append(k.operands(), k.results()...)
	grid := [3]int{ir.CeilDiv(w.tiles, w.perGroup), w.units} // workgroups of the same panel are neighbours
	return executable(k.Name(), bindings, grid, func(e *emit, args []string) {
		w.emit = e
		for i, b := range bindings {
			switch s := b.typ.Shape(); b.hint {
			case "q": // bytes are multiplied by four
				w.mem["q"] = e.words(args[i], "q", s[:4]...)
			case "xq":
				w.mem["xq"] = e.words(args[i], "xq", s[0], s[1]/4)
			default:
				w.mem[b.hint] = e.memory(args[i], b)
			}
		}
		w.body()
	})
}

type matmulText struct {
	registers
	k      Linear
	mem    map[string]memory
	groups int

	cols, rows int // of the largest tile, in vectors of outputs and in rows
	low        int // rows of a tile from tile number tall on, rows before it
	tall       int
	tiles      int // tiles that the rows are split into
	perGroup   int // tiles of a workgroup

	outBlocks int // output blocks of a panel; with a gate it has as many blocks again of the upper half
	panels    int // panels of whole blocks
	rest      int // output blocks of one more panel, the last of them maybe partial
	units     int // parts of the outputs that workgroups are responsible for: panels, or quantized groups
	perUnit   int // panels of a unit

	buffer memory // a tile of QuantizeOut, [rows, 64]
}

// plan decides on tiles, panels and workgroups.
func (w *matmulText) plan() {
	k := w.k
	w.cols, w.rows = tileSize(w.isa, k)
	// Tiles of two sizes, one row apart, rather than one small rest.
	w.tiles = ir.CeilDiv(k.T, w.rows)
	w.rows = ir.CeilDiv(k.T, w.tiles)
	w.low = w.rows - 1
	w.tall = k.T - w.tiles*w.low

	w.outBlocks = max(1, w.cols*w.isa.Lanes/ir.LaneRows)
	if k.Gate != 0 {
		w.outBlocks = max(1, w.outBlocks/2)
	}
	whole, all := k.width()/ir.LaneRows, ir.CeilDiv(k.width(), ir.LaneRows)
	w.panels = whole / w.outBlocks
	w.rest = all - w.panels*w.outBlocks
	w.units, w.perUnit = w.panels, 1
	if w.rest > 0 {
		w.units++
	}
	if k.QuantizeOut {
		w.units = k.width() / ir.GroupSize
		w.perUnit = ir.GroupSize / ir.LaneRows / w.outBlocks
	}
	work := w.rows * w.groups * ir.GroupSize * ir.CeilDiv(k.N, w.units) // of a tile
	w.perGroup = min(w.tiles, max(w.tiles*w.units/matmulGroups, matmulWork/work, 1))
	w.perGroup = ir.CeilDiv(w.tiles, ir.CeilDiv(w.tiles, w.perGroup)) // evenly
}

// body writes the kernel: the tiles of a workgroup's rows, those of either size.
func (w *matmulText) body() {
	unit := w.group(1)
	first, end := w.index(0), w.index(w.tiles)
	if w.perGroup < w.tiles {
		first, end = w.span(0, w.perGroup, w.tiles)
	}
	if w.k.QuantizeOut {
		w.buffer = w.scratch("buffer", fmt.Sprintf("%dx%dxf32", w.rows, ir.GroupSize))
	}
	w.sized(unit, first, w.val("end", "arith.minui %s, %s : index", end, w.index(w.tall)), w.rows, 0)
	if w.tall < w.tiles {
		w.sized(unit, w.val("first", "arith.maxui %s, %s : index", first, w.index(w.tall)), end, w.low, w.tall)
	}
}

// sized writes the tiles first..end-1, of the given number of rows; shift is what the
// rows of taller tiles before them add to the first row.
func (w *matmulText) sized(unit, first, end string, rows, shift int) {
	w.loop("tile", first, end, w.index(1), nil, func(tile string, _ []string) []string {
		t := w.offset(w.val("t", "arith.muli %s, %s : index", tile, w.index(rows)), shift)
		w.unit(unit, t, rows)
		return nil
	})
}

// unit writes the outputs of a unit for the rows from t on.
func (w *matmulText) unit(unit, t string, rows int) {
	if w.k.QuantizeOut {
		w.each("part", w.perUnit, func(part string) {
			panel := w.val("panel", "arith.muli %s, %s : index", unit, w.index(w.perUnit))
			w.panel(w.val("panel", "arith.addi %s, %s : index", panel, part), t, rows, false, part)
		})
		w.each("row", rows, func(row string) {
			var x []string
			for i := 0; i < ir.GroupSize; i += chunkLanes {
				x = append(x, w.loadFloats("v", w.buffer, ir.F32, chunkLanes, row, w.index(i)))
			}
			w.quantized(x, w.mem["yq"], w.mem["ys"], w.val("t", "arith.addi %s, %s : index", t, row), unit)
		})
		return
	}
	switch {
	case w.rest == 0:
		w.panel(unit, t, rows, false, "")
	case w.panels == 0:
		w.panel(unit, t, rows, true, "")
	default:
		w.line("%s", "scf.if "+w.val("whole", "arith.cmpi ult, %s, %s : index", unit, w.index(w.panels))+" {")
		w.indent++
		w.panel(unit, t, rows, false, "")
		w.indent--
		w.line("} else {")
		w.indent++
		w.panel(unit, t, rows, true, "")
		w.indent--
		w.line("}")
	}
}

// panel writes the tiles of a panel, or of the last one that is cut short; part is its
// place in the unit.
func (w *matmulText) panel(panel, t string, rows int, last bool, part string) {
	blocks, first := w.outBlocks, panel
	if last {
		blocks = w.rest
	}
	if w.outBlocks > 1 {
		first = w.val("block", "arith.muli %s, %s : index", panel, w.index(w.outBlocks))
	}
	var outs, ups []vec
	for b := range blocks {
		valid := ir.LaneRows
		if last && b == blocks-1 {
			valid = (w.k.width()-1)%ir.LaneRows + 1
		}
		block := w.offset(first, b)
		for at := 0; at < ir.LaneRows; at += w.isa.Lanes {
			outs = append(outs, vec{block, at, min(max(valid-at, 0), w.isa.Lanes)})
			if w.k.Gate != 0 {
				ups = append(ups, vec{w.offset(block, w.k.N/2/ir.LaneRows), at, w.isa.Lanes})
			}
		}
	}
	n := w.cols
	if w.k.Gate != 0 {
		n /= 2
	}
	for len(outs) > 0 {
		c := min(n, len(outs))
		tile := slices.Clone(outs[:c])
		outs = outs[c:]
		if w.k.Gate != 0 {
			tile, ups = append(tile, ups[:c]...), ups[c:]
		}
		w.finish(w.sums(tile, t, rows), tile, t, rows, part)
	}
}

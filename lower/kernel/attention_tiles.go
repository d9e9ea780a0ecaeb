package kernel

import (
	"fmt"
	"slices"
)

// A tiling is how a workgroup of [attentionText.tiles] divides its work. Its queries are
// those of some heads of a group in some bands of as many rows as a vector has lanes.
type tiling struct {
	heads, bands int
	block        int // positions at a time
	keys         int // of these, the keys multiplied at a time
}

// stackBytes is how much memory on the stack a kernel may have, but for some small change.
const stackBytes = 32768 - 1024

// tiling is the tiling for an instruction set, if T is worth one and it fits the stack.
// Four vectors of queries (or three) times some keys are as many sums as there are registers for.
func (k Attention) tiling(isa ISA) (tiling, bool) {
	if k.Slots > 1 || k.T < isa.Lanes {
		return tiling{}, false
	}
	for most := 4; most > 0; most-- {
		t := tiling{heads: 1}
		for n := 2; n <= most; n++ {
			if k.group()%n == 0 {
				t.heads = n
			}
		}
		t.bands = min(most/t.heads, (k.T+isa.Lanes-1)/isa.Lanes)
		sums := 8
		if isa.Lanes == 16 {
			sums = 16
		}
		t.keys = map[int]int{1: sums, 2: sums / 2, 3: sums / 2, 4: sums / 4}[t.vectors()]
		for t.block = 32; t.block >= t.keys; t.block /= 2 {
			if t.bytes(k, isa) <= stackBytes {
				return t, true
			}
		}
	}
	return tiling{}, false
}

func (t tiling) vectors() int { return t.heads * t.bands }

// bytes is what the queries, the keys if they are converted, and the scores of a block take.
func (t tiling) bytes(k Attention, isa ISA) int {
	n := 4 * t.vectors() * isa.Lanes * (k.D + t.block)
	if k.converts() {
		n += 4 * t.block * k.D
	}
	return n
}

// tileText writes the form for many rows of one sequence: a workgroup has some rows and some of the
// queries that share a head of the caches. The lanes of a vector are rows. Then
// no sum and no maximum goes across lanes, and a key's elements are multiplied as they come
// out of the cache, each with vectors of queries that were transposed once. The values
// are mixed the other way round, lanes being columns, so that the result need not be transposed.
type tileText struct {
	*attentionText
	tiling
	h            string   // head of the caches
	first, head  string   // the tile's first row and query
	from, end    string   // the keys that any row sees
	positions    []string // of a vector's lanes, as i32
	query, score memory   // transposed queries [D][vectors*Lanes], scores [block][vectors*Lanes]
	decay        memory   // by what the rows' results are multiplied, [vectors*Lanes]
	key          memory   // converted keys [block][D]
}

func (w *attentionText) tiles(t tiling) {
	k, lanes := w.k, w.isa.Lanes
	width := t.vectors() * lanes
	x := &tileText{attentionText: w, tiling: t}
	// Later rows see more: they begin first.
	tile := w.val("tile", "arith.subi %s, %s : index", w.index(t.groups(k, w.isa)[0]-1), w.group(0))
	x.first = w.val("first", "arith.muli %s, %s : index", tile, w.index(t.bands*lanes))
	x.head = w.val("head", "arith.muli %s, %s : index", w.group(1), w.index(t.heads))
	x.h = w.val("h", "arith.divui %s, %s : index", x.head, w.index(k.group()))
	x.query = w.scratch("queries", fmt.Sprintf("%dx%dxf32", k.D, width))
	x.score = w.scratch("scores", fmt.Sprintf("%dx%dxf32", t.block, width))
	x.decay = w.scratch("decays", fmt.Sprintf("%dxf32", width))
	if k.converts() {
		x.key = w.scratch("keys", fmt.Sprintf("%dx%dxf32", t.block, k.D))
	}
	x.place()
	x.transpose()
	x.result(func(string, string) string { return w.splat("zero", 0) })
	state := make([]carried, 2*t.vectors())
	for u := range t.vectors() {
		top, sum := carried{"top", w.vec(), w.splat("masked", masked)}, carried{"sum", w.vec(), w.splat("zero", 0)}
		if k.Sinks {
			top.init, sum.init = w.sink(w.offset(x.head, u%t.heads)), w.splat("one", 1)
		}
		state[u], state[t.vectors()+u] = top, sum
	}
	final := w.loop("key", x.from, x.end, w.index(t.block), state, func(key string, state []string) []string {
		left := w.val("left", "arith.subi %s, %s : index", x.end, key)
		count := w.val("count", "arith.minui %s, %s : index", left, w.index(t.block))
		before, sum := state[:t.vectors()], state[t.vectors():]
		top := x.scores(key, count, before)
		sum = x.weights(count, before, top, sum)
		x.mix(key, count)
		return append(top, sum...)
	})
	for u := range t.vectors() {
		w.store(w.val("scale", "arith.divf %s, %s : %s", w.splat("one", 1), final[t.vectors()+u], w.vec()), x.decay, w.index(u*lanes))
	}
	x.result(func(lane, v string) string { return w.mul(v, w.broadcast(x.decay, lane)) })
}

// groups are the workgroups: of rows, and of queries.
func (t tiling) groups(k Attention, isa ISA) [3]int {
	n := t.bands * isa.Lanes
	return [3]int{(k.T + n - 1) / n, k.Heads / t.heads, 1}
}

// row is the row n of the tile, the last one again where there are no more.
func (x *tileText) row(n string) string {
	return x.val("row", "arith.minui %s, %s : index", x.val("row", "arith.addi %s, %s : index", x.first, n), x.index(x.k.T-1))
}

// place finds the rows' positions, and the keys from the first to the last that any row sees.
func (x *tileText) place() {
	lanes := x.isa.Lanes
	at := x.scratch("positions", fmt.Sprintf("%dxi32", x.bands*lanes))
	zero, one := x.constant("none", "0 : i32"), x.constant("next", "1 : i32")
	bounds := x.loop("i", x.index(0), x.index(x.bands*lanes), x.index(1), []carried{
		{"least", "i32", x.constant("context", fmt.Sprintf("%d : i32", x.k.Context))}, {"most", "i32", zero},
	}, func(i string, bounds []string) []string {
		p := x.val("position", "memref.load %s[%s] : %s", x.mem["position"].name, x.row(i), x.mem["position"].typ)
		p = x.val("position", "arith.minui %s, %s : i32", p, x.constant("last", fmt.Sprintf("%d : i32", x.k.Context-1)))
		x.line("memref.store %s, %s[%s] : %s", p, at.name, i, at.typ)
		return []string{
			x.val("least", "arith.minsi %s, %s : i32", bounds[0], p),
			x.val("most", "arith.maxsi %s, %s : i32", bounds[1], p),
		}
	})
	end := func(last string) string {
		return x.val("end", "arith.index_castui %s : i32 to index", x.val("end", "arith.addi %s, %s : i32", last, one))
	}
	x.from, x.end = x.index(0), end(bounds[1])
	if x.k.Window > 0 {
		least := end(bounds[0])
		x.from = x.val("from", "arith.subi %s, %s : index", least, x.val("seen", "arith.minui %s, %s : index", least, x.index(x.k.Window)))
	}
	for r := range x.bands {
		x.positions = append(x.positions, x.val("position", "vector.load %s[%s] : %s, vector<%dxi32>", at.name, x.index(r*lanes), at.typ, lanes))
	}
}

// transpose fetches the queries, scaled.
func (x *tileText) transpose() {
	q, lanes := x.mem["queries"], x.isa.Lanes
	scale := x.constant("scale1", floatText(x.scale())+" : f32")
	x.each("u", x.vectors(), func(u string) {
		r, head := x.part(u)
		base := x.val("base", "arith.muli %s, %s : index", u, x.index(lanes))
		x.each("i", lanes, func(i string) {
			row := x.row(x.val("row", "arith.addi %s, %s : index", x.val("row", "arith.muli %s, %s : index", r, x.index(lanes)), i))
			lane := x.val("lane", "arith.addi %s, %s : index", base, i)
			x.each("d", x.k.D, func(d string) {
				v := x.val("q", "memref.load %s[%s, %s, %s] : %s", q.name, row, head, d, q.typ)
				v = x.val("q", "arith.mulf %s, %s : f32", v, scale)
				x.line("memref.store %s, %s[%s, %s] : %s", v, x.query.name, d, lane, x.query.typ)
			})
		})
	})
}

// part says which of the tile's blocks of rows and which query the vector u is of.
func (x *tileText) part(u string) (rows, head string) {
	n := x.index(x.heads)
	return x.val("r", "arith.divui %s, %s : index", u, n), x.val("query", "arith.addi %s, %s : index", x.head, x.val("v", "arith.remui %s, %s : index", u, n))
}

// eachRow writes a loop over the rows of all vectors, step at a time. body gets the lanes'
// numbers in the scratch memories, the rows (the last may occur more than once) and the query.
func (x *tileText) eachRow(step int, body func(lanes, rows []string, head string)) {
	lanes := x.index(x.isa.Lanes)
	x.each("u", x.vectors(), func(u string) {
		r, head := x.part(u)
		base, begin := x.val("base", "arith.muli %s, %s : index", u, lanes), x.val("begin", "arith.muli %s, %s : index", r, lanes)
		// The vector's rows within T, possibly none.
		left := x.val("left", "arith.subi %s, %s : index", x.index(x.k.T), x.val("row", "arith.addi %s, %s : index", x.first, begin))
		left = x.val("left", "arith.minsi %s, %s : index", left, lanes)
		x.loop("i", x.index(0), left, x.index(step), nil, func(i string, _ []string) []string {
			var at, rows []string
			for n := range step {
				j := x.offset(i, n)
				at = append(at, x.val("lane", "arith.addi %s, %s : index", base, j))
				rows = append(rows, x.row(x.val("row", "arith.addi %s, %s : index", begin, j)))
			}
			body(at, rows, head)
			return nil
		})
	})
}

// result changes the tile's part of the result.
func (x *tileText) result(change func(lane, v string) string) {
	out := x.mem["out"]
	x.eachRow(1, func(lane, row []string, head string) {
		x.parts(8, func(d string, vectors int) {
			for c := range vectors {
				at := x.offset(d, c*x.isa.Lanes)
				x.store(change(lane[0], x.load(out, row[0], head, at)), out, row[0], head, at)
			}
		})
	})
}

// scores writes the scores of count keys from key on and gives the largest so far.
func (x *tileText) scores(key, count string, top []string) []string {
	vec, vectors := x.vec(), x.vectors()
	keys := x.mem["keys"]
	if x.k.converts() {
		x.convert(key, count)
		keys = x.key
	}
	last := x.val("last", "arith.subi %s, %s : index", count, x.index(1))
	return x.loop("i", x.index(0), count, x.index(x.keys), named("top", vec, top), func(i string, top []string) []string {
		var rows []string // where a key stands
		for p := range x.keys {
			row := x.val("key", "arith.minui %s, %s : index", x.offset(i, p), last)
			if !x.k.converts() {
				row = x.val("key", "arith.addi %s, %s : index", key, row)
				row += ", " + x.h
			}
			rows = append(rows, row)
		}
		sums := make([]string, x.keys*vectors)
		for n := range sums {
			sums[n] = x.splat("zero", 0)
		}
		const unrolled = 2
		sums = x.loop("d", x.index(0), x.index(x.k.D), x.index(unrolled), named("sum", vec, sums), func(d string, sums []string) []string {
			sums = slices.Clone(sums)
			for n := range unrolled {
				at := x.offset(d, n)
				q := make([]string, vectors)
				for u := range q {
					q[u] = x.load(x.query, at, x.index(u*x.isa.Lanes))
				}
				for p, row := range rows {
					v := x.val("k", "memref.load %s[%s, %s] : %s", keys.name, row, at, keys.typ)
					v = x.val("k", "vector.broadcast %s : f32 to %s", v, vec)
					for u := range q {
						sums[p*vectors+u] = x.fma(v, q[u], sums[p*vectors+u])
					}
				}
			}
			return sums
		})
		top = slices.Clone(top)
		first := x.val("j", "arith.addi %s, %s : index", key, i)
		for p := range x.keys {
			j := x.val("j", "arith.index_cast %s : index to i32", x.offset(first, p))
			j = x.val("j", "vector.broadcast %s : i32 to vector<%dxi32>", j, x.isa.Lanes)
			for u := range vectors {
				v := x.visible(x.capped(sums[p*vectors+u]), j, x.positions[u/x.heads])
				x.store(v, x.score, x.offset(i, p), x.index(u*x.isa.Lanes))
				top[u] = x.max(top[u], v)
			}
		}
		return top
	})
}

// named is values that go round a loop.
func named(hint, typ string, init []string) []carried {
	vars := make([]carried, len(init))
	for i := range vars {
		vars[i] = carried{hint, typ, init[i]}
	}
	return vars
}

// visible is the score v of the key at j, if the row at position sees it.
func (x *tileText) visible(v, j, position string) string {
	lanes := x.isa.Lanes
	mask := x.val("seen", "arith.cmpi sle, %s, %s : vector<%dxi32>", j, position, lanes)
	if x.k.Window > 0 {
		window := x.constant("window", fmt.Sprintf("dense<%d> : vector<%dxi32>", x.k.Window, lanes))
		back := x.val("back", "arith.subi %s, %s : vector<%dxi32>", position, j, lanes)
		near := x.val("near", "arith.cmpi slt, %s, %s : vector<%dxi32>", back, window, lanes)
		mask = x.val("seen", "arith.andi %s, %s : vector<%dxi1>", mask, near, lanes)
	}
	return x.val("s", "arith.select %s, %s, %s : vector<%dxi1>, %s", mask, v, x.splat("masked", masked), lanes, x.vec())
}

// convert brings the keys of a block into float32.
func (x *tileText) convert(key, count string) {
	x.loop("i", x.index(0), count, x.index(1), nil, func(i string, _ []string) []string {
		row := x.val("row", "arith.addi %s, %s : index", key, i)
		x.parts(8, func(d string, vectors int) {
			for c := range vectors {
				at := x.offset(d, c*x.isa.Lanes)
				x.store(x.cached("keys", row, x.h, at), x.key, i, at)
			}
		})
		return nil
	})
}

// weights makes scores to weights and gives the sums so far.
func (x *tileText) weights(count string, before, top, sum []string) []string {
	lanes := x.isa.Lanes
	next := make([]string, len(sum))
	for u := range sum {
		decay := x.power(x.sub(before[u], top[u]))
		x.store(decay, x.decay, x.index(u*lanes))
		next[u] = x.mul(sum[u], decay)
	}
	return x.loop("i", x.index(0), count, x.index(1), named("sum", x.vec(), next), func(i string, sum []string) []string {
		sum = slices.Clone(sum)
		for u := range sum {
			at := x.index(u * lanes)
			p := x.power(x.sub(x.load(x.score, i, at), top[u]))
			x.store(p, x.score, i, at)
			sum[u] = x.add(sum[u], p)
		}
		return sum
	})
}

// mix adds the weighted values to the result. Some rows times some vectors of columns are
// as many sums as there are registers for.
func (x *tileText) mix(key, count string) {
	rows, columns := 4, 2
	switch {
	case x.isa.Lanes == 16 && x.k.converts(): // few columns, since each is converted again for every row
		rows = 8
	case x.isa.Lanes == 16:
		columns = 4
	}
	lanes, out := x.isa.Lanes, x.mem["out"]
	x.eachRow(rows, func(lane, row []string, head string) {
		decay := make([]string, rows)
		for r := range decay {
			decay[r] = x.broadcast(x.decay, lane[r])
		}
		x.parts(columns, func(d string, vectors int) {
			var mixed []string
			for r := range rows {
				for c := range vectors {
					mixed = append(mixed, x.mul(decay[r], x.load(out, row[r], head, x.offset(d, c*lanes))))
				}
			}
			mixed = x.loop("j", x.index(0), count, x.index(1), named("mixed", x.vec(), mixed), func(j string, mixed []string) []string {
				mixed = slices.Clone(mixed)
				from := x.val("row", "arith.addi %s, %s : index", key, j)
				values := make([]string, vectors)
				for c := range values {
					values[c] = x.cached("values", from, x.h, x.offset(d, c*lanes))
				}
				for r := range rows {
					p := x.broadcast(x.score, j, lane[r])
					for c, v := range values {
						mixed[r*vectors+c] = x.fma(p, v, mixed[r*vectors+c])
					}
				}
				return mixed
			})
			for r := range rows {
				for c := range vectors {
					x.store(mixed[r*vectors+c], out, row[r], head, x.offset(d, c*lanes))
				}
			}
		})
	})
}

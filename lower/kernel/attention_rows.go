package kernel

import (
	"fmt"
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
)

// rowBlock is how many positions the form for single rows takes at a time. Their keys
// and values should fit the first-level cache.
const rowBlock = 64

// rowGroups is how many workgroups the form for single rows should have for a few threads.
const rowGroups = 8

// rowWidth is how many elements next to each other a workgroup should read at least, since
// memory is read fastest from one end to the other: shorter pieces cost up to half the speed.
const rowWidth = 128

// rowHeads is how many heads of the caches a workgroup has; the last may have fewer.
func (k Attention) rowHeads() int {
	return min(k.KVHeads, max(ir.CeilDiv(rowWidth, k.D), ir.CeilDiv(k.KVHeads*k.T, rowGroups)))
}

// rows is the form for rows that have little in common: a workgroup has one row and some
// heads of the caches. It goes through the
// positions in blocks, and in each through sets of queries of a group, which find the keys
// and after them the values in the first-level cache. The state of a query is the largest score
// (in all lanes), the sum by lanes, and the mixed values, which stand in the result.
func (w *attentionText) rows() {
	k := w.k
	t := w.group(1)
	position := w.val("position", "memref.load %s[%s] : %s", w.mem["position"].name, t, w.mem["position"].typ)
	inside := w.val("inside", "arith.cmpi ult, %s, %s : i32", position, w.constant("context", fmt.Sprintf("%d : i32", k.Context)))
	position = w.val("position", "arith.select %s, %s, %s : i32", inside, position, w.constant("none", "0 : i32"))
	position = w.val("position", "arith.index_castui %s : i32 to index", position)
	end := w.val("end", "arith.addi %s, %s : index", position, w.index(1))
	first := w.index(0)
	if k.Window > 0 { // end - min(end, window)
		first = w.val("first", "arith.subi %s, %s : index", end, w.val("seen", "arith.minui %s, %s : index", end, w.index(k.Window)))
	}
	if k.Slots > 1 {
		slot := w.val("slot", "arith.muli %s, %s : index", t, w.index(k.Rows))
		first, end = w.val("first", "arith.addi %s, %s : index", first, slot), w.val("end", "arith.addi %s, %s : index", end, slot)
	}
	set, heads := k.rowSet(), k.rowHeads()
	s := rowState{t: t}
	s.head = w.val("head", "arith.muli %s, %s : index", w.group(0), w.index(heads))
	s.heads = w.val("heads", "arith.minui %s, %s : index", w.val("left", "arith.subi %s, %s : index", w.index(k.KVHeads), s.head), w.index(heads))
	s.queries = w.val("queries", "arith.muli %s, %s : index", s.heads, w.index(k.group()))
	firstQuery := w.val("first", "arith.muli %s, %s : index", s.head, w.index(k.group()))
	eachQuery := func(f func(q, query string)) {
		w.loop("q", w.index(0), s.queries, w.index(1), nil, func(q string, _ []string) []string {
			f(q, w.val("query", "arith.addi %s, %s : index", firstQuery, q))
			return nil
		})
	}
	for _, m := range []struct {
		to         *memory
		hint       string
		rows, cols int
	}{
		{&s.top, "tops", heads * k.group(), w.isa.Lanes}, {&s.sum, "sums", heads * k.group(), w.isa.Lanes},
		{&s.decay, "decays", set, w.isa.Lanes}, {&s.weight, "weights", set, rowBlock},
	} {
		*m.to = w.scratch(m.hint, fmt.Sprintf("%dx%dxf32", m.rows, m.cols))
	}
	eachQuery(func(q, query string) { w.begin(s, q, query) })
	w.loop("row", first, end, w.index(rowBlock), nil, func(row string, _ []string) []string {
		count := w.val("count", "arith.minui %s, %s : index", w.val("left", "arith.subi %s, %s : index", end, row), w.index(rowBlock))
		w.loop("q", w.index(0), s.queries, w.index(set), nil, func(first string, _ []string) []string {
			s.h = w.val("head", "arith.addi %s, %s : index", s.head, w.val("h", "arith.divui %s, %s : index", first, w.index(k.group())))
			each := func(f func(s rowState, g, q, query, row, count string)) {
				w.each("g", set, func(g string) {
					q := w.val("q", "arith.addi %s, %s : index", first, g)
					f(s, g, q, w.val("query", "arith.addi %s, %s : index", firstQuery, q), row, count)
				})
			}
			each(w.blockScores)
			each(w.blockWeights)
			each(w.blockValues)
			return nil
		})
		return nil
	})
	eachQuery(func(q, query string) { w.finish(s, q, query) })
}

// rowState is where a workgroup of [attentionText.rows] keeps what.
type rowState struct {
	h, t                 string // head of the caches, row
	head, heads, queries string // the workgroup's first head, how many it has, and how many queries
	top, sum             memory // of each query
	decay                memory // of each query of the set: its scores' largest by lanes, then what its sums are multiplied by
	weight               memory // of each query of the set and each position of the block, first the score
}

// rowSet is how many queries of a group are done at a time: a divisor up to 8.
func (k Attention) rowSet() int {
	n := 8
	for k.group()%n != 0 {
		n--
	}
	return n
}

// rowBytes is what the state takes.
func (k Attention) rowBytes(isa ISA) int {
	return 4 * (2*k.rowHeads()*k.group()*isa.Lanes + k.rowSet()*(isa.Lanes+rowBlock))
}

// begin is the state before the first key: a sink counts as one.
func (w *attentionText) begin(s rowState, q, query string) {
	top, sum := w.splat("masked", masked), w.splat("zero", 0)
	if w.k.Sinks {
		top = w.sink(query)
		one := w.constant("one1", "1.0 : f32")
		sum = w.val("sum", "vector.insert %s, %s[0] : f32 into %s", one, sum, w.vec())
	}
	w.store(top, s.top, q, w.index(0))
	w.store(sum, s.sum, q, w.index(0))
	w.parts(8, func(d string, vectors int) {
		for i := range vectors {
			w.store(w.splat("zero", 0), w.mem["out"], s.t, query, w.offset(d, i*w.isa.Lanes))
		}
	})
}

// blockScores finds the scores of a query for count rows of the cache from row on.
func (w *attentionText) blockScores(s rowState, g, q, query, row, count string) {
	lanes := w.isa.Lanes
	step := w.index(lanes)
	rest := w.val("rest", "arith.remui %s, %s : index", count, step)
	full := w.val("full", "arith.subi %s, %s : index", count, rest)
	next := w.val("next", "arith.addi %s, %s : index", row, w.index(rowBlock))
	best := w.loop("i", w.index(0), full, step, named("best", w.vec(), []string{w.splat("masked", masked)}), func(i string, best []string) []string {
		v := w.capped(w.mul(w.scores(s, query, w.val("row", "arith.addi %s, %s : index", row, i)), w.splat("scale", w.scale())))
		w.store(v, s.weight, g, i)
		w.prefetch(s, q, next, i)
		return []string{w.max(best[0], v)}
	})
	// The rows that fill no vector, one by one.
	best = w.loop("i", full, count, step, named("best", w.vec(), best), func(i string, best []string) []string {
		w.loop("j", i, count, w.index(1), nil, func(j string, _ []string) []string {
			v := w.score(s, query, w.val("row", "arith.addi %s, %s : index", row, j))
			w.line("memref.store %s, %s[%s, %s] : %s", v, s.weight.name, g, j, s.weight.typ)
			return nil
		})
		v := w.capped(w.mul(w.load(s.weight, g, i), w.splat("scale", w.scale())))
		mask := w.val("mask", "vector.create_mask %s : vector<%dxi1>", rest, lanes)
		v = w.val("s", "arith.select %s, %s, %s : vector<%dxi1>, %s", mask, v, w.splat("masked", masked), lanes, w.vec())
		w.store(v, s.weight, g, i)
		return []string{w.max(best[0], v)}
	})
	w.store(best[0], s.decay, g, w.index(0))
}

// blockWeights makes the scores of a block to weights.
func (w *attentionText) blockWeights(s rowState, g, q, _, _, count string) {
	zero := w.index(0)
	before := w.load(s.top, q, zero)
	top := w.max(before, w.laneMax(w.load(s.decay, g, zero)))
	w.store(top, s.top, q, zero)
	decay := w.power(w.sub(before, top))
	w.store(decay, s.decay, g, zero)
	sum := w.mul(w.load(s.sum, q, zero), decay)
	sum = w.loop("i", zero, count, w.index(w.isa.Lanes), named("sum", w.vec(), []string{sum}), func(i string, sum []string) []string {
		p := w.power(w.sub(w.load(s.weight, g, i), top))
		w.store(p, s.weight, g, i)
		return []string{w.add(sum[0], p)}
	})[0]
	w.store(sum, s.sum, q, zero)
}

// blockValues adds the weighted values of a block to the result.
func (w *attentionText) blockValues(s rowState, g, _, query, row, count string) {
	w.parts(8, func(d string, vectors int) { w.mix(s, g, query, row, count, d, vectors) })
}

// prefetch asks for a share of the next block's rows at position i of a query's turn: into the second-level cache, as the first has no room for it. Without, the
// caches come at half the speed of memory.
func (w *attentionText) prefetch(s rowState, q, next, i string) {
	done := w.val("done", "arith.addi %s, %s : index", w.val("turn", "arith.muli %s, %s : index", q, w.index(rowBlock)), i)
	to := w.val("to", "arith.addi %s, %s : index", done, w.index(w.isa.Lanes))
	share := func(n string) string { return w.val("share", "arith.divui %s, %s : index", n, s.queries) }
	end := w.val("end", "arith.addi %s, %s : index", s.head, s.heads)
	w.loop("r", share(done), share(to), w.index(1), nil, func(r string, _ []string) []string {
		row := w.val("row", "arith.addi %s, %s : index", next, r)
		w.loop("h", s.head, end, w.index(1), nil, func(h string, _ []string) []string {
			for d := 0; d < w.k.D; d += 64 / w.k.KV.Size() {
				for _, cache := range []string{"keys", "values"} {
					m := w.mem[cache]
					w.line("memref.prefetch %s[%s, %s, %s], read, locality<2>, data : %s", m.name, row, h, w.index(d), m.typ)
				}
			}
			return nil
		})
		return nil
	})
}

// mix adds the weighted values to vectors of the result from column d on. Few vectors are
// summed for even and odd rows apart, since a sum has to wait for the one before.
func (w *attentionText) mix(s rowState, g, query, row, count, d string, vectors int) {
	const unrolled = 4
	lanes, out, sets := w.isa.Lanes, w.mem["out"], 1
	if vectors <= 4 {
		sets = 2
	}
	decay := w.load(s.decay, g, w.index(0))
	mixed := make([]string, sets*vectors)
	for i := range mixed {
		mixed[i] = w.splat("zero", 0)
		if i < vectors {
			mixed[i] = w.mul(decay, w.load(out, s.t, query, w.offset(d, i*lanes)))
		}
	}
	add := func(j string, n int, mixed []string) []string {
		next := slices.Clone(mixed)
		for u := range n {
			at := w.offset(j, u)
			p, from := w.broadcast(s.weight, g, at), w.val("row", "arith.addi %s, %s : index", row, at)
			for i := range vectors {
				to := u%sets*vectors + i
				next[to] = w.fma(p, w.cached("values", from, s.h, w.offset(d, i*lanes)), next[to])
			}
		}
		return next
	}
	rest := w.val("rest", "arith.remui %s, %s : index", count, w.index(unrolled))
	full := w.val("full", "arith.subi %s, %s : index", count, rest)
	mixed = w.loop("j", w.index(0), full, w.index(unrolled), named("mixed", w.vec(), mixed), func(j string, mixed []string) []string {
		return add(j, unrolled, mixed)
	})
	for i := vectors; i < len(mixed); i++ {
		mixed[i-vectors] = w.add(mixed[i-vectors], mixed[i])
	}
	mixed = w.loop("j", full, count, w.index(1), named("mixed", w.vec(), mixed[:vectors]), func(j string, mixed []string) []string {
		return add(j, 1, mixed)
	})
	for i, v := range mixed {
		w.store(v, out, s.t, query, w.offset(d, i*lanes))
	}
}

// laneMax is the largest lane in all lanes.
func (w *attentionText) laneMax(v string) string {
	lanes := w.isa.Lanes
	for n := lanes / 2; n > 0; n /= 2 {
		swap := make([]int, lanes)
		for i := range swap {
			swap[i] = i ^ n
		}
		v = w.max(v, w.shuffle(v, v, lanes, swap))
	}
	return v
}

// scores is the vector of the products of a query with the keys in as many rows as a
// vector has lanes. Each product is summed by lanes first; then the sums of all rows are
// added up together.
func (w *attentionText) scores(s rowState, query, row string) string {
	lanes := w.isa.Lanes
	sums := make([]string, lanes)
	for i := range sums {
		sums[i] = w.splat("zero", 0)
	}
	return w.transposedSum(w.dots(s, query, row, sums))
}

// score is the product with the key in one row.
func (w *attentionText) score(s rowState, query, row string) string {
	sum := w.dots(s, query, row, []string{w.splat("zero", 0)})[0]
	return w.val("score", "vector.reduction <add>, %s fastmath<reassoc> : %s into f32", sum, w.vec())
}

// dots adds the products of a query with the keys from row on, by lanes.
func (w *attentionText) dots(s rowState, query, row string, sums []string) []string {
	const most = 8
	lanes := w.isa.Lanes
	step := func(d string, vectors int, sums []string) []string {
		next := slices.Clone(sums)
		for c := range vectors {
			at := w.offset(d, c*lanes)
			q := w.load(w.mem["queries"], s.t, query, at)
			for i := range next {
				next[i] = w.fma(q, w.cached("keys", w.offset(row, i), s.h, at), next[i])
			}
		}
		return next
	}
	n := w.k.D / lanes
	full := n / most * most
	if n <= most {
		full = 0
	}
	if full > 0 {
		sums = w.loop("d", w.index(0), w.index(full*lanes), w.index(most*lanes), named("sum", w.vec(), sums), func(d string, sums []string) []string {
			return step(d, most, sums)
		})
	}
	if n > full {
		sums = step(w.index(full*lanes), n-full, sums)
	}
	return sums
}

// transposedSum is the vector whose lane i is the sum of all lanes of v[i]. Neighbours are
// joined until one vector is left. Each time the one half of the lanes of both is added to
// the other half, chosen so that all targets have instructions for it: first within four
// lanes, single ones and then pairs; then fours.
func (w *attentionText) transposedSum(v []string) string {
	lanes := w.isa.Lanes
	for size := 1; len(v) > 1; size *= 2 {
		var low, high []int // of two vectors, the second counted from lanes on
		for i := range lanes {
			var from, step int
			switch size {
			case 1: // a0 b0 a1 b1, and a2 b2 a3 b3
				from, step = i%2*lanes+i/4*4+i%4/2, 2
			case 2: // a0 a1 b0 b1, and a2 a3 b2 b3
				from, step = i%4/2*lanes+i/4*4+i%2, 2
			default: // the even fours of a, then of b, and the odd ones
				half := lanes / 2
				from, step = i/half*lanes+i%half/4*8+i%4, 4
			}
			low, high = append(low, from), append(high, from+step)
		}
		next := make([]string, len(v)/2)
		for i := range next {
			a, b := v[2*i], v[2*i+1]
			next[i] = w.add(w.shuffle(a, b, lanes, low), w.shuffle(a, b, lanes, high))
		}
		v = next
	}
	return v[0]
}

// finish divides by the sum.
func (w *attentionText) finish(s rowState, q, query string) {
	sum := w.val("sum", "vector.reduction <add>, %s fastmath<reassoc> : %s into f32", w.load(s.sum, q, w.index(0)), w.vec())
	all := w.val("sum", "vector.broadcast %s : f32 to %s", sum, w.vec())
	scale := w.val("scale", "arith.divf %s, %s : %s", w.splat("one", 1), all, w.vec())
	w.parts(8, func(d string, vectors int) {
		for i := range vectors {
			at := w.offset(d, i*w.isa.Lanes)
			w.store(w.mul(scale, w.load(w.mem["out"], s.t, query, at)), w.mem["out"], s.t, query, at)
		}
	})
}

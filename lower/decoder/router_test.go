package decoder

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/ir/irtest"
)

// routeByHand is [arch.Router] for one token in float64: the experts chosen, the
// best first, and their weights.
func routeByHand(m *arch.MoE, logits, correction []float64) (experts []int, weights []float64) {
	r := &m.Router
	softmax := func(x []float64) []float64 {
		out, sum := make([]float64, len(x)), 0.0
		for i, v := range x {
			out[i] = math.Exp(v)
			sum += out[i]
		}
		for i := range out {
			out[i] /= sum
		}
		return out
	}
	best := func(x []float64, n int) []int { // ties go to the lower index
		order := make([]int, len(x))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[b], x[a]) })
		return order[:n]
	}
	scores := logits
	switch r.Scoring {
	case arch.SoftmaxAll:
		scores = softmax(logits)
	case arch.Sigmoid:
		scores = make([]float64, len(logits))
		for i, v := range logits {
			scores[i] = 1 / (1 + math.Exp(-v))
		}
	}
	choice := slices.Clone(scores)
	if r.Correction {
		for i := range choice {
			choice[i] += correction[i]
		}
	}
	if r.Groups > 1 {
		size := m.Experts / r.Groups
		ranks := make([]float64, r.Groups)
		for g := range ranks {
			group := choice[g*size : (g+1)*size]
			top := best(group, min(2, size))
			ranks[g] = group[top[0]]
			if r.GroupScore == arch.GroupTop2 {
				ranks[g] += group[top[1]]
			}
		}
		kept := best(ranks, r.TopGroups)
		for i := range choice {
			if !slices.Contains(kept, i/size) {
				choice[i] = math.Inf(-1)
			}
		}
	}
	experts = best(choice, m.TopK)
	for _, e := range experts {
		weights = append(weights, scores[e])
	}
	if r.Scoring == arch.SoftmaxChosen {
		weights = softmax(weights)
	}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	for i := range weights {
		if r.Normalize {
			weights[i] /= max(sum, r.NormFloor) + r.NormEps
		}
		if r.Scale != 0 {
			weights[i] *= r.Scale
		}
	}
	return experts, weights
}

// Every kind of router chooses and weighs as its formula says, also where numbers
// are so small in published models that no oracle sees them (NormEps, NormFloor),
// and one group is none.
func TestRouter(t *testing.T) {
	const tokens, experts = 40, 8
	all := arch.Router{Scoring: arch.SoftmaxAll}
	grouped := arch.Router{Scoring: arch.Sigmoid, Correction: true, Groups: 4, TopGroups: 2, GroupScore: arch.GroupTop2, Normalize: true, Scale: 2.5}
	change := func(r arch.Router, f func(r *arch.Router)) arch.Router { f(&r); return r }
	for _, r := range []arch.Router{
		all,
		{Scoring: arch.SoftmaxChosen},
		{Scoring: arch.Sigmoid},
		{Scoring: arch.SoftmaxChosen, Bias: true, Scale: 0.5},
		{Scoring: arch.SoftmaxAll, Correction: true},
		change(all, func(r *arch.Router) { r.Normalize = true }),
		change(all, func(r *arch.Router) { r.Normalize, r.NormEps = true, 0.25 }),
		change(all, func(r *arch.Router) { r.Normalize, r.NormFloor = true, 0.5 }),
		change(all, func(r *arch.Router) { r.Normalize, r.NormFloor, r.NormEps = true, 0.5, 0.125 }),
		change(all, func(r *arch.Router) { r.Groups, r.TopGroups, r.GroupScore = 4, 2, arch.GroupMax }),
		grouped,
		change(grouped, func(r *arch.Router) { r.GroupScore = arch.GroupMax }),
		change(grouped, func(r *arch.Router) { r.TopGroups = 4 }),
		change(grouped, func(r *arch.Router) { r.Groups, r.TopGroups = 1, 1 }),
		change(grouped, func(r *arch.Router) { r.Groups, r.TopGroups = 0, 4 }),
	} {
		m := &arch.MoE{Experts: experts, TopK: 3, Intermediate: 4, Activation: arch.SiLU, Router: r}
		t.Run(fmt.Sprintf("%+v", r), func(t *testing.T) {
			s := small()
			s.Hidden, s.MoE = experts, m
			g := newGraph("router", s, Options{Kind: Prefill, Bucket: tokens, Context: tokens, Rows: tokens, Weight: func(string) Stored { return Stored{DType: ir.F32} }})
			routed := g.route("m.", g.Arg("x", "x", ir.T(ir.F32, tokens, experts)))
			g.Result("hit", g.Convert(routed.hit, ir.I32))
			g.Result("weight", routed.weight)
			graph, err := g.finish()
			if err != nil {
				t.Fatal(err)
			}
			// The router's matrix is the identity, so that x are its logits. Coarse
			// numbers make ties.
			rng := rand.New(rand.NewPCG(1, 2))
			x := make([]float32, tokens*experts)
			for i := range x {
				x[i] = float32(rng.IntN(13)-6) / 4
			}
			params := map[string][]float32{"m.router.weight": make([]float32, experts*experts), "m.router.bias": make([]float32, experts), "m.correction": make([]float32, experts)}
			for i := range experts {
				params["m.router.weight"][i*experts+i] = 1
				params["m.router.bias"][i] = float32(i) / 8
				params["m.correction"][i] = float32(rng.IntN(5)-2) / 8
			}
			arg, err := interp.Float32s(x, tokens, experts)
			if err != nil {
				t.Fatal(err)
			}
			out, err := interp.Eval(t.Context(), graph, []interp.Tensor{arg}, interp.Options{Param: func(key string, typ ir.Type) (interp.Tensor, error) {
				return interp.Float32s(params[key], typ.Shape()...)
			}})
			if err != nil {
				t.Fatal(err)
			}
			hit, weight := out[0].Int32s(), out[1].Float32s()
			for n := range tokens {
				logits, correction := make([]float64, experts), make([]float64, experts)
				for i := range experts {
					logits[i], correction[i] = float64(x[n*experts+i]), float64(params["m.correction"][i])
					if r.Bias {
						logits[i] += float64(params["m.router.bias"][i])
					}
				}
				chosen, weights := routeByHand(m, logits, correction)
				for k, e := range chosen {
					row := hit[(n*m.TopK+k)*experts:][:experts]
					if row[e] != 1 || slices.Max(row) != 1 || math.Abs(float64(weight[n*m.TopK+k])-weights[k]) > 1e-6 {
						t.Fatalf("token %d, rank %d: chose %v with %v, want expert %d with %v", n, k, row, weight[n*m.TopK+k], e, weights[k])
					}
				}
			}
		})
	}
}

// In compiled code, too, every rank has one expert: scores are compared in pairs, and
// a compiler that computed the two sides in different ways could break ties
// between an expert and itself. Scores lie as close together as float32 has them.
func TestCompiledRouter(t *testing.T) {
	const tokens, hidden, topK = 128, 320, 4
	rng := rand.New(rand.NewPCG(3, 4))
	s := small()
	s.Hidden = hidden
	g := newGraph("router", s, Options{Kind: Prefill, Bucket: tokens, Context: tokens, Rows: tokens, Weight: func(name string) Stored {
		if strings.HasSuffix(name, "router.weight") {
			return Stored{DType: ir.BF16, Block: map[byte]int{'0': 0, '1': 8, '2': 32}[name[1]]}
		}
		return Stored{DType: ir.BF16}
	}})
	x := g.norm("n", g.Arg("x", "x", ir.T(ir.F32, tokens, hidden)))
	for i, m := range []arch.MoE{
		{Experts: 60, Router: arch.Router{Scoring: arch.SoftmaxAll}},
		{Experts: 8, Router: arch.Router{Scoring: arch.Sigmoid, Correction: true}},
		{Experts: 128, Router: arch.Router{Scoring: arch.Sigmoid, Correction: true, Groups: 8, TopGroups: 3, GroupScore: arch.GroupTop2}},
	} {
		m.TopK = topK
		s.MoE = &m
		r := g.route(fmt.Sprintf("m%d.", i), x)
		g.Result(fmt.Sprintf("hits%d", i), g.Reduce(ir.ReduceAdd, g.Convert(r.hit, ir.I32), 2))
		g.Result(fmt.Sprintf("weight%d", i), r.weight)
	}
	graph, err := g.finish()
	if err != nil {
		t.Fatal(err)
	}
	var input []byte
	for range tokens * hidden {
		input = binary.LittleEndian.AppendUint32(input, math.Float32bits(float32(rng.NormFloat64())))
	}
	args := [][]byte{input}
	for _, p := range graph.Params() {
		var b []byte
		for range p.Type().Bytes() / 2 {
			b = binary.LittleEndian.AppendUint16(b, floats.ToBF16(float32(rng.NormFloat64()*1e-3)))
		}
		args = append(args, b)
	}
	out, err := irtest.Compiled(t, graph, args)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(out); i += 2 {
		for n := range tokens * topK {
			if found := binary.LittleEndian.Uint32(out[i][4*n:]); found != 1 {
				t.Fatalf("router %d, token %d, rank %d: %d experts", i/2, n/topK, n%topK, found)
			}
		}
	}
}

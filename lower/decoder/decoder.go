// Package decoder builds the graphs of a decoder-only transformer from its Spec.
//
// There is one decoder. What differs between model families is in the Spec;
// what differs between graph kinds is where the tokens and positions come from,
// and that is all that [Build] distinguishes.
package decoder

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/safetensors"
	"github.com/hlocc/hlocc/lower/ir"
)

// Kind is what a graph does for the runtime.
type Kind string

// The graph kinds. P is the bucket of a prefill graph, C the context, V the
// vocabulary, K and D the KV heads and their width, B the batch of a decode graph.
//
//	prefill:          tokens[P], start[1], length[1], kv -> next_id[1], logits[V], kv
//	decode:           token[1], position[1], kv          -> next_id[1], logits[V], kv
//	decode, batch B:  token[B], position[B], kv          -> next_id[B], logits[B,V], kv
//
// kv stands for kv.N.k and kv.N.v of every layer, f32[R][K][D], or f32[B][R][K][D]
// for a batch (or of another type, see [Options]), updated in place. A sequence uses rows 0..C-1. The padded rows of a
// prefill are written behind its real ones, so R >= C + P - 1; they are overwritten
// before anything reads them. Latent attention has kv.N.k alone, of one head and the
// width of latent vector and rotated key together.
//
// Some graphs have one more input, extent[1] or extent[B]; see [UsesExtent].
//
// A batch is ragged: slot b has its own sequence, of its own length position[b], and
// its results depend on nothing in other slots. A slot that has no token to append is
// given any token at position C, whose row no sequence uses, and its results mean nothing.
const (
	Prefill Kind = "prefill"
	Decode  Kind = "decode"
)

// Roles of graph inputs and results; a cache has the roles of [KeyRole] and [ValueRole].
const (
	RoleTokens   = "tokens"
	RoleToken    = "token"
	RoleStart    = "start"
	RoleLength   = "length"
	RolePosition = "position"
	RoleExtent   = "extent"
	RoleNextID   = "next_id"
	RoleLogits   = "logits"
)

// RoPETables names the parameters that hold the cosines and sines of entry i of
// Spec.RoPE; see [arch.RoPETables].
func RoPETables(i int) (cos, sin string) {
	prefix := "rope."
	if i > 0 {
		prefix += strconv.Itoa(i) + "."
	}
	return prefix + "cos", prefix + "sin"
}

// Options choose one graph of a Spec.
type Options struct {
	Kind    Kind
	Bucket  int // prefill only: tokens per call
	Batch   int // decode only: B, or 0 for the graph of one sequence
	Context int // C: positions 0..C-1 can be used
	Rows    int // R: rows of a KV cache, see [CacheRows]
	// KV is the element type of the caches: F32, which 0 stands for, or F16, to which keys
	// and values are rounded when they are stored.
	KV ir.DType

	// Weight says how a logical weight is stored. Arithmetic is float32 in any case.
	Weight func(name string) Stored
	// Squares adds results about the rows that matrices are multiplied with; see [SquaresRole].
	Squares bool
}

// Stored is the form in which a weight comes as a parameter.
type Stored struct {
	DType ir.DType
	// Block, if not 0, is the number of rows whose elements lie side by side: a
	// matrix [N,K] comes as [N/Block, K, Block].
	Block int

	// Bits, if not 0, says that a matrix comes quantized, as [ir.QuantizedTypes] has it:
	// parameters NAME.q, NAME.scale and NAME.offset, the last two of type DType.
	Bits int
	Int8 bool // rows that it is multiplied with are rounded to 8 bits
	// Stack, if not empty, names the weight that this one is a part of: rows of a matrix,
	// or of each matrix of a stack.
	Stack string
}

// Parameter names of a quantized weight.
func quantizedNames(weight string) (q, scale, offset string) {
	return weight + ".q", weight + ".scale", weight + ".offset"
}

// StoredAs is a weight kept in a checkpoint's type; those that no bundle holds count
// as float32.
func StoredAs(d safetensors.DType, block int) Stored {
	switch d {
	case safetensors.F16:
		return Stored{DType: ir.F16, Block: block}
	case safetensors.BF16:
		return Stored{DType: ir.BF16, Block: block}
	}
	return Stored{DType: ir.F32, Block: block}
}

// Name is the graph's name, and that of its public function: "prefill_P", "decode"
// or "decode_batch_B".
func (o Options) Name() string {
	switch {
	case o.Kind == Prefill:
		return "prefill_" + strconv.Itoa(o.Bucket)
	case o.Batch > 0:
		return "decode_batch_" + strconv.Itoa(o.Batch)
	}
	return string(o.Kind)
}

// CacheRows is the number of rows of a KV cache that prefill graphs of the given
// buckets, the decode step and, if batched, those of batches can share.
func CacheRows(context int, buckets []int, batched bool) int {
	rows := context
	if batched {
		rows++ // for slots without a token
	}
	for _, b := range buckets {
		rows = max(rows, context+b-1)
	}
	return rows
}

// masked is the score of what must not be chosen: finite, so that no difference of two
// such scores is NaN.
const masked = -1e30

// Build lowers a Spec to one graph, which has high operations (see [ir.HighOps]).
func Build(spec *arch.Spec, opts Options) (*ir.Graph, error) {
	return newGraph(opts.Name(), spec, opts).build()
}

func newGraph(name string, spec *arch.Spec, opts Options) *graph {
	g := &graph{Builder: ir.New(name), spec: spec, opts: opts, slots: max(1, opts.Batch), masks: map[int]*ir.Value{}}
	g.rows = g.slots
	if opts.Kind == Prefill {
		g.rows = opts.Bucket
	}
	if opts.Batch > 0 {
		g.batch = []int{opts.Batch}
	}
	if opts.Squares {
		g.squares = &squares{}
	}
	return g
}

// graph is the state of one Build: the builder at the current location, and the
// values that all layers share.
type graph struct {
	*ir.Builder
	spec  *arch.Spec
	opts  Options
	rows  int   // T: query rows of this graph
	slots int   // sequences: 1, or B of which each has one row
	batch []int // leading dimensions of caches and logits: none, or B

	position *ir.Value         // i32[T]: position of each row in its sequence
	cacheRow *ir.Value         // i32[T]: where its keys and values go among the rows of all slots
	extent   *ir.Value         // i32[slots]: tokens of the sequence, nil if nothing depends on it
	rotary   []rotary          // per entry of Spec.RoPE
	qscale   *ir.Value         // f32[T], nil if the queries are not scaled
	masks    map[int]*ir.Value // window -> i1[T, C]: key visible to query
	squares  *squares          // of all locations; nil if nobody wants them
}

// rotary holds the rows of one embedding's tables, f32[T, Dims/2].
type rotary struct{ cos, sin *ir.Value }

// at is g at a location below the current one.
func (g *graph) at(path string) *graph {
	h := *g
	h.Builder = g.At(path)
	return &h
}

func (g *graph) build() (*ir.Graph, error) {
	s := g.spec
	var tokens, last *ir.Value
	switch g.opts.Kind {
	case Prefill:
		tokens = g.arg(RoleTokens, ir.T(ir.I32, g.rows))
		start := g.arg(RoleStart, ir.T(ir.I32, 1))
		length := g.arg(RoleLength, ir.T(ir.I32, 1))
		row := g.Iota(ir.T(ir.I32, g.rows), 0)
		g.position = g.Add(row, g.spread(start, row.Type(), 0))
		last = g.Sub(length, g.Splat(length.Type(), 1))
	case Decode:
		tokens = g.arg(RoleToken, ir.T(ir.I32, g.rows))
		g.position = g.arg(RolePosition, ir.T(ir.I32, g.rows))
	default:
		return nil, fmt.Errorf("decoder: unknown graph kind %q", g.opts.Kind)
	}
	g.place()
	caches := g.caches()
	g.tables()
	g.makeMasks()
	x := g.at("embed").embed(tokens) // [T,H]
	for n, layer := range s.Layers {
		x = g.at(fmt.Sprintf("layers.%d", n)).layer(n, layer, x, &caches[n])
	}

	head := g.at("head")
	if last != nil {
		x = head.GatherRows(x, last) // only the last real row is worth a pass through the head
	}
	logits := head.logits(x) // [1,V] or [B,V]
	g.Result(RoleNextID, head.ArgMax(logits, 1))
	g.Result(RoleLogits, head.Reshape(logits, append(slices.Clone(g.batch), s.Vocab)...))
	g.results(caches)
	g.squares.results(g)
	return g.Finish()
}

// place says where the rows of the graph stand, from their positions.
func (g *graph) place() {
	g.cacheRow = g.position
	if len(g.batch) > 0 {
		at := g.at("slots")
		slot := at.Iota(g.position.Type(), 0)
		g.cacheRow = at.Add(at.Mul(slot, at.SplatLike(slot, float64(g.opts.Rows))), g.position)
	}
	if UsesExtent(g.spec, g.opts.Context) {
		g.extent = g.arg(RoleExtent, ir.T(ir.I32, g.slots))
	}
}

// tables takes the rows of all tables that layers use: a part of the decoder may have
// one layer only.
func (g *graph) tables() {
	rope := g.at("rope")
	for i := range g.spec.RoPE {
		if !slices.ContainsFunc(g.spec.Layers, func(l arch.Layer) bool { return l.RoPE == i }) {
			g.rotary = append(g.rotary, rotary{})
			continue
		}
		r := &g.spec.RoPE[i]
		cos, sin := RoPETables(i)
		at, rows := rope.tableRow(r), arch.RoPERows(r, g.opts.Context)
		g.rotary = append(g.rotary, rotary{rope.tableRows(cos, rows, r.Dims/2, at), rope.tableRows(sin, rows, r.Dims/2, at)})
	}
	if g.spec.Attention.QueryScale != nil {
		g.qscale = rope.tableRows("query_scale", g.opts.Context, 0, g.position)
	}
}

// makeMasks makes the mask of every window.
func (g *graph) makeMasks() {
	for _, layer := range g.spec.Layers {
		if w := g.window(layer); g.masks[w] == nil {
			g.masks[w] = g.at("mask").mask(w)
		}
	}
}

// arg is an argument whose name is made from its role.
func (g *graph) arg(role string, t ir.Type) *ir.Value {
	return g.Arg(strings.ReplaceAll(role, ".", "_"), role, t)
}

// embed is the input of the first layer, [T,H], for tokens i32[T].
func (g *graph) embed(tokens *ir.Value) *ir.Value {
	s := g.spec
	x := g.scale(g.rowsOf("embed.weight", tokens, s.Vocab, s.Hidden), s.Embed.Scale)
	if s.Embed.Positions > 0 {
		// Padded rows may lie behind the table's end; gathering clamps them.
		x = g.Add(x, g.rowsOf("positions.weight", g.position, s.Embed.Positions, s.Hidden))
	}
	return x
}

// logits is softcap(scale * (W·norm(x) + b)): [T,H] to [T,V].
func (g *graph) logits(x *ir.Value) *ir.Value {
	s := g.spec
	weight := "head.weight"
	if s.Head.Tied {
		weight = "embed.weight"
	}
	y := g.linear(g.norm("norm", x), weight, biasName(s.Head.Bias, "head"), s.Vocab, s.Hidden)
	return g.softcap(g.scale(y, s.Head.Scale), s.Head.Softcap)
}

// layer is one transformer block; x is [T,H]. See [arch.Block].
func (g *graph) layer(n int, layer arch.Layer, x *ir.Value, c *cache) *ir.Value {
	name := fmt.Sprintf("layers.%d.", n)
	b := g.spec.Block
	norm := func(part string, present bool, x *ir.Value) *ir.Value {
		if !present {
			return x
		}
		return g.at(part).norm(name+part, x)
	}
	input := norm("attn_norm", b.AttnNorm, x)
	attn := g.at("attn").attention(name+"attn.", layer, input, c)
	attn = norm("attn_post_norm", b.AttnPostNorm, attn)
	attn = g.scale(attn, b.ResidualScale)
	switch {
	case b.SharedNorm:
	case b.Parallel:
		input = norm("mlp_norm", b.MLPNorm, x)
	default:
		x = g.Add(x, attn)
		input = norm("mlp_norm", b.MLPNorm, x)
	}
	mlp := g.feedForward(name, layer, input)
	mlp = norm("mlp_post_norm", b.MLPPostNorm, mlp)
	mlp = g.scale(mlp, b.ResidualScale)
	if b.Parallel {
		mlp = g.Add(attn, mlp)
	}
	return g.Add(x, mlp)
}

func (g *graph) feedForward(name string, layer arch.Layer, x *ir.Value) *ir.Value {
	if layer.Sparse {
		return g.at("moe").moe(name+"moe.", x)
	}
	return g.at("mlp").mlp(name+"mlp.", g.spec.MLP, x)
}

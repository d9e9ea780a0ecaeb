// Package build is the life of a build: read and check the model, plan, lower,
// compile, stream the weights, assemble the bundle, and prove that it runs.
package build

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/stored"
	"github.com/hlocc/hlocc/lower/decoder"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/quantize"
)

// DefaultContext is the context of a bundle unless the user or the model asks
// for another: long enough for a chat, and a KV cache of modest size.
const DefaultContext = 2048

// DefaultBuckets are the sizes of the prefill graphs.
var DefaultBuckets = []int{32, 128, 512}

// maxSlots bounds the batch of a decode graph; attention scores and caches grow with it.
const maxSlots = 256

// PlanOptions are the choices that the user may make about the graphs.
type PlanOptions struct {
	Weights quantize.Options // how weights are stored
	Act     quantize.Act     // how quantized linears read their activations; "" for Exact
	Context int              // 0 for the default
	Buckets []int            // nil for the default
	Slots   []int            // batches of decode graphs; none by default
	KV      ir.DType         // of the caches; 0 for F32
}

// Plan is every decision of a build that its result depends on. It is recorded
// in the bundle.
type Plan struct {
	Context   int                `json:"context"`
	CacheRows int                `json:"cache_rows"`
	KV        string             `json:"kv,omitempty"` // element type of the caches, empty for f32
	Graphs    []GraphPlan        `json:"graphs"`
	Act       quantize.Act       `json:"act,omitempty"` // of quantized linears
	Weights   []quantize.Storage `json:"weights"`
	Tables    []Table            `json:"tables"`

	Calibration *CalibrationPlan `json:"calibration,omitempty"` // nil without

	importance quantize.Importance         // that Calibration found
	forms      map[string]decoder.Stored   // by weight
	storage    map[string]quantize.Storage // by tensor of the archive
}

// GraphPlan is one graph of the plan.
type GraphPlan struct {
	ID     string       `json:"id"`
	Kind   decoder.Kind `json:"kind"`
	Bucket int          `json:"bucket,omitempty"`
	Batch  int          `json:"batch,omitempty"`
}

// Table is a parameter that is computed and not read from the checkpoint, float32.
type Table struct {
	Name  string `json:"name"`
	Shape []int  `json:"shape"`
}

// NewPlan makes the plan for a model. Errors are the user's: a context or a
// bucket that the model cannot have.
func NewPlan(m *arch.Model, o PlanOptions) (*Plan, error) {
	p := &Plan{Context: o.Context}
	if o.KV == ir.F16 {
		p.KV = o.KV.String()
	}
	if p.Context == 0 {
		p.Context = min(m.Spec.MaxPositions, DefaultContext)
	}
	if p.Context < 1 || p.Context > m.Spec.MaxPositions {
		return nil, &diag.Error{Kind: diag.Unsupported, Code: "context", Where: "--context",
			Message: "context that the model does not define",
			Want:    fmt.Sprintf("1 to %d (positions that its RoPE defines exactly)", m.Spec.MaxPositions), Found: strconv.Itoa(p.Context)}
	}
	buckets, err := planBuckets(o.Buckets, p.Context)
	if err != nil {
		return nil, err
	}
	if p.CacheRows = decoder.CacheRows(p.Context, buckets, len(o.Slots) > 0); len(o.Slots) > 0 {
		// Prefill works on one slot's part of a batch's cache, which therefore begins
		// at a multiple of 64 bytes, whatever the size of a row.
		p.CacheRows = (p.CacheRows + 63) &^ 63
	}
	slots, err := planSlots(o.Slots, p.CacheRows)
	if err != nil {
		return nil, err
	}
	for _, b := range buckets {
		p.Graphs = append(p.Graphs, GraphPlan{Kind: decoder.Prefill, Bucket: b})
	}
	p.Graphs = append(p.Graphs, GraphPlan{Kind: decoder.Decode})
	for _, b := range slots {
		p.Graphs = append(p.Graphs, GraphPlan{Kind: decoder.Decode, Batch: b})
	}
	for i := range p.Graphs {
		p.Graphs[i].ID = p.Options(p.Graphs[i]).Name()
	}

	p.setWeights(quantize.Plan(m.Weights, o.Weights), o.Act)
	for _, t := range tables(m.Spec, p.Context) {
		p.Tables = append(p.Tables, t.Table)
	}
	return p, nil
}

// setWeights makes the given storage that of the plan.
func (p *Plan) setWeights(weights []quantize.Storage, act quantize.Act) {
	p.Weights = weights
	p.storage = map[string]quantize.Storage{}
	for _, s := range weights {
		for _, t := range s.Tensors() {
			p.storage[t.Name] = s
		}
		if s.Quantized() {
			p.Act = cmp.Or(act, quantize.Exact)
		}
	}
	p.forms = stored.Forms(weights, act)
}

// planBuckets sorts the buckets, drops doubles and caps the default ones at the context.
func planBuckets(asked []int, context int) ([]int, error) {
	var out []int
	if asked == nil {
		for _, b := range DefaultBuckets {
			out = append(out, min(b, context))
		}
	}
	for _, b := range asked {
		if b < 1 || b > context {
			return nil, &diag.Error{Kind: diag.Usage, Code: "bucket", Where: "--buckets", Message: "prefill bucket out of range",
				Want: fmt.Sprintf("1 to %d (the context)", context), Found: strconv.Itoa(b)}
		}
		out = append(out, b)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// planSlots sorts the batches and drops doubles. Graphs count the rows of all slots
// in an i32.
func planSlots(asked []int, rows int) ([]int, error) {
	out := slices.Clone(asked)
	most := min(maxSlots, math.MaxInt32/rows)
	for _, b := range asked {
		if b < 2 || b > most {
			return nil, &diag.Error{Kind: diag.Usage, Code: "slots", Where: "--slots", Message: "batch of a decode step out of range",
				Want: fmt.Sprintf("2 to %d, with caches of %d rows", most, rows), Found: strconv.Itoa(b)}
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// Decode is the decode graph of one sequence.
func (p *Plan) Decode() GraphPlan {
	return p.Graphs[slices.IndexFunc(p.Graphs, func(g GraphPlan) bool { return g.Kind == decoder.Decode && g.Batch == 0 })]
}

// Options are the decoder's options for one graph of the plan.
func (p *Plan) Options(g GraphPlan) decoder.Options {
	o := decoder.Options{Kind: g.Kind, Bucket: g.Bucket, Batch: g.Batch, Context: p.Context, Rows: p.CacheRows, Weight: p.stored}
	if p.KV != "" {
		o.KV = ir.F16
	}
	return o
}

// stored is the form of a weight; those that no bundle holds count as float32.
func (p *Plan) stored(name string) decoder.Stored {
	if form, ok := p.forms[name]; ok {
		return form
	}
	return decoder.StoredAs("", 0)
}

// WeightBytes is the size of the weight archive without padding.
func (p *Plan) WeightBytes() int64 {
	var n int64
	for _, s := range p.Weights {
		n += s.Bytes()
	}
	for _, t := range p.Tables {
		n += 4 * int64(elements(t.Shape))
	}
	return n
}

func elements(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// table is a computed parameter with its values.
type table struct {
	Table
	values func() []float32
}

// tables lists the computed parameters of a model.
func tables(s *arch.Spec, context int) []table {
	var list []table
	for _, t := range decoder.Tables(s, context) {
		list = append(list, table{Table{t.Name, t.Shape}, t.Values})
	}
	return list
}

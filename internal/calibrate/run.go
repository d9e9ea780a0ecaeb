package calibrate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
	"github.com/hlocc/hlocc/lower/decoder"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/pass"
	"github.com/hlocc/hlocc/lower/stablehlo"
	"github.com/hlocc/hlocc/runtime/raw"
)

// run is the state of one Collect.
type run struct {
	*Statistics
	ctx    context.Context
	model  *arch.Model
	target compile.Target
	pool   *compile.Pool

	dev     *raw.Device
	modules map[[sha256.Size]byte]*raw.Module // by text
	x       []*raw.Tensor                     // of each window, what the next layer reads: f32[Window,H]
}

func (r *run) close() {
	for _, m := range r.modules {
		_ = m.Close()
	}
}

// part is a compiled part of the decoder.
type part struct {
	*stablehlo.Listing
	module *raw.Module
}

// part compiles a part of a decoder, with weights as arguments.
func (r *run) part(spec *arch.Spec, kind decoder.Part) (*part, error) {
	o := decoder.Options{
		Kind: decoder.Prefill, Bucket: r.Window, Context: r.Window, Rows: r.Window, Squares: true,
		Weight: func(string) decoder.Stored { return decoder.Stored{DType: ir.F32} },
	}
	graph, err := decoder.BuildPart(spec, o, kind)
	if err == nil {
		graph, err = pass.Run(graph, pass.Portable())
	}
	var text bytes.Buffer
	p := &part{}
	if err == nil {
		p.Listing, err = stablehlo.Print(&text, graph, stablehlo.Options{Weights: stablehlo.Args})
	}
	if err != nil {
		return nil, fmt.Errorf("calibrate: graph %s: %w", kind, err)
	}
	key := sha256.Sum256(text.Bytes())
	if p.module = r.modules[key]; p.module == nil {
		m, err := r.pool.Compile(r.ctx, compile.Action{Graph: "calibrate_" + string(kind), Text: text.Bytes(), Target: r.target, Location: p.Location})
		if err != nil {
			return nil, err
		}
		if p.module, err = r.dev.Load(r.ctx, m.Bytes); err != nil {
			return nil, err
		}
		r.modules[key] = p.module
	}
	return p, nil
}

// inputs are the tensors of all arguments in order. value fills those of weights by
// their key; the others are the caller's, by role.
func (r *run) inputs(p *part, roles map[string]*raw.Tensor, value func(key string, to []float32) error) (args []*raw.Tensor, release func(), err error) {
	var ours []*raw.Tensor
	release = func() {
		for _, t := range ours {
			t.Release()
		}
	}
	for _, in := range p.Inputs {
		t := roles[in.Role]
		if t == nil {
			newTensor := r.dev.Float32s
			if in.Type.DType() == ir.I32 {
				newTensor = r.dev.Int32s
			}
			if t, err = newTensor(in.Type.Shape()...); err != nil {
				return nil, release, err
			}
			ours = append(ours, t)
		}
		if in.Key != "" {
			if err := value(in.Key, t.Float32()); err != nil {
				return nil, release, err
			}
		}
		args = append(args, t)
	}
	return args, release, nil
}

// argument is the tensor with a role, nil if the part has none.
func (p *part) argument(role string, args []*raw.Tensor) *raw.Tensor {
	if i := slices.IndexFunc(p.Inputs, func(in stablehlo.Input) bool { return in.Role == role }); i >= 0 {
		return args[i]
	}
	return nil
}

// sequence sets the inputs that say where the rows of a window stand.
func (r *run) sequence(p *part, args []*raw.Tensor) {
	if t := p.argument(decoder.RolePosition, args); t != nil {
		for i := range t.Int32() {
			t.Int32()[i] = int32(i)
		}
	}
	if t := p.argument(decoder.RoleExtent, args); t != nil {
		t.Int32()[0] = int32(r.Window)
	}
}

// embed makes x of the tokens. Only their rows of the embedding are kept.
func (r *run) embed(tokens []int32) error {
	distinct := slices.Compact(slices.Sorted(slices.Values(tokens)))
	spec := *r.model.Spec
	spec.Vocab = len(distinct)
	p, err := r.part(&spec, decoder.PartEmbed)
	if err != nil {
		return err
	}
	args, release, err := r.inputs(p, nil, func(key string, to []float32) error {
		if key != "embed.weight" {
			return r.read(key, to)
		}
		return r.stream(key, &rows{wanted: distinct, width: spec.Hidden, to: to})
	})
	defer release()
	if err != nil {
		return err
	}
	r.sequence(p, args)
	ids := p.argument(decoder.RoleTokens, args).Int32()
	for from := 0; from < len(tokens); from += r.Window {
		for i, id := range tokens[from : from+r.Window] {
			at, _ := slices.BinarySearch(distinct, id)
			ids[i] = int32(at)
		}
		out, err := p.module.Call(r.ctx, "main", args)
		if err != nil {
			return err
		}
		r.x = append(r.x, out[0])
	}
	return nil
}

// layer runs layer n on x and keeps its statistics.
func (r *run) layer(n int) error {
	spec := *r.model.Spec
	spec.Layers = spec.Layers[n : n+1]
	p, err := r.part(&spec, decoder.PartLayer)
	if err != nil {
		return err
	}
	own := fmt.Sprintf("layers.%d.", n)
	name := func(key string) string {
		if rest, ok := strings.CutPrefix(key, "layers.0."); ok {
			return own + rest
		}
		return key
	}
	args, release, err := r.inputs(p, map[string]*raw.Tensor{"x": r.x[0]}, func(key string, to []float32) error { return r.read(name(key), to) })
	defer release()
	if err != nil {
		return err
	}
	r.sequence(p, args)
	x := slices.IndexFunc(p.Inputs, func(in stablehlo.Input) bool { return in.Role == "x" })
	sums := map[string][]float64{}
	for i := range r.x {
		args[x] = r.x[i]
		out, err := p.module.Call(r.ctx, "main", args)
		if err != nil {
			return err
		}
		for j, result := range p.Outputs {
			weight, ok := strings.CutPrefix(result.Role, decoder.SquaresRole(""))
			switch {
			case result.Role == "y":
				r.x[i].Release()
				r.x[i] = out[j]
				continue // kept for the next layer
			case ok:
				sum := sums[weight]
				if sum == nil {
					sum = make([]float64, len(out[j].Float32()))
					sums[weight] = sum
				}
				for k, v := range out[j].Float32() {
					sum[k] += float64(v)
				}
			}
			out[j].Release()
		}
	}
	for _, weight := range slices.Sorted(maps.Keys(sums)) {
		sum := sums[weight]
		columns := make([]float32, len(sum))
		for k, v := range sum {
			columns[k] = float32(v / float64(len(r.x)))
			if f := float64(columns[k]); math.IsNaN(f) || math.IsInf(f, 0) {
				return &diag.Error{Kind: diag.Failed, Code: "not_finite", Where: name(weight), Message: "the model computes values that are not numbers",
					Fix: "check the checkpoint against its source"}
			}
		}
		r.Columns[name(weight)] = columns
	}
	return nil
}

// read fills to with a parameter: a weight, or a computed table.
func (r *run) read(key string, to []float32) error {
	for _, t := range decoder.Tables(r.model.Spec, r.Window) {
		if t.Name == key {
			copy(to, t.Values())
			return nil
		}
	}
	return r.stream(key, &rows{width: len(to), to: to})
}

// stream reads a weight as float32.
func (r *run) stream(name string, out io.Writer) error {
	w := r.model.Weight(name)
	if w == nil {
		return fmt.Errorf("calibrate: the model has no weight %q", name)
	}
	return r.model.WriteWeight(r.ctx, w, safetensors.F32, out)
}

// rows takes a stream of float32 and keeps rows of it, in the order of the stream.
type rows struct {
	wanted []int32 // ascending; nil keeps all
	width  int
	to     []float32

	element int // of the stream
	kept    int // elements of to
	part    []byte
}

func (r *rows) Write(p []byte) (int, error) {
	n := len(p)
	if len(r.part) > 0 { // an element that was cut in two
		need := min(4-len(r.part), len(p))
		r.part, p = append(r.part, p[:need]...), p[need:]
		if len(r.part) == 4 {
			r.take(r.part)
			r.part = r.part[:0]
		}
	}
	for ; len(p) >= 4; p = p[4:] {
		r.take(p)
	}
	r.part = append(r.part, p...)
	return n, nil
}

func (r *rows) take(p []byte) {
	row := int32(r.element / r.width)
	r.element++
	if r.wanted != nil {
		if next := r.kept / r.width; next == len(r.wanted) || r.wanted[next] != row {
			return
		}
	}
	if r.kept < len(r.to) {
		r.to[r.kept] = math.Float32frombits(binary.LittleEndian.Uint32(p))
		r.kept++
	}
}

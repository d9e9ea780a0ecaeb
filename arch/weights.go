package arch

import (
	"fmt"
	"iter"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// Weight is a logical weight of the model, found in the checkpoint.
type Weight struct {
	Name  string
	Shape []int
	// DType is how it is stored: the type of its tensors, or the narrowest that
	// holds all of them exactly if they differ.
	DType  safetensors.DType
	Pieces []Piece
}

// Elements is the number of numbers in the weight.
func (w *Weight) Elements() int64 {
	n := int64(1)
	for _, d := range w.Shape {
		n *= int64(d)
	}
	return n
}

// resolve finds the tensors of all rules in the checkpoint and checks them, and
// explains or refuses what is left over. Nothing is read.
func resolve(dir string, f Family, s *Spec, ckpt *safetensors.Checkpoint, packing *Packing) ([]Weight, []Ignored, error) {
	r := &resolver{dir: dir, ckpt: ckpt, packing: packing, used: map[string]bool{}, missed: map[string]bool{}}
	rules, naming := f.named(s, ckpt)
	for rule := range Expand(rules, s.Layers) {
		r.add(rule)
		if len(r.absent) >= manyAbsent {
			break // a config may ask for more tensors than fit in memory
		}
	}
	if err := r.missing(); err != nil {
		return nil, nil, err
	}
	if r.err != nil {
		return nil, nil, r.err
	}
	ignored, err := r.leftovers(f, s, naming)
	return r.weights, ignored, err
}

// Expand writes out the rules with a '*' for every layer. Rules come in three
// runs: before the layers, of the layers, after them; the order is kept, with
// all weights of a layer together.
func Expand(rules []Rule, layers []Layer) iter.Seq[Rule] {
	var before, each, after []Rule
	for _, r := range rules {
		switch {
		case strings.Contains(r.Logical, "*"):
			each = append(each, r)
		case len(each) == 0:
			before = append(before, r)
		default:
			after = append(after, r)
		}
	}
	return func(yield func(Rule) bool) {
		for _, r := range before {
			if !yield(r) {
				return
			}
		}
		for n, l := range layers {
			number := strconv.Itoa(n)
			for _, r := range each {
				if !r.On.has(l) {
					continue
				}
				here := func(name string) string { return strings.Replace(name, "*", number, 1) }
				layer := r.rename(here)
				layer.Logical, layer.On = here(r.Logical), AllLayers
				if !yield(layer) {
					return
				}
			}
		}
		for _, r := range after {
			if !yield(r) {
				return
			}
		}
	}
}

// manyAbsent is how many missing tensors are counted before the rest is not looked for.
const manyAbsent = 1000

type resolver struct {
	dir     string
	ckpt    *safetensors.Checkpoint
	packing *Packing // nil if nothing is packed
	weights []Weight
	used    map[string]bool
	absent  []string
	missed  map[string]bool // those in absent
	noHead  bool
	err     error // the first wrong tensor
}

func (r *resolver) add(rule Rule) {
	w := Weight{Name: rule.Logical, Shape: rule.Shape}
	for _, p := range r.form(rule) {
		matrix := r.packedAt(p.Tensor, p.Dims)
		var t *safetensors.Tensor
		if matrix != nil {
			t = matrix.steps
			r.take(matrix)
		} else {
			t = r.tensor(rule, p.Tensor)
		}
		piece := Piece{Tensor: t, packed: matrix, Shape: sizes(p.Dims), Leading: max(p.Leading, 1), Rows: p.Rows, Step: max(p.Step, 1), Run: max(p.Run, 1), Transpose: p.Transpose}
		if p.Transpose {
			piece.Leading = len(p.Dims) - 1
		}
		if piece.Rows == [2]int{} {
			piece.Rows[1] = piece.rows()
		}
		if p.Scales != "" {
			piece.Scales = r.tensor(rule, p.Scales)
		}
		if t == nil || p.Scales != "" && piece.Scales == nil {
			continue
		}
		if p.Transpose && piece.Run > 1 && r.err == nil {
			r.err = fmt.Errorf("arch: the rule of %s takes runs of transposed rows", rule.Logical)
		}
		if matrix != nil && p.Transpose && r.err == nil {
			r.err = &diag.Error{Kind: diag.Unsupported, Code: "quantized_checkpoint", File: t.File(), Where: "tensor " + strconv.Quote(t.Name),
				Message: "a packed matrix whose inputs are its rows is not read", Fix: unquantized}
		}
		if err := piece.check(p.Dims); err != nil && r.err == nil {
			r.err = err
		}
		w.Pieces = append(w.Pieces, piece)
		w.DType = promote(w.DType, piece.dtype())
	}
	r.weights = append(r.weights, w)
}

// form is the form of the rule that the checkpoint has: the first whose tensors
// are all there.
func (r *resolver) form(rule Rule) []RulePiece {
	for _, form := range append([][]RulePiece{rule.Pieces}, rule.Or...) {
		if !slices.ContainsFunc(form, func(p RulePiece) bool {
			return r.ckpt.Tensor(p.Tensor) == nil && r.packedAt(p.Tensor, p.Dims) == nil || p.Scales != "" && r.ckpt.Tensor(p.Scales) == nil
		}) {
			return form
		}
	}
	return rule.Pieces
}

// tensor finds a tensor that a rule needs; nil, and remembered, if there is none.
func (r *resolver) tensor(rule Rule, name string) *safetensors.Tensor {
	t := r.ckpt.Tensor(name)
	if t != nil {
		r.used[name] = true
		return t
	}
	if !r.missed[name] {
		r.missed[name] = true
		r.absent = append(r.absent, name)
	}
	r.noHead = r.noHead || rule.Logical == headName
	return nil
}

// promote is the narrowest type that holds both exactly; F64 where nothing else does.
func promote(a, b safetensors.DType) safetensors.DType {
	switch {
	case a == "" || a == b:
		return b
	case a == safetensors.F64 || b == safetensors.F64:
		return safetensors.F64
	}
	return safetensors.F32 // two of BF16, F16, F32
}

func checkTensor(t *safetensors.Tensor, dims []Dim) error {
	if err := checkShape(t, dims); err != nil {
		return err
	}
	if !t.DType.IsFloat() {
		return &diag.Error{Kind: diag.Unsupported, Code: "tensor_dtype", File: t.File(), Where: "tensor " + strconv.Quote(t.Name), Message: "element type is not read as a weight",
			Want: "BF16, F16, F32 or F64", Found: string(t.DType), Fix: "take the unquantized version of the model"}
	}
	return nil
}

func checkShape(t *safetensors.Tensor, dims []Dim) error {
	if slices.Equal(t.Shape, sizes(dims)) {
		return nil
	}
	names := make([]string, len(dims))
	for i, d := range dims {
		names[i] = d.Name
	}
	return &diag.Error{Kind: diag.BadInput, Code: "tensor_shape", File: t.File(), Where: "tensor " + strconv.Quote(t.Name), Message: "wrong shape",
		Want: fmt.Sprintf("%v (%s in config.json)", sizes(dims), strings.Join(names, ", ")), Found: fmt.Sprint(t.Shape)}
}

func (r *resolver) missing() error {
	if len(r.absent) == 0 {
		return nil
	}
	e := &diag.Error{Kind: diag.BadInput, Code: "tensor_missing", File: r.dir, Where: "tensor " + strconv.Quote(r.absent[0]), Message: "missing in the checkpoint"}
	if n := len(r.absent); n > 1 {
		e.Message = fmt.Sprintf("missing in the checkpoint, with %d more", n-1)
		if n >= manyAbsent {
			e.Message = fmt.Sprintf("missing in the checkpoint, with at least %d more", n-1)
		}
	}
	switch {
	case r.noHead && len(r.absent) == 1:
		e.Fix = "set tie_word_embeddings to true in config.json if the head is the embedding"
	case len(r.used) == 0 && len(r.ckpt.Names()) > 0:
		e.Found = "names such as " + strconv.Quote(clip(r.ckpt.Names()[0]))
	}
	return e
}

// leftovers explains tensors that no rule took, and refuses those it cannot.
func (r *resolver) leftovers(f Family, s *Spec, naming Naming) ([]Ignored, error) {
	var ignored []Ignored
	var unknown []string
	head := f.headTensor(s, r.ckpt)
	for _, name := range r.ckpt.Names() {
		if r.used[name] {
			continue
		}
		reason := explain(f, s, naming, head, name)
		if f.Further != nil && f.Further.has(name, len(s.Layers), r.ckpt) {
			reason = f.Further.Reason
		}
		if reason != "" {
			ignored = append(ignored, Ignored{Tensor: name, Reason: reason})
			continue
		}
		unknown = append(unknown, name)
	}
	if len(unknown) == 0 {
		return ignored, nil
	}
	sort.Strings(unknown)
	t := r.ckpt.Tensor(unknown[0])
	e := &diag.Error{Kind: diag.Unsupported, Code: "tensor_unknown", File: t.File(), Where: "tensor " + strconv.Quote(clip(unknown[0])),
		Message: "the model has no use for this tensor, so it may not be the model that config.json describes"}
	if n := len(unknown); n > 1 {
		e.Message = fmt.Sprintf("the model has no use for this tensor and %d more (%s), so it may not be the model that config.json describes",
			n-1, clip(strings.Join(unknown[1:min(n, 4)], ", ")))
	}
	return nil, e
}

// commonIgnored holds for all families.
var commonIgnored = []Ignored{
	{"*rotary_emb.inv_freq", "rotary frequencies follow from config.json; old checkpoints stored them"},
	{"*rotary_emb.cos_cached", "rotary tables follow from config.json; old checkpoints stored them"},
	{"*rotary_emb.sin_cached", "rotary tables follow from config.json; old checkpoints stored them"},
	{"*.attn.masked_bias", "a constant of old attention code"},
}

// headName is the logical name of the head, whose tensor a tied checkpoint may
// hold all the same.
const headName = "head.weight"

func explain(f Family, s *Spec, naming Naming, head, name string) string {
	if s.Head.Tied && name == head {
		return "tie_word_embeddings: the head is the embedding; the copy is compared when the embedding is read"
	}
	for _, list := range [][]Ignored{f.Ignored, commonIgnored} {
		for _, i := range list {
			if matchPattern(i.Tensor, name) || matchPattern(naming.of(i.Tensor), name) {
				return i.Reason
			}
		}
	}
	return ""
}

// Storage is the type in which a weight goes into a bundle when the user does
// not choose one: its own, except that float64 becomes float32, in which all
// arithmetic is done.
func (w *Weight) Storage() safetensors.DType {
	if w.DType == safetensors.F64 {
		return safetensors.F32
	}
	return w.DType
}

// Parameters is the number of numbers in all weights of the model; a tied head
// counts once.
func (m *Model) Parameters() int64 {
	var n int64
	for i := range m.Weights {
		n += m.Weights[i].Elements()
	}
	return n
}

// Bytes is the size of all weights by the type in which they are stored.
func (m *Model) Bytes() map[safetensors.DType]int64 {
	sum := map[safetensors.DType]int64{}
	for i := range m.Weights {
		w := &m.Weights[i]
		if p := w.Pieces[0].packed; p != nil {
			groups := w.Elements() / int64(p.group)
			sum[p.steps.DType] += w.Elements() * int64(p.bits) / 8
			sum[p.scale.DType] += groups * int64(p.scale.DType.Bits()/8)
			if p.zero.DType.IsFloat() {
				sum[p.zero.DType] += groups * int64(p.zero.DType.Bits()/8)
			} else {
				sum[p.zero.DType] += groups * int64(p.bits) / 8
			}
			continue
		}
		sum[w.DType] += w.Elements() * int64(w.DType.Bits()/8)
	}
	return sum
}

// Weight finds a weight by name; nil if the model has none of that name.
func (m *Model) Weight(name string) *Weight {
	for i := range m.Weights {
		if m.Weights[i].Name == name {
			return &m.Weights[i]
		}
	}
	return nil
}

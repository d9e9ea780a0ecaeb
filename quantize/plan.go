package quantize

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// Options are the choices that a user may make about weights. The zero value
// keeps all of them as floats, each in its own type.
type Options struct {
	DType  safetensors.DType // of floats, "" for each one's own
	Scheme Scheme            // of linear layers
	Head   Head              // of head and embedding
	Params safetensors.DType // of scales and offsets, "" for F16
	Method Method            // "" for Search
}

// Head is how head and embedding are kept. The zero value leaves it to the plan:
// 8 bits if linear layers are quantized, else floats.
type Head struct {
	Scheme Scheme
	DType  safetensors.DType // of floats
}

// Plan chooses the storage of every weight of a model, in order. A float64 weight
// is kept as float32, in which all arithmetic is done. Of a quantized model,
// vectors are float32, which kernels read, and the linear layers that read the
// same input are stacked if they are quantized alike.
//
// What the checkpoint has quantized already is kept as it is, unless the options ask
// for floats.
func Plan(weights []arch.Weight, o Options) []Storage {
	plan := make([]Storage, len(weights))
	quantized := slices.ContainsFunc(weights, func(w arch.Weight) bool { return o.scheme(&w) != Float })
	for i := range weights {
		plan[i] = o.storage(&weights[i], quantized)
	}
	return stacked(plan)
}

// kept is the scheme of a weight that the checkpoint has quantized and the bundle keeps.
func (o Options) kept(w *arch.Weight) Scheme {
	bits, _ := w.Packed()
	scheme := schemes[bits]
	switch kindOf(w) {
	case linear, experts:
		if o.Scheme == Float && o.DType != "" {
			return Float
		}
	case embedding, head:
		if o.Head != (Head{}) && o.Head.Scheme != scheme || o.Head == (Head{}) && o.Scheme == Float && o.DType != "" {
			return Float
		}
	default:
		return Float
	}
	return scheme
}

// scheme is the scheme that the options ask for, whatever the shape.
func (o Options) scheme(w *arch.Weight) Scheme {
	if kept := o.kept(w); kept != Float {
		return kept
	}
	switch kindOf(w) {
	case linear, experts:
		return o.Scheme
	case embedding, head:
		if o.Head == (Head{}) && o.Scheme != Float {
			return Int8
		}
		return o.Head.Scheme
	}
	return Float
}

// storage is the storage of a weight before stacking. quantized says whether any
// weight of the model is.
func (o Options) storage(w *arch.Weight, quantized bool) Storage {
	kind, scheme := kindOf(w), o.scheme(w)
	s := Storage{Weight: w.Name, Shape: w.Shape}
	if quantized {
		s.Why = string(kind)
	}
	if scheme != Float {
		if s.Why = costsTooMuch(w.Shape); s.Why == "" {
			s.Scheme, s.Params, s.Method = scheme, cmp.Or(o.Params, safetensors.F16), cmp.Or(o.Method, Search)
			s.Why = fmt.Sprintf("%d-bit %s", scheme.Bits(), kind)
			switch {
			case o.kept(w) != Float:
				s.Method = Kept
				_, s.Params = w.Packed()
				s.Why += ", as in the checkpoint"
			case scheme == Int8:
				s.Method = Nearest // its steps are so small that there is nothing to search
			}
			return s
		}
	}
	switch {
	case kind == vector && quantized:
		s.DType = safetensors.F32
	case kind == head || kind == embedding:
		s.DType = cmp.Or(o.Head.DType, o.DType, w.Storage())
	default:
		s.DType = cmp.Or(o.DType, w.Storage())
	}
	s.Block = blockOf(s)
	return s
}

// kind is what a weight is to the model, in words for people.
type kind string

const (
	linear    kind = "linear"
	experts   kind = "experts"
	embedding kind = "embedding"
	head      kind = "head"
	router    kind = "router"
	vector    kind = "vector"
	positions kind = "positions"
	perHead   kind = "matrices of single heads"
	other     kind = "not a linear layer"
)

// linears are the logical weights, below "layers.N.", that are multiplied with.
var linears = map[string]kind{
	"attn.q.weight": linear, "attn.k.weight": linear, "attn.v.weight": linear, "attn.o.weight": linear,
	"attn.q_a.weight": linear, "attn.q_b.weight": linear, "attn.kv_a.weight": linear,
	"mlp.gate.weight": linear, "mlp.up.weight": linear, "mlp.down.weight": linear,
	"moe.shared.gate.weight": linear, "moe.shared.up.weight": linear, "moe.shared.down.weight": linear,
	"moe.experts.gate.weight": experts, "moe.experts.up.weight": experts, "moe.experts.down.weight": experts,
	"moe.router.weight": router,
	"attn.k_up.weight":  perHead, "attn.v_up.weight": perHead,
}

func kindOf(w *arch.Weight) kind {
	switch w.Name {
	case "embed.weight":
		return embedding
	case "head.weight":
		return head
	case "positions.weight":
		return positions
	}
	_, name := cutLayer(w.Name)
	if k, ok := linears[name]; ok {
		return k
	}
	if len(w.Shape) < 2 || !isMatrix(w.Name) {
		return vector
	}
	return other
}

// cutLayer cuts "layers.3.attn.q.weight" behind the number; other names have no layer.
func cutLayer(name string) (layer, rest string) {
	rest, ok := strings.CutPrefix(name, "layers.")
	if ok {
		if _, rest, ok = strings.Cut(rest, "."); ok {
			return name[:len(name)-len(rest)], rest
		}
	}
	return "", name
}

// maxPadding is the most that padding may add to the size of a matrix: beyond,
// floats are no worse.
const maxPadding = 0.25

// costsTooMuch says why a matrix is not worth quantizing; "" if it is.
func costsTooMuch(shape []int) string {
	k := shape[len(shape)-1]
	padded := (k + Group - 1) / Group * Group
	switch {
	case k < Group && float64(padded-k) > maxPadding*float64(k):
		return fmt.Sprintf("kept: K=%d is less than a group", k)
	case float64(padded-k) > maxPadding*float64(k):
		return fmt.Sprintf("kept: K=%d would be padded to %d", k, padded)
	}
	return ""
}

// stacks are the weights that read the same input, below "layers.N.".
var stacks = []struct {
	name  string
	parts []string
}{
	{"attn.qkv.weight", []string{"attn.q.weight", "attn.k.weight", "attn.v.weight"}},
	{"mlp.gate_up.weight", []string{"mlp.gate.weight", "mlp.up.weight"}},
	{"moe.shared.gate_up.weight", []string{"moe.shared.gate.weight", "moe.shared.up.weight"}},
	{"moe.experts.gate_up.weight", []string{"moe.experts.gate.weight", "moe.experts.up.weight"}},
}

// stacked puts weights together that read the same input, are quantized alike and
// fill whole blocks. The stack stands where its first part stood.
func stacked(plan []Storage) []Storage {
	at := map[string]int{}
	for i := range plan {
		at[plan[i].Weight] = i
	}
	gone := map[int]bool{}
	for i := range plan {
		layer, name := cutLayer(plan[i].Weight)
		for _, stack := range stacks {
			if layer == "" || name != stack.parts[0] {
				continue
			}
			parts := make([]int, 0, len(stack.parts))
			for _, part := range stack.parts {
				if j, ok := at[layer+part]; ok && fits(&plan[i], &plan[j]) {
					parts = append(parts, j)
				}
			}
			if len(parts) < len(stack.parts) {
				continue
			}
			s := &plan[i]
			for n, j := range parts {
				s.Parts = append(s.Parts, plan[j].Weight)
				if n == 0 {
					s.Shape = slices.Clone(s.Shape)
				} else {
					s.Shape[len(s.Shape)-2] += plan[j].Shape[len(s.Shape)-2]
					gone[j] = true
				}
			}
			s.Weight = layer + stack.name
		}
	}
	kept := plan[:0]
	for i := range plan {
		if !gone[i] {
			kept = append(kept, plan[i])
		}
	}
	return kept
}

// fits says that b may be stacked with a.
func fits(a, b *Storage) bool {
	n := len(a.Shape) - 2
	return a.Quantized() && a.Scheme == b.Scheme && a.Params == b.Params && a.Method == b.Method && len(b.Shape) == len(a.Shape) &&
		slices.Equal(a.Shape[:n], b.Shape[:n]) && a.Shape[n+1] == b.Shape[n+1] && a.Shape[n]%BlockRows == 0 && b.Shape[n]%BlockRows == 0
}

// A matrix of 16-bit floats is read one row of activations at a time in the
// decode step, and the compiler vectorizes that only when the elements of
// several rows lie side by side: 20 to 26 GB/s against 4 to 5 row-major. float32
// reads equally well either way. See docs/measurements.md.
var blockSizes = []int{32, 16, 8}

// isMatrix says that a weight of two axes is one to multiply with: biases of
// experts and norms of single heads have two axes as well.
func isMatrix(name string) bool {
	return !strings.HasSuffix(name, ".bias") && !strings.HasSuffix(name, "norm.weight")
}

// Experts are gathered, whatever their type; the loop that the compiler makes of
// that reads blocks of 16 rows almost twice as fast as those of 32. See
// docs/measurements.md.
var expertBlockSizes = []int{16, 8}

// isExperts tells the weights of a layer's experts, stacks of matrices [E,N,K].
func isExperts(name string) bool {
	return strings.Contains(name, ".moe.experts.") && strings.HasSuffix(name, ".weight")
}

// isValueUp tells the matrices that expand latent values, [heads,N,K], of which each
// is multiplied with as any other. Those of keys are summed over their rows, for
// which row-major is best.
func isValueUp(name string) bool { return strings.HasSuffix(name, ".attn.v_up.weight") }

func blockOf(s Storage) int {
	sizes := blockSizes
	switch {
	case isExperts(s.Weight):
		sizes = expertBlockSizes
	case s.DType.Bits() != 16 || !isMatrix(s.Weight):
		return 0
	case len(s.Shape) != 2 && !isValueUp(s.Weight):
		return 0
	}
	for _, b := range sizes {
		if s.Shape[len(s.Shape)-2]%b == 0 {
			return b
		}
	}
	return 0
}

package families

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/hlocc/hlocc/arch"
)

// mixture gives the layers that have them experts. What no layer uses, the experts
// or the dense MLP, is left out of the Spec.
func mixture(s *arch.Spec, m *arch.MoE, sparse func(layer int) bool) {
	count := 0
	for i := range s.Layers {
		if sparse(i) {
			s.Layers[i].Sparse = true
			count++
		}
	}
	if count > 0 {
		s.MoE = m
	}
	if count == len(s.Layers) {
		s.MLP = arch.MLP{}
	}
}

func everyLayer(int) bool { return true }

// expertCounts reads how many experts there are, under the names that the class
// knows for it, and how many of them a token uses.
func expertCounts(c *arch.Config, m *arch.MoE, experts int, names []string, topK int, topKNames ...string) {
	m.Experts = sameInt(c, experts, arch.MaxExperts, names...)
	m.TopK = sameInt(c, topK, arch.MaxExperts, topKNames...)
	if m.TopK > m.Experts {
		c.Invalid(topKNames[0], fmt.Sprintf("at most %s (%d)", names[0], m.Experts), strconv.Itoa(m.TopK))
	}
}

// sameInt reads a number that has several names, which must agree.
func sameInt(c *arch.Config, absent, high int, names ...string) int {
	found := ""
	for _, name := range names {
		n := c.Int(name, absent, 1, high)
		if !c.Has(name) {
			continue
		}
		if found != "" && n != absent {
			c.Invalid(name, fmt.Sprintf("%d, as %s says", absent, found), strconv.Itoa(n))
		}
		found, absent = name, n
	}
	return absent
}

// qwenSparse is the rule of Qwen's mixtures: every decoder_sparse_step-th layer has
// experts, but for mlp_only_layers.
func qwenSparse(c *arch.Config) func(layer int) bool {
	step := c.Int("decoder_sparse_step", 1, 1, arch.MaxLayers)
	dense := c.Ints("mlp_only_layers", 0, arch.MaxLayers)
	return func(i int) bool { return (i+1)%step == 0 && !slices.Contains(dense, i) }
}

// expertNames says what the tensors of a mixture are called, below a layer: there
// may be several names for a module, of which a checkpoint has one.
type expertNames struct {
	router     []string // its module
	correction []string // tensors; of rank 2 if correctionInRows
	// experts are modules of the experts, whose tensors are {experts}.N.{gate,up,down}.weight,
	// or, as transformers 5 stacks them, {experts}.gate_up_proj [E,2I,H] and {experts}.down_proj [E,H,I].
	experts          []string
	gate, up, down   string
	fused            [2]string // further names of the stacked tensors
	shared           string    // the module of what all tokens use
	sharedGate       string
	correctionInRows bool
}

// hubExperts has the names that most families share.
var hubExperts = expertNames{
	router: []string{"mlp.gate"}, correction: []string{"mlp.gate.e_score_correction_bias"},
	experts: []string{"mlp.experts"}, gate: "gate_proj", up: "up_proj", down: "down_proj",
	shared: "mlp.shared_experts",
}

// with is n with changes.
func (n expertNames) with(change func(n *expertNames)) expertNames {
	change(&n)
	return n
}

// weights adds all weights of a layer's mixture.
func (n expertNames) weights(r *rules) {
	m := r.spec.MoE
	e := arch.Dim{Size: m.Experts, Name: "number of experts"}
	inter := arch.Dim{Size: m.Intermediate, Name: "intermediate size of experts"}
	var router [][]arch.RulePiece
	for _, module := range n.router {
		router = append(router, arch.Direct("", r.tensor(module+".weight"), e, r.hidden).Pieces)
	}
	r.add(arch.Rule{Logical: "layers.*.moe.router.weight", Shape: []int{e.Size, r.hidden.Size}, Pieces: router[0], Or: router[1:]})
	if m.Router.Bias {
		r.vector("moe.router.bias", n.router[0]+".bias", e)
	}
	if m.Router.Correction {
		dims := []arch.Dim{e}
		if n.correctionInRows {
			dims = []arch.Dim{{Size: 1, Name: "1"}, e}
		}
		var forms [][]arch.RulePiece
		for _, tensor := range n.correction {
			forms = append(forms, []arch.RulePiece{{Tensor: r.tensor(tensor), Dims: dims, Leading: len(dims)}})
		}
		r.add(arch.Rule{Logical: "layers.*.moe.correction", Shape: []int{e.Size}, Pieces: forms[0], Or: forms[1:]})
	}
	r.add(n.expert(r, "gate", n.gate, e, inter, r.hidden))
	r.add(n.expert(r, "up", n.up, e, inter, r.hidden))
	r.add(n.expert(r, "down", n.down, e, r.hidden, inter))
	if m.SharedIntermediate > 0 {
		shared := arch.Dim{Size: m.SharedIntermediate, Name: "intermediate size of the shared experts"}
		r.linear("moe.shared.gate", n.shared+".gate_proj", m.SharedBias, shared, r.hidden)
		r.linear("moe.shared.up", n.shared+".up_proj", m.SharedBias, shared, r.hidden)
		r.linear("moe.shared.down", n.shared+".down_proj", m.SharedBias, r.hidden, shared)
	}
	if m.SharedGate {
		r.vector("moe.shared_gate.weight", n.sharedGate+".weight", arch.Dim{Size: 1, Name: "1"}, r.hidden)
	}
}

// expert is one projection of all experts, [E,out,in].
func (n expertNames) expert(r *rules, part, own string, e, out, in arch.Dim) arch.Rule {
	rule := arch.Rule{Logical: "layers.*.moe.experts." + part + ".weight", Shape: []int{e.Size, out.Size, in.Size}}
	var forms [][]arch.RulePiece
	if own != "" {
		for _, module := range n.experts {
			var tensors []string
			for i := range e.Size {
				tensors = append(tensors, r.tensor(fmt.Sprintf("%s.%d.%s.weight", module, i, own)))
			}
			forms = append(forms, arch.Stack("", tensors, out, in).Pieces)
		}
	}
	fused := [2][]string{{n.fused[0]}, {n.fused[1]}}
	for _, module := range n.experts {
		fused[0], fused[1] = append(fused[0], module+".gate_up_proj"), append(fused[1], module+".down_proj")
	}
	if part == "down" {
		for _, tensor := range fused[1] {
			forms = append(forms, arch.Direct("", r.tensor(tensor), e, out, in).Pieces)
		}
	} else {
		for _, tensor := range fused[0] {
			forms = append(forms, halves(r.tensor(tensor), part == "up", e, out, in))
		}
	}
	forms = slices.DeleteFunc(forms, func(f []arch.RulePiece) bool { return f[0].Tensor == r.tensor("") })
	rule.Pieces, rule.Or = forms[0], forms[1:]
	return rule
}

// halves is the first or second half of each matrix of a stack [E,2*out,in].
func halves(tensor string, second bool, e, out, in arch.Dim) []arch.RulePiece {
	from := 0
	if second {
		from = out.Size
	}
	return []arch.RulePiece{{Tensor: tensor, Dims: []arch.Dim{e, {Size: 2 * out.Size, Name: "2 * " + out.Name}, in},
		Leading: 2, Rows: [2]int{from, 2 * e.Size * out.Size}, Step: 2 * out.Size, Run: out.Size}}
}

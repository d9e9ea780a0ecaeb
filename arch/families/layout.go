package families

import (
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/arch"
)

// layout says what a family's tensors are called: for each logical weight the
// name of its tensor. Modules of a layer are named below layer; a name ends
// before ".weight" and ".bias". What a Spec does not have is not asked for.
type layout struct {
	embed, positions, norm, head string
	layer                        string // "model.layers.*."

	attnNorm, attnPostNorm, mlpNorm, mlpPostNorm string
	q, k, v, o                                   string
	qNorm, kNorm                                 string // a '#' stands for the head, where each has a tensor of its own
	gate, up, down                               string
	act                                          string // the activation, where it has weights

	// conv1d says that the weights of linear layers are stored [in,out] (GPT-2).
	conv1d bool

	// attention and mlp, where set, list the weights of fused projections in place
	// of q, k, v and of gate, up.
	attention, mlp func(r *rules)
	// moe lists the weights of the experts' block.
	moe func(r *rules)
	// extra lists further weights of a layer.
	extra func(r *rules)
}

// hub has the names that Llama made common.
var hub = layout{
	embed: "model.embed_tokens", norm: "model.norm", head: "lm_head", layer: "model.layers.*.",
	attnNorm: "input_layernorm", mlpNorm: "post_attention_layernorm",
	q: "self_attn.q_proj", k: "self_attn.k_proj", v: "self_attn.v_proj", o: "self_attn.o_proj",
	qNorm: "self_attn.q_norm", kNorm: "self_attn.k_norm",
	gate: "mlp.gate_proj", up: "mlp.up_proj", down: "mlp.down_proj",
}

// hubWeights lists the tensors of a model whose names are those of Llama.
func hubWeights(s *arch.Spec) []arch.Rule { return hub.weights(s) }

// with is l with changes.
func (l layout) with(change func(l *layout)) layout {
	change(&l)
	return l
}

// rules collects the weight rules of a Spec; its dimensions have the names of
// config.json for messages.
type rules struct {
	spec   *arch.Spec
	layout layout
	list   []arch.Rule
	on     arch.LayerKind // the layers that rules are added for

	vocab, hidden, inter arch.Dim
	q, kv                arch.Dim // heads * head_dim
	headDim              arch.Dim
}

func (l layout) weights(s *arch.Spec) []arch.Rule {
	a := &s.Attention
	r := &rules{
		spec: s, layout: l,
		vocab:   arch.Dim{Size: s.Vocab, Name: "vocab_size"},
		hidden:  arch.Dim{Size: s.Hidden, Name: "hidden_size"},
		inter:   arch.Dim{Size: s.MLP.Intermediate, Name: "intermediate_size"},
		q:       arch.Dim{Size: a.Heads * a.HeadDim, Name: "num_attention_heads*head_dim"},
		kv:      arch.Dim{Size: a.KVHeads * a.HeadDim, Name: "num_key_value_heads*head_dim"},
		headDim: arch.Dim{Size: a.HeadDim, Name: "head_dim"},
	}
	r.add(arch.Direct("embed.weight", l.embed+".weight", r.vocab, r.hidden))
	if s.Embed.Positions > 0 {
		r.add(arch.Direct("positions.weight", l.positions+".weight", arch.Dim{Size: s.Embed.Positions, Name: "n_positions"}, r.hidden))
	}
	r.norm("attn_norm", l.attnNorm, s.Block.AttnNorm)
	r.attention()
	r.norm("attn_post_norm", l.attnPostNorm, s.Block.AttnPostNorm)
	r.norm("mlp_norm", l.mlpNorm, s.Block.MLPNorm)
	r.feedForward()
	r.norm("mlp_post_norm", l.mlpPostNorm, s.Block.MLPPostNorm)
	if l.extra != nil {
		l.extra(r)
	}
	r.globalNorm("norm", l.norm)
	if !s.Head.Tied {
		r.add(arch.Direct("head.weight", l.head+".weight", r.vocab, r.hidden))
	}
	if s.Head.Bias {
		r.add(arch.Direct("head.bias", l.head+".bias", r.vocab))
	}
	return r.list
}

func (r *rules) add(rule arch.Rule) {
	rule.On = r.on
	r.list = append(r.list, rule)
}

// tensor is the full name of a tensor of a layer.
func (r *rules) tensor(name string) string { return r.layout.layer + name }

// linear adds a projection [out,in] of a layer and its bias [out].
func (r *rules) linear(logical, module string, bias bool, out, in arch.Dim) {
	if r.layout.conv1d {
		r.add(arch.Transposed("layers.*."+logical+".weight", r.tensor(module+".weight"), in, out))
	} else {
		r.add(arch.Direct("layers.*."+logical+".weight", r.tensor(module+".weight"), out, in))
	}
	if bias {
		r.add(arch.Direct("layers.*."+logical+".bias", r.tensor(module+".bias"), out))
	}
}

// vector adds a weight of a layer that stands under its full name.
func (r *rules) vector(logical, name string, dims ...arch.Dim) {
	r.add(arch.Direct("layers.*."+logical, r.tensor(name), dims...))
}

// norm adds the weights of a norm of a layer, where there is one.
func (r *rules) norm(logical, module string, present bool) {
	if !present || r.spec.Norm.NoWeight {
		return
	}
	r.vector(logical+".weight", module+".weight", r.hidden)
	if r.spec.Norm.Bias {
		r.vector(logical+".bias", module+".bias", r.hidden)
	}
}

func (r *rules) globalNorm(logical, module string) {
	if r.spec.Norm.NoWeight {
		return
	}
	r.add(arch.Direct(logical+".weight", module+".weight", r.hidden))
	if r.spec.Norm.Bias {
		r.add(arch.Direct(logical+".bias", module+".bias", r.hidden))
	}
}

func (r *rules) attention() {
	a, l := &r.spec.Attention, &r.layout
	if l.attention != nil {
		l.attention(r)
	} else {
		r.linear("attn.q", l.q, a.Bias.Q, r.q, r.hidden)
		r.linear("attn.k", l.k, a.Bias.K, r.kv, r.hidden)
		r.linear("attn.v", l.v, a.Bias.V, r.kv, r.hidden)
		r.linear("attn.o", l.o, a.Bias.O, r.hidden, r.q)
	}
	if n := a.QKNorm; n != nil {
		for _, p := range []struct {
			logical, module string
			heads           int
			all             arch.Dim
		}{{"attn.q_norm", l.qNorm, a.Heads, r.q}, {"attn.k_norm", l.kNorm, a.KVHeads, r.kv}} {
			dims := []arch.Dim{r.headDim}
			switch {
			case strings.Contains(p.module, "#"):
				var tensors []string
				for h := range p.heads {
					tensors = append(tensors, r.tensor(strings.Replace(p.module, "#", strconv.Itoa(h), 1)+".weight"))
				}
				r.add(arch.Stack("layers.*."+p.logical+".weight", tensors, r.headDim))
				continue
			case n.Over == arch.OverHeadOwn:
				dims = []arch.Dim{{Size: p.heads, Name: strings.TrimSuffix(p.all.Name, "*head_dim")}, r.headDim}
			case n.Over == arch.OverAll:
				dims = []arch.Dim{p.all}
			}
			r.vector(p.logical+".weight", p.module+".weight", dims...)
			if n.Bias {
				r.vector(p.logical+".bias", p.module+".bias", dims...)
			}
		}
	}
}

func (r *rules) feedForward() {
	s, l := r.spec, &r.layout
	defer func() { r.on = arch.AllLayers }()
	if s.MoE != nil {
		r.on = arch.SparseLayers
		l.moe(r)
		r.on = arch.DenseLayers
	}
	if l.mlp != nil {
		l.mlp(r)
		return
	}
	if !s.MLP.Plain {
		r.linear("mlp.gate", l.gate, s.MLP.Bias, r.inter, r.hidden)
	}
	r.linear("mlp.up", l.up, s.MLP.Bias, r.inter, r.hidden)
	r.linear("mlp.down", l.down, s.MLP.Bias, r.hidden, r.inter)
	if s.MLP.Activation == arch.XIELU {
		one := arch.Dim{Size: 1, Name: "1"}
		r.vector("mlp.alpha_p", l.act+".alpha_p", one)
		r.vector("mlp.alpha_n", l.act+".alpha_n", one)
	}
}

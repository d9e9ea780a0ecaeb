package families

import (
	"fmt"
	"math"

	"github.com/hlocc/hlocc/arch"
)

// deepseekV2 is DeepseekV2ForCausalLM of transformers: latent attention, and a
// mixture of experts with shared ones after the first layers.
var deepseekV2 = arch.Family{
	Name:          "deepseek_v2",
	Title:         "DeepSeek V2, V2-Lite and V2.5, DeepSeek-Coder V2",
	Architectures: []string{"DeepseekV2ForCausalLM"},
	Quirks: []string{"latent attention (MLA): the cache has one vector for all heads", "rotary pairs are neighbours",
		"YaRN: mscale_all_dim scales attention scores by its square", "the first first_k_dense_replace layers have no experts",
		"group_limited_greedy chooses groups of experts by their best one", "norm_topk_prob has no effect",
		"the norms of the latent vectors have an epsilon of 1e-6, whatever rms_norm_eps is"},
	Proof: []string{"deepseek_v2", "deepseek_v2_groups"},
	Spec: func(c *arch.Config) *arch.Spec {
		s := latentDecoder(c, defaults{maxPositions: 2048, normEps: 1e-6, theta: 10000, interleaved: true, latent: latentOwnValue})
		bias := c.Bool("mlp_bias", false)
		s.MLP.Bias = bias
		onlyString(c, "scoring_func", "experts are scored by a softmax in models of this family", "softmax")
		c.Bool("norm_topk_prob", false) // DeepseekV2TopkRouter does not look at it
		first := c.Int("first_k_dense_replace", 0, 0, math.MaxInt32)
		m := deepseekExperts(c, s, func(layer int) bool { return layer >= first }, 1)
		m.SharedBias = bias && m.SharedIntermediate > 0
		m.Router.Scoring = arch.SoftmaxAll
		switch method := c.String("topk_method", "greedy"); method {
		case "greedy":
			groups(c, m, "", 0, 0)
		case "group_limited_greedy":
			groups(c, m, arch.GroupMax, 0, 0)
		default:
			c.Refuse("topk_method", "this choice of experts is not known (greedy, group_limited_greedy)")
		}
		return s
	},
	Weights: deepseekHub.weights,
}

// deepseekV3 is DeepseekV3ForCausalLM of transformers: V2 with experts that are
// scored each by itself and chosen with a learned correction.
var deepseekV3 = arch.Family{
	Name:          "deepseek_v3",
	Title:         "DeepSeek V3 and R1, Moonlight",
	Architectures: []string{"DeepseekV3ForCausalLM"},
	Quirks: []string{"latent attention (MLA): the cache has one vector for all heads", "rope_interleave: rotary pairs are neighbours (the default) or halves",
		"YaRN: mscale_all_dim scales attention scores by its square", "the first first_k_dense_replace layers have no experts",
		"groups of experts are chosen by the sum of their best two, with e_score_correction_bias",
		"the layers for multi-token prediction are left out", "DeepSeek publishes FP8 checkpoints, which are not read: take a conversion to BF16",
		"the norms of the latent vectors have an epsilon of 1e-6, whatever rms_norm_eps is"},
	Proof:   []string{"deepseek_v3", "deepseek_v3_groups"},
	Spec:    deepseekV3Spec,
	Weights: deepseekHub.weights,
	Further: nextTokenLayers,
}

// kimiK2 is DeepSeek V3 under another model_type.
var kimiK2 = arch.Family{
	Name:          "kimi_k2",
	Title:         "Kimi K2",
	Architectures: deepseekV3.Architectures,
	Quirks:        []string{"equals DeepSeek V3"},
	Proof:         deepseekV3.Proof,
	Spec:          deepseekV3Spec,
	Weights:       deepseekHub.weights,
	Further:       nextTokenLayers,
}

// glm4MoELite is Glm4MoeLiteForCausalLM of transformers: DeepSeek V3 with its
// layers of experts in a list.
var glm4MoELite = arch.Family{
	Name:          "glm4_moe_lite",
	Title:         "GLM 4.7 Flash",
	Architectures: []string{"Glm4MoeLiteForCausalLM"},
	Quirks:        []string{"DeepSeek V3, with mlp_layer_types, by default experts in all layers but the first"},
	Proof:         deepseekV3.Proof,
	Spec: func(c *arch.Config) *arch.Spec {
		s := latentDecoder(c, defaults{maxPositions: 202752, normEps: 1e-5, theta: 10000, interleaved: interleave(c), latent: latentOwnValue})
		types := c.Strings("mlp_layer_types", len(s.Layers))
		for i, name := range types {
			if name != "dense" && name != "sparse" {
				c.Invalid(fmt.Sprintf("mlp_layer_types[%d]", i), "dense or sparse", name)
			}
		}
		sparse := func(layer int) bool { return layer >= 1 }
		if types != nil {
			sparse = func(layer int) bool { return types[layer] == "sparse" }
		}
		if first := c.Int("first_k_dense_replace", 1, 0, math.MaxInt32); types == nil && first != 1 {
			c.Refuse("first_k_dense_replace", "the class takes the layers with experts from mlp_layer_types, by default all but the first")
		}
		deepseekV3Experts(c, s, sparse, 1.8, 1, 1)
		return s
	},
	Weights: deepseekHub.weights,
	Further: nextTokenLayers,
}

func deepseekV3Spec(c *arch.Config) *arch.Spec {
	s := latentDecoder(c, defaults{maxPositions: 4096, normEps: 1e-6, theta: 10000, interleaved: interleave(c), latent: latentOwnValue})
	first := c.Int("first_k_dense_replace", 3, 0, math.MaxInt32)
	deepseekV3Experts(c, s, func(layer int) bool { return layer >= first }, 2.5, 8, 4)
	return s
}

// youtu is YoutuForCausalLM of transformers: DeepSeek V3 without experts.
var youtu = arch.Family{
	Name:          "youtu",
	Title:         "Youtu-LLM",
	Architectures: []string{"YoutuForCausalLM"},
	Quirks:        []string{"latent attention (MLA) as in DeepSeek V3, without experts"},
	Proof:         []string{"youtu"},
	Spec: func(c *arch.Config) *arch.Spec {
		c.Float("embedding_initializer_range", 0, 0, 1e6) // training
		return latentDecoder(c, defaults{maxPositions: 131072, normEps: 1e-6, theta: 10000, tied: true, interleaved: interleave(c), latent: latentOwnValue})
	},
	Weights: latentHub.weights,
}

// nextTokenLayers are those for multi-token prediction, numbered after the model's.
var nextTokenLayers = &arch.Further{Layer: "model.layers.*.", Marker: "eh_proj.weight",
	Reason: "multi-token prediction: guesses of further tokens, which plain decoding does not use"}

// interleave reads which elements make a rotary pair.
func interleave(c *arch.Config) bool {
	return !c.IsNull("rope_interleave") && c.Bool("rope_interleave", true)
}

// deepseekV3Experts reads the experts of V3, given its defaults.
func deepseekV3Experts(c *arch.Config, s *arch.Spec, sparse func(layer int) bool, scale float64, n, top int) {
	onlyString(c, "scoring_func", "experts are scored each by itself in models of this family", "sigmoid")
	onlyString(c, "topk_method", "this choice of experts is not that of the family", "noaux_tc")
	c.Int("num_nextn_predict_layers", 0, 0, arch.MaxLayers) // left out, see nextTokenLayers
	c.Int("num_mtp_layers", 0, 0, arch.MaxLayers)
	m := deepseekExperts(c, s, sparse, scale)
	m.Router.Scoring, m.Router.Correction = arch.Sigmoid, true
	if !c.IsNull("norm_topk_prob") && c.Bool("norm_topk_prob", true) {
		m.Router.Normalize, m.Router.NormEps = true, 1e-20
	}
	groups(c, m, arch.GroupTop2, n, top)
}

// deepseekExperts reads the experts and says which layers have them; the router is
// left to the family.
func deepseekExperts(c *arch.Config, s *arch.Spec, sparse func(layer int) bool, scale float64) *arch.MoE {
	m := &arch.MoE{
		Experts:      c.RequiredInt("n_routed_experts", 1, arch.MaxExperts),
		TopK:         c.RequiredInt("num_experts_per_tok", 1, arch.MaxExperts),
		Intermediate: c.RequiredInt("moe_intermediate_size", 1, arch.MaxInter),
		Activation:   s.MLP.Activation,
		Router:       arch.Router{Scale: c.Float("routed_scaling_factor", scale, 1e-6, 1e6)},
	}
	m.SharedIntermediate = m.Intermediate * c.RequiredInt("n_shared_experts", 0, arch.MaxExperts)
	if c.Int("moe_layer_freq", 1, 1, arch.MaxLayers) != 1 {
		c.Refuse("moe_layer_freq", "experts in every n-th layer only are not supported for this family")
	}
	c.Known("aux_loss_alpha", "seq_aux", "ep_size") // training, and how experts are spread over machines
	mixture(s, m, sparse)
	return m
}

// groups reads the groups that experts are chosen from. Where all groups are
// chosen, there are none. An empty score means that the keys have no effect.
func groups(c *arch.Config, m *arch.MoE, score arch.GroupScore, n, top int) {
	n, top = c.Int("n_group", max(n, 1), 1, arch.MaxHeads), c.Int("topk_group", max(top, 1), 1, arch.MaxHeads)
	if score == "" || n == top {
		return
	}
	if top > n {
		c.Invalid("topk_group", fmt.Sprintf("at most n_group (%d)", n), fmt.Sprint(top))
	}
	m.Router.Groups, m.Router.TopGroups, m.Router.GroupScore = n, top, score
}

// deepseekHub has the names of DeepSeek.
var deepseekHub = latentHub.with(func(l *layout) { l.moe = hubExperts.weights })

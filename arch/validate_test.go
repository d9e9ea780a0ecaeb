package arch

import (
	"strings"
	"testing"
)

// Fields that hang together are checked together.
func TestValidateCombinations(t *testing.T) {
	good := func() Spec {
		rope := RoPE{Kind: RoPEDefault, Theta: 10000, Dims: 2, AttentionFactor: 1}
		return Spec{
			Vocab: 8, Hidden: 8, MaxPositions: 8, Norm: Norm{Kind: RMSNorm, Eps: 1e-5}, Block: Block{AttnNorm: true, MLPNorm: true},
			Attention: Attention{Heads: 4, KVHeads: 4, HeadDim: 6, Scale: 1, MLA: &MLA{KVRank: 4, NoPE: 4, RoPE: 2, Value: 4, Eps: 1e-6}},
			RoPE:      []RoPE{rope}, MLP: MLP{Activation: SiLU, Intermediate: 8}, Layers: []Layer{{}, {Sparse: true}},
			MoE: &MoE{Experts: 8, TopK: 2, Intermediate: 4, Activation: SiLU,
				Router: Router{Scoring: Sigmoid, Groups: 4, TopGroups: 2, GroupScore: GroupTop2}},
		}
	}
	s := good()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want  string
		spoil func(*Spec)
	}{
		{"no layer has rope[1]", func(s *Spec) { s.RoPE = append(s.RoPE, s.RoPE[0]) }},
		{"layers[0].rope is 1 of 1", func(s *Spec) { s.Layers[0].RoPE = 1 }},
		{"layers[1].rope is -2 of 1", func(s *Spec) { s.Layers[1].RoPE = -2 }},
		{"latent attention needs rotary positions", func(s *Spec) { s.Layers[0].RoPE = NoRoPE }},
		{"head_dim 6 is not mla.nope 5 + mla.rope 2", func(s *Spec) { s.Attention.MLA.NoPE++ }},
		{"head_dim 6 is not mla.nope 4 + mla.rope 4", func(s *Spec) { s.Attention.MLA.RoPE += 2 }},
		{"rope[0].dims is 2, want 4", func(s *Spec) { s.Attention.MLA.RoPE, s.Attention.MLA.NoPE = 4, 2 }},
		{"mla.kv_rank", func(s *Spec) { s.Attention.MLA.KVRank = 0 }},
		{"mla.value", func(s *Spec) { s.Attention.MLA.Value = 0 }},
		{"mla.eps", func(s *Spec) { s.Attention.MLA.Eps = 0 }},
		{"mla.q_rank", func(s *Spec) { s.Attention.MLA.QRank = -1 }},
		{"no bias of v", func(s *Spec) { s.Attention.Bias.V = true }},
		{"only with mla.q_rank", func(s *Spec) { s.Attention.Bias.Q = true }},
		{"longrope sets in at 4 and at 5 positions", func(s *Spec) {
			for n := range 2 {
				r := RoPE{Kind: RoPELong, Theta: 10000, Dims: 2, AttentionFactor: 1, OriginalMaxPositions: 4 + n, ShortFactors: []float64{1}, LongFactors: []float64{2}}
				s.RoPE = append(s.RoPE[:n], r)
			}
			s.Layers[1].RoPE = 1
		}},
		{"1 factors for 2 frequencies", func(s *Spec) {
			s.Attention.MLA.RoPE, s.Attention.MLA.NoPE = 4, 2
			s.RoPE[0] = RoPE{Kind: RoPELong, Theta: 10000, Dims: 4, AttentionFactor: 1, OriginalMaxPositions: 4, ShortFactors: []float64{1}, LongFactors: []float64{2, 2}}
		}},
		{"as many key heads as query heads", func(s *Spec) { s.Attention.KVHeads = 2 }},
		{"latent attention excludes", func(s *Spec) { s.Attention.Sinks = true }},
		{"layers[1].sparse without moe", func(s *Spec) { s.MoE = nil }},
		{"mlp.intermediate is for dense layers", func(s *Spec) { s.Layers[0].Sparse = true }},
		{"moe.experts", func(s *Spec) { s.MoE.Experts = 0 }},
		{"moe.intermediate", func(s *Spec) { s.MoE.Intermediate = 0 }},
		{"moe.top_k is 9 of 8", func(s *Spec) { s.MoE.TopK = 9 }},
		{"moe.top_k 5 is more than the chosen groups hold", func(s *Spec) { s.MoE.TopK = 5 }},
		{"moe.activation", func(s *Spec) { s.MoE.Activation = "x" }},
		{"moe.limit", func(s *Spec) { s.MoE.Limit = 7 }},
		{"moe.limit", func(s *Spec) { s.MoE.Activation = SwiGLUClamped }},
		{"swiglu_clamped has no shared expert", func(s *Spec) {
			s.MoE.Activation, s.MoE.Limit, s.MoE.SharedIntermediate = SwiGLUClamped, 7, 4
		}},
		{"without shared_intermediate", func(s *Spec) { s.MoE.SharedGate = true }},
		{"router.scoring", func(s *Spec) { s.MoE.Router.Scoring = "x" }},
		{"router.scale", func(s *Spec) { s.MoE.Router.Scale = -1 }},
		{"router.norm_eps", func(s *Spec) { s.MoE.Router.NormEps = -1 }},
		{"no multiple of router.groups 3", func(s *Spec) { s.MoE.Router.Groups = 3 }},
		{"router.top_groups is 5 of 4", func(s *Spec) { s.MoE.Router.TopGroups = 5 }},
		{"router.group_score", func(s *Spec) { s.MoE.Router.GroupScore = "x" }},
		{"router.group_score", func(s *Spec) { s.MoE.Router.Groups, s.MoE.Router.TopGroups = 8, 8 }},
		{"norm.no_weight excludes", func(s *Spec) { s.Norm.NoWeight, s.Norm.UnitOffset = true, true }},
		{"block.shared_norm is for parallel blocks", func(s *Spec) { s.Block.SharedNorm = true }},
		{"a parallel block has no norms after", func(s *Spec) { s.Block.Parallel, s.Block.AttnPostNorm = true, true }},
		{"qk_norm.over", func(s *Spec) { s.Attention.QKNorm = &QKNorm{Kind: RMSNorm, Eps: 1, Over: "x"} }},
		{"max_positions 8 is more than embed.positions 4", func(s *Spec) { s.Embed.Positions = 4 }},
	} {
		s := good()
		c.spoil(&s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: found %v", c.want, err)
		}
	}
}

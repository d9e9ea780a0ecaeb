package arch

import (
	"fmt"

	"github.com/hlocc/hlocc/internal/strictjson"
)

// neutral tells whether a value switches a key off.
type neutral func(v *strictjson.Value) bool

func isNumber(n float64) neutral {
	return func(v *strictjson.Value) bool {
		f, ok := v.Float()
		return ok && f == n
	}
}

func isBool(b bool) neutral {
	return func(v *strictjson.Value) bool { return v.Kind == strictjson.Bool && v.Bool == b }
}

func isString(s ...string) neutral {
	return func(v *strictjson.Value) bool {
		for _, want := range s {
			if v.Kind == strictjson.String && v.Text == want {
				return true
			}
		}
		return false
	}
}

func never(*strictjson.Value) bool { return false }

func allFull(v *strictjson.Value) bool {
	for _, e := range v.Elements {
		if e.Kind != strictjson.String || e.Text != "full_attention" {
			return false
		}
	}
	return v.Kind == strictjson.Array
}

// What would be needed, for several keys.
const (
	familyReads    = "support it: the family must read this key, as others do (docs/adding-a-family.md)"
	unquantized    = "take the version in bf16, f16 or f32"
	textPart       = "take a checkpoint of the text part alone, if there is one; support of the whole needs the encoder and its tokens"
	encoderDecoder = "take a decoder-only model; support needs the encoder and attention to its output"
	distanceBias   = "support it: the decoder needs a bias on the scores that grows with the distance"
	causalFix      = "take a model that generates text: without a causal mask nothing can be cached"
	mropeFix       = "take a text-only model; support needs positions of several axes"
	stateSpaceFix  = "support it: the graphs need a recurrent state beside the KV cache, and its scan over a prompt"
	altupFix       = "support it: the decoder needs these parts of Gemma 3n"
	perLayerFix    = "support it: the Spec needs shapes per layer"
)

// refusal is what is known of a key that the family at hand did not read.
type refusal struct {
	off     neutral // the value that switches it off, besides null, which always does
	reason  string
	fix     string
	explain func(v *strictjson.Value) string // a reason that depends on the value; may be nil
}

// refusedKeys have a known meaning that the family at hand does not implement:
// where fix is familyReads, others do. A family that reads a key decides itself.
// Flags that are on unless a config says otherwise have their loud value here.
var refusedKeys = map[string]refusal{
	"activation_function":              {off: isString("silu", "swish"), reason: "only SiLU is supported for this family", fix: familyReads},
	"activation_sparsity_pattern":      {off: never, reason: "sparse activations are not supported", fix: altupFix},
	"add_cross_attention":              {off: isBool(false), reason: "cross attention is not supported", fix: encoderDecoder},
	"alibi":                            {off: isBool(false), reason: "ALiBi positions are not supported", fix: distanceBias},
	"altup_num_inputs":                 {off: never, reason: "alternating updates of several residual streams are not supported", fix: altupFix},
	"attention_bias":                   {off: isBool(false), reason: "attention biases are not supported for this family", fix: familyReads},
	"attention_chunk_size":             {off: never, reason: "chunked attention is not supported", fix: "support it: the Spec needs masks of chunks beside windows"},
	"attention_multiplier":             {off: never, reason: "another attention scale is not supported for this family", fix: familyReads},
	"attention_out_bias":               {off: isBool(false), reason: "attention biases are not supported for this family", fix: familyReads},
	"attention_sinks":                  {off: isBool(false), reason: "attention sinks are not supported for this family", fix: familyReads},
	"attn_layer_period":                {off: never, reason: "state-space layers are not supported", fix: stateSpaceFix},
	"attn_logit_softcapping":           {off: never, reason: "soft-capped attention scores are not supported for this family", fix: familyReads},
	"attn_type_list":                   {off: never, reason: "linear attention is not supported", fix: stateSpaceFix},
	"audio_config":                     {off: never, reason: "audio inputs are not supported", fix: textPart},
	"bias":                             {off: isBool(false), reason: "biases are not supported for this family", fix: familyReads},
	"block_configs":                    {off: never, reason: "layers of different shapes are not supported", fix: perLayerFix},
	"causal":                           {off: isBool(true), reason: "attention in both directions is not supported", fix: causalFix},
	"chunk_size_feed_forward":          {off: isNumber(0), reason: "chunked feed-forward layers are not supported", fix: "set it to 0: the model is the same"},
	"clip_qkv":                         {off: never, reason: "clipped queries, keys and values are not supported for this family", fix: familyReads},
	"compression_config":               {off: never, reason: "compressed checkpoints are not read", fix: unquantized, explain: quantized},
	"conv_L_cache":                     {off: never, reason: "convolutions are not supported", fix: stateSpaceFix},
	"conv_kernel":                      {off: never, reason: "convolutions are not supported", fix: stateSpaceFix},
	"cross_attention_layers":           {off: never, reason: "cross attention is not supported", fix: encoderDecoder},
	"dim_model_base":                   {off: never, reason: "scaled logits are not supported for this family", fix: familyReads},
	"dual_chunk_attention_config":      {off: never, reason: "dual chunk attention is not supported", fix: "leave it out and keep to the trained context, which it serves to exceed"},
	"embedding_multiplier":             {off: isNumber(1), reason: "scaled embeddings are not supported for this family", fix: familyReads},
	"ffn_multipliers":                  {off: never, reason: "layers of different shapes are not supported", fix: perLayerFix},
	"final_logit_softcapping":          {off: never, reason: "soft-capped logits are not supported for this family", fix: familyReads},
	"full_attention_interval":          {off: never, reason: "linear attention is not supported", fix: stateSpaceFix},
	"full_attn_idxs":                   {off: never, reason: "state-space layers are not supported", fix: stateSpaceFix},
	"gated_mlp":                        {off: isBool(true), reason: "an MLP without a gate is not supported for this family", fix: familyReads},
	"hidden_activation":                {off: isString("silu", "swish"), reason: "only SiLU is supported for this family", fix: familyReads},
	"hidden_size_per_layer_input":      {off: never, reason: "alternating updates of several residual streams are not supported", fix: altupFix},
	"hybrid_override_pattern":          {off: never, reason: "state-space layers are not supported", fix: stateSpaceFix},
	"index_head_dim":                   {off: never, reason: "sparse attention by an index is not supported", fix: "support it: the decoder needs the scores that choose which keys a query sees"},
	"index_n_heads":                    {off: never, reason: "sparse attention by an index is not supported", fix: "support it: the decoder needs the scores that choose which keys a query sees"},
	"index_topk":                       {off: never, reason: "sparse attention by an index is not supported", fix: "support it: the decoder needs the scores that choose which keys a query sees"},
	"is_causal":                        {off: isBool(true), reason: "attention in both directions is not supported", fix: causalFix},
	"is_encoder_decoder":               {off: isBool(false), reason: "encoder-decoder models are not supported", fix: encoderDecoder},
	"kv_lora_rank":                     {off: never, reason: "latent attention (MLA) is not supported for this family", fix: familyReads},
	"laurel_rank":                      {off: never, reason: "alternating updates of several residual streams are not supported", fix: altupFix},
	"layer_norm_eps":                   {off: never, reason: "LayerNorm is not supported for this family", fix: familyReads},
	"layer_types":                      {off: allFull, reason: "only full attention is supported for this family", fix: familyReads},
	"layers_block_type":                {off: never, reason: "state-space layers are not supported", fix: stateSpaceFix},
	"linear_attn_config":               {off: never, reason: "linear attention is not supported", fix: stateSpaceFix},
	"linear_num_key_heads":             {off: never, reason: "linear attention is not supported", fix: stateSpaceFix},
	"linear_num_value_heads":           {off: never, reason: "linear attention is not supported", fix: stateSpaceFix},
	"logit_scale":                      {off: isNumber(1), reason: "scaled logits are not supported for this family", fix: familyReads},
	"logits_scaling":                   {off: isNumber(1), reason: "scaled logits are not supported for this family", fix: familyReads},
	"mamba_d_state":                    {off: never, reason: "state-space layers are not supported", fix: stateSpaceFix},
	"mamba_expand":                     {off: never, reason: "state-space layers are not supported", fix: stateSpaceFix},
	"mamba_n_heads":                    {off: never, reason: "state-space layers are not supported", fix: stateSpaceFix},
	"mamba_num_heads":                  {off: never, reason: "state-space layers are not supported", fix: stateSpaceFix},
	"mlp_bias":                         {off: isBool(false), reason: "MLP biases are not supported for this family", fix: familyReads},
	"moe_intermediate_size":            {off: isNumber(0), reason: "mixture of experts is not supported for this family", fix: familyReads},
	"mrope_section":                    {off: never, reason: "multi-dimensional rotary positions are not supported", fix: mropeFix},
	"multi_query":                      {off: isBool(false), reason: "keys and values shared by all heads in this form are not supported for this family", fix: familyReads},
	"n_routed_experts":                 {off: isNumber(0), reason: "mixture of experts is not supported for this family", fix: familyReads},
	"no_rope_layer_interval":           {off: isNumber(0), reason: "layers without rotary positions are not supported for this family", fix: familyReads},
	"no_rope_layers":                   {off: never, reason: "layers without rotary positions are not supported for this family", fix: familyReads},
	"norm_type":                        {off: isString("rms_norm", "rmsnorm", "RMSNorm"), reason: "only RMSNorm is supported for this family", fix: familyReads},
	"num_experts":                      {off: isNumber(0), reason: "mixture of experts is not supported for this family", fix: familyReads},
	"num_kv_shared_layers":             {off: isNumber(0), reason: "layers that share keys and values are not supported", fix: "support it: the graphs need caches that several layers read"},
	"num_local_experts":                {off: isNumber(0), reason: "mixture of experts is not supported for this family", fix: familyReads},
	"num_nextn_predict_layers":         {off: isNumber(0), reason: "the heads for multi-token prediction are not known for this family", fix: familyReads},
	"num_query_heads":                  {off: never, reason: "layers of different shapes are not supported", fix: perLayerFix},
	"original_max_position_embeddings": {off: never, reason: "only read together with a rotary scaling", fix: "give rope_scaling as well, or leave it out"},
	"parallel_attn":                    {off: isBool(false), reason: "parallel attention and MLP are not supported for this family", fix: familyReads},
	"partial_rotary_factor":            {off: isNumber(1), reason: "rotating a part of each head is not supported for this family", fix: familyReads},
	"pe_type":                          {off: isString("rope", "ROPE", "rotary"), reason: "only rotary positions are supported", fix: "support it: the decoder needs this kind of positions, as a table or as a bias on the scores"},
	"per_layer_config":                 {off: func(v *strictjson.Value) bool { return len(v.Keys) == 0 }, reason: "layers of different shapes are not supported", fix: perLayerFix},
	"position_embedding_type":          {off: isString("rope", "rotary"), reason: "only rotary positions are supported", fix: "support it: the decoder needs this kind of positions, as a table or as a bias on the scores"},
	"pretraining_tp":                   {off: isNumber(1), reason: "sliced linear layers of pretraining_tp add in another order", fix: "set it to 1: the model is the same, and only the order of its sums differs"},
	"q_lora_rank":                      {off: never, reason: "latent attention (MLA) is not supported for this family", fix: familyReads},
	"qk_layernorm":                     {off: isBool(false), reason: "normalized queries and keys are not supported for this family", fix: familyReads},
	"qk_norm":                          {off: isBool(false), reason: "normalized queries and keys are not supported for this family", fix: familyReads},
	"qkv_bias":                         {off: isBool(false), reason: "attention biases are not supported for this family", fix: familyReads},
	"qkv_multipliers":                  {off: never, reason: "layers of different shapes are not supported", fix: perLayerFix},
	"quantization":                     {off: never, reason: "quantized checkpoints are not read", fix: unquantized, explain: quantized},
	"quantization_config":              {off: never, reason: "quantized checkpoints are not read", fix: unquantized, explain: quantized},
	"query_pre_attn_scalar":            {off: never, reason: "another attention scale is not supported for this family", fix: familyReads},
	"residual_multiplier":              {off: isNumber(1), reason: "scaled residuals are not supported for this family", fix: familyReads},
	"rms_norm":                         {off: isBool(true), reason: "only RMSNorm is supported for this family", fix: familyReads},
	"rope":                             {off: isBool(true), reason: "models without rotary positions are not supported", fix: familyReads},
	"rope_interleave":                  {off: isBool(false), reason: "interleaved rotary pairs are not supported for this family", fix: familyReads},
	"rope_interleaved":                 {off: isBool(false), reason: "interleaved rotary pairs are not supported for this family", fix: familyReads},
	"rope_local_base_freq":             {off: never, reason: "a second rotary base for local layers is not supported for this family", fix: familyReads},
	"rotary_pct":                       {off: isNumber(1), reason: "rotating a part of each head is not supported for this family", fix: familyReads},
	"scale_attn_by_inverse_layer_idx":  {off: isBool(false), reason: "attention scaled by the layer number is not supported", fix: "support it: the Spec needs an attention scale per layer"},
	"scale_attn_weights":               {off: isBool(true), reason: "unscaled attention is not supported", fix: familyReads},
	"scale_depth":                      {off: never, reason: "scaled residuals are not supported for this family", fix: familyReads},
	"scale_emb":                        {off: isNumber(1), reason: "scaled embeddings are not supported for this family", fix: familyReads},
	"skip_word_embedding":              {off: isBool(false), reason: "models without an embedding are not supported", fix: "take a model with an embedding"},
	"sliding_window_pattern":           {off: isNumber(0), reason: "alternating windows are not supported for this family", fix: familyReads},
	"ssm_cfg":                          {off: never, reason: "state-space layers are not supported", fix: stateSpaceFix},
	"ssm_state_dim":                    {off: never, reason: "state-space layers are not supported", fix: stateSpaceFix},
	"ssm_state_size":                   {off: never, reason: "state-space layers are not supported", fix: stateSpaceFix},
	"text_config":                      {off: never, reason: "nested model configurations are not supported", fix: textPart},
	"time_step_rank":                   {off: never, reason: "state-space layers are not supported", fix: stateSpaceFix},
	"use_bias":                         {off: isBool(false), reason: "biases are not supported for this family", fix: familyReads},
	"use_causal_mask":                  {off: isBool(true), reason: "attention in both directions is not supported", fix: causalFix},
	"use_diff_attn":                    {off: isBool(false), reason: "differential attention is not supported", fix: "support it: the decoder needs the difference of two softmaxes"},
	"use_gated_mlp":                    {off: isBool(true), reason: "an MLP without a gate is not supported for this family", fix: familyReads},
	"use_glu":                          {off: isBool(true), reason: "an MLP without a gate is not supported for this family", fix: familyReads},
	"use_mrope":                        {off: isBool(false), reason: "multi-dimensional rotary positions are not supported", fix: mropeFix},
	"use_parallel_residual":            {off: isBool(false), reason: "parallel attention and MLP are not supported for this family", fix: familyReads},
	"use_qk_norm":                      {off: isBool(false), reason: "normalized queries and keys are not supported for this family", fix: familyReads},
	"use_qkv_bias":                     {off: isBool(false), reason: "attention biases are not supported for this family", fix: familyReads},
	"use_rms_norm":                     {off: isBool(true), reason: "only RMSNorm is supported for this family", fix: familyReads},
	"use_rmsnorm":                      {off: isBool(true), reason: "only RMSNorm is supported for this family", fix: familyReads},
	"use_rope":                         {off: isBool(true), reason: "models without rotary positions are not supported", fix: familyReads},
	"use_rotary":                       {off: isBool(true), reason: "models without rotary positions are not supported", fix: familyReads},
	"use_sliding_window":               {off: isBool(false), reason: "sliding windows are not supported for this family", fix: familyReads},
	"vision_config":                    {off: never, reason: "vision inputs are not supported", fix: textPart},
}

// quantizations says what reading each kind of quantized checkpoint would take.
var quantizations = map[string]string{
	"aqlm":               "its codebooks and their sums",
	"auto-round":         "its packing, which is that of GPTQ or AWQ",
	"bitnet":             "its packing of ternary weights and the rounding of activations",
	"bitsandbytes":       "its table of 4-bit numbers or its 8-bit rows with outliers, in blocks with nested scales",
	"compressed-tensors": "its packed integers, scales and zero points in the format that the config names",
	"eetq":               "8-bit rows with their scales",
	"exl2":               "its mixture of bit widths within a matrix",
	"fbgemm_fp8":         "8-bit floats with a scale per row",
	"fp8":                "8-bit floats with a scale per block",
	"fp_quant":           "its rotated 4-bit floats",
	"higgs":              "its rotated codebooks",
	"hqq":                "its groups with scales and zero points in their own tensors",
	"modelopt":           "8-bit or 4-bit floats with their scales",
	"mxfp4":              "4-bit floats that share an exponent, which is done for GPT-OSS only",
	"quanto":             "its packed integers with scales",
	"quark":              "the format that its config names",
	"spqr":               "its two-level scales and sparse outliers",
	"torchao":            "the layout that its config names",
	"vptq":               "its vector codebooks",
}

// quantized explains quantization_config by its quant_method.
func quantized(v *strictjson.Value) string {
	method := v.Get("quant_method")
	if method == nil || method.Kind != strictjson.String {
		return "quantized checkpoints are not read"
	}
	name := clip(method.Text)
	if needs := quantizations[name]; needs != "" {
		return fmt.Sprintf("weights quantized by %s are not read: that takes %s", name, needs)
	}
	return fmt.Sprintf("weights quantized by %q are not read", name)
}

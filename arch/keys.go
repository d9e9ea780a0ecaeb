package arch

import (
	"fmt"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/strictjson"
)

// The rule for keys of config.json that the family did not read:
//
//  1. A key with a known meaning that changes the maths is refused by name with
//     the reason, unless it has the value that switches it off (refusedKeys).
//  2. A key with a known meaning that cannot change the forward pass passes:
//     training, tokenizer, bookkeeping (harmlessKeys, harmlessAffixes, and names
//     that start with '_').
//  3. A value that says nothing passes: null, false, "", [], {}. Flags that are on
//     by default are in refusedKeys, where false is not neutral.
//  4. Free text passes if its key has no word of the model's vocabulary in it: a
//     string can select a formula, but then its key says of what (norm_type,
//     hidden_act, position_embedding_type).
//  5. Everything else is refused: a number, true, a list or an object under an
//     unknown name may change the results, and ignoring it would give wrong ones
//     silently.

// harmlessKeys cannot change what the model computes for given tokens.
var harmlessKeys = keySet(`
architectures attn_implementation auto_map bad_words_ids base_model base_model_name begin_suppress_tokens bos_token bos_token_id
chat_template classifier_dropout cross_attention_hidden_size cache_implementation custom_pipelines decoder_start_token_id
description diversity_penalty do_sample dtype early_stopping embd_pdrop encoder_no_repeat_ngram_size
eos_token eos_token_id exponential_decay_length_penalty finetuning_task flash_attn forced_bos_token_id
forced_eos_token_id gradient_checkpointing gradient_checkpointing_kwargs id2label ignore_index
initializer_range is_decoder keys_to_ignore_at_inference label2id language languages length_penalty license
max_length max_new_tokens max_seq_len max_seq_length max_sequence_length metadata min_length model_max_length model_type
model_version name_or_path no_repeat_ngram_size num_beam_groups num_beams num_labels num_return_sequences output_attentions
output_hidden_states output_past output_router_logits output_scores pad_token pad_token_id prefix
problem_type pruned_heads quantized_by remove_invalid_values repetition_penalty return_dict
return_dict_in_generate router_aux_loss_coef seq_length seed sep_token_id summary_activation suppress_tokens
tags task_specific_params temperature tf_legacy_loss tie_encoder_decoder tokenizer_class tokenizer_file
tokenizer_model_max_length top_k top_p torch_dtype torchscript training_args transformers.js_config
transformers_version typical_p unk_token_id unsloth_fixed unsloth_version use_bfloat16 use_cache
use_flash_attention use_flash_attention_2 use_flash_attn use_fused_rms_norm use_gradient_checkpointing
use_liger_kernel use_return_dict use_sdpa_attention use_xformers vocab_file z_loss
is_llama_config freq_penalty presence_penalty label_smoothing use_fast_tokenizer
`)

// harmlessAffixes are beginnings and ends of such names.
var harmlessAffixes = struct{ prefixes, suffixes []string }{
	prefixes: []string{"_", "initializer_", "init_", "training_", "train_", "tokenizer_", "unsloth_", "loss_", "mtp_loss_", "ntp_loss_"},
	suffixes: []string{"_token_id", "_token_ids", "_token", "_token_index", "_dropout", "_dropout_prob", "_dropout_rate", "_pdrop",
		"_loss", "_loss_weight", "_loss_weights", "_loss_coef", "_loss_step_weights", "_version", "_commit", "_commit_hash",
		"_license", "_url", "_author", "_date", "_std"},
}

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

type refusal struct {
	off    neutral // besides null, which always is
	reason string
}

// refusedKeys have a known meaning that the family at hand does not implement.
var refusedKeys = map[string]refusal{
	"quantization_config":             {never, "quantized checkpoints are not read; take the version in bf16, f16 or f32"},
	"compression_config":              {never, "compressed checkpoints are not read; take the version in bf16, f16 or f32"},
	"quantization":                    {never, "quantized checkpoints are not read; take the version in bf16, f16 or f32"},
	"pretraining_tp":                  {isNumber(1), "sliced linear layers of pretraining_tp add in another order; set it to 1"},
	"is_encoder_decoder":              {isBool(false), "encoder-decoder models are not supported"},
	"add_cross_attention":             {isBool(false), "cross attention is not supported"},
	"vision_config":                   {never, "vision inputs are not supported"},
	"audio_config":                    {never, "audio inputs are not supported"},
	"text_config":                     {never, "nested model configurations are not supported"},
	"num_experts":                     {isNumber(0), "mixture of experts is not supported for this family"},
	"num_local_experts":               {isNumber(0), "mixture of experts is not supported for this family"},
	"n_routed_experts":                {isNumber(0), "mixture of experts is not supported for this family"},
	"moe_intermediate_size":           {isNumber(0), "mixture of experts is not supported for this family"},
	"rope_interleaved":                {isBool(false), "interleaved rotary pairs are not supported for this family"},
	"rope_interleave":                 {isBool(false), "interleaved rotary pairs are not supported for this family"},
	"no_rope_layers":                  {never, "layers without rotary positions are not supported for this family"},
	"no_rope_layer_interval":          {isNumber(0), "layers without rotary positions are not supported for this family"},
	"position_embedding_type":         {isString("rope", "rotary"), "only rotary positions are supported"},
	"pe_type":                         {isString("rope", "ROPE", "rotary"), "only rotary positions are supported"},
	"alibi":                           {isBool(false), "ALiBi positions are not supported"},
	"partial_rotary_factor":           {isNumber(1), "rotating a part of each head is not supported for this family"},
	"rotary_pct":                      {isNumber(1), "rotating a part of each head is not supported for this family"},
	"rope_local_base_freq":            {never, "a second rotary base for local layers is not supported for this family"},
	"attn_logit_softcapping":          {never, "soft-capped attention scores are not supported for this family"},
	"final_logit_softcapping":         {never, "soft-capped logits are not supported for this family"},
	"query_pre_attn_scalar":           {never, "another attention scale is not supported for this family"},
	"attention_multiplier":            {never, "another attention scale is not supported for this family"},
	"scale_attn_weights":              {isBool(true), "unscaled attention is not supported"},
	"scale_attn_by_inverse_layer_idx": {isBool(false), "attention scaled by the layer number is not supported"},
	"embedding_multiplier":            {isNumber(1), "scaled embeddings are not supported for this family"},
	"scale_emb":                       {isNumber(1), "scaled embeddings are not supported for this family"},
	"residual_multiplier":             {isNumber(1), "scaled residuals are not supported for this family"},
	"scale_depth":                     {never, "scaled residuals are not supported for this family"},
	"dim_model_base":                  {never, "scaled logits are not supported for this family"},
	"logits_scaling":                  {isNumber(1), "scaled logits are not supported for this family"},
	"logit_scale":                     {isNumber(1), "scaled logits are not supported for this family"},
	"use_qk_norm":                     {isBool(false), "normalized queries and keys are not supported for this family"},
	"qk_norm":                         {isBool(false), "normalized queries and keys are not supported for this family"},
	"qk_layernorm":                    {isBool(false), "normalized queries and keys are not supported for this family"},
	"use_parallel_residual":           {isBool(false), "parallel attention and MLP are not supported for this family"},
	"parallel_attn":                   {isBool(false), "parallel attention and MLP are not supported for this family"},
	"clip_qkv":                        {never, "clipped queries, keys and values are not supported for this family"},
	"sliding_window_pattern":          {isNumber(0), "alternating windows are not supported for this family"},
	"attention_chunk_size":            {never, "chunked attention is not supported"},
	"dual_chunk_attention_config":     {never, "dual chunk attention is not supported"},
	"layer_norm_eps":                  {never, "LayerNorm is not supported for this family"},
	"norm_type":                       {isString("rms_norm", "rmsnorm", "RMSNorm"), "only RMSNorm is supported for this family"},
	"hidden_activation":               {isString("silu", "swish"), "only SiLU is supported for this family"},
	"activation_function":             {isString("silu", "swish"), "only SiLU is supported for this family"},
	"use_mrope":                       {isBool(false), "multi-dimensional rotary positions are not supported"},
	"mrope_section":                   {never, "multi-dimensional rotary positions are not supported"},
	"num_kv_shared_layers":            {isNumber(0), "layers that share keys and values are not supported"},
	// Flags that are on unless a config says otherwise: here false is the loud value.
	"is_causal":                        {isBool(true), "attention in both directions is not supported"},
	"causal":                           {isBool(true), "attention in both directions is not supported"},
	"use_causal_mask":                  {isBool(true), "attention in both directions is not supported"},
	"use_rope":                         {isBool(true), "models without rotary positions are not supported"},
	"use_rotary":                       {isBool(true), "models without rotary positions are not supported"},
	"rope":                             {isBool(true), "models without rotary positions are not supported"},
	"rms_norm":                         {isBool(true), "only RMSNorm is supported for this family"},
	"use_rms_norm":                     {isBool(true), "only RMSNorm is supported for this family"},
	"use_rmsnorm":                      {isBool(true), "only RMSNorm is supported for this family"},
	"gated_mlp":                        {isBool(true), "an MLP without a gate is not supported for this family"},
	"use_gated_mlp":                    {isBool(true), "an MLP without a gate is not supported for this family"},
	"use_glu":                          {isBool(true), "an MLP without a gate is not supported for this family"},
	"ssm_cfg":                          {never, "state-space layers are not supported"},
	"mamba_d_state":                    {never, "state-space layers are not supported"},
	"q_lora_rank":                      {never, "latent attention (MLA) is not supported for this family"},
	"kv_lora_rank":                     {never, "latent attention (MLA) is not supported for this family"},
	"attention_sinks":                  {isBool(false), "attention sinks are not supported for this family"},
	"per_layer_config":                 {func(v *strictjson.Value) bool { return len(v.Keys) == 0 }, "layers of different shapes are not supported"},
	"skip_word_embedding":              {isBool(false), "models without an embedding are not supported"},
	"original_max_position_embeddings": {never, "only read together with a rotary scaling"},
	"chunk_size_feed_forward":          {isNumber(0), "chunked feed-forward layers are not supported"},
	"layer_types":                      {allFull, "only full attention is supported for this family"},
	"use_sliding_window":               {isBool(false), "sliding windows are not supported for this family"},
	"attention_bias":                   {isBool(false), "attention biases are not supported for this family"},
	"attention_out_bias":               {isBool(false), "attention biases are not supported for this family"},
	"qkv_bias":                         {isBool(false), "attention biases are not supported for this family"},
	"use_qkv_bias":                     {isBool(false), "attention biases are not supported for this family"},
	"mlp_bias":                         {isBool(false), "MLP biases are not supported for this family"},
	"bias":                             {isBool(false), "biases are not supported for this family"},
	"use_bias":                         {isBool(false), "biases are not supported for this family"},
	"num_nextn_predict_layers":         {isNumber(0), "the heads for multi-token prediction are not known for this family"},
}

func allFull(v *strictjson.Value) bool {
	for _, e := range v.Elements {
		if e.Kind != strictjson.String || e.Text != "full_attention" {
			return false
		}
	}
	return v.Kind == strictjson.Array
}

// vocabulary holds the words in the names of keys that say what a model
// computes; compared with the parts of a key between '_', '-' and '.'.
var vocabulary = keySet(`
act activation alibi alpha attention attn base beta bias block cache cap causal chunk cla clip conv cross decoder
dense depth dim dt emb embed embedding embeddings encoder eps epsilon expert experts factor ffn freq frequency gamma gate
gated gating global group groups head heads hidden hybrid implementation interleaved kernel key kv latent layer layers
layout linear local logit logits lora mamba mask mixer mla mlp moe mode mrope mtp multiplier norm normalization
normalize norms order parallel pattern pe pos position positional positions pre post projection q qk qkv quant
quantization query rank recurrent residual rms rope rotary router routing scale scaling score shared sink sinks
skip sliding softcap softmax sparse ssm state temperature theta tie tied topk type types v value variant window
width yarn
`)

func keySet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// Finish refuses keys that nobody read and that may change the maths, the first
// one in the order of the file, and returns the first error of all.
func (c *Config) Finish() error {
	if c.text != nil {
		c.text.Finish() // its errors are those of c
	}
	for _, key := range c.root.Keys {
		if c.used[key] {
			continue
		}
		v := c.root.Get(key)
		if why := refuseKey(key, v); why != "" {
			code := "config_unsupported"
			if _, known := refusedKeys[key]; !known {
				code = "config_unknown_key"
			}
			c.fail(key, diag.Unsupported, code, why, "", v.String())
		}
	}
	return c.err
}

// refuseKey returns why an unread key must be refused, "" if it may pass.
func refuseKey(key string, v *strictjson.Value) string {
	if r, ok := refusedKeys[key]; ok {
		if v.Kind == strictjson.Null || r.off(v) {
			return ""
		}
		return r.reason
	}
	if harmlessKeys[key] || v.IsEmpty() {
		return ""
	}
	for _, p := range harmlessAffixes.prefixes {
		if strings.HasPrefix(key, p) {
			return ""
		}
	}
	for _, s := range harmlessAffixes.suffixes {
		if strings.HasSuffix(key, s) {
			return ""
		}
	}
	if v.Kind == strictjson.String && !hasModelWord(key) {
		return ""
	}
	return fmt.Sprintf("unknown key may change the results; remove it if it does not matter, or report it (value: %s)", v.Kind)
}

func hasModelWord(key string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(key), func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		if vocabulary[word] {
			return true
		}
	}
	return false
}

// refusedFamilies says of model types that users may try why we do not take
// them; for others the list of the supported ones has to do.
var refusedFamilies = map[string]string{
	"mistral3":        "a vision-language model; its text part is not read yet",
	"llava":           "a vision-language model",
	"qwen2_vl":        "a vision-language model",
	"qwen2_5_vl":      "a vision-language model",
	"qwen3_vl":        "a vision-language model",
	"mllama":          "a vision-language model",
	"t5":              "an encoder-decoder model",
	"bart":            "an encoder-decoder model",
	"whisper":         "an encoder-decoder model for speech",
	"bert":            "an encoder without text generation",
	"roberta":         "an encoder without text generation",
	"mamba":           "a state-space model",
	"mamba2":          "a state-space model",
	"jamba":           "a hybrid of attention and state-space layers",
	"falcon_h1":       "a hybrid of attention and state-space layers",
	"qwen3_next":      "a hybrid of full and linear attention",
	"rwkv":            "a recurrent model",
	"recurrent_gemma": "a recurrent model",
}

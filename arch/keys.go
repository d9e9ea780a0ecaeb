package arch

import (
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
is_composition is_llama_config freq_penalty presence_penalty label_smoothing use_fast_tokenizer
`)

// harmlessAffixes are beginnings and ends of such names.
var harmlessAffixes = struct{ prefixes, suffixes []string }{
	prefixes: []string{"_", "initializer_", "init_", "training_", "train_", "tokenizer_", "unsloth_", "loss_", "mtp_loss_", "ntp_loss_"},
	suffixes: []string{"_token_id", "_token_ids", "_token", "_token_index", "_dropout", "_dropout_prob", "_dropout_rate", "_pdrop",
		"_loss", "_loss_weight", "_loss_weights", "_loss_coef", "_loss_step_weights", "_version", "_commit", "_commit_hash",
		"_license", "_url", "_author", "_date", "_std"},
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
		if r := refuseKey(key, v); r != nil {
			r.Kind, r.Found = diag.Unsupported, v.String()
			c.report(key, r)
		}
	}
	return c.err
}

// refuseKey says why an unread key must be refused, nil if it may pass.
func refuseKey(key string, v *strictjson.Value) *diag.Error {
	if r, ok := refusedKeys[key]; ok {
		if v.Kind == strictjson.Null || r.off(v) {
			return nil
		}
		e := &diag.Error{Code: "config_unsupported", Message: r.reason, Fix: r.fix}
		if r.explain != nil {
			e.Message = r.explain(v)
		}
		return e
	}
	if harmlessKeys[key] || v.IsEmpty() {
		return nil
	}
	for _, p := range harmlessAffixes.prefixes {
		if strings.HasPrefix(key, p) {
			return nil
		}
	}
	for _, s := range harmlessAffixes.suffixes {
		if strings.HasSuffix(key, s) && !strings.HasSuffix(key, "_per_token") { // experts_per_token is no token
			return nil
		}
	}
	if v.Kind == strictjson.String && !hasModelWord(key) {
		return nil
	}
	return &diag.Error{Code: "config_unknown_key", Message: "unknown key may change the results",
		Fix: "remove it if it does not matter; if it does, the family must read it (docs/adding-a-family.md)"}
}

func hasModelWord(key string) bool {
	for _, word := range strings.FieldsFunc(strings.ToLower(key), func(r rune) bool { return r == '_' || r == '-' || r == '.' }) {
		if vocabulary[word] {
			return true
		}
	}
	return false
}

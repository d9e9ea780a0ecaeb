package arch

import "strings"

// refusedModels lists model types that users may try and that we do not take,
// with what they are and what support would need. A registered family wins.
var refusedModels = []struct{ types, what, needs string }{
	{`aya_vision blip-2 chameleon cohere2_vision deepseek_vl deepseek_vl_v2 emu3 ernie4_5_moe_vl ernie4_5_vl fuyu glm4v glm4v_moe
		got_ocr2 idefics idefics2 idefics3 instructblip internvl internvl_chat janus kimi_vl kosmos-2 lfm2_vl llama4
		llava_next llava_next_video llava_onevision llava_qwen2 minicpmo minicpmv mllama molmo ovis paligemma
		perception_lm phi3_v phi4_multimodal phi4mm pixtral qwen2_5_omni qwen2_5_vl qwen2_vl qwen3_5 qwen3_5_moe qwen3_omni_moe qwen3_vl
		qwen3_vl_moe smolvlm video_llava vipllava`,
		"a vision-language model", "the vision encoder, its projection and its tokens; take a checkpoint of the text part alone, if there is one"},
	{`csm dia granite_speech kyutai_speech_to_text moshi musicgen qwen2_audio ultravox voxtral bark`,
		"a model with audio inputs or outputs", "the audio encoder or decoder and its tokens"},
	{`bart bigbird_pegasus blenderbot blenderbot-small encoder-decoder florence2 fsmt led longt5 m2m_100 marian mbart mt5 nllb-moe pegasus
		pegasus_x plbart prophetnet switch_transformers t5 t5gemma umt5`,
		"an encoder-decoder model", "the encoder's graph and attention to its output"},
	{`moonshine pix2struct seamless_m4t seamless_m4t_v2 speech_to_text udop vision-encoder-decoder whisper`,
		"an encoder-decoder model for speech or images", "the encoder's graph and attention to its output"},
	{`albert bert camembert clip deberta deberta-v2 distilbert electra esm eurobert modernbert mpnet nomic_bert roberta siglip vit
		xlm-roberta xlnet`,
		"an encoder without text generation", "another kind of graph: this program generates text"},
	{`dream llada`, "a diffusion model, which writes its text in any order", "another kind of graph and of decoding"},
	{`falcon_mamba mamba mamba2`, "a state-space model", "a recurrent state in place of the KV cache, and its scan over a prompt"},
	{`bamba falcon_h1 granitemoehybrid hymba jamba nemotron_h plamo2 zamba zamba2`,
		"a hybrid of attention and state-space layers", "a recurrent state beside the KV cache, and its scan over a prompt"},
	{`bailing_moe_linear kimi_linear lfm2 lfm2_moe minimax minimax_m1 minimax_text_01 olmo_hybrid qwen3_next`,
		"a hybrid of attention and linear attention or convolutions", "a recurrent state beside the KV cache, and its scan over a prompt"},
	{`recurrent_gemma retnet rwkv rwkv5 rwkv6 rwkv7 xlstm`, "a recurrent model", "a recurrent state in place of the KV cache"},
	{`bloom mpt`, "a model with ALiBi positions", "a bias on the attention scores that grows with the distance"},
	{`falcon RefinedWeb RefinedWebModel`, "a model with RoPE or ALiBi, as its config says, and fused projections in several orders",
		"ALiBi for some checkpoints; for the others a family file with their order of rows"},
	{`gemma3n gemma3n_text`, "a model with several residual streams and an embedding per layer", "these parts of the decoder, and layers that share keys and values"},
	{`phimoe`, "a mixture of experts routed by SparseMixer", "its router, which masks by relative distance and chooses twice"},
	{`llama4_text`, "a mixture of experts with attention in chunks", "masks of chunks, and the temperature of its layers without RoPE"},
	{`deepseek_v32 glm_moe_dsa`, "a model with sparse attention", "the scores that choose which keys a query sees"},
	{`deci nemotron-nas openelm`, "a model whose layers have different shapes", "shapes per layer in the Spec"},
	{`diffllama`, "a model with differential attention", "the difference of two softmaxes"},
	{`baichuan_m1`, "a model that convolves keys and values over two positions, and whose layers with a window have other numbers of heads",
		"the key and value before each step in the cache, and numbers of heads per layer in the Spec"},
	{`longcat_flash`, "a mixture with two attentions per layer and experts that do nothing", "both in the decoder"},
	{`bitnet`, "a model with ternary weights and rounded activations", "its layers, in which a norm comes before each projection, and its rounding"},
	{`blt`, "a model of bytes in patches", "its encoder and decoder of patches"},
	{`gptj codegen gpt_bigcode opt xglm biogpt persimmon gpt_neo openai-gpt ctrl dbrx jetmoe arctic grok-1 dots1 bailing_moe minimax_m2 afmoe flex_olmo
		granitemoeshared hunyuan_v1_moe deepseek exaone_moe smallthinker doge vaultgemma cwm baichuan solar
		internlm xverse aquila qwen orion yi decilm chatglm telechat`,
		"a decoder that nobody has described to this program yet", "a family file, and a tiny checkpoint with results of the original to prove it (docs/adding-a-family.md)"},
}

// RefusedModel says what a model type that we do not take is and what support
// would need, "" if it is not known.
func RefusedModel(modelType string) (what, needs string) {
	for _, r := range refusedModels {
		for _, name := range strings.Fields(r.types) {
			if name == modelType {
				return r.what, r.needs
			}
		}
	}
	return "", ""
}

// otherHeads explains model classes by the end of their name.
var otherHeads = []struct{ suffix, what string }{
	{"ForSequenceClassification", "its head gives scores for classes and not for tokens"},
	{"ForTokenClassification", "its head gives scores for classes and not for tokens"},
	{"ForQuestionAnswering", "its head marks answers in a text"},
	{"ForMaskedLM", "it fills gaps and sees both sides of them"},
	{"ForRewardModel", "its head gives one score"},
	{"RewardModel", "its head gives one score"},
	{"ForConditionalGeneration", "it has an encoder, or inputs other than text"},
	{"ForImageTextToText", "it has inputs other than text"},
	{"ForEmbedding", "it gives one vector for a text"},
	{"Model", "it has no head: it gives vectors and not scores for tokens"},
}

func otherHead(class string) string {
	for _, h := range otherHeads {
		if strings.HasSuffix(class, h.suffix) {
			return ": " + h.what
		}
	}
	return ""
}

// RefusedModels lists the model types that are known and not supported.
func RefusedModels() []string {
	var types []string
	for _, r := range refusedModels {
		types = append(types, strings.Fields(r.types)...)
	}
	return types
}

package families

import "github.com/hlocc/hlocc/arch"

func init() {
	for _, f := range []arch.Family{
		apertus,
		arcee,
		cohere,
		cohere2,
		deepseekV2,
		deepseekV3,
		ernie4_5,
		exaone,
		exaone4,
		gemma,
		gemma2,
		gemma3Text,
		gemma3Vision,
		glm,
		glm4,
		gpt2,
		gptNeoX,
		granite,
		helium,
		hunyuan,
		internlm2,
		internlm3,
		kimiK2,
		llama,
		llava,
		mimo,
		minicpm,
		minicpm3,
		ministral3,
		mistral,
		mistral3,
		nemotron,
		olmo,
		olmo2,
		olmo3,
		phi,
		phi3,
		qwen2,
		qwen3,
		seedOSS,
		smollm3,
		stablelm,
		starcoder2,
		youtu,
	} {
		arch.Register(f)
	}
}

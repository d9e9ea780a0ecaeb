package families

import "github.com/hlocc/hlocc/arch"

func init() {
	for _, f := range []arch.Family{
		cohere,
		cohere2,
		ernie4_5,
		glm,
		glm4,
		granite,
		hunyuan,
		internlm3,
		llama,
		mimo,
		ministral3,
		mistral,
		qwen2,
		stablelm,
		starcoder2,
	} {
		arch.Register(f)
	}
}

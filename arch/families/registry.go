package families

import "github.com/hlocc/hlocc/arch"

func init() {
	for _, f := range []arch.Family{
		internlm3,
		llama,
		mimo,
		ministral3,
		mistral,
		qwen2,
	} {
		arch.Register(f)
	}
}

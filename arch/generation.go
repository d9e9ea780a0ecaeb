package arch

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
)

// GenerationName is the optional file with the author's defaults for decoding.
const GenerationName = "generation_config.json"

// Generation holds what a checkpoint says about decoding.
type Generation struct {
	BOS      []int    `json:"bos_token_ids"` // none, one, rarely more
	EOS      []int    `json:"eos_token_ids"` // generation stops at any of them
	Sampling Sampling `json:"sampling"`
}

// Sampling is the author's default way to pick a token. Zero values are off.
type Sampling struct {
	// Sample false means greedy, whatever the other fields say.
	Sample            bool    `json:"sample"`
	Temperature       float64 `json:"temperature"`
	TopK              int     `json:"top_k"`
	TopP              float64 `json:"top_p"`
	MinP              float64 `json:"min_p"`
	RepetitionPenalty float64 `json:"repetition_penalty"`
}

// readGeneration merges dir/generation_config.json, if it is there, over the
// token ids of config.json. Other keys of the file concern decoding methods that
// are chosen at run time, so unknown ones do not matter.
func readGeneration(dir string, c *Config, vocab int) (Generation, error) {
	tokens := func(key string) []int {
		if !c.Has(key) {
			return c.Text().tokens(key, vocab)
		}
		return c.tokens(key, vocab)
	}
	g := Generation{BOS: tokens("bos_token_id"), EOS: tokens("eos_token_id")}
	if c.err != nil {
		return g, c.err
	}
	path := filepath.Join(dir, GenerationName)
	text, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		g.Sampling = Sampling{Temperature: 1, TopP: 1, RepetitionPenalty: 1}
		return g, nil
	}
	if err != nil {
		return g, err
	}
	return mergeGeneration(g, path, text, vocab)
}

func mergeGeneration(g Generation, path string, text []byte, vocab int) (Generation, error) {
	root, err := parseObject(path, text)
	if err != nil {
		return g, err
	}
	f := &Config{File: path, root: root, used: map[string]bool{}}
	if ids := f.tokens("bos_token_id", vocab); ids != nil {
		g.BOS = ids
	}
	if ids := f.tokens("eos_token_id", vocab); ids != nil {
		g.EOS = ids
	}
	s := Sampling{
		Sample:            f.Bool("do_sample", false),
		Temperature:       f.Float("temperature", 1, 0, 1e6),
		TopP:              f.Float("top_p", 1, 0, 1),
		MinP:              f.Float("min_p", 0, 0, 1),
		RepetitionPenalty: f.Float("repetition_penalty", 1, 1e-6, 1e6),
	}
	topK := 0
	if s.Sample {
		topK = 50 // Hugging Face's default once sampling is on
	}
	s.TopK = f.Int("top_k", topK, 0, math.MaxInt32)
	g.Sampling = s
	return g, f.err
}

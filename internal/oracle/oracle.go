// Package oracle reads the expected results that a model is judged by, and
// judges. There are two formats:
//
//   - full: the logits at every position of the prompt and the greedy ids (the
//     fixtures; greedy ignores end-of-sequence);
//   - top: the ids that greedy decoding gives, with the five largest logits of
//     each step (real models, whose vocabularies are large).
package oracle

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/hlocc/hlocc/internal/diag"
)

// TopTolerance is the largest difference of a logit in the top format.
const TopTolerance = 1e-3

const maxFile = 256 << 20

// Oracle is a set of cases for one model.
type Oracle struct {
	Name  string
	Cases []Case
}

// Case is one prompt with what must come out. Either Logits or Top is set.
type Case struct {
	Name   string
	Prompt []int32
	// Logits[i] is the row of logits after prompt token i.
	Logits [][]float32
	// LastLogits is the row that chose the last of New; nil if unknown.
	LastLogits []float32
	// New holds the greedy continuation: New[0] follows from the whole prompt.
	New []int32
	// Top[i] describes the row that chose New[i].
	Top []Top
	// StopsAtEOS says that New ends early with an end-of-sequence id.
	StopsAtEOS bool
}

// Top holds the largest logits of a row.
type Top struct {
	IDs    []int32   `json:"ids"`
	Logits []float32 `json:"logits"`
	LSE    float64   `json:"lse"` // log of the sum of exp of the whole row
}

// fileFormat covers both formats.
type fileFormat struct {
	Name       string `json:"name"`
	ModelClass string `json:"model_class"`
	Cases      []struct {
		Name       string      `json:"name"`
		Prompt     any         `json:"prompt"` // ids in the full format, text in the top format
		PromptIDs  []int32     `json:"prompt_ids"`
		Logits     [][]float32 `json:"logits"`
		Greedy     []int32     `json:"greedy"`
		LastLogits []float32   `json:"last_logits"`
		NewIDs     []int32     `json:"new_ids"`
		Top        []Top       `json:"top5"`
		Stop       string      `json:"stop"`
	} `json:"cases"`
}

// Load reads an oracle file. Errors are *diag.Error: of kind BadInput, or Failed
// where the system does not let it be read.
func Load(path string) (*Oracle, error) {
	bad := func(where, message string, cause error) error {
		return &diag.Error{Kind: diag.BadInput, Code: "oracle", File: path, Where: where, Message: message, Cause: cause}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, diag.FileError("oracle", "cannot read the oracle", path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, diag.FileError("oracle", "cannot read the oracle", path, err)
	}
	if len(text) > maxFile {
		return nil, bad("", fmt.Sprintf("the oracle is larger than %d bytes", maxFile), nil)
	}
	o, where, err := parse(text)
	if err != nil {
		return nil, bad(where, "not an oracle file", err)
	}
	return o, nil
}

func parse(text []byte) (o *Oracle, where string, err error) {
	var file fileFormat
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, "", err
	}
	o = &Oracle{Name: file.Name}
	if o.Name == "" {
		o.Name = file.ModelClass
	}
	if len(file.Cases) == 0 {
		return nil, "cases", fmt.Errorf("no cases")
	}
	for i, c := range file.Cases {
		where = fmt.Sprintf("cases[%d]", i)
		out := Case{Name: c.Name, Prompt: c.PromptIDs, Logits: c.Logits, LastLogits: c.LastLogits, New: c.NewIDs, Top: c.Top, StopsAtEOS: c.Stop == "eos"}
		if out.Name == "" {
			out.Name = fmt.Sprintf("case %d", i)
		}
		if ids, ok := c.Prompt.([]any); ok && out.Prompt == nil {
			for _, id := range ids {
				n, ok := id.(float64)
				if !ok || n != math.Trunc(n) || n < 0 || n > math.MaxInt32 {
					return nil, where + ".prompt", fmt.Errorf("want token ids")
				}
				out.Prompt = append(out.Prompt, int32(n))
			}
		}
		if out.New == nil {
			out.New = c.Greedy
		}
		if err := out.check(); err != nil {
			return nil, where, err
		}
		o.Cases = append(o.Cases, out)
	}
	return o, "", nil
}

// check makes sure that the parts of a case fit together, so that code that uses
// it need not.
func (c *Case) check() error {
	switch {
	case len(c.Prompt) == 0:
		return fmt.Errorf("no prompt ids")
	case len(c.New) == 0:
		return fmt.Errorf("no expected ids")
	case c.Logits == nil && c.Top == nil:
		return fmt.Errorf("neither logits nor top5")
	case c.Logits != nil && len(c.Logits) != len(c.Prompt):
		return fmt.Errorf("%d rows of logits for %d prompt ids", len(c.Logits), len(c.Prompt))
	case c.Top != nil && len(c.Top) != len(c.New):
		return fmt.Errorf("%d rows of top5 for %d new ids", len(c.Top), len(c.New))
	}
	for i, row := range c.Logits {
		if len(row) == 0 || len(row) != len(c.Logits[0]) {
			return fmt.Errorf("logits[%d] has %d entries", i, len(row))
		}
	}
	for i, t := range c.Top {
		if len(t.IDs) == 0 || len(t.IDs) != len(t.Logits) {
			return fmt.Errorf("top5[%d]: %d ids and %d logits", i, len(t.IDs), len(t.Logits))
		}
		for _, id := range t.IDs {
			if id < 0 {
				return fmt.Errorf("top5[%d]: negative id", i)
			}
		}
	}
	return nil
}

// MaxTokens is the number of positions that replaying the case takes.
func (c *Case) MaxTokens() int { return len(c.Prompt) + len(c.New) }

// RowTolerance is the largest difference allowed for a logit of a full row:
// 1e-4 of the standard deviation of the row, but at least 1e-4.
func RowTolerance(row []float32) float64 {
	var sum, squares float64
	for _, v := range row {
		sum += float64(v)
	}
	mean := sum / float64(len(row))
	for _, v := range row {
		squares += (float64(v) - mean) * (float64(v) - mean)
	}
	return 1e-4 * max(1, math.Sqrt(squares/float64(len(row))))
}

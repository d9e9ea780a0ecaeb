package evaluate

import (
	"context"
	"math"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime"
)

// Perplexity is how well a model predicts a text.
type Perplexity struct {
	Perplexity float64 `json:"perplexity"`    // exp(NLL)
	NLL        float64 `json:"nll"`           // mean of -ln p of the scored tokens
	Scored     int     `json:"tokens_scored"` // all but the first
	Tokens     int     `json:"tokens"`
	Window     int     `json:"window"`
	Stride     int     `json:"stride"`
	Windows    int     `json:"windows"`
}

// Lanes are sequences that step together.
type Lanes interface {
	Size() int
	Lane(i int) Sequence
	// Step appends tokens[i] to lane i; a lane whose token is runtime.Idle is left as it is.
	Step(ctx context.Context, tokens []int32) ([]runtime.Output, error)
}

// One is a single lane.
func One(s Sequence) Lanes { return one{s} }

type one struct{ s Sequence }

func (one) Size() int           { return 1 }
func (o one) Lane(int) Sequence { return o.s }
func (o one) Step(ctx context.Context, tokens []int32) ([]runtime.Output, error) {
	out, err := o.s.Step(ctx, tokens[0])
	return []runtime.Output{out}, err
}

// Batched makes lanes of the slots of a batch.
func Batched(b *runtime.Batch) Lanes { return batchLanes{b} }

type batchLanes struct{ *runtime.Batch }

func (b batchLanes) Lane(i int) Sequence { return b.Slot(i) }

// window is a piece of a text that is run as one sequence.
type window struct {
	start, end int // tokens
	scored     int // the first token that this window scores
}

// windows cuts n tokens into windows of the given size and stride, of which each
// scores the tokens that no earlier one has. Nothing predicts the first token.
func windows(n, size, stride int) []window {
	var list []window
	for start, scored := 0, 1; scored < n; start += stride {
		end := min(start+size, n)
		list = append(list, window{start, end, scored})
		scored = end
	}
	return list
}

// MeasurePerplexity scores tokens by decode steps in windows of the given size.
// Each window starts half a window after the one before, so that every token but
// those of the first window has at least half a window before it; a token is
// scored once, by the first window that reaches it; a window is one sequence. Each
// lane takes the next window when it is done with one. step is called after every
// token that was run, of total in all.
func MeasurePerplexity(ctx context.Context, lanes Lanes, tokens []int32, size int, step func(total int)) (Perplexity, error) {
	stride := max(1, size/2)
	p := Perplexity{Tokens: len(tokens), Window: size, Stride: stride}
	if len(tokens) < 2 || size < 2 {
		return p, &diag.Error{Kind: diag.BadInput, Code: "text_too_short", Message: "the text has nothing to predict",
			Want: "2 tokens or more", Found: plural(len(tokens), "token")}
	}
	list := windows(len(tokens), size, stride)
	total := 0
	for _, w := range list {
		total += w.end - 1 - w.start
	}
	// at[l] is the window of lane l and the next token of it to run.
	type place struct{ window, token int }
	at := make([]place, lanes.Size())
	next, left := 0, 0
	begin := func(l int) {
		at[l].window = -1
		if next < len(list) {
			w := list[next]
			at[l] = place{next, w.start}
			lanes.Lane(l).Reset()
			lanes.Lane(l).Expect(w.end - w.start)
			next++
			left++
		}
	}
	for l := range at {
		begin(l)
	}
	sums := make([]float64, len(list)) // added in order at the end, whatever the number of lanes
	run := make([]int32, len(at))
	for left > 0 {
		for l, a := range at {
			run[l] = runtime.Idle
			if a.window >= 0 {
				run[l] = tokens[a.token]
			}
		}
		outs, err := lanes.Step(ctx, run)
		if err != nil {
			return p, err
		}
		for l, a := range at {
			if a.window < 0 {
				continue
			}
			target := a.token + 1
			if target >= list[a.window].scored {
				nll, err := negLogProb(outs[l].Logits, tokens[target])
				if err != nil {
					return p, err
				}
				sums[a.window] += nll
				p.Scored++
			}
			at[l].token = target
			if target+1 == list[a.window].end {
				left--
				begin(l)
			}
			step(total)
		}
	}
	p.Windows = len(list)
	var sum float64
	for _, s := range sums {
		sum += s
	}
	p.NLL = sum / float64(p.Scored)
	p.Perplexity = math.Exp(p.NLL)
	return p, nil
}

// negLogProb is -ln of the probability that logits give to token.
func negLogProb(logits []float32, token int32) (float64, error) {
	if token < 0 || int(token) >= len(logits) {
		return 0, Check([]int32{token}, len(logits), 1)
	}
	highest := math.Inf(-1)
	for _, v := range logits {
		highest = max(highest, float64(v))
	}
	var sum float64
	for _, v := range logits {
		sum += math.Exp(float64(v) - highest)
	}
	nll := highest + math.Log(sum) - float64(logits[token])
	if math.IsNaN(nll) || math.IsInf(nll, 0) {
		return 0, &diag.Error{Kind: diag.Failed, Code: "not_finite", Message: "the model gives logits that are not numbers",
			Fix: "check the bundle with hlocc verify, and the checkpoint against its source"}
	}
	return nll, nil
}

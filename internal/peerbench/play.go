package main

import (
	"context"
	"fmt"
	"slices"
)

// trials is the number of rounds after which only a contender's fastest variant
// goes on.
const trials = 2

// ourFailure is an error of our own side, which ends a contest.
type ourFailure struct{ err error }

func (f ourFailure) Error() string { return f.err.Error() }
func (f ourFailure) Unwrap() error { return f.err }

// A result is one metric of a contest against one contender, with one number of
// threads. Figures are medians and quartiles over the rounds.
type result struct {
	Contest  string    `json:"contest"`
	Metric   string    `json:"metric"`
	Unit     string    `json:"unit"`
	Threads  int       `json:"threads"`
	Against  string    `json:"against"`
	Variant  string    `json:"variant,omitempty"` // the fastest
	Ours     quartiles `json:"ours"`
	Theirs   quartiles `json:"theirs"`
	Ratio    quartiles `json:"ratio"` // above 1 ours is better
	Pairs    int       `json:"pairs"`
	Goal     float64   `json:"goal,omitempty"`
	LessWins bool      `json:"less_wins,omitempty"`
}

func (r result) String() string {
	return fmt.Sprintf("%s: ours %.4g %s, %s %.4g, ratio %.2f (%.2f to %.2f)", r.Metric, r.Ours.Median, r.Unit, r.Against, r.Theirs.Median,
		r.Ratio.Median, r.Ratio.Lower, r.Ratio.Upper)
}

// play runs a contest: in each round our engine and every variant still in it,
// forwards and backwards in turn. A contender that fails is left out of the
// results, and is in the error; if ours does, the error is an ourFailure.
func play(ctx context.Context, c contest, ours engine, engines func(variant) engine, threads, rounds int) ([]result, error) {
	var mine []figures
	var all []*side
	for _, p := range c.peers {
		for _, v := range p.variants {
			all = append(all, &side{peer: p.name, variant: v, engine: engines(v)})
		}
	}
	me := &side{engine: ours}
	for round := range rounds {
		if round == trials {
			keepFastest(c, all)
		}
		order := append([]*side{me}, all...)
		if round%2 == 1 {
			slices.Reverse(order)
		}
		for _, s := range order {
			if s.out {
				continue
			}
			f, err := s.engine.measure(ctx, threads, c.work)
			if err != nil {
				if s == me {
					return nil, ourFailure{err}
				}
				s.out, s.err = true, fmt.Errorf("%s, %s: %w", c.title, s.peer, err)
				continue
			}
			s.figures = append(s.figures, f)
		}
	}
	keepFastest(c, all) // of few rounds
	mine = me.figures
	var results []result
	var failed error
	for _, s := range all {
		if s.err != nil {
			failed = s.err
		}
		if s.out {
			continue
		}
		for _, m := range c.metrics {
			results = append(results, compare(c, m, s, mine, threads))
		}
	}
	return results, failed
}

// A side is one that takes part in a contest, and its figures round by round.
type side struct {
	peer    string
	variant variant
	engine  engine
	figures []figures
	out     bool
	err     error
}

// keepFastest leaves one variant of every contender in the contest, by the first
// metric.
func keepFastest(c contest, all []*side) {
	best := map[string]*side{}
	for _, s := range all {
		if s.out {
			continue
		}
		if b := best[s.peer]; b == nil || better(c.metrics[0], s, b) {
			best[s.peer] = s
		}
	}
	for _, s := range all {
		s.out = s.out || best[s.peer] != s
	}
}

func better(m metric, a, b *side) bool {
	x, y := quantile(values(m, a.figures), 0.5), quantile(values(m, b.figures), 0.5)
	return x != y && (x > y) != m.lessWins
}

func compare(c contest, m metric, s *side, ours []figures, threads int) result {
	a, b := values(m, ours), values(m, s.figures)
	ratios := make([]float64, len(b))
	for i := range b {
		ratios[i] = a[i] / b[i]
		if m.lessWins {
			ratios[i] = b[i] / a[i]
		}
	}
	return result{Contest: c.title, Metric: m.name, Unit: m.unit, Threads: threads, Against: s.peer, Variant: s.variant.option,
		Ours: newQuartiles(a), Theirs: newQuartiles(b), Ratio: newQuartiles(ratios), Pairs: len(b), Goal: c.goal, LessWins: m.lessWins}
}

func values(m metric, all []figures) []float64 {
	v := make([]float64, len(all))
	for i, f := range all {
		v[i] = m.of(f)
	}
	return v
}

// quartiles of several measurements.
type quartiles struct {
	Median float64 `json:"median"`
	Lower  float64 `json:"lower"`
	Upper  float64 `json:"upper"`
}

func newQuartiles(v []float64) quartiles {
	return quartiles{quantile(v, 0.5), quantile(v, 0.25), quantile(v, 0.75)}
}

// quantile interpolates between ranks. There must be a value.
func quantile(v []float64, q float64) float64 {
	s := slices.Sorted(slices.Values(v))
	x := q * float64(len(s)-1)
	i := int(x)
	if i+1 == len(s) {
		return s[i]
	}
	return s[i] + (x-float64(i))*(s[i+1]-s[i])
}

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hlocc/hlocc/arch"
)

// line is one row of what inspect says of a model.
type line struct{ name, text string }

// describe is a Spec in a few lines.
func describe(s *arch.Spec) []line {
	list := []line{{"layers", fmt.Sprintf("%d of width %d", len(s.Layers), s.Hidden)}}
	add := func(name, format string, args ...any) { list = append(list, line{name, fmt.Sprintf(format, args...)}) }
	sparse := 0
	for _, l := range s.Layers {
		if l.Sparse {
			sparse++
		}
	}
	if m := &s.MLP; sparse < len(s.Layers) {
		gate := ""
		if m.Plain {
			gate = " without a gate"
		}
		add("mlp", "%s%s, width %d%s", m.Activation, gate, m.Intermediate, some(len(s.Layers)-sparse, len(s.Layers)))
	}
	if m := s.MoE; m != nil {
		shared := ""
		if m.SharedIntermediate > 0 {
			shared = fmt.Sprintf(" and a shared one of width %d", m.SharedIntermediate)
		}
		add("experts", "%s, %d of width %d, %d for each token%s%s", m.Activation, m.Experts, m.Intermediate, m.TopK, shared, some(sparse, len(s.Layers)))
	}
	a := &s.Attention
	if m := a.MLA; m != nil {
		add("attention", "%d heads of %d, keys and values from a latent vector of %d%s", a.Heads, a.HeadDim, m.KVRank, windows(s))
	} else {
		add("attention", "%d query heads, %d key/value heads of %d%s", a.Heads, a.KVHeads, a.HeadDim, windows(s))
	}
	for i := range s.RoPE {
		add("rope", "%s", rotary(s, i))
	}
	if s.Embed.Positions > 0 {
		add("positions", "learned, %d of them", s.Embed.Positions)
	}
	tied := ""
	if s.Head.Tied {
		tied = ", head tied to the embedding"
	}
	add("vocabulary", "%d%s", s.Vocab, tied)
	return list
}

// some says in how many of all layers something is, "" if in all.
func some(n, all int) string {
	if n == all {
		return ""
	}
	return fmt.Sprintf(", in %d of %d layers", n, all)
}

// rotary describes entry i of the rotary embeddings.
func rotary(s *arch.Spec, i int) string {
	r := &s.RoPE[i]
	text := fmt.Sprintf("%s, theta %g", r.Kind, r.Theta)
	if r.Dims != s.Attention.HeadDim {
		text += fmt.Sprintf(", %d of %d dimensions", r.Dims, s.Attention.HeadDim)
	}
	layers := 0
	for _, l := range s.Layers {
		if l.RoPE == i {
			layers++
		}
	}
	return text + some(layers, len(s.Layers))
}

func windows(s *arch.Spec) string {
	sizes := map[int]int{}
	for _, l := range s.Layers {
		sizes[l.Window]++
	}
	text := ""
	for _, w := range slices.Sorted(maps.Keys(sizes)) {
		if w > 0 {
			text += fmt.Sprintf(", window %d%s", w, strings.TrimPrefix(some(sizes[w], len(s.Layers)), ","))
		}
	}
	return text
}

// leftOut lists tensors that are not used: those with one reason together.
func leftOut(ignored []arch.Ignored) []line {
	var reasons []string
	tensors := map[string][]string{}
	for _, t := range ignored {
		if tensors[t.Reason] == nil {
			reasons = append(reasons, t.Reason)
		}
		tensors[t.Reason] = append(tensors[t.Reason], t.Tensor)
	}
	var list []line
	for _, reason := range reasons {
		names := tensors[reason]
		text := names[0]
		if len(names) > 1 {
			text = fmt.Sprintf("%d tensors such as %s", len(names), names[0])
		}
		list = append(list, line{"left out", text + ": " + reason})
	}
	return list
}

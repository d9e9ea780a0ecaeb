package bundle

import (
	"fmt"
	"math"
	"slices"
)

func (m *Manifest) validateGraphs() error {
	ids := map[string]bool{}
	for i := range m.Graphs {
		g := &m.Graphs[i]
		where := fmt.Sprintf("graphs %q", g.ID)
		if err := checkElement(g.ID); err != nil {
			return errManifest(where, "id: %v", err)
		}
		if err := checkName(g.Function); err != nil {
			return errManifest(where, "function %v", err)
		}
		if ids[g.ID] {
			return errManifest(where, "listed twice")
		}
		ids[g.ID] = true
		if err := checkPorts(g.Inputs); err != nil {
			return errManifest(where, "inputs: %v", err)
		}
		if err := checkPorts(g.Results); err != nil {
			return errManifest(where, "results: %v", err)
		}
		if g.Bucket < 0 || g.Bucket > m.Model.Context || g.Batch < 1 || g.Batch > math.MaxInt32 {
			return errManifest(where, "bucket %d, batch %d", g.Bucket, g.Batch)
		}
		inputs, results, err := m.signature(g)
		if err != nil {
			return errManifest(where, "%v", err)
		}
		if err := samePorts(g.Inputs, inputs); err != nil {
			return errManifest(where, "inputs: %v", err)
		}
		if err := samePorts(g.Results, results); err != nil {
			return errManifest(where, "results: %v", err)
		}
		extra := 0
		switch {
		case g.Kind == Prefill:
			extra = g.Bucket - 1
		case g.Kind == Decode && g.Batch > 1:
			extra = 1
		}
		if err := m.checkRows(extra, g.Batch); err != nil {
			return errManifest(where, "%v", err)
		}
	}
	return nil
}

// checkRows makes sure that a prefill has a row for each of its tokens, padded
// ones too, at the last position of the context, and a batch one for slots without
// a token: compiled code does not check where it writes. It counts the rows of all
// slots in an i32.
func (m *Manifest) checkRows(extra, batch int) error {
	for _, kv := range m.Model.KV {
		if kv.Shape[0] > math.MaxInt32/batch {
			return fmt.Errorf("%d slots of %d rows of %q, and rows are i32", batch, kv.Shape[0], kv.Role)
		}
		if need := m.Model.Context + extra; kv.Shape[0] < need {
			return fmt.Errorf("writes %d rows of %q, which has %d", need, kv.Role, kv.Shape[0])
		}
	}
	return nil
}

func checkPorts(ports []Port) error {
	seen := map[string]bool{}
	for _, p := range ports {
		if err := checkName(p.Role); err != nil {
			return fmt.Errorf("role %w", err)
		}
		if seen[p.Role] {
			return fmt.Errorf("role %q twice", p.Role)
		}
		seen[p.Role] = true
		if err := checkShape(p.DType, p.Shape); err != nil {
			return fmt.Errorf("%q: %w", p.Role, err)
		}
	}
	return nil
}

// signature is what the graph's inputs and results must be, in any order, for
// its kind; nil for the kinds of a newer schema, which this reader never calls.
func (m *Manifest) signature(g *Graph) (inputs, results []Port, err error) {
	b := g.Batch
	batched := func(shape ...int) []int {
		if b == 1 {
			return shape
		}
		return append([]int{b}, shape...)
	}
	vocab := m.Model.VocabSize
	results = []Port{{RoleNextID, I32, []int{b}}, {RoleLogits, F32, batched(vocab)}}
	switch g.Kind {
	case Prefill:
		if g.Bucket == 0 || b != 1 {
			return nil, nil, fmt.Errorf("a prefill has a bucket and batch 1, not bucket %d and batch %d", g.Bucket, b)
		}
		inputs = []Port{{RoleTokens, I32, []int{g.Bucket}}, {RoleStart, I32, []int{1}}, {RoleLength, I32, []int{1}}}
	case Decode:
		if g.Bucket != 0 {
			return nil, nil, fmt.Errorf("a decode step has no bucket")
		}
		inputs = []Port{{RoleToken, I32, []int{b}}, {RolePosition, I32, []int{b}}}
	default:
		if m.newer() {
			return nil, nil, nil
		}
		return nil, nil, fmt.Errorf("unknown kind %q", g.Kind)
	}
	if m.Model.RecomputePast > 0 {
		inputs = append(inputs, Port{RoleExtent, I32, []int{b}})
	}
	for _, kv := range m.Model.KV {
		p := Port{kv.Role, kv.DType, batched(kv.Shape...)}
		inputs, results = append(inputs, p), append(results, p)
	}
	return inputs, results, nil
}

// samePorts compares by role; want is nil where anything goes. The roles of got
// are known to be distinct.
func samePorts(got, want []Port) error {
	if want == nil {
		return nil
	}
	byRole := make(map[string]*Port, len(got))
	for i := range got {
		byRole[got[i].Role] = &got[i]
	}
	for _, w := range want {
		g := byRole[w.Role]
		if g == nil {
			return fmt.Errorf("no %q", w.Role)
		}
		if g.DType != w.DType || !slices.Equal(g.Shape, w.Shape) {
			return fmt.Errorf("%q is %s%v, want %s%v", w.Role, g.DType, g.Shape, w.DType, w.Shape)
		}
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d of them, want %d", len(got), len(want))
	}
	return nil
}

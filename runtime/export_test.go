package runtime

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"

	"github.com/hlocc/hlocc/bundle"
)

// Batch calls a batched decode graph, which sessions do not, on caches of its own.
type Batch struct {
	graph    *bundle.Graph
	instance instance
	inputs   map[string]tensor
}

// NewBatch makes a graph of the model ready.
func (m *Model) NewBatch(id string) (*Batch, func(), error) {
	b := &Batch{graph: m.manifest.Graph(id), inputs: map[string]tensor{}}
	p, err := m.loadGraph(b.graph)
	if err != nil {
		return nil, nil, err
	}
	if b.instance, err = p.instance(context.Background()); err != nil {
		return nil, nil, err
	}
	for _, in := range b.graph.Inputs {
		if b.inputs[in.Role], err = m.device.tensor(in.DType, in.Shape); err != nil {
			return nil, nil, err
		}
	}
	return b, func() {
		for _, t := range b.inputs {
			t.release()
		}
		_ = b.instance.close()
		_ = p.close()
	}, nil
}

// Step appends a token to every slot. It is an error if a cache is not updated in place.
func (b *Batch) Step(ctx context.Context, tokens, positions []int32) (next []int32, logits [][]float32, err error) {
	putInts(b.inputs[bundle.RoleToken], tokens)
	putInts(b.inputs[bundle.RolePosition], positions)
	var args []tensor
	for _, in := range b.graph.Inputs {
		args = append(args, b.inputs[in.Role])
	}
	results, err := b.instance.call(ctx, b.graph.Function, args)
	if err != nil {
		return nil, nil, err
	}
	for i, r := range b.graph.Results {
		t := results[i]
		if kv := b.inputs[r.Role]; kv != nil {
			if !t.same(kv) {
				return nil, nil, fmt.Errorf("%s was not updated in place", r.Role)
			}
			continue
		}
		words := make([]uint32, len(t.bytes())/4)
		for j := range words {
			words[j] = binary.LittleEndian.Uint32(t.bytes()[4*j:])
		}
		t.release()
		for j, w := range words {
			if r.Role == bundle.RoleNextID {
				next = append(next, int32(w))
				continue
			}
			if j%(len(words)/len(tokens)) == 0 {
				logits = append(logits, nil)
			}
			row := &logits[len(logits)-1]
			*row = append(*row, math.Float32frombits(w))
		}
	}
	return next, logits, nil
}

// Cache is the memory of a kv role of a batch.
func (b *Batch) Cache(role string) []byte { return b.inputs[role].bytes() }

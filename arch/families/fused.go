package families

import (
	"strings"

	"github.com/hlocc/hlocc/arch"
)

// part is one projection within a fused module.
type part struct {
	logical string
	rows    arch.Dim
}

// fused adds projections that share one module, as ranges of the rows of its
// weight and bias. The rows come in groups, and each group has its share of every
// part, in their order: one group is [gate; up] or [q; k; v], a group per KV head
// is its queries, its key, its value.
func (r *rules) fused(module string, groups int, bias bool, in arch.Dim, parts ...part) {
	all := arch.Dim{}
	var names []string
	for _, p := range parts {
		all.Size += p.rows.Size
		names = append(names, p.rows.Name)
	}
	all.Name = strings.Join(names, "+")
	stride, offset := all.Size/groups, 0
	for _, p := range parts {
		n := p.rows.Size / groups
		take := func(logical, tensor string, shape []int, dims []arch.Dim, transpose bool) {
			piece := arch.RulePiece{Tensor: r.tensor(module + tensor), Dims: dims, Rows: [2]int{offset, offset + n}, Transpose: transpose}
			if groups > 1 {
				piece.Rows[1], piece.Step, piece.Run = all.Size, stride, n
			}
			r.add(arch.Rule{Logical: "layers.*." + p.logical + logical, Shape: shape, Pieces: []arch.RulePiece{piece}})
		}
		dims := []arch.Dim{all, in}
		if r.layout.conv1d {
			dims = []arch.Dim{in, all}
		}
		take(".weight", ".weight", []int{p.rows.Size, in.Size}, dims, r.layout.conv1d)
		if bias {
			take(".bias", ".bias", []int{p.rows.Size}, []arch.Dim{all}, false)
		}
		offset += n
	}
}

// gateUp adds an MLP whose gate and up projections are one module.
func (r *rules) gateUp(module string) {
	m := r.spec.MLP
	r.fused(module, 1, m.Bias, r.hidden, part{"mlp.gate", r.inter}, part{"mlp.up", r.inter})
	r.linear("mlp.down", r.layout.down, m.Bias, r.hidden, r.inter)
}

// qkv adds an attention whose projections of queries, keys and values are one
// module, in groups as in fused.
func (r *rules) qkv(module string, groups int) {
	b := r.spec.Attention.Bias
	r.fused(module, groups, b.Q, r.hidden, part{"attn.q", r.q}, part{"attn.k", r.kv}, part{"attn.v", r.kv})
	r.linear("attn.o", r.layout.o, b.O, r.hidden, r.q)
}

package families_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/hlocc/hlocc/arch"
	_ "github.com/hlocc/hlocc/arch/families"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/oracle"
)

// reference is the forward pass of a Spec written as plainly as possible, in
// float64, one token at a time. It judges the Spec, the weights and the tables of
// this package without the lowering.
type reference struct {
	t          *testing.T
	m          *arch.Model
	w          map[string][]float32
	cos, sin   []float32
	scale      []float32
	keys, vals [][][]float64 // [layer][position][kv*head_dim]
}

func newReference(t *testing.T, m *arch.Model, context_ int) *reference {
	r := &reference{t: t, m: m, w: map[string][]float32{}}
	for i := range m.Weights {
		data, err := m.ReadFloat32(context.Background(), &m.Weights[i])
		if err != nil {
			t.Fatal(err)
		}
		r.w[m.Weights[i].Name] = data
	}
	r.cos, r.sin = arch.RoPETables(m.Spec, context_)
	r.scale = arch.QueryScaleTable(m.Spec, context_)
	r.keys = make([][][]float64, len(m.Spec.Layers))
	r.vals = make([][][]float64, len(m.Spec.Layers))
	return r
}

func (r *reference) linear(name string, x []float64) []float64 {
	w, bias := r.w[name+".weight"], r.w[name+".bias"]
	out := make([]float64, len(w)/len(x))
	for o := range out {
		for i, v := range x {
			out[o] += v * float64(w[o*len(x)+i])
		}
		if bias != nil {
			out[o] += float64(bias[o])
		}
	}
	return out
}

func (r *reference) norm(name string, x []float64) []float64 {
	var sum float64
	for _, v := range x {
		sum += v * v
	}
	scale := 1 / math.Sqrt(sum/float64(len(x))+r.m.Spec.Norm.Eps)
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = v * scale * float64(r.w[name+".weight"][i])
	}
	return out
}

func (r *reference) rotate(x []float64, pos int) {
	d := r.m.Spec.HeadDim
	for h := 0; h < len(x); h += d {
		for i := range d / 2 {
			c, s := float64(r.cos[pos*d/2+i]), float64(r.sin[pos*d/2+i])
			a, b := x[h+i], x[h+i+d/2]
			x[h+i], x[h+i+d/2] = a*c-b*s, b*c+a*s
		}
	}
}

func (r *reference) step(token, pos int) []float32 {
	s := r.m.Spec
	x := make([]float64, s.Hidden)
	for i := range x {
		x[i] = float64(r.w["embed.weight"][token*s.Hidden+i])
	}
	add := func(y []float64) {
		for i := range x {
			x[i] += y[i]
		}
	}
	for n, layer := range s.Layers {
		name := func(part string) string { return fmt.Sprintf("layers.%d.%s", n, part) }
		h := r.norm(name("attn_norm"), x)
		q, k, v := r.linear(name("attn.q"), h), r.linear(name("attn.k"), h), r.linear(name("attn.v"), h)
		r.rotate(q, pos)
		r.rotate(k, pos)
		if r.scale != nil {
			for i := range q {
				q[i] *= float64(r.scale[pos])
			}
		}
		r.keys[n], r.vals[n] = append(r.keys[n], k), append(r.vals[n], v)
		out := make([]float64, len(q))
		for head := range s.Heads {
			kv := head / (s.Heads / s.KVHeads) * s.HeadDim
			first := 0
			if layer.Window > 0 {
				first = max(0, pos-layer.Window+1)
			}
			var sum float64
			for p := first; p <= pos; p++ {
				var dot float64
				for i := range s.HeadDim {
					dot += q[head*s.HeadDim+i] * r.keys[n][p][kv+i]
				}
				e := math.Exp(dot * s.AttnScale)
				sum += e
				for i := range s.HeadDim {
					out[head*s.HeadDim+i] += e * r.vals[n][p][kv+i]
				}
			}
			for i := range s.HeadDim {
				out[head*s.HeadDim+i] /= sum
			}
		}
		add(r.linear(name("attn.o"), out))
		h = r.norm(name("mlp_norm"), x)
		gate, up := r.linear(name("mlp.gate"), h), r.linear(name("mlp.up"), h)
		for i, g := range gate {
			gate[i] = g / (1 + math.Exp(-g)) * up[i]
		}
		add(r.linear(name("mlp.down"), gate))
	}
	head := "head"
	if s.TiedHead {
		head = "embed"
	}
	var logits []float32
	for _, l := range r.linear(head, r.norm("norm", x)) {
		logits = append(logits, float32(l))
	}
	return logits
}

func argmax(row []float32) int32 {
	best := 0
	for i, v := range row {
		if v > row[best] {
			best = i
		}
	}
	return int32(best)
}

// Every fixture gives the logits and tokens of Hugging Face.
func TestOracles(t *testing.T) {
	for _, name := range fixtures.Names(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := arch.Open(fixtures.Dir(t, name))
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			o, err := oracle.Load(fixtures.OracleFile(t, name))
			if err != nil {
				t.Fatal(err)
			}
			for i := range o.Cases {
				c := &o.Cases[i]
				r := newReference(t, m, c.MaxTokens())
				check := oracle.NewCheck(c)
				var row []float32
				for p, token := range c.Prompt {
					row = r.step(int(token), p)
					check.PromptRow(p, row)
				}
				for n, token := range c.New {
					check.Step(n, row, argmax(row))
					row = r.step(int(token), len(c.Prompt)+n)
				}
				got := check.Result()
				if !got.Pass() {
					t.Errorf("%+v", got)
				}
				t.Logf("%+v", got)
			}
		})
	}
}

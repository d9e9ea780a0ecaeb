package calibrate

import (
	"bytes"
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	_ "github.com/hlocc/hlocc/arch/families"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
	"github.com/hlocc/hlocc/internal/testenv"
	"github.com/hlocc/hlocc/lower/decoder"
	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/pass"
)

func open(t testing.TB, name string) *arch.Model {
	t.Helper()
	m, err := arch.Open(fixtures.Dir(t, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func options(t testing.TB) Options {
	t.Helper()
	cache, err := compile.OpenCache(testenv.CacheDir(t))
	if err != nil {
		t.Fatal(err)
	}
	c, err := compile.Find(t.Context(), compile.Search{Flag: testenv.IREE(t).Compile}, cache)
	if err != nil {
		t.Fatal(err)
	}
	return Options{Compiler: c, Cache: cache, Window: 12, Threads: 2}
}

// text is tokens that use a part of the vocabulary, some of them often.
func text(n, vocab int) []int32 {
	tokens := make([]int32, n)
	for i := range tokens {
		tokens[i] = int32(i * i % 37 * 5 % vocab)
	}
	return tokens
}

// Layer by layer, compiled, a model has the statistics that its whole graph has on the
// interpreter.
func TestCollect(t *testing.T) {
	o := options(t)
	// Between them: learned positions, windows of attention, experts with and without dense
	// layers, latent attention, layers of several forms, a parallel block, query scale.
	for _, name := range []string{"llama", "gpt2", "gemma2", "mixtral", "deepseek_v2", "cohere2", "ministral3_far"} {
		t.Run(name, func(t *testing.T) {
			m := open(t, name)
			tokens := text(3*o.Window+5, m.Spec.Vocab)
			s, err := Collect(t.Context(), m, tokens, o)
			if err != nil {
				t.Fatal(err)
			}
			if s.Tokens != 3*o.Window || s.Window != o.Window {
				t.Errorf("%d tokens in windows of %d", s.Tokens, s.Window)
			}
			want := whole(t, m, tokens, o.Window)
			if len(s.Columns) != len(want) || len(want) < 4*len(m.Spec.Layers) {
				t.Errorf("statistics of %d weights, want %d", len(s.Columns), len(want))
			}
			for name, columns := range want {
				w := m.Weight(name)
				if w == nil {
					t.Fatalf("no weight %s", name)
				}
				got := s.Columns[name]
				if len(got) != len(columns) || len(got) != w.Shape[len(w.Shape)-1] {
					t.Fatalf("%s: %d columns, want %d, weight %v", name, len(got), len(columns), w.Shape)
				}
				largest := slices.Max(columns)
				for k, v := range columns {
					if d := math.Abs(float64(got[k]) - v); !(d <= 1e-4*(v+1e-3*largest)) {
						t.Fatalf("%s, column %d: %g, want %g", name, k, got[k], v)
					}
				}
			}
		})
	}
}

// whole is what the graph of the whole model says on the interpreter.
func whole(t *testing.T, m *arch.Model, tokens []int32, window int) map[string][]float64 {
	t.Helper()
	graph, err := decoder.Build(m.Spec, decoder.Options{
		Kind: decoder.Prefill, Bucket: window, Context: window, Rows: window, Squares: true,
		Weight: func(string) decoder.Stored { return decoder.Stored{DType: ir.F32} },
	})
	if err == nil {
		graph, err = pass.Run(graph, pass.Portable())
	}
	if err != nil {
		t.Fatal(err)
	}
	param := func(key string, ty ir.Type) (interp.Tensor, error) {
		for _, table := range decoder.Tables(m.Spec, window) {
			if table.Name == key {
				return interp.Float32s(table.Values(), table.Shape...)
			}
		}
		var raw bytes.Buffer
		if err := m.WriteWeight(t.Context(), m.Weight(key), safetensors.F32, &raw); err != nil {
			return interp.Tensor{}, err
		}
		return interp.FromBytes(ty, raw.Bytes())
	}
	sums := map[string][]float64{}
	windows := len(tokens) / window
	for i := range windows {
		inputs := map[string][]int32{decoder.RoleTokens: tokens[i*window:][:window], decoder.RoleStart: {0}, decoder.RoleLength: {int32(window)}, decoder.RoleExtent: {int32(window)}}
		var args []interp.Tensor
		for _, v := range graph.Args() {
			var x interp.Tensor
			if ids := inputs[v.Op().(ir.Argument).Role]; ids != nil {
				x, err = interp.Int32s(ids, v.Type().Shape()...)
			} else {
				x, err = interp.Float32s(make([]float32, v.Type().Elems()), v.Type().Shape()...)
			}
			if err != nil {
				t.Fatal(err)
			}
			args = append(args, x)
		}
		out, err := interp.Eval(t.Context(), graph, args, interp.Options{Param: param})
		if err != nil {
			t.Fatal(err)
		}
		for j, r := range graph.Results() {
			name, ok := strings.CutPrefix(r.Role, decoder.SquaresRole(""))
			if !ok || name == "head.weight" || name == "embed.weight" {
				continue
			}
			if sums[name] == nil {
				sums[name] = make([]float64, len(out[j].Float32s()))
			}
			for k, v := range out[j].Float32s() {
				sums[name][k] += float64(v) / float64(windows)
			}
		}
	}
	return sums
}

// The same text gives the same bits, with any number of threads.
func TestSameBits(t *testing.T) {
	o := options(t)
	m := open(t, "llama")
	var digests []string
	for _, threads := range []int{1, 2, 3} {
		o.Threads = threads
		s, err := Collect(t.Context(), m, text(60, m.Spec.Vocab), o)
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, s.Digest())
	}
	if digests[0] != digests[1] || digests[0] != digests[2] {
		t.Errorf("digests %v", digests)
	}
	s, err := Collect(t.Context(), m, text(48, m.Spec.Vocab), o)
	if err != nil || s.Digest() == digests[0] {
		t.Errorf("another text: %v, digest %s", err, s.Digest())
	}
}

func TestBadTexts(t *testing.T) {
	o := options(t)
	m := open(t, "llama")
	for name, tokens := range map[string][]int32{"empty": {}, "vocabulary": {1, 2, int32(m.Spec.Vocab)}, "negative": {-1}} {
		if _, err := Collect(t.Context(), m, tokens, o); diag.KindOf(err) != diag.BadInput {
			t.Errorf("%s: %v", name, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Collect(ctx, m, text(60, m.Spec.Vocab), o); err == nil {
		t.Error("cancelled: no error")
	}
	// A text shorter than a window is one.
	if s, err := Collect(t.Context(), m, []int32{1, 2, 3}, o); err != nil || s.Tokens != 3 || s.Window != 3 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestRows(t *testing.T) {
	in := []byte{}
	for i := range 12 {
		in = append(in, 0, byte(i), 0x80, 0x3f) // 1 and some
	}
	for _, piece := range []int{1, 3, 4, 7, len(in)} {
		r := &rows{wanted: []int32{1, 3}, width: 3, to: make([]float32, 6)}
		for from := 0; from < len(in); from += piece {
			if n, err := r.Write(in[from:min(from+piece, len(in))]); err != nil || n != min(piece, len(in)-from) {
				t.Fatalf("%d, %v", n, err)
			}
		}
		var got []int
		for _, f := range r.to {
			got = append(got, int(math.Float32bits(f)>>8&0xff))
		}
		if !slices.Equal(got, []int{3, 4, 5, 9, 10, 11}) {
			t.Errorf("pieces of %d: %v", piece, got)
		}
	}
}

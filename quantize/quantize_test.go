package quantize

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/internal/safetensors"
	"github.com/hlocc/hlocc/internal/testenv"
)

func bitsOf(f float32) uint32 { return math.Float32bits(f) }

// encoded quantizes a matrix, or stack of matrices, block by block.
func encoded(t *testing.T, s Storage, w, importance []float32) (q, scale, offset []byte, sum losses) {
	t.Helper()
	e := &encoder{matrix: s.matrix(), params: paramsOf(s.Params), method: s.Method}
	p := &part{dtype: safetensors.F32, rows: e.rows, importance: importance}
	for row := 0; row < e.count*e.rows; {
		b := newBlock(e, 0)
		b.part, b.row, b.rows = p, row, min(BlockRows, e.rows-row%e.rows)
		for _, x := range w[row*e.cols : (row+b.rows)*e.cols] {
			b.raw = binary.LittleEndian.AppendUint32(b.raw, bitsOf(x))
		}
		row += b.rows
		if e.encode(b); b.err != nil {
			t.Fatal(b.err)
		}
		q, scale, offset = append(q, b.q...), append(scale, b.scale...), append(offset, b.offset...)
		sum.merge(&b.losses)
	}
	return q, scale, offset, sum
}

// digest is one of the bytes and the losses that a matrix becomes.
func digest(t *testing.T, s Storage, w, importance []float32) string {
	t.Helper()
	q, scale, offset, sum := encoded(t, s, w, importance)
	h := sha256.New()
	for _, b := range [][]byte{q, scale, offset} {
		h.Write(b)
	}
	fmt.Fprintf(h, "%+v", sum)
	return hex.EncodeToString(h.Sum(nil))[:16]
}

func normal(seed uint64, n int) []float32 {
	rng := rand.New(rand.NewPCG(seed, 1))
	w := make([]float32, n)
	for i := range w {
		w[i] = float32(rng.NormFloat64())
	}
	return w
}

// The layout, element by element, as docs/bundle-format.md has it.
func TestLayout(t *testing.T) {
	for _, shape := range [][]int{{16, 64}, {17, 65}, {1, 1}, {33, 200}, {3, 17, 70}, {2, 32, 128}} {
		for _, scheme := range []Scheme{Int4, Int8} {
			for _, params := range []safetensors.DType{safetensors.F16, safetensors.F32} {
				s := Storage{Weight: "w", Shape: shape, Scheme: scheme, Params: params, Method: Nearest}
				m := s.matrix()
				w := normal(1, m.count*m.rows*m.cols)
				q, scale, offset, _ := encoded(t, s, w, nil)
				for i, tensor := range s.Tensors() {
					if got := len([][]byte{q, scale, offset}[i]); int64(got) != tensor.Bytes() {
						t.Fatalf("%v %s %s: %s has %d bytes, want %v", shape, scheme, params, tensor.Name, got, tensor.Shape)
					}
				}
				back, err := s.Dequantize(q, scale, offset)
				if err != nil {
					t.Fatal(err)
				}
				number := func(data []byte, i int) float32 {
					if params == safetensors.F16 {
						return floats.FromF16(binary.LittleEndian.Uint16(data[2*i:]))
					}
					return math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
				}
				blocks, groups := (m.rows+15)/16, (m.cols+63)/64
				for e := range m.count {
					for n := range blocks * 16 {
						for k := range groups * 64 {
							block := (e*blocks+n/16)*groups + k/64
							var step int
							if scheme == Int8 {
								step = int(q[((block*16+k%64/4)*16+n%16)*4+k%4])
							} else {
								both := q[((block*8+k%32/4)*16+n%16)*4+k%4]
								step = int(both >> (k % 64 / 32 * 4) & 15)
							}
							a, b := number(scale, block*16+n%16), number(offset, block*16+n%16)
							if n >= m.rows || k >= m.cols {
								if step != 0 || n >= m.rows && (a != 0 || b != 0) {
									t.Fatalf("%v %s: padding at %d %d %d is %d, %g, %g", shape, scheme, e, n, k, step, a, b)
								}
								continue
							}
							i := (e*m.rows+n)*m.cols + k
							if want := float32(a*float32(step)) + b; back[i] != want || math.Abs(float64(want-w[i])) > float64(a)*0.51+1e-3 {
								t.Fatalf("%v %s: %d %d %d is %g, dequantized to %g, of %g", shape, scheme, e, n, k, want, back[i], w[i])
							}
						}
					}
				}
			}
		}
	}
}

// What WriteAll makes of a checkpoint is what its parts are, stacked.
func TestWriteAll(t *testing.T) {
	m := testModel{hidden: 112, inter: 176, headDim: 16, heads: 6, kvHeads: 2, vocab: 37}.open(t)
	for _, o := range []Options{{Scheme: Int4}, {Scheme: Int8, Params: safetensors.F32}, {Scheme: Int4, Method: Nearest, Head: Head{DType: safetensors.F16}}, {Head: Head{Scheme: Int4}}} {
		plan := Plan(m.Weights, o)
		a, reports := written(t, m, plan)
		for _, s := range plan {
			if !s.Quantized() {
				continue
			}
			want, got := original(t, m, s), a.dequantize(t, s)
			sum := 0.0
			for i, x := range want {
				sum += math.Abs(float64(x - got[i]))
			}
			if mean := sum / float64(len(want)); mean > 0.02 || s.Scheme == Int8 && mean > 0.001 {
				t.Errorf("%s: differs by %g on average", s.Weight, mean)
			}
			if reports[0].Weight != s.Weight {
				t.Fatalf("the report of %s is that of %s", s.Weight, reports[0].Weight)
			}
			reports = reports[1:]
		}
		if len(reports) != 0 {
			t.Errorf("%d more reports", len(reports))
		}
	}
}

// What a checkpoint has quantized already is kept without loss, stacked as all is,
// unless the options ask for something else.
func TestKept(t *testing.T) {
	for _, name := range []string{"awq", "gptq", "gptq_asym", "gptq_v2", "mlx", "mlx_mixed"} {
		m, err := arch.Open(testenv.Fixture(t, "packed", name))
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		for _, o := range []Options{{}, {Scheme: Int4, DType: safetensors.F16}, {Scheme: Int8, Head: Head{DType: safetensors.F32}}} {
			plan := Plan(m.Weights, o)
			a, reports := written(t, m, plan)
			kept := 0
			for _, s := range plan {
				if s.Method != Kept {
					continue
				}
				kept++
				want, got := original(t, m, s), a.dequantize(t, s)
				for i, x := range want {
					if got[i] != x {
						t.Fatalf("%s: number %d of %s is %g, want %g", name, i, s.Weight, got[i], x)
					}
				}
			}
			// v of the mixed one has 8 bits and is no part of a stack.
			want := map[string]int{"mlx": 6, "mlx_mixed": 8}[name]
			if want == 0 {
				want = 4
			} else if o.Head.DType != "" {
				want -= 2
			}
			if kept != want {
				t.Errorf("%s: %d weights are kept with %+v, want %d", name, kept, o, want)
			}
			for _, r := range reports {
				if s := find(t, plan, r.Weight); s.Method == Kept && (r.RelativeError != 0 || r.MaxError != 0 || r.Saturated != 0 || r.MaxWeight == 0) {
					t.Errorf("%s: %s is reported as %+v", name, s.Weight, r)
				}
			}
		}
		for _, s := range Plan(m.Weights, Options{DType: safetensors.F32}) {
			if s.Quantized() {
				t.Errorf("%s: %s is quantized, although floats were asked for", name, s.Weight)
			}
		}
	}
}

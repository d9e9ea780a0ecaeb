package arch

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// Rows of stacks: counted through leading axes, every second one, transposed
// matrix by matrix; and all forms across the seams of chunks and bands.
func TestStackedRows(t *testing.T) {
	read := func(x safetensors.Out, shape []int, pieces ...RulePiece) []float32 {
		t.Helper()
		m, err := modelOf(t, 0, []Rule{{Logical: "w", Shape: shape, Pieces: pieces}}, x)
		if err != nil {
			t.Fatal(err)
		}
		w := m.Weight("w")
		got, err := m.ReadFloat32(context.Background(), w)
		if err != nil || int64(len(got)) != w.Elements() {
			t.Fatalf("%d of %d elements, %v", len(got), w.Elements(), err)
		}
		return got
	}
	dims := func(shape ...int) (out []Dim) {
		for _, n := range shape {
			out = append(out, dim(n))
		}
		return out
	}
	small := counting("x", 0, 2, 4, 3)
	for _, c := range []struct {
		name  string
		shape []int
		piece RulePiece
		want  []float32
	}{
		{"leading", []int{2, 3}, RulePiece{Leading: 2, Rows: [2]int{3, 5}}, []float32{9, 10, 11, 12, 13, 14}},
		{"step", []int{4, 3}, RulePiece{Leading: 2, Rows: [2]int{1, 8}, Step: 2}, []float32{3, 4, 5, 9, 10, 11, 15, 16, 17, 21, 22, 23}},
		{"scalars", []int{5}, RulePiece{Leading: 3, Rows: [2]int{2, 24}, Step: 5}, []float32{2, 7, 12, 17, 22}},
		{"transposed", []int{2, 3, 4}, RulePiece{Transpose: true},
			[]float32{0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11, 12, 15, 18, 21, 13, 16, 19, 22, 14, 17, 20, 23}},
		{"transposed rows", []int{2, 4}, RulePiece{Transpose: true, Rows: [2]int{2, 4}}, []float32{2, 5, 8, 11, 12, 15, 18, 21}},
		{"transposed step", []int{3, 4}, RulePiece{Transpose: true, Rows: [2]int{1, 6}, Step: 2}, []float32{1, 4, 7, 10, 12, 15, 18, 21, 14, 17, 20, 23}},
	} {
		c.piece.Tensor, c.piece.Dims = "x", dims(2, 4, 3)
		if got := read(small, c.shape, c.piece); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: want %v, found %v", c.name, c.want, got)
		}
	}
	const stack, rows, cols = 2, 1500, 1400 // 17 MB: bands and chunks
	large := counting("x", 0, stack, rows, cols)
	for _, odd := range []int{0, 1} {
		got := read(large, []int{stack, cols / 2, rows}, RulePiece{Tensor: "x", Dims: dims(stack, rows, cols), Transpose: true, Rows: [2]int{odd, stack * cols}, Step: 2})
		for i, f := range got {
			m, c, r := i/(rows*cols/2), i/rows%(cols/2), i%rows
			if want := float32((m*rows+r)*cols + 2*c + odd); f != want {
				t.Fatalf("transposed, element %d is %v, want %v", i, f, want)
			}
		}
		got = read(large, []int{stack * rows / 2, cols}, RulePiece{Tensor: "x", Dims: dims(stack, rows, cols), Leading: 2, Rows: [2]int{odd, stack * rows}, Step: 2})
		for i, f := range got {
			if want := float32((2*(i/cols)+odd)*cols + i%cols); f != want {
				t.Fatalf("element %d is %v, want %v", i, f, want)
			}
		}
	}
	// A row longer than a chunk.
	long := counting("x", 0, 3, chunkBytes/2)
	got := read(long, []int{2, chunkBytes / 2}, RulePiece{Tensor: "x", Dims: dims(3, chunkBytes/2), Rows: [2]int{0, 3}, Step: 2})
	if got[0] != 0 || got[chunkBytes/2] != chunkBytes || got[chunkBytes-1] != 3*chunkBytes/2-1 {
		t.Errorf("long rows: %v, %v, %v", got[0], got[chunkBytes/2], got[chunkBytes-1])
	}
}

// A rule takes the first form whose tensors are all there, and misses the usual one.
func TestForms(t *testing.T) {
	rule := Rule{Logical: "layers.*.w", Shape: []int{4}, Pieces: Concat("", []string{"l.*.a", "l.*.b"}, dim(2)).Pieces,
		Or: [][]RulePiece{Direct("", "l.*.ab", dim(4)).Pieces, rowsOf("", "l.*.abc", 0, 4, dim(6)).Pieces}}
	for _, c := range []struct {
		tensors []safetensors.Out
		want    []float32
	}{
		{[]safetensors.Out{counting("l.0.a", 0, 2), counting("l.0.b", 10, 2)}, []float32{0, 1, 10, 11}},
		{[]safetensors.Out{counting("l.0.ab", 20, 4)}, []float32{20, 21, 22, 23}},
		{[]safetensors.Out{counting("l.0.abc", 30, 6)}, []float32{30, 31, 32, 33}},
	} {
		m, err := modelOf(t, 1, []Rule{rule}, c.tensors...)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := m.ReadFloat32(context.Background(), &m.Weights[0]); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("want %v, found %v, %v", c.want, got, err)
		}
	}
	if _, err := modelOf(t, 1, []Rule{rule}, counting("l.0.a", 0, 2)); err == nil || !strings.Contains(err.Error(), `tensor "l.0.b": missing`) {
		t.Errorf("half a form: %v", err)
	}
}

func u8(name string, data []byte, shape ...int) safetensors.Out {
	return safetensors.Out{Name: name, DType: safetensors.U8, Shape: shape, Data: safetensors.Bytes(data)}
}

// Every finite number of the format is a bfloat16, and the conversion gives it.
func TestMXFP4Numbers(t *testing.T) {
	magnitudes := []float64{0, 0.5, 1, 1.5, 2, 3, 4, 6} // OCP MX 1.0, table of E2M1
	for scale := range 255 {
		for bits := range 16 {
			want := math.Ldexp(magnitudes[bits&7], scale-127)
			if bits >= 8 {
				want = -want
			}
			got := float64(floats.FromBF16(mxfp4Number(uint8(scale), uint8(bits))))
			if math.Abs(want) > math.MaxFloat32 {
				if !math.IsInf(got, 0) {
					t.Fatalf("scale %d, bits %d: %v is not infinite", scale, bits, got)
				}
			} else if got != want {
				t.Fatalf("scale %d, bits %d: %v, want %v", scale, bits, got, want)
			}
		}
	}
}

func TestMXFP4(t *testing.T) {
	const experts, rows, cols = 2, 6, 64
	blocks, scales := make([]byte, experts*rows*cols/2), make([]byte, experts*rows*cols/32)
	for i := range blocks {
		blocks[i] = byte(i * 37)
	}
	for i := range scales {
		scales[i] = byte(120 + i%9)
	}
	value := func(i int) float32 {
		b := blocks[i/2] >> (4 * (i % 2)) & 15
		f := float32(math.Ldexp([]float64{0, 0.5, 1, 1.5, 2, 3, 4, 6}[b&7], int(scales[i/32])-127))
		if b >= 8 {
			return -f
		}
		return f
	}
	dims := []Dim{dim(experts), dim(rows), dim(cols)}
	piece := func(from int) RulePiece {
		return RulePiece{Tensor: "b", Scales: "s", Dims: dims, Leading: 2, Rows: [2]int{from, experts * rows}, Step: 2}
	}
	shape := []int{experts, rows / 2, cols}
	rules := []Rule{{Logical: "even", Shape: shape, Pieces: []RulePiece{piece(0)}}, {Logical: "odd", Shape: shape, Pieces: []RulePiece{piece(1)}},
		{Logical: "all", Shape: []int{experts, rows, cols}, Pieces: []RulePiece{{Tensor: "b", Scales: "s", Dims: dims}}}}
	tensors := func(b, s safetensors.Out) (*Model, error) { return modelOf(t, 0, rules, b, s) }
	b, s := u8("b", blocks, experts, rows, cols/32, 16), u8("s", scales, experts, rows, cols/32)
	m, err := tensors(b, s)
	if err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]func(int) int{"even": func(r int) int { return 2 * r }, "odd": func(r int) int { return 2*r + 1 }, "all": func(r int) int { return r }} {
		w := m.Weight(name)
		got, err := m.ReadFloat32(context.Background(), w)
		if err != nil || int64(len(got)) != w.Elements() || w.DType != safetensors.BF16 {
			t.Fatal(name, len(got), w.DType, err)
		}
		for i, f := range got {
			if want := value(row(i/cols)*cols + i%cols); f != want {
				t.Fatalf("%s: element %d is %v, want %v", name, i, f, want)
			}
		}
		var out bytes.Buffer
		if err := m.WriteWeight(context.Background(), w, safetensors.BF16, &out); err != nil || floats.FromBF16(binary.LittleEndian.Uint16(out.Bytes()[2:])) != got[1] {
			t.Errorf("%s as bfloat16: %v", name, err)
		}
	}
	for _, c := range []struct {
		b, s safetensors.Out
		want string
	}{
		{u8("b", blocks, experts, rows, cols/2), s, "wrong shape"},
		{b, u8("s", scales, experts, rows*cols/32), "wrong shape"},
		{safetensors.Out{Name: "b", DType: safetensors.I8, Shape: b.Shape, Data: b.Data}, s, "are not read: want U8, found I8"},
	} {
		if _, err := tensors(c.b, c.s); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("want %q, found %v", c.want, err)
		}
	}
	scales[3] = 255
	if m, err = tensors(b, s); err != nil {
		t.Fatal(err)
	}
	if _, err := m.ReadFloat32(context.Background(), m.Weight("all")); diag.KindOf(err) != diag.BadInput || !strings.Contains(err.Error(), `tensor "s": an MXFP4 scale`) {
		t.Errorf("scale that is no number: %v", err)
	}
}

package report

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/quantize"
)

// manifest has two layers with a quantized weight and a norm each, and an embedding
// in 8 bits. calibrated is 1 for weighted errors, of which the first layer's is the
// larger, and 0 for none.
func manifest(t testing.TB, calibrated float64) *bundle.Manifest {
	t.Helper()
	m := &bundle.Manifest{Model: bundle.Model{Name: `<b>"model"</b>`, Family: "llama", Context: 128}}
	var stored Stored
	add := func(name string, s quantize.Scheme, e, weighted float64) {
		storage := quantize.Storage{Weight: name, Scheme: s, Params: "F16", Shape: []int{32, 128}}
		for _, x := range storage.Tensors() {
			m.Weights = append(m.Weights, bundle.Tensor{Name: x.Name, DType: bundle.U8, Shape: x.Shape, Length: x.Bytes()})
		}
		stored.Weights = append(stored.Weights, quantize.Report{Weight: name, Scheme: s, Shape: storage.Shape, RelativeError: e, WeightedError: weighted, MaxError: 0.25, MaxWeight: 2, Saturated: 0.001})
	}
	add("embed.weight", quantize.Int8, 0.004, 0)
	for l, e := range []float64{0.08, 0.12} {
		add(fmt.Sprintf("layers.%d.attn.o.weight", l), quantize.Int4, e, calibrated*(0.2-e))
		m.Weights = append(m.Weights, bundle.Tensor{Name: fmt.Sprintf("layers.%d.attn_norm.weight", l), DType: bundle.F32, Shape: []int{128}, Length: 512})
	}
	// Looks like a part of a quantized weight and is none.
	m.Weights = append(m.Weights, bundle.Tensor{Name: "other.scale", DType: bundle.F32, Shape: []int{2}, Length: 8})
	var err error
	if m.Report, err = json.Marshal(stored); err != nil {
		t.Fatal(err)
	}
	return m
}

func read(t testing.TB, m *bundle.Manifest) *Report {
	t.Helper()
	r, err := fromManifest(m)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReport(t *testing.T) {
	r := read(t, manifest(t, 0))
	var names []string
	for _, w := range r.Weights {
		names = append(names, w.Name)
	}
	want := "embed.weight layers.0.attn.o.weight layers.0.attn_norm.weight layers.1.attn.o.weight layers.1.attn_norm.weight other.scale"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("weights %s, want %s", got, want)
	}
	// 4 bits and two f16 for 64 numbers.
	if w := r.Weights[3]; w.Layer != 1 || w.Kind != "attn.o" || w.Scheme != "int4-g64" || w.Bits != 4.5 || w.Numbers != 4096 || w.Bytes != 2304 || w.Loss.RelativeError != 0.12 {
		t.Errorf("%+v, %+v", w, w.Loss)
	}
	if w := r.Weights[2]; w.Loss != nil || w.Bits != 32 || w.Scheme != "f32" {
		t.Errorf("%+v", w)
	}
	if len(r.Groups) != 4 || r.Groups[0].Kind != "attn.o" || r.Groups[0].Count != 2 || r.Groups[0].WorstError != 0.12 || math.Abs(r.Groups[0].MedianError-0.1) > 1e-15 {
		t.Errorf("%+v", r.Groups)
	}
	if worst := r.Worst(2); worst[0].Name != "layers.1.attn.o.weight" || worst[1].Name != "layers.0.attn.o.weight" {
		t.Errorf("%+v", worst)
	}
	if r.Archive != 3*0+2*2304+4352+2*512+8 || math.Abs(r.Bits()-(2*4.5+8.5)/3) > 1e-12 {
		t.Errorf("archive of %d bytes, %g bits", r.Archive, r.Bits())
	}
}

func TestCalibrated(t *testing.T) {
	r := read(t, manifest(t, 1))
	if worst := r.Worst(1); !r.Calibrated || worst[0].Name != "layers.0.attn.o.weight" || math.Abs(worst[0].Loss.Cost()-0.12) > 1e-15 {
		t.Errorf("%+v", worst)
	}
	if r.Weights[0].Loss.Cost() != 0.004 {
		t.Errorf("the embedding costs %g", r.Weights[0].Loss.Cost())
	}
	var out bytes.Buffer
	if err := r.WriteHTML(&out); err != nil || !strings.Contains(out.String(), "Weighted error by layer") || !strings.Contains(out.String(), ">Weighted</th>") {
		t.Errorf("%v", err)
	}
	for _, row := range r.rows() {
		if len(row.Cells) != len(r.columns()) {
			t.Errorf("%d cells for %d columns: %+v", len(row.Cells), len(r.columns()), row)
		}
	}
}

func TestSplit(t *testing.T) {
	for name, want := range map[string]struct {
		kind  string
		layer int
	}{
		"layers.12.mlp.down.weight":           {"mlp.down", 12},
		"layers.0.attn.q.bias":                {"attn.q.bias", 0},
		"head.weight":                         {"head", -1},
		"layers.x.q.weight":                   {"layers.x.q", -1},
		"layers.-1.q.weight":                  {"layers.-1.q", -1},
		"layers.9223372036854775807.q.weight": {"layers.9223372036854775807.q", -1},
		"layers.7":                            {"layers.7", -1},
	} {
		if kind, layer := split(name); kind != want.kind || layer != want.layer {
			t.Errorf("%s: %s of layer %d", name, kind, layer)
		}
	}
}

func TestText(t *testing.T) {
	var out bytes.Buffer
	if err := read(t, manifest(t, 0)).WriteText(&out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"layers.1.attn.o.weight", "12.00 %", "32 × 128", "4.50", "0.10 %", "3 weights are quantized, 5.83 bits"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out.String())
		}
	}
	out.Reset()
	m := manifest(t, 0)
	m.Report = nil
	if err := read(t, m).WriteText(&out); err != nil || !strings.Contains(out.String(), "no weight is quantized") {
		t.Errorf("%v: %s", err, out.String())
	}
}

// A page is well formed, names every weight, loads nothing, and shows foreign names
// as text.
func TestPage(t *testing.T) {
	quantized := manifest(t, 0)
	floats := manifest(t, 0)
	floats.Report = nil
	empty := &bundle.Manifest{}
	for name, m := range map[string]*bundle.Manifest{"quantized": quantized, "calibrated": manifest(t, 1), "floats": floats, "empty": empty} {
		r := read(t, m)
		var out bytes.Buffer
		if err := r.WriteHTML(&out); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		page := out.String()
		for _, w := range r.Weights {
			if !strings.Contains(page, ">"+w.Name+"<") {
				t.Errorf("%s: no %s", name, w.Name)
			}
		}
		for _, banned := range []string{"http:", "https:", "src=", "url(", "@import", "<link", "<b>", "NaN", "ZgotmplZ", "%!"} {
			if strings.Contains(page, banned) {
				t.Errorf("%s: the page contains %s", name, banned)
			}
		}
		if err := wellFormed(page); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if has := strings.Contains(page, "<svg class=\"lines\""); has != (name == "quantized" || name == "calibrated") {
			t.Errorf("%s: chart %v", name, has)
		}
	}
}

// wellFormed reads the page as XML, but for the content of script and style.
func wellFormed(page string) error {
	for _, tag := range []string{"script", "style"} {
		before, rest, ok := strings.Cut(page, "<"+tag+">")
		_, after, closed := strings.Cut(rest, "</"+tag+">")
		if !ok || !closed {
			return errors.New("no " + tag)
		}
		page = before + after
	}
	d := xml.NewDecoder(strings.NewReader(page))
	d.Entity = xml.HTMLEntity
	for {
		switch _, err := d.Token(); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

func TestNiceStep(t *testing.T) {
	for _, test := range []struct {
		span float64
		n    int
		want float64
	}{{0, 5, 1}, {0.12, 5, 0.05}, {0.09, 5, 0.02}, {1, 5, 0.2}, {29, 12, 5}, {7, 12, 1}, {60, 12, 5}} {
		if got := niceStep(test.span, test.n); math.Abs(got-test.want) > 1e-9*test.want {
			t.Errorf("%g in %d parts: %g, want %g", test.span, test.n, got, test.want)
		}
	}
}

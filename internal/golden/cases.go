package golden

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/stored"
	"github.com/hlocc/hlocc/lower/decoder"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/pass"
	"github.com/hlocc/hlocc/lower/stablehlo"
	"github.com/hlocc/hlocc/quantize"
)

// The sizes of the graphs. A prefill of 16 has the forms of long prefills (see the
// experts), and windows of the fixtures are narrower than the context.
const (
	goldenContext = 64
	goldenBucket  = 16
	goldenBatch   = 2
)

// goldenKinds are the graphs of a family's first case.
var goldenKinds = []decoder.Options{
	{Kind: decoder.Prefill, Bucket: goldenBucket},
	{Kind: decoder.Decode},
	{Kind: decoder.Decode, Batch: goldenBatch},
}

// variantKinds are the graphs of its other cases: what a variant changes shows there.
var variantKinds = []decoder.Options{{Kind: decoder.Decode}}

// goldenCase is a fixture, opened: nothing of its weights is kept but how they are stored.
type goldenCase struct {
	name, family string
	spec         *arch.Spec
	model        []arch.Weight
	stored       map[string]decoder.Stored
	weights      string
}

func openCase(s source) (*goldenCase, error) {
	m, done, err := s.open()
	if err != nil {
		return nil, err
	}
	defer done()
	defer m.Close()
	c := &goldenCase{name: s.name, family: m.Family, spec: m.Spec, weights: weightMap(m), model: m.Weights}
	c.stored = stored.Forms(quantize.Plan(m.Weights, quantize.Options{}), quantize.Exact)
	return c, nil
}

func (c *goldenCase) dir() string { return path.Join(c.family, c.name) }

func (c *goldenCase) files(kinds []decoder.Options) ([]File, error) {
	dir := c.dir()
	spec, err := json.MarshalIndent(c.spec, "", "  ")
	if err != nil {
		return nil, err
	}
	files := []File{{dir + "/spec.json", append(spec, '\n')}, {dir + "/weights.txt", []byte(c.weights)}}
	short, layers := sample(c.spec)
	stored := func(name string) decoder.Stored { return c.stored[renumber(name, layers)] }
	for _, o := range kinds {
		text, err := lower(short, o, stored)
		if err != nil {
			return nil, err
		}
		files = append(files, File{dir + "/" + o.Name() + ".mlir", text})
	}
	return files, nil
}

// sample is the Spec with the first layer of each kind only, and their numbers: the
// others lower to the same again.
func sample(s *arch.Spec) (short *arch.Spec, layers []int) {
	c := *s
	c.Layers = nil
	seen := map[arch.Layer]bool{}
	for n, l := range s.Layers {
		if !seen[l] {
			seen[l] = true
			c.Layers = append(c.Layers, l)
			layers = append(layers, n)
		}
	}
	return &c, layers
}

// renumber is the name that a weight of a sampled layer has in the whole model.
func renumber(name string, layers []int) string {
	rest, ok := strings.CutPrefix(name, "layers.")
	if !ok {
		return name
	}
	number, rest, _ := strings.Cut(rest, ".")
	n, err := strconv.Atoi(number)
	if err != nil || n >= len(layers) {
		return name
	}
	return fmt.Sprintf("layers.%d.%s", layers[n], rest)
}

// lower gives the text of one graph, as it would be compiled.
func lower(s *arch.Spec, o decoder.Options, stored func(string) decoder.Stored) ([]byte, error) {
	g, err := decoder.Build(s, sized(o, stored))
	if err != nil {
		return nil, err
	}
	return printed(g)
}

func printed(g *ir.Graph) ([]byte, error) {
	g, err := pass.Run(g, pass.Portable())
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	_, err = stablehlo.Print(&text, g, stablehlo.Options{})
	return text.Bytes(), err
}

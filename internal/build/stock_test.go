package build

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/extract"
	"github.com/hlocc/hlocc/internal/oracle"
	"github.com/hlocc/hlocc/internal/testenv"
)

// The modules and the weights of a bundle, taken out of it, pass the oracle under
// the stock IREE runtime: the whole prompt by prefill, then a decode step on the
// cache that it leaves.
func TestOraclesOnStockRuntime(t *testing.T) {
	tools := testenv.IREE(t)
	for _, name := range fixtures.Names(t) {
		if !compiledWhole(name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, o, plan := openFixture(t, name)
			path, r := buildFixture(t, name, func(o *Options) { o.Plan = plan })
			b, err := bundle.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			dir := filepath.Join(t.TempDir(), "extracted")
			if _, err := extract.Run(t.Context(), b, dir, nil, func(int64, int64) {}); err != nil {
				t.Fatal(err)
			}
			prefill := b.Manifest().Graph(r.Modules[len(plan.Buckets)-1].Graph) // of the largest bucket
			stock := stockRuntime{tool: tools.RunModule, dir: filepath.Join(dir, r.Targets[0]), weights: filepath.Join(dir, extract.WeightsName), tmp: t.TempDir()}
			for i := range o.Cases {
				c := &o.Cases[i]
				check := oracle.NewCheck(&oracle.Case{Name: c.Name, Prompt: c.Prompt[len(c.Prompt)-1:], Logits: c.Logits[len(c.Prompt)-1:], New: c.New[:2]})
				var next int32
				var logits []float32
				for from := 0; from < len(c.Prompt); from += prefill.Bucket {
					tokens := make([]int32, prefill.Bucket)
					n := copy(tokens, c.Prompt[from:])
					next, logits = stock.call(t, prefill, map[string][]int32{
						bundle.RoleTokens: tokens, bundle.RoleStart: {int32(from)}, bundle.RoleLength: {int32(n)},
						bundle.RoleExtent: {int32(len(c.Prompt))},
					})
				}
				check.PromptRow(0, logits)
				check.Step(0, logits, next)
				next, logits = stock.call(t, b.Manifest().Graph("decode"), map[string][]int32{
					bundle.RoleToken: {c.New[0]}, bundle.RolePosition: {int32(len(c.Prompt))}, bundle.RoleExtent: {int32(len(c.Prompt)) + 1},
				})
				check.Step(1, logits, next)
				if v := check.Result(); !v.Pass() {
					t.Errorf("%+v", v)
				}
				stock.reset()
			}
		})
	}
}

// stockRuntime calls graphs by iree-run-module, with the caches in files.
type stockRuntime struct {
	tool, dir, weights, tmp string
	started                 bool // the files of the caches hold something
}

func (s *stockRuntime) reset() { s.started = false }

func (s *stockRuntime) call(t *testing.T, g *bundle.Graph, values map[string][]int32) (next int32, logits []float32) {
	t.Helper()
	args := []string{"--device=local-sync", "--module=" + filepath.Join(s.dir, g.ID+".vmfb"), "--parameters=model=" + s.weights, "--function=" + g.Function}
	file := func(role string) string { return filepath.Join(s.tmp, strings.ReplaceAll(role, ".", "_")+".bin") }
	for _, in := range g.Inputs {
		shape := ""
		for _, d := range in.Shape {
			shape += fmt.Sprintf("%dx", d)
		}
		spec := fmt.Sprintf("--input=%s%s=", shape, in.DType)
		switch v, isValue := values[in.Role]; {
		case isValue:
			spec += strings.Trim(fmt.Sprint(v), "[]")
		case s.started:
			spec += "@" + file(in.Role)
		default:
			spec += "0"
		}
		args = append(args, spec)
	}
	for _, r := range g.Results {
		args = append(args, "--output=@"+file(r.Role))
	}
	if out, err := exec.CommandContext(t.Context(), s.tool, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", g.ID, err, bytes.TrimSpace(out))
	}
	s.started = true
	id, err := os.ReadFile(file(bundle.RoleNextID))
	if err != nil {
		t.Fatal(err)
	}
	row, err := os.ReadFile(file(bundle.RoleLogits))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+4 <= len(row); i += 4 {
		logits = append(logits, math.Float32frombits(binary.LittleEndian.Uint32(row[i:])))
	}
	return int32(binary.LittleEndian.Uint32(id)), logits
}

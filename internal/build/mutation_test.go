package build

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/oracle"
	"github.com/hlocc/hlocc/internal/testenv"
	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
)

// The power of the oracles: every field of the Spec is changed in every way that
// makes a valid Spec, and the program of the changed Spec runs with the weights of
// the fixture. Some oracle must notice each change; the changes that none notices
// are listed, each with the unit test of the formula.
func TestEveryFieldOfTheSpecIsJudged(t *testing.T) {
	j := &judgement{names: specNames(t), flips: map[string]verdict{}}
	for _, rows := range []rows{lastRow, allRows} {
		t.Run(string(rows), func(t *testing.T) {
			for _, name := range fixtures.Names(t) {
				t.Run(name, func(t *testing.T) {
					t.Parallel()
					j.fixture(t, name, rows)
				})
			}
		})
	}
	if t.Failed() {
		return
	}
	for _, path := range fieldPaths(reflect.TypeFor[arch.Spec](), "") {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(j.flips)), func(flip string) bool { return strings.HasPrefix(flip, path+": ") }) {
			j.flips[path+": never"] = unnoticed
		}
	}
	count := map[verdict]int{}
	for _, flip := range slices.Sorted(maps.Keys(j.flips)) {
		v := j.flips[flip]
		count[v]++
		field, _, _ := strings.Cut(flip, ": ")
		test, listed := elsewhere[flip]
		switch {
		case v == unnoticed && !listed:
			t.Errorf("%s: no fixture notices; add one that does, or a unit test of the formula of %s and a line in elsewhere", flip, field)
		case v != unnoticed && listed:
			t.Errorf("%s is noticed now: remove it from elsewhere", flip)
		case listed:
			t.Logf("%s: judged by %s", flip, test)
		}
	}
	for flip, test := range elsewhere {
		if _, ok := j.flips[flip]; !ok {
			t.Errorf("elsewhere lists %s, which is no change that a fixture allows", flip)
		}
		dir, name, _ := strings.Cut(test, " ")
		if !definesTest(t, filepath.Join(testenv.Root(t), dir), name) {
			t.Errorf("%s: there is no test %s in %s", flip, name, dir)
		}
	}
	t.Logf("%d changes of %d fields: %d noticed by an oracle, %d ask for other tensors, %d judged elsewhere", len(j.flips),
		len(fieldPaths(reflect.TypeFor[arch.Spec](), "")), count[noticed], count[otherTensors], count[unnoticed])
}

// verdict on a change of the Spec, the best of all fixtures.
type verdict int

const (
	unnoticed    verdict = iota
	otherTensors         // the changed Spec does not fit the checkpoint's tensors, which arch.Open finds
	noticed
)

// judgement collects the verdicts of all fixtures, by change.
type judgement struct {
	names map[string][]string // see specNames
	mu    sync.Mutex
	flips map[string]verdict
}

func (j *judgement) get(name string) verdict {
	j.mu.Lock()
	defer j.mu.Unlock()
	v := j.flips[name]
	j.flips[name] = v
	return v
}

func (j *judgement) improve(name string, v verdict) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.flips[name] = max(v, j.flips[name])
}

// rows says which rows of an oracle a change is judged by.
type rows string

const (
	lastRow rows = "last row" // of the longest prompt, by one prefill
	allRows rows = "all rows" // by decode steps
)

// fixture tries the changes that no fixture has noticed yet. All rows, which take
// longer, are for those of which more is expected.
func (j *judgement) fixture(t *testing.T, name string, rows rows) {
	m, o, options := openFixture(t, name)
	var list []flip
	for _, f := range flips(m.Spec, j.names) {
		_, listed := elsewhere[f.name]
		if v := j.get(f.name); v == unnoticed && !(listed && rows == allRows) || v == otherTensors && rows == lastRow {
			list = append(list, f)
		}
	}
	if len(list) == 0 {
		return
	}
	c := &o.Cases[0]
	for i := range o.Cases {
		if len(o.Cases[i].Prompt) > len(c.Prompt) {
			c = &o.Cases[i]
		}
	}
	options.Buckets = []int{len(c.Prompt)}
	plan, err := NewPlan(m, options)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{m, plan.RowMajor(), c, rows, map[string]interp.Tensor{}}
	if v := b.judge(t, m.Spec); v != unnoticed {
		t.Fatal("the unchanged Spec does not pass")
	}
	for _, f := range list {
		if j.get(f.name) != noticed {
			j.improve(f.name, b.judge(t, f.spec))
		}
	}
}

// bench runs changed Specs with the weights of a fixture.
type bench struct {
	model   *arch.Model
	plan    *Plan
	c       *oracle.Case
	rows    rows
	weights map[string]interp.Tensor // those that were read
}

// judge says whether the oracle notices that its prompt runs with the Spec s.
func (b *bench) judge(t *testing.T, s *arch.Spec) verdict {
	t.Helper()
	changed := *b.model
	changed.Spec = s
	r := NewReference(&changed, b.plan)
	prefill := b.plan.Graphs[0]
	graph, err := Graph(s, b.plan, prefill)
	if err != nil {
		t.Fatalf("a valid Spec does not lower: %v", err)
	}
	r.graphs[prefill.ID] = graph
	if !b.fill(t, r, graph) {
		return otherTensors
	}
	n := len(b.c.Prompt)
	check := oracle.NewCheck(&oracle.Case{Prompt: b.c.Prompt, Logits: b.c.Logits})
	if b.rows == allRows {
		r.Expect(n)
		for i, token := range b.c.Prompt {
			_, logits, err := r.Step(t.Context(), token)
			if err != nil {
				t.Fatal(err)
			}
			check.PromptRow(i, logits)
		}
	} else {
		check = oracle.NewCheck(&oracle.Case{Prompt: b.c.Prompt[n-1:], Logits: b.c.Logits[n-1:]})
		_, logits, err := r.Prefill(t.Context(), prefill, b.c.Prompt)
		if err != nil {
			t.Fatal(err)
		}
		check.PromptRow(0, logits)
	}
	if result := check.Result(); !result.Pass() {
		return noticed
	}
	return unnoticed
}

// fill gives r the weights that the graph asks for: those of the fixture, and
// something in place of a vector that it does not have. It is false if the graph
// asks for another matrix or for another shape.
func (b *bench) fill(t *testing.T, r *Reference, graph *ir.Graph) bool {
	t.Helper()
	isTable := map[string]bool{}
	for _, table := range tables(r.model.Spec, b.plan.Context) {
		isTable[table.Name] = true
	}
	for _, v := range graph.Params() {
		key := v.Op().(ir.Parameter).Key
		w := b.model.Weight(key)
		var err error
		switch {
		case isTable[key]:
			continue
		case w != nil && !slices.Equal(w.Shape, v.Shape()), w == nil && len(v.Shape()) > 1:
			return false
		case w == nil:
			values := make([]float64, v.Type().Elems())
			for i := range values {
				values[i] = 0.5 * float64(i%3) // not all equal: LayerNorm would not see it
			}
			r.params[key], err = interp.Floats(v.Type(), values)
		default:
			if _, ok := b.weights[key]; !ok {
				b.weights[key], err = r.param(t.Context(), key, v.Type())
			}
			r.params[key] = b.weights[key]
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return true
}

// flip is a Spec with one change, named by field and change.
type flip struct {
	name string
	spec *arch.Spec
}

// flips lists the valid Specs that differ from s in one field.
func flips(s *arch.Spec, names map[string][]string) []flip {
	var list []flip
	text, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	clone := func() *arch.Spec {
		c := &arch.Spec{}
		if err := json.Unmarshal(text, c); err != nil {
			panic(err)
		}
		return c
	}
	leaves(reflect.ValueOf(s).Elem(), "", func(s *arch.Spec) reflect.Value { return reflect.ValueOf(s).Elem() },
		func(path string, v reflect.Value, at func(*arch.Spec) reflect.Value) {
			for _, change := range changes(v, names) {
				c := clone()
				at(c).Set(change.to)
				if c.Validate() == nil {
					list = append(list, flip{path + ": " + change.name, c})
				}
			}
		})
	return list
}

// leaves visits every field of v that holds a value and every pointer; at finds
// the field in another Spec of the same form.
func leaves(v reflect.Value, path string, at func(*arch.Spec) reflect.Value, visit func(string, reflect.Value, func(*arch.Spec) reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			leaves(v.Field(i), join(path, v.Type().Field(i)), func(s *arch.Spec) reflect.Value { return at(s).Field(i) }, visit)
		}
	case reflect.Pointer:
		visit(path, v, at)
		if !v.IsNil() {
			leaves(v.Elem(), path, func(s *arch.Spec) reflect.Value { return at(s).Elem() }, visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			leaves(v.Index(i), path+"[]", func(s *arch.Spec) reflect.Value { return at(s).Index(i) }, visit)
		}
	default:
		visit(path, v, at)
	}
}

// fieldPaths lists the fields of a type as leaves names them.
func fieldPaths(t reflect.Type, path string) []string {
	switch t.Kind() {
	case reflect.Struct:
		var list []string
		for i := range t.NumField() {
			list = append(list, fieldPaths(t.Field(i).Type, join(path, t.Field(i)))...)
		}
		return list
	case reflect.Pointer:
		return append([]string{path}, fieldPaths(t.Elem(), path)...)
	case reflect.Slice:
		return fieldPaths(t.Elem(), path+"[]")
	}
	return []string{path}
}

func join(path string, f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return strings.TrimPrefix(path+"."+name, ".")
}

// change is another value of a field.
type change struct {
	name string
	to   reflect.Value
}

// present has a value for pointers that are nil.
var present = map[reflect.Type]any{
	reflect.TypeFor[*arch.QKNorm]():     &arch.QKNorm{Kind: arch.RMSNorm, Eps: 1e-6, Over: arch.OverHead},
	reflect.TypeFor[*arch.QueryScale](): &arch.QueryScale{Beta: 0.1, Original: 4},
}

// changes are the other values that a field may take: of flags and names all of
// them, of numbers a few nearby, of what may be absent also that.
func changes(v reflect.Value, names map[string][]string) []change {
	var list []change
	add := func(name string, to any) {
		list = append(list, change{name, reflect.ValueOf(to).Convert(v.Type())})
	}
	switch v.Kind() {
	case reflect.Bool:
		add(fmt.Sprintf("%t to %t", v.Bool(), !v.Bool()), !v.Bool())
	case reflect.Int:
		n := v.Int()
		add("one more", n+1)
		add("one less", n-1)
		if n == 0 {
			add("none to 4", 4)
			break
		}
		add("to none", 0)
		add("twice", 2*n)
	case reflect.Float64:
		f := v.Float()
		if f == 0 {
			add("none to some", 0.5)
			break
		}
		add("to none", 0.0)
		add("half more", f*1.5)
		add("half", f/2)
	case reflect.String:
		for _, to := range names[v.Type().Name()] {
			if to != v.String() && v.String() != "" {
				add(v.String()+" to "+to, to)
			}
		}
	case reflect.Pointer:
		if sample, ok := present[v.Type()]; ok && v.IsNil() {
			add("none to some", sample)
		}
		if !v.IsNil() {
			list = append(list, change{"to none", reflect.Zero(v.Type())})
		}
	default:
		panic("no changes for " + v.Kind().String())
	}
	return list
}

// specNames lists the constants of each named string type of the Spec.
func specNames(t *testing.T) map[string][]string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(testenv.Root(t), "arch", "spec.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string][]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		v, ok := n.(*ast.ValueSpec)
		if !ok || v.Type == nil {
			return true
		}
		typ, isName := v.Type.(*ast.Ident)
		for _, value := range v.Values {
			if lit, ok := value.(*ast.BasicLit); ok && isName && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				names[typ.Name] = append(names[typ.Name], text)
			}
		}
		return true
	})
	return names
}

// definesTest says whether a package's folder has a test function of that name.
func definesTest(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}

// elsewhere lists the changes that no oracle notices, with the folder and the name
// of the test that judges the formula.
var elsewhere = map[string]string{
	// The context that a plan may have; graphs do not know it.
	"max_positions: one more": "internal/build TestFailedBuildsLeaveNothing",
	"max_positions: one less": "internal/build TestFailedBuildsLeaveNothing",
	"max_positions: twice":    "internal/build TestFailedBuildsLeaveNothing",

	// Published values are too small to tell from others.
	"attention.mla.eps: half":      "lower/decoder TestLatentNorm",
	"attention.mla.eps: half more": "lower/decoder TestLatentNorm",

	"moe.router.norm_eps: half":      "lower/decoder TestRouter",
	"moe.router.norm_eps: half more": "lower/decoder TestRouter",
	"moe.router.norm_eps: to none":   "lower/decoder TestRouter",

	// Without groups nothing is asked of their number.
	"moe.router.top_groups: none to 4": "lower/decoder TestRouter",

	// A model with experts cannot be one without.
	"moe: never": "arch TestValidateCombinations",

	// The two make up the width of a head, so that neither changes alone.
	"attention.mla.nope: never": "arch TestValidateCombinations",
	"attention.mla.rope: never": "arch TestValidateCombinations",

	// Within the trained context, beyond which nothing is served, this is the same.
	"rope[].kind: dynamic to default": "arch TestRoPEGoldens",

	// Numbers that only other kinds of rotary embedding read.
	"rope[].factor: none to some":              "arch TestRoPEGoldens",
	"rope[].beta_fast: none to some":           "arch TestRoPEGoldens",
	"rope[].beta_slow: none to some":           "arch TestRoPEGoldens",
	"rope[].low_freq_factor: none to some":     "arch TestRoPEGoldens",
	"rope[].high_freq_factor: none to some":    "arch TestRoPEGoldens",
	"rope[].original_max_positions: none to 4": "arch TestRoPEGoldens",
}

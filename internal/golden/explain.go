package golden

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Explain says what a difference means in the terms of the model, a line for each
// thing that changed, and the difference of the texts, at most limit lines of it.
func Explain(d Difference, limit int) (changes []string, text string) {
	switch d.Problem {
	case "missing":
		return []string{fmt.Sprintf("new, %d lines", len(splitLines(d.New)))}, ""
	case "orphan":
		return []string{"nothing makes this file any more"}, ""
	}
	a, b := splitLines(d.Old), splitLines(d.New)
	list := edits(a, b)
	switch {
	case strings.HasSuffix(d.Path, "/spec.json"):
		changes = specChanges(d.Old, d.New)
	case strings.HasSuffix(d.Path, ".mlir"):
		changes = graphChanges(a, b, list)
	default:
		changes = []string{countChanges(list)}
	}
	return changes, unified(a, b, list, limit)
}

func countChanges(list []edit) string {
	gone, come := 0, 0
	for _, e := range list {
		gone, come = gone+e.oldTo-e.oldFrom, come+e.newTo-e.newFrom
	}
	return fmt.Sprintf("%d lines gone, %d new", gone, come)
}

// places are the fields of a Spec as places in the model.
var places = map[string]string{
	"attention": "layers[*].attn", "mlp": "layers[*].mlp", "moe": "layers[*].moe", "block": "layers[*]",
}

// specChanges compares two Specs field by field: "layers[*].attn: scale 0.125 -> 0.0883883".
func specChanges(old, new []byte) []string {
	var a, b map[string]any
	if json.Unmarshal(old, &a) != nil || json.Unmarshal(new, &b) != nil {
		return []string{"is not a Spec"}
	}
	var changes []string
	for _, key := range slices.Sorted(maps.Keys(union(a, b))) {
		switch place, inLayers := places[key]; {
		case key == "layers":
			changes = append(changes, layerChanges(a[key], b[key])...)
		case inLayers:
			changes = append(changes, fieldChanges(place+": ", "", a[key], b[key])...)
		default:
			changes = append(changes, fieldChanges("model: ", key, a[key], b[key])...)
		}
	}
	return changes
}

// fieldChanges walks down objects and lists; path is that of a and b.
func fieldChanges(place, path string, a, b any) []string {
	ma, aIsMap := a.(map[string]any)
	mb, bIsMap := b.(map[string]any)
	if (aIsMap || a == nil) && (bIsMap || b == nil) && (aIsMap || bIsMap) {
		var changes []string
		for _, key := range slices.Sorted(maps.Keys(union(ma, mb))) {
			changes = append(changes, fieldChanges(place, strings.TrimPrefix(path+"."+key, "."), ma[key], mb[key])...)
		}
		return changes
	}
	la, aIsList := a.([]any)
	lb, bIsList := b.([]any)
	if aIsList && bIsList && len(la) == len(lb) {
		var changes []string
		for i := range la {
			changes = append(changes, fieldChanges(place, fmt.Sprintf("%s[%d]", path, i), la[i], lb[i])...)
		}
		return changes
	}
	if x, y := valueText(a), valueText(b); x != y {
		return []string{fmt.Sprintf("%s%s %s -> %s", place, path, x, y)}
	}
	return nil
}

// layerChanges says once what changed alike in several layers.
func layerChanges(a, b any) []string {
	la, _ := a.([]any)
	lb, _ := b.([]any)
	if len(la) != len(lb) {
		return []string{fmt.Sprintf("model: %d layers -> %d layers", len(la), len(lb))}
	}
	var order []string
	where := map[string][]int{}
	for i := range la {
		for _, c := range fieldChanges("", "", la[i], lb[i]) {
			if where[c] == nil {
				order = append(order, c)
			}
			where[c] = append(where[c], i)
		}
	}
	for i, c := range order {
		order[i] = fmt.Sprintf("layers[%s]: %s", layerRange(where[c], len(la)), c)
	}
	return order
}

func union(a, b map[string]any) map[string]any {
	all := maps.Clone(a)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, b)
	return all
}

// valueText is a value for people: numbers to six digits, unless they are whole.
func valueText(v any) string {
	switch v := v.(type) {
	case nil:
		return "none"
	case float64:
		if v == float64(int64(v)) {
			return strconv.FormatInt(int64(v), 10)
		}
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// operation is a line of a graph: the name of the value, which begins with its place
// in the model, and what makes it. Operand names are left out: they change with what
// comes before.
var operation = regexp.MustCompile(`^ *%([\w.$-]+) = "?([\w.]+)"?(.*)$`)

var (
	operandName  = regexp.MustCompile(`%[\w.$-]+(, )?`)
	layerNumber  = regexp.MustCompile(`^layers\.(\d+)`)
	constantText = regexp.MustCompile(`dense<([^>]*)>`)
)

// graphChanges says for each place of the model how its operations changed.
func graphChanges(a, b []string, list []edit) []string {
	type change struct{ place, what string }
	var order []change
	layers := map[change][]int{}
	all := 0
	for _, line := range b {
		if m := operation.FindStringSubmatch(line); m != nil {
			if n := layerNumber.FindStringSubmatch(m[1]); n != nil {
				number, _ := strconv.Atoi(n[1])
				all = max(all, number+1)
			}
		}
	}
	add := func(name, what string) {
		place, layer := name[:max(0, strings.LastIndex(name, "."))], -1
		if tail := name[len(place):]; len(tail) > 1 && strings.Trim(tail[1:], "0123456789") == "" {
			place = place[:max(0, strings.LastIndex(place, "."))] // attn.const.1
		}
		if n := layerNumber.FindStringSubmatch(place); n != nil {
			layer, _ = strconv.Atoi(n[1])
			place = "layers[]" + place[len(n[0]):]
		}
		c := change{place, what}
		if layers[c] == nil {
			order = append(order, c)
		}
		layers[c] = append(layers[c], layer)
	}
	for _, e := range list {
		gone, come := operations(a[e.oldFrom:e.oldTo]), operations(b[e.newFrom:e.newTo])
		for _, name := range gone.names {
			if now, ok := come.text[name]; ok {
				if was := gone.text[name]; was != now {
					add(name, changed(was, now))
				}
			} else {
				add(name, "without "+gone.text[name])
			}
		}
		for _, name := range come.names {
			if _, ok := gone.text[name]; !ok {
				add(name, "with "+come.text[name])
			}
		}
	}
	var changes []string
	for _, c := range order {
		place := c.place
		if where := layers[c]; where[0] >= 0 {
			place = strings.Replace(place, "[]", "["+layerRange(where, all)+"]", 1)
		}
		times := ""
		if n := len(layers[c]) / len(slices.Compact(slices.Sorted(slices.Values(layers[c])))); n > 1 {
			times = fmt.Sprintf(" (%d times)", n)
		}
		changes = append(changes, strings.TrimPrefix(place+": ", ": ")+c.what+times)
	}
	if len(changes) == 0 {
		changes = []string{countChanges(list)}
	}
	return changes
}

// lineOps are the operations of some lines.
type lineOps struct {
	names []string
	text  map[string]string
}

func operations(lines []string) lineOps {
	ops := lineOps{text: map[string]string{}}
	for _, line := range lines {
		m := operation.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		what := strings.TrimPrefix(m[2], "stablehlo.") + " " + strings.TrimSpace(operandName.ReplaceAllString(m[3], ""))
		ops.names = append(ops.names, m[1])
		ops.text[m[1]] = strings.Join(strings.Fields(what), " ")
	}
	return ops
}

// changed says how an operation changed; of a constant, only its value.
func changed(was, now string) string {
	if a, b := constantText.FindStringSubmatch(was), constantText.FindStringSubmatch(now); a != nil && b != nil && a[1] != b[1] {
		return fmt.Sprintf("constant %s -> %s", a[1], b[1])
	}
	return was + " -> " + now
}

package golden

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/arch"
)

// weightMap lists the logical weights of a model with their shapes, types and the
// tensors that they are made of; what is equal in several layers on one line.
func weightMap(m *arch.Model) string {
	type line struct {
		text   string
		layers []int
	}
	var lines []line
	index := map[string]int{}
	for i := range m.Weights {
		w := &m.Weights[i]
		layer, name := layerOf(w.Name)
		var pieces []string
		for j := range w.Pieces {
			pieces = append(pieces, inLayer(w.Pieces[j].String(), layer))
		}
		text := fmt.Sprintf("%s %s%v\n  <- %s\n", name, strings.ToLower(string(w.DType)), w.Shape, strings.Join(collapse(pieces), "\n   + "))
		if at, ok := index[text]; ok {
			lines[at].layers = append(lines[at].layers, layer)
			continue
		}
		index[text] = len(lines)
		lines = append(lines, line{text, []int{layer}})
	}
	var b strings.Builder
	for _, l := range lines {
		if l.layers[0] >= 0 {
			fmt.Fprintf(&b, "layers[%s].", layerRange(l.layers, len(m.Spec.Layers)))
		}
		b.WriteString(l.text)
	}
	for _, i := range m.Ignored {
		fmt.Fprintf(&b, "ignored %s\n  because %s\n", i.Tensor, i.Reason)
	}
	return b.String()
}

// layerOf splits layers.3.attn.q.weight into 3 and attn.q.weight; -1 is for none.
func layerOf(name string) (layer int, rest string) {
	tail, ok := strings.CutPrefix(name, "layers.")
	number, tail, _ := strings.Cut(tail, ".")
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		return -1, name
	}
	return n, tail
}

// inLayer writes * for the layer's number in the names of tensors: the first
// component that is that number is the layer in every checkpoint.
func inLayer(piece string, layer int) string {
	if layer < 0 {
		return piece
	}
	words := strings.Split(piece, " ")
	for i, w := range words {
		words[i] = strings.Replace(w, "."+strconv.Itoa(layer)+".", ".*.", 1)
	}
	return strings.Join(words, " ")
}

// collapse joins pieces that differ in one number that counts up: the experts of a
// stack.
func collapse(pieces []string) []string {
	if len(pieces) < 3 {
		return pieces
	}
	for at := range strings.Count(pieces[0], ".") {
		head, tail, ok := splitAt(pieces[0], at)
		if !ok {
			continue
		}
		same := true
		for i, p := range pieces {
			same = same && p == head+strconv.Itoa(i)+tail
		}
		if same {
			return []string{fmt.Sprintf("%s{0..%d}%s", head, len(pieces)-1, tail)}
		}
	}
	return pieces
}

// splitAt splits the name at its n-th component that is 0.
func splitAt(name string, n int) (head, tail string, ok bool) {
	parts := strings.Split(name, ".")
	for i, p := range parts {
		if p != "0" {
			continue
		}
		if n == 0 {
			return strings.Join(parts[:i], ".") + ".", "." + strings.Join(parts[i+1:], "."), true
		}
		n--
	}
	return "", "", false
}

// layerRange writes layer numbers as *, 3, 0-2 or 0,2,4-6.
func layerRange(layers []int, all int) string {
	layers = slices.Compact(slices.Sorted(slices.Values(layers)))
	if len(layers) == all && all > 1 {
		return "*"
	}
	var parts []string
	for i := 0; i < len(layers); {
		j := i
		for j+1 < len(layers) && layers[j+1] == layers[j]+1 {
			j++
		}
		part := strconv.Itoa(layers[i])
		if j > i {
			part += "-" + strconv.Itoa(layers[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return strings.Join(parts, ",")
}

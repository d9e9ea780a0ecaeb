package ir

import "strconv"

// number sets the IDs and names of a graph's values. Arguments and parameters have
// their own names; an operation is called after its location and mnemonic, with a
// counter per location and mnemonic: layers.7.attn.q.dot, layers.7.attn.q.add,
// layers.7.attn.q.add.1.
func (g *Graph) number() {
	taken := map[string]bool{}
	next := map[string]int{}
	unique := func(base string) string {
		for {
			name := base
			if n := next[base]; n > 0 {
				name += "." + strconv.Itoa(n)
			}
			next[base]++
			if !taken[name] {
				taken[name] = true
				return name
			}
		}
	}
	for i, v := range g.all() {
		v.id = i
		switch o := v.op.(type) {
		case Argument:
			v.name = unique(o.Name)
		case Parameter:
			v.name = unique(o.Key)
		default:
			base := o.Mnemonic()
			if v.loc != "" {
				base = v.loc + "." + base
			}
			v.name = unique(base)
		}
	}
}

// String is the name as printed: %layers.7.attn.q.dot.
func (v *Value) String() string {
	if v.name == "" {
		return v.typ.String()
	}
	return "%" + v.name
}

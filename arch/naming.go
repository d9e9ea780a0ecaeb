package arch

import (
	"strings"

	"github.com/hlocc/hlocc/internal/safetensors"
)

// A Naming translates the names of tensors in a family's rules to those of some
// checkpoints, as pairs of beginnings: of the rules, of the checkpoint. The first
// pair that fits a name holds.
type Naming [][2]string

func (n Naming) of(name string) string {
	for _, pair := range n {
		if rest, ok := strings.CutPrefix(name, pair[0]); ok {
			return pair[1] + rest
		}
	}
	return name
}

// named is the family's rules for s with the names that this checkpoint uses: of
// those that are possible the one with most of the tensors outside of layers.
func (f Family) named(s *Spec, ckpt *safetensors.Checkpoint) ([]Rule, Naming) {
	rules := f.Weights(s)
	var best Naming
	most := -1
	for _, n := range append([]Naming{nil}, f.Names...) {
		found := 0
		for _, r := range rules {
			for _, p := range r.Pieces {
				if !strings.Contains(r.Logical, "*") && ckpt.Tensor(n.of(p.Tensor)) != nil {
					found++
				}
			}
		}
		if found > most {
			best, most = n, found
		}
	}
	if best == nil {
		return rules, nil
	}
	for i := range rules {
		rules[i] = rules[i].rename(best.of)
	}
	return rules, best
}

// headTensor is the name of the tensor of the head, whether the model has one of
// its own or not; "" if the rules have none.
func (f Family) headTensor(s *Spec, ckpt *safetensors.Checkpoint) string {
	untied := *s
	untied.Head.Tied = false
	rules, _ := f.named(&untied, ckpt)
	for _, r := range rules {
		if r.Logical == headName && len(r.Pieces) == 1 {
			return r.Pieces[0].Tensor
		}
	}
	return ""
}

package arch

import (
	"fmt"
	"strings"
)

// String says which part of which tensor the piece is: "h.0.attn.c_attn.weight
// [64 192] transposed rows 64:128".
func (p *Piece) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %v", p.Tensor.Name, p.Tensor.Shape)
	if p.Scales != nil {
		fmt.Fprintf(&b, " mxfp4 with %s", p.Scales.Name)
	}
	if p.Transpose {
		b.WriteString(" transposed")
	}
	if p.Rows != [2]int{0, p.rows()} {
		fmt.Fprintf(&b, " rows %d:%d", p.Rows[0], p.Rows[1])
		if p.Leading > 1 && !p.Transpose {
			fmt.Fprintf(&b, " of %v", p.Shape[:p.Leading])
		}
	}
	if p.Step > 1 {
		fmt.Fprintf(&b, " step %d", p.Step)
	}
	if p.Run > 1 {
		fmt.Fprintf(&b, " run %d", p.Run)
	}
	return b.String()
}

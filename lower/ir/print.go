package ir

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Print writes g in the package's own compact form, one operation on a line, for
// tests and review. The text is a function of the graph alone.
func Print(w io.Writer, g *Graph) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "graph %s\n", g.name)
	for _, v := range g.all() {
		fmt.Fprintf(out, "  %v : %v = %s", v, v.typ, v.op.Mnemonic())
		for i, a := range v.args {
			sep := ", "
			if i == 0 {
				sep = " "
			}
			fmt.Fprintf(out, "%s%v", sep, a)
		}
		if s := v.op.attrs(); s != "" {
			fmt.Fprintf(out, " {%s}", s)
		}
		out.WriteByte('\n')
	}
	for _, r := range g.results {
		fmt.Fprintf(out, "  result %s = %v\n", r.Role, r.Value)
	}
	return out.Flush()
}

// String is the graph as [Print] writes it.
func (g *Graph) String() string {
	var s strings.Builder
	if err := Print(&s, g); err != nil {
		return err.Error()
	}
	return s.String()
}

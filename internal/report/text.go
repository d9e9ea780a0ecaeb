package report

import (
	"fmt"
	"io"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/hlocc/hlocc/internal/fsx"
)

// WriteText prints the report as tables: what is kept alike, then every quantized
// weight.
func (r *Report) WriteText(out io.Writer) error {
	name := 0
	for _, w := range r.Weights {
		name = max(name, utf8.RuneCountInString(w.Name))
	}
	left := func(s string) string { return fmt.Sprintf("%-*s", name, s) } // the first column alone begins at the left
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, left("kind")+"\tscheme\tweights\tsize\tbits\tmedian error\tworst\t")
	for _, g := range r.Groups {
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\t%.2f\t", left(g.Kind), g.Scheme, g.Count, fsx.Bytes(g.Bytes), g.Bits)
		if g.WorstError > 0 {
			fmt.Fprintf(t, "%s\t%s\t\n", percent(g.MedianError), percent(g.WorstError))
		} else {
			fmt.Fprint(t, "\t\t\n")
		}
	}
	quantized := r.Quantized()
	if len(quantized) > 0 {
		fmt.Fprintln(t, "\t\t\t\t\t\t\t\n"+left("weight")+"\tscheme\tshape\tsize\tbits\trelative error\tweighted\tmax error\tof at most\tsaturated\t")
	}
	for _, w := range quantized {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%.2f\t%s\t%s\t%.3g\t%.3g\t%s\t\n", left(w.Name), w.Scheme, shape(w.Shape), fsx.Bytes(w.Bytes), w.Bits,
			percent(w.Loss.RelativeError), weighted(w.Loss), w.Loss.MaxError, w.Loss.MaxWeight, percent(w.Loss.Saturated))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	if len(quantized) == 0 {
		_, err := fmt.Fprintln(out, "\nno weight is quantized")
		return err
	}
	_, err := fmt.Fprintf(out, "\n%d weights are quantized, %.2f bits for each number with scales, offsets and padding\n", len(quantized), r.Bits())
	return err
}

package report

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/hlocc/hlocc/internal/fsx"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// WriteHTML writes the report as one page: no other file, no network, and everything
// to be read without scripts, which only sort and filter the table.
func (r *Report) WriteHTML(out io.Writer) error {
	title := cmp.Or(r.Name, filepath.Base(r.File))
	return page.Execute(out, view{
		Title: title, Report: r, Facts: r.facts(), Lines: r.lines(), Sizes: r.sizeBars(), Worst: r.worstBars(10), Rows: r.rows(),
		Cost: r.cost(), Columns: r.columns(), Quantized: len(r.Quantized()) > 0,
	})
}

// view is what the page shows, every number formatted.
type view struct {
	Title     string
	Report    *Report
	Facts     []fact
	Lines     *chart // nil if no layer is quantized
	Sizes     []bar
	Worst     []bar
	Rows      []row
	Cost      string // what is plotted
	Columns   []string
	Quantized bool
}

type fact struct{ Value, Name string }

func (r *Report) facts() []fact {
	facts := []fact{{fsx.Bytes(r.Bytes), "file"}, {fsx.Bytes(r.Archive), "weights"}}
	quantized := r.Quantized()
	if len(quantized) == 0 {
		return facts
	}
	var inside, all int64
	schemes := map[string]bool{}
	for _, w := range quantized {
		inside += w.Bytes
		schemes[w.Scheme] = true
	}
	for _, w := range r.Weights {
		all += w.Bytes
	}
	names := ""
	for _, w := range quantized {
		if schemes[w.Scheme] {
			schemes[w.Scheme] = false
			if names != "" {
				names += ", "
			}
			names += w.Scheme
		}
	}
	return append(facts,
		fact{names, "quantization"},
		fact{fmt.Sprintf("%.2f", r.Bits()), "bits for each quantized number"},
		fact{percent(float64(inside) / float64(max(all, 1))), "of the weights' bytes are quantized"},
		fact{percent(r.Worst(1)[0].Loss.Cost()), "largest " + r.cost()})
}

// cost names what is plotted.
func (r *Report) cost() string {
	if r.Calibrated {
		return "weighted error"
	}
	return "relative error"
}

// bar is one line of a bar chart; Width is in percent.
type bar struct {
	Name, Note, Value string
	Width             float64
	Series            int
}

func (r *Report) sizeBars() []bar {
	var bars []bar
	for _, g := range r.Groups {
		bars = append(bars, bar{Name: g.Kind, Note: fmt.Sprintf("%s, %.2f bits", g.Scheme, g.Bits), Value: fsx.Bytes(g.Bytes),
			Width: 100 * float64(g.Bytes) / float64(max(r.Groups[0].Bytes, 1))})
	}
	// Norms, biases and tables of a layer are many names and few bytes.
	const most = 12
	if len(bars) > most {
		var rest int64
		for _, g := range r.Groups[most-1:] {
			rest += g.Bytes
		}
		bars = append(bars[:most-1], bar{Name: fmt.Sprintf("%d other kinds", len(r.Groups)-most+1), Value: fsx.Bytes(rest),
			Width: 100 * float64(rest) / float64(max(r.Groups[0].Bytes, 1))})
	}
	return bars
}

func (r *Report) worstBars(n int) []bar {
	var bars []bar
	worst := r.Worst(n)
	for _, w := range worst {
		bars = append(bars, bar{Name: w.Name, Note: w.Scheme, Value: percent(w.Loss.Cost()),
			Width: 100 * w.Loss.Cost() / max(worst[0].Loss.Cost(), math.SmallestNonzeroFloat64)})
	}
	return bars
}

// row is one weight in the table: what is shown, and numbers to sort by.
type row struct {
	Cells []cell
}

type cell struct {
	Text string
	Sort string // "" sorts by the text
}

func (r *Report) columns() []string {
	names := []string{"Weight", "Stored as", "Shape", "Size", "Bits", "Relative error"}
	if r.Calibrated {
		names = append(names, "Weighted")
	}
	return append(names, "Max error", "Max weight", "Saturated")
}

// weighted is the weighted error for people; weights in 8 bits are not calibrated.
func weighted(l *Loss) string {
	if l.WeightedError == 0 {
		return ""
	}
	return percent(l.WeightedError)
}

func (r *Report) rows() []row {
	var rows []row
	number := func(text string, v float64) cell { return cell{text, strconv.FormatFloat(v, 'g', 9, 64)} }
	for i, w := range r.Weights {
		cells := []cell{
			{w.Name, fmt.Sprintf("%06d", i)}, {w.Scheme, ""}, number(shape(w.Shape), float64(w.Numbers)), number(fsx.Bytes(w.Bytes), float64(w.Bytes)),
			number(fmt.Sprintf("%.2f", w.Bits), w.Bits),
		}
		if l := w.Loss; l != nil {
			cells = append(cells, number(percent(l.RelativeError), l.RelativeError))
			if r.Calibrated {
				cells = append(cells, number(weighted(l), l.WeightedError))
			}
			cells = append(cells, number(fmt.Sprintf("%.3g", l.MaxError), l.MaxError),
				number(fmt.Sprintf("%.3g", l.MaxWeight), l.MaxWeight), number(percent(l.Saturated), l.Saturated))
		} else {
			for range len(r.columns()) - len(cells) {
				cells = append(cells, cell{"", "-1"})
			}
		}
		rows = append(rows, row{cells})
	}
	return rows
}

// chart is a line chart in units of an SVG's view box.
type chart struct {
	Width, Height            float64
	Left, Right, Top, Bottom float64 // of the plot
	Series                   []series
	X, Y                     []tick
}

type series struct {
	Name   string
	Index  int // of its colour and mark
	Path   string
	Points []point
}

type point struct {
	X, Y  float64
	Title string
}

type tick struct {
	At   float64
	Text string
}

// lines is the cost by layer, a line for each kind.
func (r *Report) lines() *chart {
	c := &chart{Width: 880, Height: 340, Left: 56, Right: 868, Top: 12, Bottom: 300}
	var layered []Weight
	last, worst := 0, 0.0
	for _, w := range r.Quantized() {
		if w.Layer >= 0 {
			layered = append(layered, w)
			last, worst = max(last, w.Layer), max(worst, w.Loss.Cost())
		}
	}
	if len(layered) == 0 {
		return nil
	}
	step := niceStep(worst, 5)
	top := max(math.Ceil(worst/step), 1) * step
	x := func(layer int) float64 { return round1(c.Left + (c.Right-c.Left)*float64(layer)/float64(max(last, 1))) }
	y := func(e float64) float64 { return round1(c.Bottom - (c.Bottom-c.Top)*e/top) }
	for i := 0; float64(i)*step <= top*1.0001; i++ {
		c.Y = append(c.Y, tick{y(float64(i) * step), strconv.FormatFloat(100*float64(i)*step, 'g', 4, 64) + " %"})
	}
	every := max(int(niceStep(float64(max(last, 1)), 12)), 1)
	for l := 0; l <= last; l += every {
		c.X = append(c.X, tick{x(l), strconv.Itoa(l)})
	}
	at := map[string]int{}
	for _, w := range layered {
		i, ok := at[w.Kind]
		if !ok {
			i = len(c.Series)
			at[w.Kind] = i
			c.Series = append(c.Series, series{Name: w.Kind, Index: i % 8})
		}
		s := &c.Series[i]
		s.Points = append(s.Points, point{x(w.Layer), y(w.Loss.Cost()), fmt.Sprintf("layer %d, %s: %s", w.Layer, w.Kind, percent(w.Loss.Cost()))})
	}
	for i := range c.Series {
		s := &c.Series[i]
		slices.SortStableFunc(s.Points, func(a, b point) int { return cmp.Compare(a.X, b.X) })
		for j, p := range s.Points {
			s.Path += fmt.Sprintf("%c%g %g", "ML"[min(j, 1)], p.X, p.Y)
		}
	}
	return c
}

func round1(f float64) float64 { return math.Round(10*f) / 10 }

// niceStep divides a range into about n parts of 1, 2 or 5 times a power of ten.
func niceStep(span float64, n int) float64 {
	if span <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(span/float64(n))))
	for _, f := range []float64{1, 2, 5} {
		if span/(f*power) <= float64(n) {
			return f * power
		}
	}
	return 10 * power
}

package main

import (
	"bytes"
	"fmt"
	"html"
	"math"
)

// Measures of the chart in pixels.
const (
	chartWidth = 960
	plotLeft   = 330 // names stand left of it
	plotRight  = 760 // figures right of it
	plotTop    = 64
	barHeight  = 13
	groupGap   = 16
)

// threadColors are for the first, second, ... number of threads. They read in
// light and dark surroundings.
var threadColors = []string{"#2f6fb0", "#e08a1e", "#4c9a5a", "#9b59b6"}

// A group is the bars of one contest against one contender: one for each number
// of threads.
type group struct {
	name, against string
	goal          float64
	bars          []result
}

// drawChart draws the ratios of speed as SVG: a bar for each number of threads,
// a line across it from quartile to quartile, and a mark where the goal is.
func drawChart(r *report) []byte {
	groups, threads := chartGroups(r.Results)
	highest := 1.5
	for _, g := range groups {
		highest = max(highest, g.goal)
		for _, x := range g.bars {
			highest = max(highest, x.Ratio.Upper)
		}
	}
	highest = math.Ceil(highest*2) / 2
	x := func(ratio float64) float64 { return plotLeft + ratio/highest*(plotRight-plotLeft) }
	height := plotTop
	for _, g := range groups {
		height += len(g.bars)*barHeight + groupGap
	}
	bottom := height
	height += 30

	var b bytes.Buffer
	p := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line := func(x1, y1, x2, y2 float64, color string, width float64) {
		p(`<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="%.1f"/>`, x1, y1, x2, y2, color, width)
	}
	p(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %[1]d %[2]d" font-family="sans-serif" font-size="12">`, chartWidth, height)
	p(`<rect width="100%%" height="100%%" fill="#ffffff"/>`)
	p(`<text x="16" y="24" font-size="15" font-weight="bold">Speed of hlocc relative to other engines, SmolLM2-135M</text>`)
	p(`<text x="16" y="42" fill="#555555">%s</text>`, html.EscapeString(fmt.Sprintf("%s, %s, %d interleaved rounds; right of 1 hlocc is faster",
		r.Date, r.Machine.CPU, r.Rounds)))
	for i, n := range threads {
		left := plotRight - 90*(len(threads)-i)
		p(`<rect x="%d" y="14" width="12" height="12" fill="%s"/><text x="%d" y="24">%s</text>`, left, color(i), left+17, threadsText(n))
	}
	step := 0.5
	if highest > 5 {
		step = math.Ceil(highest / 8)
	}
	for v := 0.0; v <= highest; v += step {
		line(x(v), plotTop-8, x(v), float64(bottom), "#dddddd", 1)
		p(`<text x="%.1f" y="%d" text-anchor="middle" fill="#555555">%.1f</text>`, x(v), bottom+16, v)
	}
	y := plotTop
	for _, g := range groups {
		middle := y + len(g.bars)*barHeight/2
		p(`<text x="%d" y="%d" text-anchor="end">%s</text>`, plotLeft-10, middle-2, html.EscapeString(g.name))
		p(`<text x="%d" y="%d" text-anchor="end" font-size="11" fill="#555555">%s</text>`, plotLeft-10, middle+11, html.EscapeString("against "+g.against))
		top := y
		for _, bar := range g.bars {
			at := 0
			for i, n := range threads {
				if n == bar.Threads {
					at = i
				}
			}
			p(`<rect x="%d" y="%d" width="%.1f" height="%d" fill="%s"/>`, plotLeft, y, x(bar.Ratio.Median)-plotLeft, barHeight-1, color(at))
			center := float64(y) + float64(barHeight-1)/2
			line(x(bar.Ratio.Lower), center, x(bar.Ratio.Upper), center, "#222222", 1)
			p(`<text x="%d" y="%d" font-size="11" font-weight="bold">%.2f</text>`, plotRight+12, y+barHeight-3, bar.Ratio.Median)
			p(`<text x="%d" y="%d" font-size="11">%s against %s %s</text>`, plotRight+46, y+barHeight-3, short(bar.Ours.Median), short(bar.Theirs.Median),
				html.EscapeString(bar.Unit))
			y += barHeight
		}
		if g.goal > 0 {
			line(x(g.goal), float64(top-3), x(g.goal), float64(y+2), "#c0392b", 2)
		}
		y += groupGap
	}
	line(x(1), plotTop-8, x(1), float64(bottom), "#222222", 1.5)
	p(`<text x="%d" y="%d" fill="#c0392b">red mark: goal</text>`, plotRight+46, bottom+16)
	p(`</svg>`)
	return b.Bytes()
}

func color(i int) string { return threadColors[i%len(threadColors)] }

func threadsText(n int) string {
	if n == 1 {
		return "1 thread"
	}
	return fmt.Sprintf("%d threads", n)
}

// chartGroups puts together what differs in the number of threads, in order of
// appearance. What is better when less is left out: it would need another axis.
func chartGroups(results []result) (groups []group, threads []int) {
	at := map[[2]string]int{}
	seen := map[int]bool{}
	for _, x := range results {
		if x.LessWins {
			continue
		}
		if !seen[x.Threads] {
			seen[x.Threads] = true
			threads = append(threads, x.Threads)
		}
		key := [2]string{x.Contest, x.Against}
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, group{name: x.Contest, against: x.Against, goal: x.Goal})
		}
		groups[i].bars = append(groups[i].bars, x)
	}
	return groups, threads
}

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A report is what a run found, and where.
type report struct {
	Date    string    `json:"date"`
	Machine machine   `json:"machine"`
	Peers   []string  `json:"peers"` // package==version
	Rounds  int       `json:"rounds,omitempty"`
	Results []result  `json:"results,omitempty"`
	Skipped []skipped `json:"skipped,omitempty"`
	Quality []quality `json:"quality,omitempty"`
	Text    *text     `json:"text,omitempty"`
}

// skipped is a contest that our side could not take part in.
type skipped struct {
	Contest string `json:"contest"`
	Why     string `json:"why"`
}

func newReport(rounds int) *report {
	return &report{Date: time.Now().UTC().Format(time.DateOnly), Machine: thisMachine(), Peers: pinnedPeers("tools/requirements"), Rounds: rounds}
}

func (r *report) skip(c contest, why error) {
	r.Skipped = append(r.Skipped, skipped{c.title, why.Error()})
}

// finish notes what else ran on the machine.
func (r *report) finish() { r.Machine.LoadAfter = loadAverage() }

// pinnedPeers gives the engines' packages with their versions.
func pinnedPeers(dir string) []string {
	var found []string
	for _, file := range []string{"peers-source.txt", "peers.txt"} {
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(b)) {
			for _, name := range []string{"llama-cpp-python", "openvino-genai", "onnxruntime-genai", "onnxruntime"} {
				if pin, _, _ := strings.Cut(line, " "); strings.HasPrefix(pin, name+"==") {
					found = append(found, pin)
				}
			}
		}
	}
	return found
}

// write puts the tables, the figures and the chart into dir, and into docs if
// that is not empty.
func (r *report) write(dir, docs string) error {
	name, chart := "peers", drawChart(r)
	if len(r.Results) == 0 {
		name = "quality"
	}
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	files := map[string][]byte{name + ".json": append(raw, '\n'), name + ".md": []byte(r.markdown())}
	if len(r.Results) > 0 {
		files[name+".svg"] = chart
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for file, content := range files {
		if err := os.WriteFile(filepath.Join(dir, file), content, 0o644); err != nil {
			return err
		}
	}
	if docs == "" {
		return nil
	}
	if len(r.Results) > 0 {
		if err := os.WriteFile(filepath.Join(docs, "peers.svg"), chart, 0o644); err != nil {
			return err
		}
	}
	return replaceSection(filepath.Join(docs, "measurements.md"), name, r.markdown())
}

// replaceSection puts text between the lines <!-- NAME --> and <!-- /NAME -->.
func replaceSection(path, name, text string) error {
	old, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begin, end := []byte("<!-- "+name+" -->\n"), []byte("<!-- /"+name+" -->\n")
	i, j := bytes.Index(old, begin), bytes.Index(old, end)
	if i < 0 || j < i {
		return fmt.Errorf("%s has no lines %q and %q to write between", path, bytes.TrimSpace(begin), bytes.TrimSpace(end))
	}
	return os.WriteFile(path, slices.Concat(old[:i], begin, []byte(text), old[j:]), 0o644)
}

// markdown gives the tables.
func (r *report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s; %s; %s.\n", r.Date, r.Machine, strings.Join(r.Peers, ", "))
	if len(r.Results) > 0 {
		fmt.Fprintf(&b, "Medians of %d interleaved rounds; the ratio is the median of those of neighbouring runs, with its quartiles. Above 1 ours is better.\n", r.Rounds)
		b.WriteString("\n| | threads | ours | against | theirs | ratio | quartiles | goal |\n|---|---|---|---|---|---|---|---|\n")
		for _, x := range r.Results {
			what := x.Contest
			if x.LessWins {
				what += ": " + x.Metric
			}
			goal := "-"
			if x.Goal > 0 {
				goal = fmt.Sprintf("%.1f", x.Goal)
				if x.Ratio.Median >= x.Goal {
					goal += ", met"
				}
			}
			fmt.Fprintf(&b, "| %s | %d | %s %s | %s | %s | **%.2f** | %.2f to %.2f | %s |\n", what, x.Threads, short(x.Ours.Median), x.Unit,
				x.Against, short(x.Theirs.Median), x.Ratio.Median, x.Ratio.Lower, x.Ratio.Upper, goal)
		}
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(&b, "\nNot measured: %s (%s).\n", s.Contest, s.Why)
	}
	if r.Text != nil {
		fmt.Fprintf(&b, "%s: %d tokens scored, windows of %d that overlap by half.\n", r.Text.File, r.Text.Scored, r.Text.Window)
		b.WriteString("\n| | perplexity | above the checkpoint's |\n|---|---|---|\n")
		for _, q := range r.Quality {
			fmt.Fprintf(&b, "| %s | %.3f | %+.2f%% |\n", q.Name, q.Perplexity, 100*(q.Perplexity/r.Quality[0].Perplexity-1))
		}
	}
	return b.String()
}

// short prints three digits at least, and all before the point.
func short(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

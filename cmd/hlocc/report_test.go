package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/report"
)

func TestReport(t *testing.T) {
	plain, _ := bundles(t)
	var r report.Report
	if hlocc(t, "report", plain, "--json").object(t, &r); r.File != plain || r.Family != "llama" || len(r.Weights) == 0 || len(r.Groups) == 0 || r.Archive == 0 {
		t.Errorf("%+v", r)
	}
	if out := hlocc(t, "report", plain); out.code != 0 || !strings.Contains(out.out, "mlp.down") || !strings.Contains(out.out, "no weight is quantized") {
		t.Errorf("%+v", out)
	}
	page := filepath.Join(t.TempDir(), "report.html")
	if out := hlocc(t, "report", plain, "-o", page); out.code != 0 || !strings.Contains(out.out, page) {
		t.Errorf("%+v", out)
	}
	if html, err := os.ReadFile(page); err != nil || !strings.Contains(string(html), ">layers.0.mlp.down.weight<") {
		t.Errorf("%v: %.100s", err, html)
	}
	for args, code := range map[string]int{"": 2, plain + " " + plain: 2, filepath.Join(t.TempDir(), "none.hlocc"): 4, plain + " -o " + t.TempDir(): 1} {
		hlocc(t, append([]string{"report", "--json"}, strings.Fields(args)...)...).failure(t, code)
	}
}

// Package ireebench runs iree-benchmark-module, the stock tool that times a function of a
// module.
package ireebench

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
)

// Times are those of one call, in seconds.
type Times struct{ Real, CPU float64 }

// Run runs the tool at the path tool, for at least the given seconds.
func Run(ctx context.Context, tool string, seconds float64, args ...string) (Times, error) {
	args = append(args[:len(args):len(args)], fmt.Sprintf("--benchmark_min_time=%gs", seconds), "--benchmark_format=json")
	cmd := exec.CommandContext(ctx, tool, args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return Times{}, fmt.Errorf("%s: %w\n%s", tool, err, stderr.String())
	}
	var report struct {
		Benchmarks []struct {
			RealTime float64 `json:"real_time"`
			CPUTime  float64 `json:"cpu_time"`
			Unit     string  `json:"time_unit"`
		} `json:"benchmarks"`
	}
	if err := json.Unmarshal(out, &report); err != nil || len(report.Benchmarks) == 0 {
		return Times{}, fmt.Errorf("%s printed no result: %v", tool, err)
	}
	r := report.Benchmarks[0]
	unit := map[string]float64{"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[r.Unit]
	return Times{r.RealTime * unit, r.CPUTime * unit}, nil
}

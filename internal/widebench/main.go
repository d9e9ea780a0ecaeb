// Command widebench shows how near the decode step of a large model comes to the speed at
// which the machine reads memory: a checkpoint of random weights in the shape of Llama 3.2
// 1B, quantized, measured by hlocc bench.
//
//	go run ./internal/widebench -hlocc bin/hlocc -dir DIR
//
// DIR needs room for 3.5 GB; a checkpoint and bundles that are there are used again.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"

	"github.com/hlocc/hlocc/internal/evaluate"
	"github.com/hlocc/hlocc/internal/synthetic"
)

func main() {
	tool := flag.String("hlocc", "bin/hlocc", "the command that builds and measures")
	dir := flag.String("dir", "", "folder for checkpoint and bundles")
	flag.Parse()
	if flag.NArg() != 0 || *dir == "" {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *tool, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "widebench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, tool, dir string) error {
	checkpoint := filepath.Join(dir, "llama-1b")
	if _, err := os.Stat(filepath.Join(checkpoint, "complete")); err != nil {
		if err := os.MkdirAll(checkpoint, 0o755); err != nil {
			return err
		}
		if err := synthetic.Llama1B.Write(checkpoint); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(checkpoint, "complete"), nil, 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("| quantization | threads | decode tokens/s | GB/s | of the memory's | GB/s of memory |\n|---|---|---|---|---|---|\n")
	for _, quant := range []string{"int4-g64:fast", "int4-g64:exact"} {
		bundle := filepath.Join(dir, "llama-1b-"+quant[len("int4-g64:"):]+".hlocc")
		if _, err := os.Stat(bundle); err != nil {
			build := exec.CommandContext(ctx, tool, "build", checkpoint, "-o", bundle, "--quant", quant, "--buckets", "32")
			build.Stderr = os.Stderr
			if err := build.Run(); err != nil {
				return err
			}
		}
		for threads := 1; threads <= 2; threads++ {
			bench := exec.CommandContext(ctx, tool, "bench", bundle, "--json", "--threads", strconv.Itoa(threads), "--prompt-tokens", "32", "--gen-tokens", "32")
			bench.Stderr = os.Stderr
			out, err := bench.Output()
			if err != nil {
				return err
			}
			var r evaluate.BenchResult
			if err := json.Unmarshal(out, &r); err != nil {
				return err
			}
			fmt.Printf("| %s | %d | %.1f | %.1f | %.2f | %.1f |\n", quant, threads, r.Decode, r.GBps, r.BandwidthShare, r.ReadGBps)
		}
	}
	return nil
}

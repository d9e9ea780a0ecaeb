// Command kernelbench measures the kernels of quantized linears on this machine, with
// weights that come from memory: it rotates over more copies of a matrix than the
// caches hold.
//
//	go run ./internal/kernelbench -benchmark-module PATH [-isa avx512vnni] [-t 1] [-act i8] [-bits 4] [N,K ...]
//
// A row of the table is one linear: the least time of a call over the rounds, the bytes of
// its matrix in that time, the ratio of that rate to the rate at which the same memory is
// only read (measured in the same rounds), and multiply-adds per second. N with a trailing
// "g" is a gated linear.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/ireebench"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/kernel"
	"github.com/hlocc/hlocc/lower/stablehlo"
)

func main() {
	var b bench
	flag.StringVar(&b.tool, "benchmark-module", "iree-benchmark-module", "the stock tool")
	isa := flag.String("isa", "", "instruction set; default: the best of this machine")
	rows := flag.String("t", "1", "rows of activations, separated by commas")
	flag.StringVar(&b.act, "act", "i8", "activations: i8 or f32")
	flag.IntVar(&b.bits, "bits", 4, "bits of a weight")
	flag.IntVar(&b.rounds, "rounds", 5, "rounds")
	flag.IntVar(&b.threads, "threads", 1, "threads")
	flag.IntVar(&b.megabytes, "mb", 96, "size of all copies of a matrix, in megabytes")
	flag.StringVar(&b.keep, "keep", "", "folder that keeps the modules and their texts")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	shapes := flag.Args()
	if len(shapes) == 0 {
		shapes = []string{"960,576", "576,576", "3072g,576", "576,1536", "49152,576"}
	}
	if err := b.run(ctx, *isa, strings.Split(*rows, ","), shapes); err != nil {
		fmt.Fprintln(os.Stderr, "kernelbench:", err)
		os.Exit(1)
	}
}

type bench struct {
	tool, act, keep                  string
	bits, rounds, threads, megabytes int

	isa    kernel.ISA
	target compile.Target
	pool   *compile.Pool
}

// A measured is a module and the times of its calls in seconds.
type measured struct {
	name      string
	linear    kernel.Linear
	copies    int
	bytes     int // of a copy
	read, run string
	times     []float64
	reading   []float64
}

func (b *bench) run(ctx context.Context, isa string, rows, shapes []string) error {
	if err := b.setUp(ctx, isa); err != nil {
		return err
	}
	if b.keep == "" {
		dir, err := os.MkdirTemp("", "kernelbench")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		b.keep = dir
	}
	var all []*measured
	for _, shape := range shapes {
		for _, t := range rows {
			k, err := b.linear(shape, t)
			if err != nil {
				return err
			}
			m, err := b.compile(ctx, k)
			if err != nil {
				return err
			}
			all = append(all, m)
		}
	}
	for range b.rounds {
		for _, m := range all {
			for _, run := range []struct {
				file  string
				times *[]float64
			}{{m.read, &m.reading}, {m.run, &m.times}} {
				t, err := b.time(ctx, run.file, m)
				if err != nil {
					return err
				}
				*run.times = append(*run.times, t)
			}
		}
	}
	fmt.Printf("%s, %d threads, %d rounds\n\n| linear | us | median | GB/s | of read | GMAC/s |\n|---|---|---|---|---|---|\n", b.isa.Name, b.threads, b.rounds)
	for _, m := range all {
		least, size := slices.Min(m.times)/float64(m.copies), float64(m.bytes)
		fmt.Printf("| %s | %.1f | %.1f | %.1f | %.2f | %.0f |\n", m.name, least*1e6, median(m.times)/float64(m.copies)*1e6, size/least*1e-9,
			slices.Min(m.reading)/slices.Min(m.times), float64(m.linear.T*m.linear.N*m.linear.K)/least*1e-9)
	}
	return nil
}

func median(v []float64) float64 { return slices.Sorted(slices.Values(v))[len(v)/2] }

func (b *bench) setUp(ctx context.Context, isa string) error {
	machine := cpu.Host()
	target, err := compile.FindTarget(compile.HostTarget, machine)
	if err != nil {
		return err
	}
	b.isa, b.target = kernel.Choose(target.Features), target
	for _, i := range kernel.ISAs() {
		if i.Name == isa {
			b.isa = i
		}
	}
	if isa != "" && b.isa.Name != isa {
		return fmt.Errorf("no instruction set %q", isa)
	}
	dir, err := compile.DefaultCacheDir()
	if err != nil {
		return err
	}
	cache, err := compile.OpenCache(dir)
	if err != nil {
		return err
	}
	compiler, err := compile.Find(ctx, compile.DefaultSearch(""), cache)
	if err != nil {
		return err
	}
	b.pool = compile.New(compile.Options{Compiler: compiler, Cache: cache})
	return nil
}

// linear reads a shape.
func (b *bench) linear(shape, rows string) (kernel.Linear, error) {
	n, k, ok := strings.Cut(shape, ",")
	n, gated := strings.CutSuffix(n, "g")
	out, err1 := strconv.Atoi(n)
	in, err2 := strconv.Atoi(k)
	t, err3 := strconv.Atoi(rows)
	if err := errors.Join(err1, err2, err3); err != nil || !ok {
		return kernel.Linear{}, fmt.Errorf("%q and %q are no shape N,K and number of rows", shape, rows)
	}
	l := kernel.Linear{T: t, N: out, K: in, Bits: b.bits, ActI8: b.act == "i8", Scales: ir.F16}
	if gated {
		l.Gate, l.QuantizeOut = ir.SiLU, l.ActI8
	}
	return l, nil
}

// compile makes two modules over copies of a matrix: all its linears, and a mere sum of its bytes.
func (b *bench) compile(ctx context.Context, k kernel.Linear) (*measured, error) {
	q, scale := ir.QuantizedTypes(k.Bits, k.N, k.K, 0, k.Scales)
	m := &measured{name: k.Name(), linear: k, bytes: q.Bytes() + 2*scale.Bytes()}
	m.copies = max(1, b.megabytes<<20/m.bytes)
	g := ir.New("bench")
	var rows []*ir.Value
	if width := ir.CeilDiv(k.K, 64); k.ActI8 {
		rows = append(rows, g.Arg("xq", "xq", ir.T(ir.I8, k.T, 64*width)), g.Arg("xs", "xs", ir.T(ir.F32, 2, k.T, width)))
	} else {
		rows = append(rows, g.Arg("x", "x", ir.T(ir.F32, k.T, 64*width)))
	}
	for c := range m.copies { // arguments of their own: slices of one would be copied
		args := slices.Clone(rows)
		for i, t := range []ir.Type{q, scale, scale} {
			name := fmt.Sprintf("%s%d", []string{"q", "scale", "offset"}[i], c)
			args = append(args, g.Arg(name, name, t))
		}
		for i, r := range g.Dispatch(k, args...) {
			g.Result(fmt.Sprintf("r%d.%d", c, i), r)
		}
	}
	graph, err := g.Finish()
	if err != nil {
		return nil, err
	}
	if m.run, err = b.module(ctx, graph, k.Name()); err != nil {
		return nil, err
	}
	reader := read{m.copies * m.bytes / readBytes * readBytes}
	r := ir.New("bench")
	r.Result("sum", r.Dispatch(reader, r.Arg("data", "data", ir.T(ir.I8, reader.Bytes)))[0])
	if graph, err = r.Finish(); err != nil {
		return nil, err
	}
	m.read, err = b.module(ctx, graph, reader.Name())
	return m, err
}

func (b *bench) module(ctx context.Context, g *ir.Graph, name string) (string, error) {
	var text bytes.Buffer
	if _, err := stablehlo.Print(&text, g, stablehlo.Options{Kernel: func(k ir.Kernel) (string, error) {
		own, ok := k.(kernel.Kernel)
		if !ok {
			return "", fmt.Errorf("%T has no text", k)
		}
		return own.Text(b.isa)
	}}); err != nil {
		return "", err
	}
	file := filepath.Join(b.keep, name)
	if err := os.WriteFile(file+".mlir", text.Bytes(), 0o600); err != nil {
		return "", err
	}
	module, err := b.pool.Compile(ctx, compile.Action{Graph: g.Name(), Text: text.Bytes(), Target: b.target})
	if err != nil {
		return "", err
	}
	return file + ".vmfb", os.WriteFile(file+".vmfb", module.Bytes, 0o600)
}

// time is the least time of a call in seconds, of several within half a second.
func (b *bench) time(ctx context.Context, file string, m *measured) (float64, error) {
	args := []string{"--module=" + file, "--function=bench"}
	if b.threads == 1 {
		args = append(args, "--device=local-sync")
	} else {
		args = append(args, "--device=local-task", fmt.Sprintf("--task_topology_group_count=%d", b.threads))
	}
	args = append(args, b.inputs(file, m)...)
	times, err := ireebench.Run(ctx, b.tool, 0.3, args...)
	if b.threads == 1 {
		return times.CPU, err // other processes do not count
	}
	return times.Real, err
}

// inputs are filled with ones: memory that was never written is all one page.
func (b *bench) inputs(file string, m *measured) []string {
	if file == m.read {
		return []string{fmt.Sprintf("--input=%dxi8=1", m.copies*m.bytes/readBytes*readBytes)}
	}
	k := m.linear
	g := ir.CeilDiv(k.K, 64)
	blocks := ir.CeilDiv(k.N, 16)
	var list []string
	if k.ActI8 {
		list = append(list, fmt.Sprintf("%dx%dxi8=1", k.T, 64*g), fmt.Sprintf("2x%dx%dxf32=1", k.T, g))
	} else {
		list = append(list, fmt.Sprintf("%dx%dxf32=1", k.T, 64*g))
	}
	for range m.copies {
		list = append(list, fmt.Sprintf("%dx%dx%dx16x4xui8=1", blocks, g, 2*k.Bits), fmt.Sprintf("%dx%dx16xf16=1", blocks, g), fmt.Sprintf("%dx%dx16xf16=1", blocks, g))
	}
	for i := range list {
		list[i] = "--input=" + list[i]
	}
	return list
}

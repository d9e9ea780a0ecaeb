package main

import (
	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/internal/build"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/quantize"
)

// compilerFlags are those of every command that compiles.
func compilerFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "iree-compile", Usage: "the compiler's `PATH` (default: $HLOCC_IREE_COMPILE, .toolchain, PATH)"},
		&cli.IntFlag{Name: "jobs", Usage: "run `N` compilers at once (default: one for each CPU, within 1 GB)"},
	}
}

// planFlags are the choices about a model's graphs.
func planFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "dtype", Usage: "store float weights as `TYPE`: bf16, f16 or f32 (default: as in the checkpoint)"},
		quantFlag(), headFlag(), scalesFlag(),
		&cli.StringFlag{Name: "rounding", Usage: "choose 4-bit weights by `METHOD`: search for the least error, or nearest, the reference (default: search)"},
		&cli.StringFlag{Name: "kv", Value: "f32", Usage: "element `TYPE` of the KV cache: f32 or f16, half the size"},
		&cli.IntFlag{Name: "context", Usage: "room for `N` tokens (default: what the model has, at most 2048)"},
		&cli.StringFlag{Name: "buckets", Usage: "`SIZES` of the prefill graphs (default: 32,128,512, capped at the context)"},
	}
}

func kvType(s string) (ir.DType, error) {
	switch s {
	case "", "f32":
		return ir.F32, nil
	case "f16":
		return ir.F16, nil
	}
	return 0, usage("--kv", "give f32 or f16", "the KV cache cannot hold %q", s)
}

func quantFlag() cli.Flag {
	return &cli.StringFlag{Name: "quant", Usage: "store linear layers as `SCHEME`: int4-g64 or int8-g64; with :fast activations are rounded to 8 bits (default: none)"}
}

func headFlag() cli.Flag {
	return &cli.StringFlag{Name: "head", Usage: "store embedding and head as `TYPE`: int8-g64, int4-g64, bf16, f16 or f32 (default: int8-g64 with --quant, else --dtype)"}
}

func scalesFlag() cli.Flag {
	return &cli.StringFlag{Name: "scales", Value: "f16", Usage: "store scales and offsets of quantized weights as `TYPE`: f16 or f32, for weights that f16 has no range for"}
}

func openCache() (*compile.Cache, error) {
	dir, err := compile.DefaultCacheDir()
	if err != nil {
		return nil, err
	}
	return compile.OpenCache(dir)
}

// buildOptions reads the flags of a build and finds the compiler.
func (e *env) buildOptions(c *cli.Context, dir string) (build.Options, error) {
	o := build.Options{Dir: dir, Targets: c.StringSlice("target"), Jobs: c.Int("jobs")}
	var err error
	if o.Plan, err = planOptions(c); err != nil {
		return o, err
	}
	if o.Jobs < 0 {
		return o, usage("--jobs", "give 1 or more", "cannot run %d compilers at once", o.Jobs)
	}
	// What is wrong with the model is said before what is missing to compile it.
	if err := build.Check(o); err != nil {
		return o, err
	}
	if o.Cache, err = openCache(); err != nil {
		return o, err
	}
	o.Compiler, err = compile.Find(c.Context, compile.DefaultSearch(c.String("iree-compile")), o.Cache)
	o.Progress = e.progress()
	return o, err
}

func planOptions(c *cli.Context) (build.PlanOptions, error) {
	o := build.PlanOptions{Context: c.Int("context")}
	if c.IsSet("context") && o.Context < 1 {
		return o, usage("--context", "give 1 or more", "there is no context of %d tokens", o.Context)
	}
	var err error
	if o.Weights.DType, err = quantize.ParseDType(c.String("dtype")); err != nil {
		return o, err
	}
	if o.Weights.Scheme, o.Act, err = quantize.ParseQuant(c.String("quant")); err != nil {
		return o, err
	}
	if o.Weights.Method, err = quantize.ParseMethod(c.String("rounding")); err != nil {
		return o, err
	}
	if o.Weights.Params, err = quantize.ParseParams(c.String("scales")); err != nil {
		return o, err
	}
	if o.KV, err = kvType(c.String("kv")); err != nil {
		return o, err
	}
	if o.Weights.Head, err = quantize.ParseHead(c.String("head")); err != nil {
		return o, err
	}
	if o.Buckets, err = sizes(c, "buckets", "32,128"); err != nil {
		return o, err
	}
	o.Slots, err = sizes(c, "slots", "4,8")
	return o, err
}

// sizes reads a flag that is a list of sizes; nil if it is not given.
func sizes(c *cli.Context, flag, example string) (list []int, err error) {
	if !c.IsSet(flag) {
		return nil, nil
	}
	numbers, err := tokenList("--"+flag, c.String(flag))
	if err != nil || len(numbers) == 0 {
		return nil, usage("--"+flag, "give sizes separated by commas, such as "+example, "%q is no list of sizes", c.String(flag))
	}
	for _, n := range numbers {
		list = append(list, int(n))
	}
	return list, nil
}

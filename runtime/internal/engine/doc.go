// Package engine runs compiled modules: it puts the module reader, the bytecode
// interpreter and the device together.
//
//	dev, err := engine.NewDevice(engine.Options{Threads: 2})
//	prog, err := engine.Load(dev, moduleBytes, weights)
//	inv, err := prog.NewInvoker(ctx)
//	results, err := inv.Call(ctx, "decode", args)
//
// A Program is loaded once: its bytecode is decoded, its native code mapped, and
// its parameters are used where they are. Invokers are cheap and share all of
// that; each belongs to one goroutine at a time.
//
// A result that a function computes in place of an argument has that
// argument's Buffer: compare with Buffer.Same.
package engine

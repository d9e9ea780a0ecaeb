// Package runtime runs bundles: it opens a *.hlocc file and generates tokens. It
// is pure Go, needs neither cgo nor any library, and starts no process.
//
// The package shares its name with the standard library's; import it as
//
//	import hlocc "github.com/hlocc/hlocc/runtime"
//
// A [Model] is an open bundle. Its weights are mapped, not read, and shared by
// all users and processes. A [Session] is one sequence of tokens with its
// key/value cache; a model has as many as memory allows, and they run at the
// same time:
//
//	model, err := hlocc.Open("m.hlocc", hlocc.Options{})
//	session, err := model.NewSession()
//	out, err := session.Prefill(ctx, prompt)
//	for !done {
//		out, err = session.Step(ctx, out.Token)
//	}
//
// [Session.Generate] is that loop, with stop tokens and a limit.
//
// # Errors
//
// Errors that a caller or user can cause say what is wrong, where, and what to do.
// [errors.Is] with [ErrClosed], [context.Canceled] and so on works as usual. A
// call that fails leaves its session as it was before, at the same length,
// unless the error says that the session cannot be used any more.
//
// # Platforms
//
// Bundles run on linux/amd64. Everywhere else the package builds and Open
// reports that the bundle cannot run there; package bundle reads bundles on
// every platform.
package runtime

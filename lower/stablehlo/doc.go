// Package stablehlo prints graphs of lower/ir as StableHLO text in its pretty form.
// It is the only place that knows MLIR syntax. The text is what the compiler reads,
// what the compile cache is keyed by and what people review: it is a function of the graph
// alone, one operation on a line, names taken from locations in the model, and no
// paths, versions or weights.
package stablehlo

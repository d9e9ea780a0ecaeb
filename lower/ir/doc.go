// Package ir is the typed intermediate representation between a model's
// description and the text that the compiler reads.
//
// A [Graph] is one public function: ordered arguments, named parameters (the
// weights), operations in SSA form and ordered results. Every [Value] has a
// [Type], an element type of a closed set and a static shape, and is produced
// by exactly one [Op], a Go struct that holds the attributes. The semantics are
// StableHLO's (https://openxla.org/stablehlo/spec); where StableHLO leaves a
// choice open the op's comment says which one holds here, and the interpreter
// in lower/interp is the judge.
//
// Graphs are made with a [Builder], whose methods return values and never
// errors: the first error sticks, with the location that [Builder.At] gave, and
// [Builder.Finish] reports it. A finished graph is immutable; passes make new
// ones with [Rewrite].
//
// The package depends on the standard library only.
package ir

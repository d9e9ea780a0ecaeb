// Package arch reads a model directory in Hugging Face form and says what the
// model is: a Config (config.json, normalized), a Spec (the typed, validated
// description that the lowering works from) and the logical weights with the
// checkpoint tensors that each is made of.
//
// Open does all of that from config.json and the headers of the safetensors
// files, in milliseconds, and refuses whatever would not give exactly the
// model's numbers: an unknown key that may change the maths, a tensor that is
// missing, has another shape or is left over. Weights are read later, streamed.
//
// Families register themselves; a program imports
// github.com/hlocc/hlocc/arch/families for its side effect.
package arch

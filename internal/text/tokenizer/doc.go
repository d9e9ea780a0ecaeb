// Package tokenizer turns text into token ids and back exactly as Hugging Face
// tokenizers does for the byte-level BPE that a tokenizer.json describes.
//
// Supported components of the file:
//
//	normalizer      null
//	pre_tokenizer   ByteLevel, or a Sequence of Digits ending in one ByteLevel
//	model           BPE over the byte alphabet (no dropout, affixes or byte_fallback)
//	post_processor  null, ByteLevel, TemplateProcessing, or a Sequence of these
//	decoder         ByteLevel
//	added_tokens    all flags
//
// Everything else is refused by name when the file is read: a tokenizer that is
// almost right gives a model that is quietly wrong. truncation and padding are
// read and left aside, as transformers does for a plain call.
//
// Three decisions that a caller may notice:
//
//   - Text that is not UTF-8 is an error of Encode. Hugging Face cannot be given
//     such text at all, so there is nothing to be equal to.
//   - A byte that the vocabulary has no symbol for is dropped without a sound
//     when the model has no unk_token. That is what Hugging Face does; SmolLM2
//     lacks 21 bytes, eight of which occur in valid (if exotic) UTF-8.
//   - Letters, numbers and white space are those of the Unicode versions that
//     tokenizers 0.23.3 was built with, not those of the Go release at hand.
//
// A Tokenizer is immutable and safe for concurrent use.
package tokenizer

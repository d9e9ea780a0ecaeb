// Package bundle is the one-file format *.hlocc: a compiled model as it is
// shipped. A bundle holds the weights (stored raw, mapped without copying and
// shared by all graphs), the compiled modules of every target, texts such as the
// tokenizer, and a manifest that tells the runtime all that it needs to know.
//
// The layout is, in this order and with zero bytes between:
//
//	header          256 bytes, checksummed
//	weight archive  page-aligned, every tensor 64-byte aligned
//	members         sorted by path; raw ones page-aligned, compressed ones 64-byte aligned
//	manifest        JSON; its SHA-256 is the bundle's root digest
//	directory       JSON; where each of the above lies
//	seal            optional; signatures, outside the root digest
//
// The manifest speaks of content only (paths, sizes, digests of uncompressed
// bytes), the directory of places only, so the root digest does not change when
// a compressor does. docs/bundle-format.md describes every byte.
//
// A [Writer] streams a bundle into a temporary file and renames it into place; a
// [Reader] refuses to open a file in which anything but the weights is not
// exactly what the manifest says; [Verify] checks the weights too and lists
// everything that is wrong.
package bundle

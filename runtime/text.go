package runtime

import (
	"errors"
	"os"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/text/tokenizer"
)

// Tokenizer turns text into token ids and back, as the model was trained. It may
// be used from several goroutines.
type Tokenizer struct{ t *tokenizer.Tokenizer }

// Tokenizer gives the bundle's tokenizer. It is read on the first call. A bundle
// without one, or with one of a kind that is not supported, gives an error; such
// a model still takes token ids. After Close there is none to be had, but one
// that was given before goes on working.
func (m *Model) Tokenizer() (*Tokenizer, error) {
	if m.closing.Load() {
		return nil, m.errClosed("the model")
	}
	return m.tokenizer()
}

func (m *Model) readTokenizer() (*Tokenizer, error) {
	if !m.reader.HasMember(bundle.PathTokenizer) {
		return nil, &diag.Error{Kind: diag.Unsupported, Code: "no_tokenizer", File: m.path, Message: "the bundle has no tokenizer",
			Fix: "give token ids (--tokens), or build it from a folder with a tokenizer.json"}
	}
	data, err := m.reader.Member(bundle.PathTokenizer)
	if errors.Is(err, os.ErrClosed) { // meanwhile
		return nil, m.errClosed("the model")
	}
	if err != nil {
		return nil, err
	}
	t, err := tokenizer.Parse("tokenizer.json", data)
	if err != nil {
		return nil, err
	}
	return &Tokenizer{t}, nil
}

// Encode gives the ids of text, without special tokens round it; those spelled
// out in the text are recognised. Text that is not UTF-8 is an error.
func (t *Tokenizer) Encode(text string) ([]int32, error) { return t.t.Encode(text) }

// EncodeSpecial is Encode with the tokens that the model expects round a text,
// often one that marks its beginning.
func (t *Tokenizer) EncodeSpecial(text string) ([]int32, error) { return t.t.EncodeSpecial(text) }

// Decode gives the text of ids, without special tokens if skipSpecial. Bytes that
// are not UTF-8 become U+FFFD.
func (t *Tokenizer) Decode(ids []int32, skipSpecial bool) string { return t.t.Decode(ids, skipSpecial) }

// NewDecoder starts a text that arrives token by token.
func (t *Tokenizer) NewDecoder(skipSpecial bool) *Decoder {
	return &Decoder{t.t.NewDecoder(skipSpecial)}
}

// Decoder gives the text of a growing sequence of ids. It never splits a
// character: one whose bytes come with several tokens is held back until it is
// whole. It is for one goroutine.
type Decoder struct{ d *tokenizer.Decoder }

// Next takes one id and gives the text that is now certain, often "".
func (d *Decoder) Next(id int32) string { return d.d.Next(id) }

// Flush ends the text: U+FFFD if it stops within a character, else "".
func (d *Decoder) Flush() string { return d.d.Flush() }

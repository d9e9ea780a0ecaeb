package tokenizer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hlocc/hlocc/internal/diag"
)

// Tokenizer encodes and decodes text. Make one with Parse.
type Tokenizer struct {
	bpe bpe

	raw, norm *matcher // added tokens looked for first, and in what these left
	digits    []bool   // Digits stages; true: every digit alone
	addPrefix bool     // ByteLevel puts a space before a piece without one
	useRegex  bool     // ByteLevel cuts by GPT-2's pattern

	prefix, suffix []int32 // what the post-processor puts round a single sequence

	tokens  []string // id -> text as the file has it, "" for a hole
	pieces  []string // id -> the bytes it decodes to
	special []bool   // id -> special
	added   map[string]int32
}

// VocabSize is the highest id plus one. Holes count.
func (t *Tokenizer) VocabSize() int { return len(t.tokens) }

// ID is the id of a token given as the file writes it ("Ġthe", "<|im_end|>").
func (t *Tokenizer) ID(token string) (int32, bool) {
	if id, ok := t.added[token]; ok {
		return id, true
	}
	id, ok := t.bpe.vocab[token]
	return id, ok
}

// Token is the text of an id as the file writes it.
func (t *Tokenizer) Token(id int32) (string, bool) {
	if !t.has(id) {
		return "", false
	}
	return t.tokens[id], true
}

func (t *Tokenizer) has(id int32) bool {
	return id >= 0 && int(id) < len(t.tokens) && t.tokens[id] != ""
}

// Encode gives the ids of text. Added tokens spelled out in the text become
// their ids; nothing is added by the post-processor. The only error is text
// that is not UTF-8.
func (t *Tokenizer) Encode(text string) ([]int32, error) {
	if i := firstInvalid(text); i >= 0 {
		return nil, &diag.Error{
			Kind: diag.BadInput, Code: "text_encoding", Where: fmt.Sprintf("byte %d", i),
			Message: "text is not valid UTF-8", Found: fmt.Sprintf("byte 0x%02x", text[i]),
			Fix: "convert the text to UTF-8",
		}
	}
	e := encoder{t: t, ids: make([]int32, 0, len(text)/4+8)}
	e.m.bpe = &t.bpe
	token := func(a *addedToken) { e.ids = append(e.ids, a.id) }
	t.raw.split(text, func(s string) {
		t.norm.split(s, func(s string) { e.stage(0, s) }, token)
	}, token)
	return e.ids, nil
}

// EncodeSpecial is Encode with the tokens that the post-processor puts round a
// text (often one that marks its beginning).
func (t *Tokenizer) EncodeSpecial(text string) ([]int32, error) {
	ids, err := t.Encode(text)
	if err != nil || len(t.prefix)+len(t.suffix) == 0 {
		return ids, err
	}
	out := make([]int32, 0, len(t.prefix)+len(ids)+len(t.suffix))
	return append(append(append(out, t.prefix...), ids...), t.suffix...), nil
}

// encoder is the state of one Encode call.
type encoder struct {
	t   *Tokenizer
	m   merger
	ids []int32
}

// stage runs s through Digits stage n and those after it, and then the model.
func (e *encoder) stage(n int, s string) {
	if n == len(e.t.digits) {
		e.byteLevel(s)
		return
	}
	alone := e.t.digits[n]
	start, was := 0, false // s[start:i] is pending; was: it is digits
	for i, r := range s {
		d := isDigit(r)
		if i > start && (d != was || d && alone) {
			e.stage(n+1, s[start:i])
			start = i
		}
		was = d
	}
	if start < len(s) {
		e.stage(n+1, s[start:])
	}
}

func (e *encoder) byteLevel(s string) {
	if e.t.addPrefix && !strings.HasPrefix(s, " ") {
		s = " " + s
	}
	if !e.t.useRegex {
		e.ids = e.m.word(e.ids, s)
		return
	}
	scan(s, func(w string) { e.ids = e.m.word(e.ids, w) })
}

// Decode gives the text of ids. Bytes that do not form UTF-8 become U+FFFD, one
// for each maximal subpart; ids without a token give nothing; skipSpecial leaves
// out special tokens.
func (t *Tokenizer) Decode(ids []int32, skipSpecial bool) string {
	var b []byte
	for _, id := range ids {
		b = append(b, t.piece(id, skipSpecial)...)
	}
	if utf8.Valid(b) {
		return string(b)
	}
	out, n := lossy(make([]byte, 0, len(b)+8), b)
	if n < len(b) {
		out = append(out, "\uFFFD"...)
	}
	return string(out)
}

func (t *Tokenizer) piece(id int32, skipSpecial bool) string {
	if !t.has(id) || skipSpecial && t.special[id] {
		return ""
	}
	return t.pieces[id]
}

// A Decoder gives the text of a sequence of ids while it grows. What it has
// given, Flush included, is always what Decode would give for the whole; a
// character whose bytes come with several tokens is held back until it is whole.
// A Decoder is for one goroutine.
type Decoder struct {
	t       *Tokenizer
	skip    bool
	pending []byte // at most 3: the beginning of a character
	out     []byte
}

// NewDecoder starts a text; skipSpecial leaves out special tokens.
func (t *Tokenizer) NewDecoder(skipSpecial bool) *Decoder {
	return &Decoder{t: t, skip: skipSpecial}
}

// Next takes one id and gives the text that is now certain, often "".
func (d *Decoder) Next(id int32) string {
	d.pending = append(d.pending, d.t.piece(id, d.skip)...)
	var n int
	d.out, n = lossy(d.out[:0], d.pending)
	d.pending = append(d.pending[:0], d.pending[n:]...)
	return string(d.out)
}

// Flush ends the text: U+FFFD if it stops within a character, else "". The
// Decoder is as new afterwards.
func (d *Decoder) Flush() string {
	if len(d.pending) == 0 {
		return ""
	}
	d.pending = d.pending[:0]
	return "\uFFFD"
}

package tokenizer

import (
	"fmt"
	"strconv"
	"strings"
)

// model reads the BPE: vocabulary, merges, and the settings that may be on.
func (p *parser) model(at string) error {
	b := &p.t.bpe
	b.unk = -1
	var vocab []vocabEntry
	var merges [][2]string
	var unk string
	typ, err := p.typeAhead(at)
	if err != nil {
		return err
	}
	if typ != "BPE" && typ != "" { // old files have no type
		return p.unsupported(at, "tokenizer model is not supported", `"BPE"`, component(typ))
	}
	err = p.fields(at, map[string]func(string) error{
		"type":          p.skip,
		"dropout":       p.must("BPE dropout makes encoding random", "null", "0.0", "0"),
		"unk_token":     p.optional(&unk),
		"fuse_unk":      p.boolTo(&b.fuseUnk),
		"ignore_merges": p.boolTo(&b.ignoreMerges),

		"continuing_subword_prefix": p.must("subword prefixes are not byte-level BPE", `""`),
		"end_of_word_suffix":        p.must("word suffixes are not byte-level BPE", `""`),
		"byte_fallback":             p.must("byte_fallback belongs to SentencePiece models", "false"),

		"vocab":  func(at string) error { return p.vocab(at, &vocab) },
		"merges": func(at string) error { return p.merges(at, &merges) },
	})
	if err != nil {
		return err
	}
	if err := p.index(at+".vocab", vocab); err != nil {
		return err
	}
	for i := range b.bytes {
		b.bytes[i] = -1
		if id, ok := b.vocab[byteChar[i]]; ok {
			b.bytes[i] = id
		}
	}
	if unk != "" {
		id, ok := b.vocab[unk]
		if !ok {
			return p.wrong(at+".unk_token", "unk_token is not in the vocabulary", "", strconv.Quote(clip(unk, 40)))
		}
		b.unk = id
	}
	return p.rank(at+".merges", merges)
}

// typeAhead is typeOf without the cost of reading the vocabulary twice: the
// type comes first in every file that Hugging Face writes.
func (p *parser) typeAhead(at string) (string, error) {
	start, depth := p.i, p.depth
	defer func() { p.i, p.depth = start, depth }()
	if p.accept('{') {
		if key, err := p.str(at); err == nil && key == "type" && p.accept(':') && p.peek() == '"' {
			return p.str(at + ".type")
		}
	}
	p.i = start
	return p.typeOf(at)
}

// optional reads a string, or null for none.
func (p *parser) optional(dst *string) func(string) error {
	return func(at string) (err error) {
		if !p.null() {
			*dst, err = p.str(at)
		}
		return err
	}
}

type vocabEntry struct {
	token string
	id    int32
}

func (p *parser) vocab(at string, out *[]vocabEntry) error {
	*out = make([]vocabEntry, 0, min(len(p.s)/24, 1<<16))
	return p.object(at, func(token string) error {
		id, err := p.id(at)
		if err == nil && id >= maxVocab {
			err = p.unsupported(at, "token id is too large", fmt.Sprintf("below %d", maxVocab), strconv.Itoa(int(id)))
		}
		*out = append(*out, vocabEntry{token, id})
		return err
	})
}

// index makes the tables from text to id and back.
func (p *parser) index(at string, vocab []vocabEntry) error {
	t := p.t
	t.bpe.vocab = make(map[string]int32, len(vocab))
	size := int32(0)
	for _, v := range vocab {
		size = max(size, v.id+1)
	}
	t.tokens = make([]string, size)
	for _, v := range vocab {
		quoted := func() string { return strconv.Quote(clip(v.token, 40)) }
		if v.token == "" {
			return p.unsupported(at, "vocabulary has an empty token", "tokens of one byte or more", fmt.Sprintf("id %d", v.id))
		}
		if _, ok := t.bpe.vocab[v.token]; ok {
			return p.wrong(at, "token occurs twice", "", quoted())
		}
		if other := t.tokens[v.id]; other != "" {
			return p.wrong(at, "two tokens have one id", "", fmt.Sprintf("%s and %q for %d", quoted(), clip(other, 40), v.id))
		}
		t.bpe.vocab[v.token] = v.id
		t.tokens[v.id] = v.token
	}
	return nil
}

// merges reads the list in either form: "a b", or ["a", "b"].
func (p *parser) merges(at string, out *[][2]string) error {
	*out = make([][2]string, 0, min(len(p.s)/24, 1<<16))
	return p.array(at, func(i int) error {
		if p.peek() == '"' {
			s, err := p.str(at)
			if err != nil || strings.HasPrefix(s, "#version") { // a comment of old merges.txt files
				return err
			}
			a, b, ok := strings.Cut(s, " ")
			if !ok || strings.Contains(b, " ") {
				return p.wrong(fmt.Sprintf("%s[%d]", at, i), "merge does not have two parts", `"a b"`, strconv.Quote(clip(s, 40)))
			}
			*out = append(*out, [2]string{a, b})
			return nil
		}
		var m [2]string
		n := 0
		err := p.array(at, func(k int) (err error) {
			if n++; n > 2 {
				return p.bad(fmt.Sprintf("%s[%d]", at, i), "two parts")
			}
			m[k], err = p.str(at)
			return err
		})
		if err == nil && n != 2 {
			err = p.bad(fmt.Sprintf("%s[%d]", at, i), "two parts")
		}
		*out = append(*out, m)
		return err
	})
}

// rank resolves merges to ids. A pair that occurs twice has the later rank, as
// in the original.
func (p *parser) rank(at string, merges [][2]string) error {
	b := &p.t.bpe
	b.merges = make(map[uint64]merge, len(merges))
	var key []byte
	for i, m := range merges {
		key = append(append(key[:0], m[0]...), m[1]...)
		left, ok1 := b.vocab[m[0]]
		right, ok2 := b.vocab[m[1]]
		id, ok3 := b.vocab[string(key)]
		if !ok1 || !ok2 || !ok3 {
			missing := string(key)
			if !ok1 {
				missing = m[0]
			} else if !ok2 {
				missing = m[1]
			}
			return p.wrong(fmt.Sprintf("%s[%d]", at, i), "merge names a token that is not in the vocabulary", "",
				strconv.Quote(clip(missing, 40)))
		}
		b.merges[pair(left, right)] = merge{rank: int32(i), id: id}
	}
	return nil
}

// addedTokens reads the list; link gives it effect once the model is known.
func (p *parser) addedTokens(at string) error {
	if p.null() {
		return nil
	}
	return p.array(at, func(i int) error {
		at := fmt.Sprintf("%s[%d]", at, i)
		a := addedToken{id: -1}
		n := 0
		flag := func(dst *bool) func(string) error {
			return func(at string) (err error) { n++; *dst, err = p.boolean(at); return err }
		}
		err := p.fields(at, map[string]func(string) error{
			"id":          func(at string) (err error) { a.id, err = p.id(at); return err },
			"content":     func(at string) (err error) { a.content, err = p.str(at); return err },
			"single_word": flag(&a.singleWord), "lstrip": flag(&a.lstrip), "rstrip": flag(&a.rstrip),
			"normalized": flag(&a.normalized), "special": flag(&a.special),
		})
		switch {
		case err != nil:
			return err
		case a.id < 0 || a.content == "" || n != 5:
			return p.wrong(at, "added token is incomplete", "id, content, single_word, lstrip, rstrip, normalized and special", "")
		case len(a.content) > maxAdded:
			return p.unsupported(at, "added token is too long", fmt.Sprintf("at most %d bytes", maxAdded), fmt.Sprintf("%d bytes", len(a.content)))
		}
		if p.addedBytes += len(a.content); p.addedBytes > maxAddedBytes {
			return p.unsupported(at, "added tokens are too long together", fmt.Sprintf("at most %d bytes", maxAddedBytes), "more")
		}
		p.added = append(p.added, a)
		return nil
	})
}

// link joins the added tokens with the vocabulary. Hugging Face ignores the id
// in the file: a token of the vocabulary keeps that id, any other gets the next
// free one. A file that disagrees is refused here, for which is meant?
func (p *parser) link() error {
	t := p.t
	t.added = make(map[string]int32, len(p.added))
	next := int32(len(t.bpe.vocab))
	var raw, norm []addedToken
	for i, a := range p.added {
		at := fmt.Sprintf("added_tokens[%d]", i)
		if _, ok := t.added[a.content]; ok {
			return p.wrong(at, "added token occurs twice", "", strconv.Quote(clip(a.content, 40)))
		}
		want, ok := t.bpe.vocab[a.content]
		if !ok {
			want = next
			next++
		}
		if a.id != want {
			return p.wrong(at, "added token "+strconv.Quote(clip(a.content, 40))+" has an id that its place contradicts",
				fmt.Sprintf("%d (its id in the vocabulary, or the next free one)", want), strconv.Itoa(int(a.id)))
		}
		if !ok {
			for int(a.id) >= len(t.tokens) {
				t.tokens = append(t.tokens, "")
			}
			if other := t.tokens[a.id]; other != "" {
				return p.wrong(at, "two tokens have one id", "", fmt.Sprintf("%q and %q for %d", clip(a.content, 40), clip(other, 40), a.id))
			}
			t.tokens[a.id] = a.content
		}
		t.added[a.content] = a.id
		if a.normalized {
			norm = append(norm, a)
		} else {
			raw = append(raw, a)
		}
	}
	t.raw, t.norm = newMatcher(raw), newMatcher(norm)
	t.special = make([]bool, len(t.tokens))
	for _, a := range p.added {
		t.special[a.id] = a.special
	}
	var b []byte
	ends := make([]int, len(t.tokens))
	for i, s := range t.tokens {
		b = appendToken(b, s)
		ends[i] = len(b)
	}
	all, start := string(b), 0
	t.pieces = make([]string, len(t.tokens))
	for i, end := range ends {
		t.pieces[i], start = all[start:end], end
	}
	for _, id := range append(append([]int32(nil), t.prefix...), t.suffix...) {
		if !t.has(id) {
			return p.wrong("post_processor", "template adds an id that no token has", "", strconv.Itoa(int(id)))
		}
	}
	return nil
}

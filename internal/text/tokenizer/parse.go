package tokenizer

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/hlocc/hlocc/internal/diag"
)

const (
	// maxFile bounds a tokenizer.json. The largest in use are some 33 MB.
	maxFile = 64 << 20
	// maxVocab bounds token ids, and so the tables indexed by them.
	maxVocab = 1 << 22
	// maxAdded bounds the content of an added token; finding it costs this much
	// per byte of text in the worst case.
	maxAdded = 512
	// maxAddedBytes bounds all of them together: each byte may be a node of the trie.
	maxAddedBytes = 1 << 20
)

// Parse reads a tokenizer.json; file is its name in errors. The Tokenizer keeps
// no reference to data. Errors are BadInput for a file that is wrong in itself
// and Unsupported for a component or setting that this package does not have.
func Parse(file string, data []byte) (*Tokenizer, error) {
	if len(data) > maxFile {
		return nil, &diag.Error{
			Kind: diag.BadInput, Code: "tokenizer_size", File: file, Message: "tokenizer file is too large",
			Want: fmt.Sprintf("at most %d bytes", maxFile), Found: fmt.Sprintf("%d bytes", len(data)),
		}
	}
	p := &parser{jsonReader: jsonReader{file: file, s: string(data)}, t: &Tokenizer{}}
	if i := firstInvalid(p.s); i >= 0 {
		p.i = i
		return nil, p.bad("", "UTF-8 text")
	}
	if err := p.top(); err != nil {
		return nil, err
	}
	return p.t, nil
}

type parser struct {
	jsonReader
	t     *Tokenizer
	added []addedToken

	addedBytes int
	templates  int // TemplateProcessing components seen
}

// unsupported refuses a component by name.
func (r *jsonReader) unsupported(where, message, want, found string) error {
	return &diag.Error{
		Kind: diag.Unsupported, Code: "tokenizer_component", File: r.file, Where: where,
		Message: message, Want: want, Found: found,
		Fix: "give the prompt as token ids with --tokens; text needs a tokenizer of the supported kind",
	}
}

// wrong reports a file that contradicts itself.
func (r *jsonReader) wrong(where, message, want, found string) error {
	return &diag.Error{
		Kind: diag.BadInput, Code: "tokenizer_inconsistent", File: r.file, Where: where,
		Message: message, Want: want, Found: found,
		Fix: "fetch the file again from where the model comes from",
	}
}

// fields reads an object by a table of its keys. An unknown key is refused: it
// may change the result.
func (r *jsonReader) fields(where string, table map[string]func(at string) error) error {
	seen := map[string]bool{}
	return r.object(where, func(key string) error {
		at := key
		if where != "" {
			at = where + "." + key
		}
		f, ok := table[key]
		if !ok {
			return r.unsupported(at, "tokenizer setting is not known", "a setting of Hugging Face tokenizers 0.23", clip(key, 40))
		}
		if seen[key] {
			return r.wrong(at, "key occurs twice", "", "")
		}
		seen[key] = true
		return f(at)
	})
}

// boolTo reads true or false into dst.
func (r *jsonReader) boolTo(dst *bool) func(string) error {
	return func(at string) (err error) {
		*dst, err = r.boolean(at)
		return err
	}
}

// must refuses a setting unless it is null or one of the literals given.
func (r *jsonReader) must(message string, literals ...string) func(string) error {
	return func(at string) error {
		start := r.i
		if err := r.skip(at); err != nil {
			return err
		}
		got := r.s[start:r.i]
		if got == "null" || slices.Contains(literals, got) {
			return nil
		}
		return r.unsupported(at, message, literals[0], clip(got, 40))
	}
}

func (p *parser) top() error {
	have := map[string]bool{}
	note := func(name string, f func(string) error) func(string) error {
		return func(at string) error { have[name] = true; return f(at) }
	}
	err := p.fields("", map[string]func(string) error{
		"version":        p.must("tokenizer.json is of another version", `"1.0"`),
		"truncation":     p.skip,
		"padding":        p.skip,
		"added_tokens":   p.addedTokens,
		"normalizer":     p.normalizer,
		"pre_tokenizer":  note("pre_tokenizer", p.preTokenizer),
		"post_processor": p.postProcessor,
		"decoder":        note("decoder", p.decoder),
		"model":          note("model", p.model),
	})
	if err != nil {
		return err
	}
	if p.peek(); p.i != len(p.s) {
		return p.bad("after the end", "nothing")
	}
	for _, name := range []string{"model", "pre_tokenizer", "decoder"} {
		if !have[name] {
			return p.unsupported(name, "tokenizer has no "+name, "a byte-level BPE with all of model, pre_tokenizer and decoder", "none")
		}
	}
	return p.link()
}

func (p *parser) normalizer(at string) error {
	if p.null() {
		return nil
	}
	typ, err := p.typeOf(at)
	if err != nil {
		return err
	}
	return p.unsupported(at, "normalizer is not supported", "null", component(typ))
}

func component(typ string) string {
	if typ == "" {
		return "a component without type"
	}
	return strconv.Quote(clip(typ, 40))
}

// preTokenizer reads Digits stages and the one ByteLevel that must end them.
func (p *parser) preTokenizer(at string) error {
	done, err := p.preStage(at)
	if err == nil && !done {
		err = p.unsupported(at, "pre_tokenizer has no ByteLevel", "ByteLevel, or a Sequence that ends in it", "none")
	}
	return err
}

// preStage reads one component and says whether it was, or ended in, ByteLevel.
func (p *parser) preStage(at string) (done bool, err error) {
	const supported = `"ByteLevel", or a "Sequence" of "Digits" and "ByteLevel"`
	if p.null() {
		return false, nil
	}
	typ, err := p.typeOf(at)
	if err != nil {
		return false, err
	}
	switch typ {
	case "ByteLevel":
		p.t.useRegex = true // the default of files that predate the key
		return true, p.fields(at, map[string]func(string) error{
			"type": p.skip, "trim_offsets": p.skip, // offsets are not kept
			"add_prefix_space": p.boolTo(&p.t.addPrefix),
			"use_regex":        p.boolTo(&p.t.useRegex),
		})
	case "Digits":
		alone := false
		err := p.fields(at, map[string]func(string) error{"type": p.skip, "individual_digits": p.boolTo(&alone)})
		if p.t.digits = append(p.t.digits, alone); len(p.t.digits) > 8 {
			return false, p.unsupported(at, "too many Digits stages", "at most 8", "more")
		}
		return false, err
	case "Sequence":
		return done, p.fields(at, map[string]func(string) error{
			"type": p.skip,
			"pretokenizers": func(at string) error {
				return p.array(at, func(i int) error {
					at := fmt.Sprintf("%s[%d]", at, i)
					if done {
						return p.unsupported(at, "pre_tokenizer has a stage after ByteLevel", supported, "more stages")
					}
					var err error
					done, err = p.preStage(at)
					return err
				})
			},
		})
	}
	return false, p.unsupported(at, "pre_tokenizer is not supported", supported, component(typ))
}

func (p *parser) decoder(at string) error {
	typ, err := p.typeOf(at)
	if err != nil {
		return err
	}
	switch {
	case p.null():
		return p.unsupported(at, "tokenizer has no decoder", `"ByteLevel"`, "null")
	case typ != "ByteLevel":
		return p.unsupported(at, "decoder is not supported", `"ByteLevel"`, component(typ))
	}
	// The settings of a ByteLevel decoder have no effect on decoding.
	return p.fields(at, map[string]func(string) error{
		"type": p.skip, "add_prefix_space": p.skip, "trim_offsets": p.skip, "use_regex": p.skip,
	})
}

// postProcessor keeps what a TemplateProcessing puts round one sequence.
func (p *parser) postProcessor(at string) error {
	if p.null() {
		return nil
	}
	typ, err := p.typeOf(at)
	if err != nil {
		return err
	}
	switch typ {
	case "ByteLevel": // trims offsets, which are not kept
		return p.fields(at, map[string]func(string) error{
			"type": p.skip, "add_prefix_space": p.skip, "trim_offsets": p.skip, "use_regex": p.skip,
		})
	case "TemplateProcessing":
		return p.template(at)
	case "Sequence":
		return p.fields(at, map[string]func(string) error{
			"type": p.skip,
			"processors": func(at string) error {
				return p.array(at, func(i int) error { return p.postProcessor(fmt.Sprintf("%s[%d]", at, i)) })
			},
		})
	}
	return p.unsupported(at, "post_processor is not supported",
		`"ByteLevel", "TemplateProcessing", or a "Sequence" of these`, component(typ))
}

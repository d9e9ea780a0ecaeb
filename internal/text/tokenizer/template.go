package tokenizer

import (
	"fmt"
	"strconv"
)

// template reads a TemplateProcessing: "single" lists special tokens round the
// sequence A; "special_tokens" says which ids each stands for. "pair" is for two
// texts at once, which a language model never gets.
func (p *parser) template(at string) error {
	var single []string // names of special tokens; "" is the sequence
	ids := map[string][]int32{}
	err := p.fields(at, map[string]func(string) error{
		"type": p.skip, "pair": p.skip,
		"single": func(at string) error {
			return p.array(at, func(i int) error {
				name, err := p.templatePiece(fmt.Sprintf("%s[%d]", at, i))
				if single = append(single, name); len(single) > 64 {
					return p.unsupported(at, "template is too long", "at most 64 pieces", "more")
				}
				return err
			})
		},
		"special_tokens": func(at string) error {
			return p.object(at, func(key string) error {
				at := at + "." + clip(key, 40)
				return p.fields(at, map[string]func(string) error{
					"id": p.skip, "tokens": p.skip,
					"ids": func(at string) error {
						return p.array(at, func(i int) error {
							id, err := p.id(at)
							ids[key] = append(ids[key], id)
							return err
						})
					},
				})
			})
		},
	})
	if err != nil {
		return err
	}
	sequences := 0
	var before, after []int32
	for _, name := range single {
		if name == "" {
			sequences++
			continue
		}
		list, ok := ids[name]
		if !ok {
			return p.wrong(at, "template uses a token that special_tokens does not list", "", strconv.Quote(clip(name, 40)))
		}
		if sequences == 0 {
			before = append(before, list...)
		} else {
			after = append(after, list...)
		}
	}
	if sequences != 1 {
		return p.unsupported(at+".single", "template does not hold the text exactly once", "one Sequence A", strconv.Itoa(sequences))
	}
	if p.templates++; p.templates > 1 { // the original applies only one of them
		return p.unsupported(at, "post_processor has a second template", "one", "more")
	}
	p.t.prefix, p.t.suffix = before, after
	return nil
}

// templatePiece reads {"SpecialToken": {"id", "type_id"}} or {"Sequence": {...}};
// the name is "" for the sequence.
func (p *parser) templatePiece(at string) (name string, err error) {
	kinds := 0
	err = p.object(at, func(kind string) error {
		if kinds++; kinds > 1 || kind != "SpecialToken" && kind != "Sequence" {
			return p.unsupported(at, "template piece is not known", "SpecialToken or Sequence", clip(kind, 40))
		}
		var id string
		err := p.fields(at, map[string]func(string) error{
			"type_id": p.skip,
			"id":      func(at string) (err error) { id, err = p.str(at); return err },
		})
		switch {
		case err != nil:
			return err
		case kind == "Sequence" && id != "A":
			return p.unsupported(at, "template of one text uses another sequence", `"A"`, strconv.Quote(clip(id, 40)))
		case kind == "SpecialToken":
			if name = id; id == "" {
				return p.wrong(at, "template piece has no id", "", "")
			}
		}
		return nil
	})
	if err == nil && kinds == 0 {
		err = p.bad(at, "SpecialToken or Sequence")
	}
	return name, err
}

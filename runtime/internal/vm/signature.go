package vm

import "fmt"

// kindSpan is the kind of a variadic argument of a calling convention.
const kindSpan Kind = 'C'

// signature is a parsed calling convention: "0" (the version), the arguments,
// "_", the results. Letters are those of Kind; v is none; C...D brackets the
// fields of one element of a variadic span. "_" and the results may be missing.
type signature struct {
	text     string
	args     []param
	results  []Kind
	variadic bool
}

type param struct {
	kind   Kind
	fields []Kind // of one element, kindSpan only
}

// maxSignature bounds what a module may declare: registers are numbered by 15
// bits, so no function can be called with more.
const maxSignature = 1 << 15

func parseSignature(s string) (*signature, error) {
	sig := &signature{text: s}
	if s == "" {
		return sig, nil // internal functions may omit it when they take and give nothing
	}
	if len(s) > maxSignature {
		return nil, fmt.Errorf("calling convention of %d letters", len(s))
	}
	if s[0] != '0' {
		return nil, fmt.Errorf("calling convention %q is of unknown version %q", s, s[0])
	}
	i := 1
	for ; i < len(s) && s[i] != '_'; i++ {
		switch c := s[i]; c {
		case 'v':
		case 'i', 'I', 'f', 'F', 'r':
			sig.args = append(sig.args, param{kind: Kind(c)})
		case 'C':
			p := param{kind: kindSpan}
			for i++; i < len(s) && s[i] != 'D'; i++ {
				if !isKind(s[i]) {
					return nil, fmt.Errorf("calling convention %q has %q in a span", s, s[i])
				}
				p.fields = append(p.fields, Kind(s[i]))
			}
			if i == len(s) || len(p.fields) == 0 {
				return nil, fmt.Errorf("calling convention %q has a span that is empty or not closed", s)
			}
			sig.args = append(sig.args, p)
			sig.variadic = true
		default:
			return nil, fmt.Errorf("calling convention %q has an unknown letter %q", s, c)
		}
	}
	for i++; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'v':
		case isKind(c):
			sig.results = append(sig.results, Kind(c))
		default:
			return nil, fmt.Errorf("calling convention %q has %q among its results", s, c)
		}
	}
	return sig, nil
}

func isKind(c byte) bool {
	switch Kind(c) {
	case KindI32, KindI64, KindF32, KindF64, KindRef:
		return true
	}
	return false
}

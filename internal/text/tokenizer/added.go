package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// addedToken is a token that is found in the text before the model sees it.
type addedToken struct {
	id         int32
	content    string
	singleWord bool // only where no word character touches it
	lstrip     bool // takes the white space before it along
	rstrip     bool // and after it
	normalized bool // looked for after normalization, in what the others left
	special    bool
}

// matcher finds added tokens in a text: leftmost first, then longest.
type matcher struct {
	tokens []addedToken
	root   [256]int32 // first byte -> node, 0 for none
	nodes  []trieNode // node 0 is unused
}

type trieNode struct {
	token int32 // index into tokens of the one that ends here, -1 if none
	keys  []byte
	next  []int32
}

// newMatcher is nil when there is nothing to find.
func newMatcher(tokens []addedToken) *matcher {
	if len(tokens) == 0 {
		return nil
	}
	m := &matcher{tokens: tokens, nodes: make([]trieNode, 1)}
	for i, t := range tokens {
		at := m.child(0, t.content[0])
		for k := 1; k < len(t.content); k++ {
			at = m.child(at, t.content[k])
		}
		m.nodes[at].token = int32(i)
	}
	return m
}

// child is the node that byte c leads to, made if missing; node 0 is the root.
func (m *matcher) child(at int32, c byte) int32 {
	if at == 0 {
		if m.root[c] == 0 {
			m.root[c] = m.node()
		}
		return m.root[c]
	}
	if k := m.step(at, c); k != 0 {
		return k
	}
	k := m.node()
	m.nodes[at].keys = append(m.nodes[at].keys, c)
	m.nodes[at].next = append(m.nodes[at].next, k)
	return k
}

func (m *matcher) node() int32 {
	m.nodes = append(m.nodes, trieNode{token: -1})
	return int32(len(m.nodes) - 1)
}

func (m *matcher) step(at int32, c byte) int32 {
	n := &m.nodes[at]
	for i, k := range n.keys {
		if k == c {
			return n.next[i]
		}
	}
	return 0
}

// find is the leftmost longest match in s at or after from: the token and
// where it starts, or nil.
func (m *matcher) find(s string, from int) (*addedToken, int) {
	for i := from; i < len(s); i++ {
		at := m.root[s[i]]
		best := int32(-1)
		for k := i + 1; at != 0; k++ {
			if t := m.nodes[at].token; t >= 0 {
				best = t
			}
			if k == len(s) {
				break
			}
			at = m.step(at, s[k])
		}
		if best >= 0 {
			return &m.tokens[best], i
		}
	}
	return nil, 0
}

// split cuts s at the added tokens and gives the parts in order: text to plain,
// tokens to token. A nil matcher finds none.
func (m *matcher) split(s string, plain func(string), token func(*addedToken)) {
	done := 0 // everything before has been given
	for from := 0; m != nil; {
		t, start := m.find(s, from)
		if t == nil {
			break
		}
		stop := start + len(t.content)
		from = stop
		if t.singleWord && (endsWithWord(s[:start]) || startsWithWord(s[stop:])) {
			continue
		}
		if t.lstrip {
			start = max(len(strings.TrimRightFunc(s[:start], isSpace)), done)
		}
		if t.rstrip {
			stop = len(s) - len(strings.TrimLeftFunc(s[stop:], isSpace))
		}
		if done < start {
			plain(s[done:start])
		}
		token(t)
		// A token that starts with white space may lie inside what the one before
		// it stripped: it counts all the same, as in the original.
		done = stop
	}
	if done < len(s) {
		plain(s[done:])
	}
}

func startsWithWord(s string) bool {
	r, w := utf8.DecodeRuneInString(s)
	return w > 0 && isWord(r)
}

func endsWithWord(s string) bool {
	r, w := utf8.DecodeLastRuneInString(s)
	return w > 0 && isWord(r)
}

package runtime

// history is what a session remembers of its sequence so that it can compute the
// cache again; see bundle.Model.RecomputePast.
type history struct {
	tokens   []int32 // the sequence, and perhaps what could not be appended to it
	cached   int     // rows of the cache that hold what they should for long
	long     bool    // the cache is that of a sequence past the length
	expected int     // see Session.Expect
}

// follow records tokens at position length of the sequence and gives the position
// from which the cache must be computed so that it is that of the whole sequence.
func (h *history) follow(length int, tokens []int32, past int) (first int) {
	h.tokens = append(h.tokens[:length], tokens...)
	if long := max(len(h.tokens), h.expected) > past; long != h.long {
		h.long, h.cached = long, 0
	}
	return min(h.cached, length)
}

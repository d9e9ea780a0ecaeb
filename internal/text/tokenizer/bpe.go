package tokenizer

// bpe is the merge table of a byte-pair encoding.
type bpe struct {
	vocab  map[string]int32 // token text, in the byte alphabet, -> id
	merges map[uint64]merge // pair of ids -> what they become
	bytes  [256]int32       // byte -> id of its symbol, -1 if the vocabulary lacks it

	unk          int32 // id for a byte without symbol, -1: such a byte is dropped
	fuseUnk      bool  // one unk for a run of them
	ignoreMerges bool  // a word that is a token needs no merges
}

type merge struct {
	rank int32 // position in the list: lower goes first
	id   int32 // the merged token
}

func pair(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

// symbol is one node of the list of symbols that a word is made of.
type symbol struct {
	id         int32
	prev, next int32 // -1 at the ends
	dead       bool  // merged into its left neighbour
}

// candidate is a merge that was possible when it was queued.
type candidate struct {
	rank, pos, id int32
}

func (a candidate) before(b candidate) bool {
	return a.rank < b.rank || a.rank == b.rank && a.pos < b.pos
}

// merger encodes one word after the other, keeping its memory.
type merger struct {
	*bpe
	symbols []symbol
	queue   []candidate // binary heap
	key     []byte
}

// word appends the ids of one pre-tokenized word. Merges are taken from a heap,
// lowest rank and then leftmost first, so that a word of n bytes costs
// n log n and not n².
func (m *merger) word(ids []int32, w string) []int32 {
	if m.ignoreMerges {
		m.key = m.key[:0]
		for i := range len(w) {
			m.key = append(m.key, byteChar[w[i]]...)
		}
		if id, ok := m.vocab[string(m.key)]; ok {
			return append(ids, id)
		}
	}
	m.load(w)
	for len(m.queue) > 0 {
		m.apply(m.pop())
	}
	for i := range m.symbols {
		if !m.symbols[i].dead {
			ids = append(ids, m.symbols[i].id)
		}
	}
	return ids
}

// load makes the list of byte symbols and queues every possible merge.
func (m *merger) load(w string) {
	m.symbols, m.queue = m.symbols[:0], m.queue[:0]
	afterUnk := false
	for i := range len(w) {
		id := m.bytes[w[i]]
		if id < 0 {
			// A fused run gives one unk; without unk_token the byte is dropped.
			if m.unk >= 0 && !(m.fuseUnk && afterUnk) {
				m.push(m.unk)
			}
			afterUnk = true
			continue
		}
		afterUnk = false
		m.push(id)
	}
	if n := len(m.symbols); n > 0 {
		m.symbols[n-1].next = -1
	}
	for i := range len(m.symbols) - 1 {
		m.offer(int32(i), int32(i)+1)
	}
}

func (m *merger) push(id int32) {
	n := int32(len(m.symbols))
	m.symbols = append(m.symbols, symbol{id: id, prev: n - 1, next: n + 1})
}

// offer queues the merge of the symbols at a and b, if there is one.
func (m *merger) offer(a, b int32) {
	if x, ok := m.merges[pair(m.symbols[a].id, m.symbols[b].id)]; ok {
		m.enqueue(candidate{rank: x.rank, pos: a, id: x.id})
	}
}

func (m *merger) apply(c candidate) {
	left := &m.symbols[c.pos]
	if left.dead || left.next < 0 {
		return
	}
	right := &m.symbols[left.next]
	// The pair may have changed since it was queued. Hugging Face looks only at
	// what it would become, not at the rank; so two pairs that spell the same
	// token can stand in for each other.
	if x, ok := m.merges[pair(left.id, right.id)]; !ok || x.id != c.id {
		return
	}
	left.id = c.id
	left.next = right.next
	right.dead = true
	if right.next >= 0 {
		m.symbols[right.next].prev = c.pos
	}
	if left.prev >= 0 {
		m.offer(left.prev, c.pos)
	}
	if left.next >= 0 {
		m.offer(c.pos, left.next)
	}
}

func (m *merger) enqueue(c candidate) {
	q := append(m.queue, c)
	i := len(q) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !c.before(q[up]) {
			break
		}
		q[i] = q[up]
		i = up
	}
	q[i] = c
	m.queue = q
}

func (m *merger) pop() candidate {
	q := m.queue
	top := q[0]
	n := len(q) - 1
	c := q[n]
	q = q[:n]
	i := 0
	for {
		k := 2*i + 1
		if k >= n {
			break
		}
		if k+1 < n && q[k+1].before(q[k]) {
			k++
		}
		if !q[k].before(c) {
			break
		}
		q[i] = q[k]
		i = k
	}
	if n > 0 {
		q[i] = c
	}
	m.queue = q
	return top
}

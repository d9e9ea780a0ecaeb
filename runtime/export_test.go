package runtime

// Cache is the memory of cache i of all slots.
func (b *Batch) Cache(i int) []byte { return b.kv[i].bytes() }

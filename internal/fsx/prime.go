package fsx

import "sync"

// hugePage is the size of a huge page on the platforms that run bundles. Linux
// keeps what one write covers of a file in pages as large as that allows, and
// maps a page of this size as one: on filesystems that can (ext4 since 6.16, xfs,
// btrfs), a program that maps the file then misses its TLB hardly ever.
const hugePage = 2 << 20

// zeros is what Prime writes.
var zeros = sync.OnceValue(func() []byte { return make([]byte, hugePage) })

// Prime prepares the bytes from off to off+n, which must be reserved, for being
// written in small pieces: every part of the file that will be one huge page and
// that they touch is filled with zeros in one write, once. Without it the page
// cache would hold the file in as many small pages as there were pieces, until it
// is read again from the disk; a model that is run soon after it was built would be
// slower by a tenth or two.
//
// It may be called from several goroutines, by each before it writes.
func (f *File) Prime(off, n int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for at := off &^ (hugePage - 1); at < min(off+n, f.need); at += hugePage {
		if f.primed[at] {
			continue
		}
		if f.primed == nil {
			f.primed = map[int64]bool{}
		}
		f.primed[at] = true
		if _, err := f.f.WriteAt(zeros()[:min(hugePage, f.need-at)], at); err != nil {
			return f.fail(err)
		}
	}
	return nil
}

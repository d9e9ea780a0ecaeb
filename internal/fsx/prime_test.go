package fsx

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Priming erases nothing that was written after it, however the pieces of
// several writers meet in a huge page.
func TestPrime(t *testing.T) {
	const size, piece = 2*hugePage + 12345, 9973
	path := filepath.Join(t.TempDir(), "out")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	if err := f.Reserve(size); err != nil {
		t.Fatal(err)
	}
	want := make([]byte, size)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for off := w * piece; off < size; off += 4 * piece {
				p := want[off:min(off+piece, size)]
				for i := range p {
					p[i] = byte(1 + (off+i)%255)
				}
				if err := f.Prime(int64(off), int64(len(p))); err != nil {
					t.Error(err)
				}
				if _, err := f.WriteAt(p, int64(off)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := f.Prime(size-1, 100); err != nil { // past what is reserved: not written
		t.Fatal(err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%d bytes, want %d; or they differ", len(got), len(want))
	}
}

func TestPrimeFillsWithZeros(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	if err := f.Reserve(3 * hugePage); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("first"), hugePage-5); err != nil {
		t.Fatal(err)
	}
	if err := f.Prime(hugePage, 1); err != nil { // touches the second part only
		t.Fatal(err)
	}
	b := make([]byte, 10)
	if _, err := f.ReadAt(b, hugePage-5); err != nil || string(b) != "first\x00\x00\x00\x00\x00" {
		t.Errorf("%q, %v", b, err)
	}
}

package build

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unsafe"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/synthetic"
	hlocc "github.com/hlocc/hlocc/runtime"
)

// neighbourhood is how much of a file the kernel may map around a page that was
// touched, without anybody having asked for it: a huge page.
const neighbourhood = 2 << 20

// A decode step reads the experts that the token chooses and no others: of a
// mapped bundle that nothing of this process has touched, steps whose tokens all
// choose experts 0 and 1 make those resident, and of the rest only what lies around them.
func TestOnlyChosenExpertsAreRead(t *testing.T) {
	c, cache := toolchain(t)
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "m.hlocc")
	shape := synthetic.Experts{Experts: 16, TopK: 2, Hidden: 1024, Intermediate: 512, Layers: 1, Vocab: 256, Favourites: []int{0, 1}}
	if err := shape.Write(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), Options{Dir: dir, Output: out, Compiler: c, Cache: cache, Plan: PlanOptions{Context: 32, Buckets: []int{1}}}); err != nil {
		t.Fatal(err)
	}
	s := newSession(t, openModel(t, out, hlocc.Options{}))
	pages := newPages(t, out) // of the mapping that the model has, and no other yet
	for token := range int32(8) {
		if _, err := s.Step(t.Context(), token); err != nil {
			t.Fatal(err)
		}
	}
	resident := pages.resident(t)
	r, err := bundle.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for _, part := range []string{"gate", "up", "down"} {
		weight, err := r.Tensor("layers.0.moe.experts." + part + ".weight")
		if err != nil {
			t.Fatal(err)
		}
		from := pages.offset(t, weight)
		expert := len(weight) / shape.Experts
		count := func(from, to int) (n int) {
			page := os.Getpagesize()
			for p := (from + page - 1) / page; p < to/page; p++ {
				if resident[p] {
					n += page
				}
			}
			return n
		}
		// Tensors that are read lie before and after those of the other experts.
		chosen, others := count(from, from+2*expert), count(from+2*expert+neighbourhood, from+len(weight)-neighbourhood)
		if chosen < 2*expert-2*os.Getpagesize() {
			t.Errorf("%s: of the chosen experts' %d bytes, %d are resident", part, 2*expert, chosen)
		}
		if others != 0 {
			t.Errorf("%s: %d bytes of experts that no token chose are resident", part, others)
		}
	}
}

// pages are the pages of the one mapping of a file.
type pages struct {
	path       string
	start, end uintptr
}

func newPages(t *testing.T, path string) *pages {
	t.Helper()
	all := mappings(t, path)
	if len(all) != 1 {
		t.Fatalf("%d mappings of %s", len(all), path)
	}
	return &all[0]
}

// mappings lists where this process has a file mapped.
func mappings(t *testing.T, path string) (all []pages) {
	t.Helper()
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		p := pages{path: path}
		if strings.HasSuffix(lines.Text(), " "+path) {
			if _, err := fmt.Sscanf(lines.Text(), "%x-%x", &p.start, &p.end); err != nil {
				t.Fatal(err)
			}
			all = append(all, p)
		}
	}
	return all
}

// resident tells of each page whether this process has it mapped to memory.
// See Documentation/admin-guide/mm/pagemap.rst of Linux.
func (p *pages) resident(t *testing.T) []bool {
	t.Helper()
	f, err := os.Open("/proc/self/pagemap")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	size := uintptr(os.Getpagesize())
	entries := make([]byte, 8*((p.end-p.start)/size))
	if _, err := f.ReadAt(entries, int64(8*(p.start/size))); err != nil {
		t.Fatal(err)
	}
	const present = 1 << 63
	out := make([]bool, len(entries)/8)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(entries[8*i:])&present != 0
	}
	return out
}

// offset is where bytes of another mapping of the file lie in it.
func (p *pages) offset(t *testing.T, b []byte) int {
	t.Helper()
	at := uintptr(unsafe.Pointer(&b[0]))
	for _, other := range mappings(t, p.path) {
		if other.start != p.start && other.start <= at && at < other.end {
			return int(at - other.start)
		}
	}
	t.Fatal("the bytes are not of the file")
	return 0
}

package bundle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/hlocc/hlocc/internal/diag"
)

// Progress is told how much of the work is done, in bytes, from any goroutine.
type Progress func(done, total int64)

// Problem is one thing that is wrong with a bundle.
type Problem struct {
	Code    string `json:"code"`
	Where   string `json:"where"` // "tensor \"layers.3.attn.q.weight\"", "member \"text/tokenizer.json\"", "header", ...
	Message string `json:"message"`
	Offset  int64  `json:"offset"` // the first byte concerned, in the file
	Length  int64  `json:"length"` // 0 if the place is not known
}

// Verification is the result of Verify.
type Verification struct {
	Path     string    `json:"path"`
	Digest   string    `json:"digest,omitempty"` // root digest, if the header could be read
	Bytes    int64     `json:"bytes"`            // size of the file
	Problems []Problem `json:"problems"`         // by offset; empty if the bundle is what it says
}

// Err is nil if there is no problem, else an error that names the first and the
// number of the others.
func (v *Verification) Err() error {
	if len(v.Problems) == 0 {
		return nil
	}
	p := v.Problems[0]
	e := &diag.Error{Kind: diag.Verification, Code: p.Code, File: v.Path, Where: p.Where, Message: p.Message, Fix: fixCopyAgain}
	if n := len(v.Problems) - 1; n > 0 {
		e.Message += fmt.Sprintf(" (and %d more problems)", n)
	}
	return e
}

// Verify checks every byte of a bundle, weights included, and lists all that is
// wrong. Its error says that the file could not be read, is no bundle, is of an
// unknown version, or that ctx was cancelled; damage is no error but a problem.
func Verify(ctx context.Context, path string, progress Progress) (*Verification, error) {
	osf, size, err := openFile(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = osf.Close() }()
	f := &file{src: osf, size: size}
	v := &Verification{Path: path, Bytes: size, Problems: []Problem{}}
	if err := v.run(ctx, f, progress); err != nil {
		return nil, inFile(path, err)
	}
	return v, nil
}

// run continues as far as what is damaged still tells where the rest is: the
// manifest and the directory each suffice to check what they hold digests of.
func (v *Verification) run(ctx context.Context, f *file, progress Progress) error {
	var col collector
	if err := f.readHeader(); err != nil {
		if err = col.add(span{0, min(headerSize, f.size)}, err); err != nil {
			return err
		}
		v.Problems = col.sorted()
		return nil
	}
	v.Digest = digestString(f.header.manifestSum)
	for _, step := range []struct {
		at   span
		read func() error
	}{{f.header.manifest, f.readManifest}, {f.header.directory, f.readDirectory}, {f.header.seal, f.checkSeal}} {
		if err := col.add(step.at, step.read()); err != nil {
			return err
		}
	}
	if f.manifest != nil && f.dir != nil {
		if err := f.dir.match(f.manifest); err != nil {
			if err = col.add(f.header.directory, err); err != nil {
				return err
			}
			// Both have the right digest and contradict each other: the places
			// of the members cannot be trusted.
			f.dir = nil
		}
	}
	for _, g := range f.gaps() {
		if err := col.add(g.span, f.checkGap(g)); err != nil {
			return err
		}
	}
	if err := f.checkContents(ctx, &col, progress, checkTensors|checkMembers); err != nil {
		return err
	}
	v.Problems = col.sorted()
	return nil
}

// VerifyWeights checks the digest of every tensor, which Open does not do. The
// error names the first that is wrong.
func (r *Reader) VerifyWeights(ctx context.Context, progress Progress) error {
	return inFile(r.path, r.firstProblem(ctx, checkTensors, progress))
}

// firstProblem checks contents and makes an error of what is wrong.
func (f *file) firstProblem(ctx context.Context, what contents, progress Progress) error {
	var col collector
	if err := f.checkContents(ctx, &col, progress, what); err != nil {
		return err
	}
	return (&Verification{Problems: col.sorted()}).Err()
}

// collector gathers problems from several goroutines.
type collector struct {
	mu       sync.Mutex
	problems []Problem
}

// add turns damage at a place into a problem and gives back every other error.
func (c *collector) add(at span, err error) error {
	if err == nil {
		return nil
	}
	var e *diag.Error
	if !errors.As(err, &e) || (e.Kind != diag.Verification && e.Code != "manifest") {
		return err
	}
	p := Problem{Code: e.Code, Where: e.Where, Message: e.Message, Offset: at.offset, Length: at.length}
	if e.Want != "" || e.Found != "" {
		p.Message += fmt.Sprintf(": want %s, found %s", e.Want, e.Found)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.problems = append(c.problems, p)
	return nil
}

// sorted returns the problems by offset, never nil.
func (c *collector) sorted() []Problem {
	ps := append([]Problem{}, c.problems...)
	slices.SortStableFunc(ps, func(a, b Problem) int { return cmp.Compare(a.Offset, b.Offset) })
	return ps
}

// contents says what checkContents checks.
type contents uint8

const (
	checkTensors contents = 1 << iota
	checkMembers
)

// checkContents hashes tensors, members or both, on all CPUs.
func (f *file) checkContents(ctx context.Context, col *collector, progress Progress, what contents) error {
	type job struct {
		at    span
		check func(buf []byte, tick func(int) error) error
	}
	var jobs []job
	if what&checkTensors != 0 && f.manifest != nil {
		for i := range f.manifest.Weights {
			t := &f.manifest.Weights[i]
			s := span{pageAlign + t.Offset, t.Length}
			if s.end() > f.header.manifest.offset {
				// Only when the directory, which is checked against it, is damaged.
				if err := col.add(s, errCorrupt(fmt.Sprintf("tensor %q", t.Name), "lies outside the weight archive")); err != nil {
					return err
				}
				continue
			}
			jobs = append(jobs, job{s, func(buf []byte, tick func(int) error) error {
				sum, err := f.hash(s, buf, tick)
				if err == nil && sum != t.SHA256 {
					err = errDigest(fmt.Sprintf("tensor %q", t.Name), s)
				}
				return err
			}})
		}
	}
	if what&checkMembers != 0 && f.dir != nil {
		for i, e := range f.dir.Entries[1:] {
			var m *Member
			if f.manifest != nil {
				m = &f.manifest.Members[i]
			}
			jobs = append(jobs, job{e.span(), func(buf []byte, tick func(int) error) error {
				if err := f.checkMember(e, m, buf); err != nil {
					return err
				}
				return tick(int(e.Length))
			}})
		}
	}
	total, longest := int64(0), int64(0)
	for _, j := range jobs {
		total += j.at.length
		longest = max(longest, j.at.length)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var done, next atomic.Int64
	tick := func(n int) error {
		d := done.Add(int64(n))
		if progress != nil {
			progress(d, total)
		}
		return context.Cause(ctx)
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(jobs)) {
		wg.Go(func() {
			buf := make([]byte, min(hashBuffer, longest))
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= len(jobs) {
					return
				}
				if err := col.add(jobs[i].at, jobs[i].check(buf, tick)); err != nil {
					cancel(err)
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

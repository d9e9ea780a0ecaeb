package bundle

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"

	"github.com/hlocc/hlocc/internal/fsx"
)

// TensorSpec announces a tensor of the weight archive.
type TensorSpec struct {
	Name  string
	DType DType
	Shape []int
}

// WriterOptions are optional settings of Create.
type WriterOptions struct {
	// Progress is called after every piece of weights with the number of bytes
	// written so far and in all. It may be called from several goroutines.
	Progress func(written, total int64)
	// Prove is called with the path of the complete bundle while it still has a
	// temporary name. After an error no bundle is left.
	Prove func(path string) error
}

// Writer assembles a bundle in a temporary file. Its bytes depend only on what is
// written, not on the order or the number of goroutines that write it. (The
// compressed form of texts also depends on the version of the compressor; no
// digest in the manifest does.)
//
// The weights' places are fixed at Create, so that tensors can be written in any
// order and at once, each streamed and hashed on the way; members are kept in
// memory, compressed, until Finish.
type Writer struct {
	f        *fsx.File
	progress func(written, total int64)
	prove    func(path string) error
	total    int64
	written  atomic.Int64

	mu      sync.Mutex
	tensors []Tensor
	index   map[string]int
	state   []tensorState
	members map[string]*pendingMember
	done    bool
}

type tensorState uint8

const (
	tensorMissing tensorState = iota
	tensorWriting
	tensorWritten
)

type pendingMember struct {
	Member
	compression Compression
	stored      []byte
	storedSum   string
}

// Create starts a bundle that will be called path, with the given tensors in
// this order. The space for them is reserved at once, so that a full disk is
// found before the work is done.
func Create(path string, tensors []TensorSpec, opts WriterOptions) (*Writer, error) {
	w := &Writer{progress: opts.Progress, prove: opts.Prove, index: map[string]int{}, members: map[string]*pendingMember{}}
	pos := int64(0)
	for i, s := range tensors {
		n, _ := byteSize(s.DType, s.Shape)
		t := Tensor{Name: s.Name, DType: s.DType, Shape: append([]int{}, s.Shape...),
			Offset: alignUp(pos, tensorAlign), Length: n, SHA256: strings.Repeat("0", 64)}
		pos = t.Offset + n
		w.total += n
		w.tensors = append(w.tensors, t)
		w.index[s.Name] = i
	}
	// The same checks as a reader's, before any work.
	if err := (&Manifest{Weights: w.tensors}).validateWeights(); err != nil {
		return nil, inFile(path, err)
	}
	w.state = make([]tensorState, len(tensors))
	f, err := fsx.Create(path)
	if err != nil {
		return nil, err
	}
	w.f = f
	if err := f.Reserve(pageAlign + archiveSize(w.tensors)); err != nil {
		f.Abort()
		return nil, err
	}
	return w, nil
}

// WriteTensor calls fill with a writer for the tensor's bytes (dense, row-major,
// little-endian), which must get exactly as many as its type has. It may be
// called from several goroutines, once for each tensor.
func (w *Writer) WriteTensor(name string, fill func(io.Writer) error) error {
	t, err := w.OpenTensor(name)
	if err != nil {
		return err
	}
	if err := fill(t); err != nil {
		return err
	}
	return t.Close()
}

// OpenTensor is WriteTensor for a caller that writes several tensors side by side.
// Close fails unless all bytes were written. Each tensor is for one goroutine.
func (w *Writer) OpenTensor(name string) (io.WriteCloser, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i, ok := w.index[name]
	var err error
	switch {
	case w.done:
		err = errors.New("the bundle is finished or aborted")
	case !ok:
		err = errors.New("not announced to Create")
	case w.state[i] != tensorMissing:
		err = errors.New("written twice")
	default:
		w.state[i] = tensorWriting
	}
	if err != nil {
		return nil, fmt.Errorf("bundle: tensor %q: %w", name, err)
	}
	t := w.tensors[i]
	return &tensorWriter{w: w, index: i, pos: pageAlign + t.Offset, left: t.Length, sum: sha256.New()}, nil
}

// tensorWriter writes a range of the file in order, hashing it.
type tensorWriter struct {
	w     *Writer
	index int // of the tensor
	pos   int64
	left  int64
	sum   hash.Hash
}

// Close completes the tensor.
func (t *tensorWriter) Close() error {
	w := t.w
	if t.left != 0 {
		return fmt.Errorf("bundle: tensor %q: %d of %d bytes were not written", w.tensors[t.index].Name, t.left, w.tensors[t.index].Length)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.state[t.index] == tensorWriting {
		w.tensors[t.index].SHA256 = hex.EncodeToString(t.sum.Sum(nil))
		w.state[t.index] = tensorWritten
	}
	return nil
}

func (t *tensorWriter) Write(p []byte) (int, error) {
	if int64(len(p)) > t.left {
		return 0, fmt.Errorf("bundle: %d bytes more than the tensor has", int64(len(p))-t.left)
	}
	if err := t.w.f.Prime(t.pos, int64(len(p))); err != nil {
		return 0, err
	}
	n, err := t.w.f.WriteAt(p, t.pos)
	t.pos += int64(n)
	t.left -= int64(n)
	t.sum.Write(p[:n])
	done := t.w.written.Add(int64(n))
	if t.w.progress != nil {
		t.w.progress(done, t.w.total)
	}
	return n, err
}

// AddMember adds a file. Modules must be added with None, since they are used
// where they lie in the file. It may be called from several goroutines. The
// writer keeps data if it is not compressed.
func (w *Writer) AddMember(path string, data []byte, c Compression) error {
	if err := checkPath(path); err != nil {
		return fmt.Errorf("bundle: member %q: %w", path, err)
	}
	m := &pendingMember{Member: Member{Path: path, Size: int64(len(data)), SHA256: hexSum(data)}, compression: c}
	switch c {
	case None:
		m.stored, m.storedSum = data, m.SHA256
	case Zstd:
		if len(data) > maxTextSize {
			return fmt.Errorf("bundle: member %q: %d bytes, at most %d are allowed", path, len(data), maxTextSize)
		}
		m.stored = compress(data)
		m.storedSum = hexSum(m.stored)
	default:
		return fmt.Errorf("bundle: member %q: unknown compression %q", path, c)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done {
		return fmt.Errorf("bundle: member %q: the bundle is finished or aborted", path)
	}
	if w.members[path] != nil {
		return fmt.Errorf("bundle: member %q added twice", path)
	}
	w.members[path] = m
	return nil
}

// compress makes one zstd frame with the content size and no checksum (the
// digests do that). One goroutine: the bytes must not depend on how many there are.
func compress(data []byte) []byte {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false),
		zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	if err != nil {
		panic(err) // constant options
	}
	defer func() { _ = enc.Close() }()
	return enc.EncodeAll(data, nil)
}

func hexSum(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}

// Finish completes m with the weights, the members and the schema, writes it,
// and gives the file its name. It returns the root digest. After an error the
// caller should Abort.
func (w *Writer) Finish(m *Manifest) (digest string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.done {
		return "", errors.New("bundle: the bundle is finished or aborted")
	}
	for i, s := range w.state {
		if s != tensorWritten {
			return "", fmt.Errorf("bundle: tensor %q was not written", w.tensors[i].Name)
		}
	}
	members := make([]*pendingMember, 0, len(w.members))
	for _, p := range w.members {
		members = append(members, p)
	}
	slices.SortFunc(members, func(a, b *pendingMember) int { return strings.Compare(a.Path, b.Path) })

	m.Schema = Schema
	m.Weights = slices.Clone(w.tensors)
	m.Members = nil
	for _, p := range members {
		m.Members = append(m.Members, p.Member)
	}
	mjson, err := m.encode()
	if err != nil {
		return "", err
	}
	// Read back what a reader will see: it must accept it.
	if _, err := ParseManifest(mjson); err != nil {
		return "", inFile(w.f.Path(), err)
	}

	dir := directory{Entries: []entry{{Path: weightsEntry, Compression: None, Offset: pageAlign, Length: archiveSize(w.tensors)}}}
	pos := dir.Entries[0].span().end()
	for _, p := range members {
		e := entry{Path: p.Path, Compression: p.compression, Length: int64(len(p.stored)), SHA256: p.storedSum}
		e.Offset = alignUp(pos, e.align())
		dir.Entries = append(dir.Entries, e)
		pos = e.span().end()
	}
	h := header{manifest: span{alignUp(pos, textAlign), int64(len(mjson))}, manifestSum: sha256.Sum256(mjson)}
	if err := dir.check(h.manifest); err != nil {
		return "", inFile(w.f.Path(), err)
	}
	djson, err := dir.encode()
	if err != nil {
		return "", err
	}
	h.directory = span{alignUp(h.manifest.end(), textAlign), int64(len(djson))}
	h.directorySum = sha256.Sum256(djson)
	h.fileSize = h.directory.end()
	if err := h.check(); err != nil {
		return "", inFile(w.f.Path(), err)
	}
	if err := w.f.Reserve(h.fileSize); err != nil {
		return "", err
	}
	// The padding needs no writing: a file's holes are zeros.
	write := func(at int64, data []byte) {
		if err == nil {
			_, err = w.f.WriteAt(data, at)
		}
	}
	for i, p := range members {
		write(dir.Entries[i+1].Offset, p.stored)
	}
	write(h.manifest.offset, mjson)
	write(h.directory.offset, djson)
	write(0, h.encode())
	if err != nil {
		return "", err
	}
	if err := w.f.Truncate(h.fileSize); err != nil {
		return "", err
	}
	if w.prove != nil {
		if err := w.prove(w.f.TempPath()); err != nil {
			return "", err
		}
	}
	w.done = true
	if err := w.f.Commit(); err != nil {
		return "", err
	}
	return digestString(h.manifestSum), nil
}

// Abort removes what was written. It does nothing after Finish, so that it can
// be deferred.
func (w *Writer) Abort() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done = true
	w.f.Abort()
}

func digestString(sum [32]byte) string { return "sha256:" + hex.EncodeToString(sum[:]) }

// encode gives the manifest's one JSON form: fields in the order of the types,
// no white space, lists never null.
func (m *Manifest) encode() ([]byte, error) {
	c := *m
	c.Model.BOS, c.Model.EOS, c.Model.KV = list(c.Model.BOS), list(c.Model.EOS), slices.Clone(list(c.Model.KV))
	for i := range c.Model.KV {
		c.Model.KV[i].Shape = list(c.Model.KV[i].Shape)
	}
	c.Graphs = slices.Clone(list(c.Graphs))
	for i := range c.Graphs {
		c.Graphs[i].Inputs, c.Graphs[i].Results = listPorts(c.Graphs[i].Inputs), listPorts(c.Graphs[i].Results)
	}
	c.Targets = slices.Clone(list(c.Targets))
	for i := range c.Targets {
		t := &c.Targets[i]
		t.CPUFeatures, t.Modules = list(t.CPUFeatures), list(t.Modules)
	}
	c.Weights, c.Members = list(c.Weights), list(c.Members)
	b, err := json.Marshal(&c)
	if err != nil {
		return nil, fmt.Errorf("bundle: manifest: %w", err)
	}
	return b, nil
}

func list[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func listPorts(ports []Port) []Port {
	ports = slices.Clone(list(ports))
	for i := range ports {
		ports[i].Shape = list(ports[i].Shape)
	}
	return ports
}

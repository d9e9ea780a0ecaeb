package safetensors

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
)

// file puts a header and data together.
func file(head string, data int) []byte {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
	b = append(b, head...)
	for i := range data {
		b = append(b, byte(i))
	}
	return b
}

func open(b []byte) (*File, error) {
	return NewFile(bytes.NewReader(b), int64(len(b)), "m.safetensors")
}

func TestRead(t *testing.T) {
	f, err := open(file(`{"b":{"dtype":"BF16","shape":[2,3],"data_offsets":[4,16]},"__metadata__":{"format":"pt"},`+
		`"a":{"shape":[],"data_offsets":[0,4],"dtype":"F32"},"e":{"dtype":"I64","shape":[0,7],"data_offsets":[4,4]}}   `, 16))
	if err != nil {
		t.Fatal(err)
	}
	if f.Metadata["format"] != "pt" || len(f.Tensors()) != 3 {
		t.Fatalf("%v, %d tensors", f.Metadata, len(f.Tensors()))
	}
	names := ""
	for _, x := range f.Tensors() {
		names += x.Name
	}
	if names != "aeb" {
		t.Errorf("order %s", names)
	}
	b := f.Tensor("b")
	if b.DType != BF16 || b.Size() != 12 || b.Elements() != 6 || len(b.Shape) != 2 || b.File() != "m.safetensors" {
		t.Errorf("%+v", b)
	}
	if f.Tensor("a").Elements() != 1 || f.Tensor("e").Elements() != 0 || f.Tensor("x") != nil {
		t.Error("wrong number of elements")
	}
	data, err := io.ReadAll(b.Reader())
	if err != nil || !bytes.Equal(data, []byte{4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}) {
		t.Errorf("%v %v", data, err)
	}
	p := make([]byte, 4)
	if n, err := b.ReadAt(p, 10); n != 2 || !errors.Is(err, io.EOF) {
		t.Errorf("read over the end: %d %v", n, err)
	}
	for _, off := range []int64{-1, 13} {
		if _, err := b.ReadAt(p, off); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("offset %d: %v", off, err)
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func TestReadErrors(t *testing.T) {
	entry := func(dtype, shape, offsets string) string {
		return `{"x":{"dtype":"` + dtype + `","shape":` + shape + `,"data_offsets":` + offsets + `}}`
	}
	for _, c := range []struct {
		name, head string
		data       int
		kind       diag.Kind
		want       string
	}{
		{"unknown dtype", entry("F128", "[1]", "[0,16]"), 16, diag.Unsupported, `tensor "x": unknown element type: want one of BF16, BOOL,`},
		{"hole at the start", entry("F32", "[1]", "[4,8]"), 8, diag.BadInput, `hole between the start of the data and this tensor: want data_offsets to begin at 0, found 4`},
		{"hole", `{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"y":{"dtype":"F32","shape":[1],"data_offsets":[8,12]}}`, 12, diag.BadInput, `tensor "y": hole between tensor "x" and this tensor`},
		{"overlap", `{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"y":{"dtype":"F32","shape":[1],"data_offsets":[2,6]}}`, 6, diag.BadInput, `tensor "y": overlap`},
		{"same place", `{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"y":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 4, diag.BadInput, `tensor "y": overlap`},
		{"too short", entry("F32", "[2]", "[0,8]"), 4, diag.BadInput, "file is truncated: want 70 bytes, found 66 bytes"},
		{"too long", entry("F32", "[1]", "[0,4]"), 9, diag.BadInput, "file size does not match the header"},
		{"no tensors but data", `{}`, 3, diag.BadInput, "file size does not match the header"},
		{"size mismatch", entry("F32", "[3]", "[0,4]"), 4, diag.BadInput, "data_offsets do not match dtype and shape: want 12 bytes for F32 [3], found [0, 4]"},
		{"reversed", entry("F32", "[0]", "[4,0]"), 4, diag.BadInput, "data_offsets do not match"},
		{"overflow of the product", entry("F32", "[4294967296,4294967296,4294967296]", "[0,0]"), 0, diag.BadInput, "size overflows"},
		{"overflow of the bits", entry("F64", "[4611686018427387904]", "[0,0]"), 0, diag.BadInput, "size overflows"},
		{"offset overflow", entry("U8", "[0]", "[18446744073709551615,18446744073709551615]"), 0, diag.BadInput, "data_offsets do not match"},
		{"half a byte", entry("F4", "[3]", "[0,2]"), 2, diag.BadInput, "size overflows or is no whole number of bytes"},
		{"negative dimension", entry("F32", "[-1]", "[0,4]"), 4, diag.BadInput, "non-negative integer"},
		{"fraction", entry("F32", "[1.0]", "[0,4]"), 4, diag.BadInput, "non-negative integer"},
		{"huge dimension", entry("F32", "[18446744073709551615]", "[0,4]"), 4, diag.BadInput, "too large"},
		{"one offset", entry("F32", "[1]", "[4]"), 4, diag.BadInput, "data_offsets has 1 numbers, want 2"},
		{"three offsets", entry("F32", "[1]", "[0,4,4]"), 4, diag.BadInput, "more than 2 numbers"},
		{"no shape", `{"x":{"dtype":"F32","data_offsets":[0,4]}}`, 4, diag.BadInput, "lacks one of dtype, shape, data_offsets"},
		{"unknown key", `{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"strides":[1]}}`, 4, diag.BadInput, `unknown key "strides"`},
		{"duplicate tensor", `{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 4, diag.BadInput, `duplicate key "x"`},
		{"duplicate field", `{"x":{"dtype":"F32","dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 4, diag.BadInput, `duplicate key "dtype"`},
		{"duplicate metadata", `{"__metadata__":{"a":"1","a":"2"}}`, 0, diag.BadInput, `duplicate key "a"`},
		{"metadata number", `{"__metadata__":{"a":1}}`, 0, diag.BadInput, "want a string"},
		{"empty name", `{"":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 4, diag.BadInput, "empty tensor name"},
		{"array", `[]`, 0, diag.BadInput, "does not start with '{'"},
		{"leading space", ` {}`, 0, diag.BadInput, "does not start with '{'"},
		{"empty header", ``, 0, diag.BadInput, "does not start with '{'"},
		{"text after", `{}x`, 0, diag.BadInput, "header byte 2: want the end of the text"},
		{"not JSON", `{"x"`, 0, diag.BadInput, "header byte 4: want ':'"},
		{"rank", entry("F32", "["+strings.Repeat("1,", 64)+"1]", "[0,4]"), 4, diag.BadInput, "more than 64 dimensions"},
	} {
		_, err := open(file(c.head, c.data))
		var e *diag.Error
		if !errors.As(err, &e) || e.Kind != c.kind || e.File != "m.safetensors" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, found %v", c.name, c.want, err)
		}
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty file", nil, "file is truncated: want at least 8 bytes, found 0 bytes"},
		{"prefix only", file("", 0)[:5], "file is truncated: want at least 8 bytes, found 5 bytes"},
		{"long header", binary.LittleEndian.AppendUint64(nil, MaxHeader+1), "header is too long"},
		{"absurd header", bytes.Repeat([]byte{0xff}, 16), "header is too long"},
		{"cut header", file(`{"x":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, 4)[:30], "file is truncated inside its header"},
		{"LFS pointer", []byte("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n"), "Git LFS pointer"},
	} {
		if _, err := open(c.data); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, found %v", c.name, c.want, err)
		}
	}
}

// A file that shrinks while it is open gives an error that says so.
func TestFileBecomesShorter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.safetensors")
	if err := os.WriteFile(path, file(`{"x":{"dtype":"U8","shape":[100],"data_offsets":[0,100]}}`, 100), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Truncate(path, 100); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadAll(f.Tensor("x").Reader()); err == nil || !strings.Contains(err.Error(), "became shorter") {
		t.Errorf("found %v", err)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none")); diag.KindOf(err) != diag.BadInput {
		t.Errorf("missing file: %v", err)
	}
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("directory: %v", err)
	}
}

func TestWrite(t *testing.T) {
	tensors := []Out{
		{"z", U8, []int{3}, Bytes([]byte{1, 2, 3})},
		{"b", F32, []int{2}, Bytes(make([]byte, 8))},
		{"a\"ä", BF16, []int{}, Bytes([]byte{9, 9})},
		{"c", F64, []int{1, 0}, Bytes(nil)},
	}
	var first bytes.Buffer
	if err := Write(&first, map[string]string{"format": "pt", "a": "b"}, tensors); err != nil {
		t.Fatal(err)
	}
	var second bytes.Buffer
	reversed := []Out{tensors[3], tensors[1], tensors[0], tensors[2]}
	if err := Write(&second, map[string]string{"a": "b", "format": "pt"}, reversed); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the order of the arguments matters")
	}
	f, err := open(first.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if first.Len()%8 != 5 { // header padded to 8, then 8+2+3 bytes
		t.Errorf("length %d", first.Len())
	}
	for _, o := range tensors {
		got := f.Tensor(o.Name)
		if got == nil || got.DType != o.DType {
			t.Fatalf("%s: %+v", o.Name, got)
		}
		if got.begin%int64(max(1, o.DType.Bits()/8)) != 0 {
			t.Errorf("%s is not aligned", o.Name)
		}
	}
	if z, _ := io.ReadAll(f.Tensor("z").Reader()); !bytes.Equal(z, []byte{1, 2, 3}) {
		t.Errorf("z: %v", z)
	}
	for name, bad := range map[string][]Out{
		"twice":    {tensors[0], tensors[0]},
		"reserved": {{"__metadata__", U8, []int{0}, Bytes(nil)}},
		"dtype":    {{"x", "X1", []int{0}, Bytes(nil)}},
		"short":    {{"x", U8, []int{2}, Bytes([]byte{1})}},
		"overflow": {{"x", F64, []int{1 << 62, 4}, Bytes(nil)}},
	} {
		if err := Write(io.Discard, nil, bad); err == nil {
			t.Errorf("%s: written", name)
		}
	}
}

// Every element type can be read and has its width.
func TestDTypes(t *testing.T) {
	for d, bits := range dtypeBits {
		var b bytes.Buffer
		if err := Write(&b, nil, []Out{{"x", d, []int{8}, Bytes(make([]byte, bits))}}); err != nil {
			t.Fatal(err)
		}
		f, err := open(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if x := f.Tensor("x"); x.Size() != int64(bits) || x.Elements() != 8 {
			t.Errorf("%s: %d bytes, %d elements", d, x.Size(), x.Elements())
		}
	}
	if DType("F16 ").Known() || F8E4M3.IsFloat() || !BF16.IsFloat() {
		t.Error("wrong classes")
	}
}

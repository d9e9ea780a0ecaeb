package bundle

import (
	"encoding/json"
	"fmt"
)

// Compression says how an entry's bytes are stored.
type Compression string

// Texts are compressed, modules and weights stand as they are.
const (
	None Compression = "none"
	Zstd Compression = "zstd"
)

// entry is one line of the directory: where an item lies, and the digest of the
// bytes as they are stored there (the weight archive has none: its tensors have).
type entry struct {
	Path        string      `json:"path"`
	Compression Compression `json:"compression"`
	Offset      int64       `json:"offset"`
	Length      int64       `json:"length"`
	SHA256      string      `json:"sha256,omitempty"`
}

func (e entry) span() span { return span{e.Offset, e.Length} }

func (e entry) align() int64 {
	if e.Compression == Zstd {
		return textAlign
	}
	return pageAlign
}

// weightsEntry is the path of the weight archive, always the first entry. It
// cannot clash with a member: see checkPath.
const weightsEntry = "@weights"

// directory is the table of contents of the file: the weight archive, then the
// members by path.
type directory struct {
	Entries []entry `json:"entries"`
}

func (d *directory) encode() ([]byte, error) { return json.Marshal(d) }

func parseDirectory(b []byte) (*directory, error) {
	d := &directory{}
	if err := strictJSON(b, d, false); err != nil {
		return nil, errCorrupt("directory", err.Error())
	}
	return d, nil
}

// check verifies that the entries lie exactly where the format puts them: each
// at the first aligned offset after the one before, so that there are neither
// holes nor overlaps, and the manifest right after the last.
func (d *directory) check(manifest span) error {
	if len(d.Entries) == 0 || d.Entries[0].Path != weightsEntry {
		return errCorrupt("directory", "the first entry is not the weight archive")
	}
	pos := int64(headerSize)
	for i, e := range d.Entries {
		where := fmt.Sprintf("directory: %q", e.Path)
		switch {
		case e.Compression != None && e.Compression != Zstd:
			return errCorrupt(where, fmt.Sprintf("unknown compression %q", e.Compression))
		case e.Length < 0 || e.Length > maxFileSize:
			return errCorrupt(where, fmt.Sprintf("length %d", e.Length))
		case e.Offset != alignUp(pos, e.align()):
			return errCorrupt(where, fmt.Sprintf("offset %d, want %d", e.Offset, alignUp(pos, e.align())))
		case e.span().end() > manifest.offset:
			return errCorrupt(where, "reaches into the manifest")
		case i == 0:
			if e.Compression != None || e.SHA256 != "" {
				return errCorrupt(where, "the weight archive is compressed or has a digest of its own")
			}
		case !isHexSHA256(e.SHA256):
			return errCorrupt(where, "no valid sha256")
		case checkPath(e.Path) != nil:
			return errCorrupt(where, "not a valid path")
		case i > 1 && e.Path <= d.Entries[i-1].Path:
			return errCorrupt(where, "not in order")
		}
		pos = e.span().end()
	}
	if manifest.offset != alignUp(pos, textAlign) {
		return errCorrupt("directory", "the manifest does not follow the last entry")
	}
	return nil
}

// match verifies that the directory holds just what the manifest lists.
func (d *directory) match(m *Manifest) error {
	members := d.Entries[1:]
	if len(members) != len(m.Members) {
		return errCorrupt("directory", fmt.Sprintf("%d members, the manifest lists %d", len(members), len(m.Members)))
	}
	for i, mem := range m.Members {
		e := members[i]
		where := fmt.Sprintf("directory: %q", e.Path)
		if e.Path != mem.Path {
			return errCorrupt(where, fmt.Sprintf("the manifest has %q in its place", mem.Path))
		}
		if e.Compression == None && (e.Length != mem.Size || e.SHA256 != mem.SHA256) {
			return errCorrupt(where, "size or digest differs from the manifest's")
		}
		if e.Compression == Zstd && mem.Size > maxTextSize {
			return errCorrupt(where, fmt.Sprintf("%d bytes uncompressed, at most %d are allowed", mem.Size, maxTextSize))
		}
	}
	if want := archiveSize(m.Weights); d.Entries[0].Length != want {
		return errCorrupt("directory", fmt.Sprintf("weight archive of %d bytes, its tensors need %d", d.Entries[0].Length, want))
	}
	return nil
}

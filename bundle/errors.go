package bundle

import (
	"context"
	"errors"
	"fmt"

	"github.com/hlocc/hlocc/internal/diag"
)

const fixCopyAgain = "copy or download the bundle again, or build it again"

func errNotBundle(b []byte) error {
	found := "an empty file"
	if len(b) > 0 {
		found = fmt.Sprintf("a file that starts with % x", b[:min(len(b), 8)])
	}
	return &diag.Error{Kind: diag.BadInput, Code: "not_a_bundle", Message: "not an hlocc bundle",
		Found: found, Fix: "make one with hlocc build DIR -o FILE.hlocc"}
}

func errTruncated(want, found string) error {
	return &diag.Error{Kind: diag.Verification, Code: "truncated", Message: "the file is truncated",
		Want: want, Found: found, Fix: fixCopyAgain}
}

func errFormatVersion(v uint32) error {
	return &diag.Error{Kind: diag.Unsupported, Code: "format_version", Message: "unknown bundle format",
		Want: fmt.Sprintf("version %d", formatVersion), Found: fmt.Sprintf("version %d", v),
		Fix: "use the hlocc that made the bundle, or build it again with this one"}
}

func errSchema(found string) error {
	return &diag.Error{Kind: diag.Unsupported, Code: "schema", Where: "manifest: schema",
		Message: "unknown schema version", Want: "1.x", Found: found,
		Fix: "use the hlocc that made the bundle, or build it again with this one"}
}

func errRequires(feature string) error {
	return &diag.Error{Kind: diag.Unsupported, Code: "requires", Where: "manifest: requires",
		Message: fmt.Sprintf("the bundle needs a feature that this hlocc does not have: %q", feature),
		Fix:     "use a newer hlocc, or build the bundle again with this one"}
}

// errCorrupt reports bytes that are not what the bundle itself says they are.
func errCorrupt(where, message string) error {
	return &diag.Error{Kind: diag.Verification, Code: "corrupt", Where: where, Message: message, Fix: fixCopyAgain}
}

// errManifest reports a manifest that cannot be right whatever its digest is.
func errManifest(where, format string, args ...any) error {
	return &diag.Error{Kind: diag.BadInput, Code: "manifest", Where: "manifest: " + where,
		Message: fmt.Sprintf(format, args...), Fix: "build the bundle again"}
}

// inFile puts the bundle's name into an error, and makes it a *diag.Error.
func inFile(path string, err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	var e *diag.Error
	if errors.As(err, &e) {
		c := *e
		c.File = path
		return &c
	}
	return &diag.Error{Kind: diag.Failed, Code: "read", File: path, Message: "cannot be read", Cause: err}
}

package bundle

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checkText accepts names that are safe to print and bounded in length.
func checkText(s string, maxLen int) error {
	if len(s) > maxLen {
		return fmt.Errorf("longer than %d bytes", maxLen)
	}
	if !utf8.ValidString(s) {
		return fmt.Errorf("not valid UTF-8")
	}
	for _, r := range s {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("contains %U, which cannot be printed", r)
		}
	}
	return nil
}

// checkName accepts non-empty printable names without spaces.
func checkName(s string) error {
	if s == "" {
		return fmt.Errorf("is empty")
	}
	if strings.Contains(s, " ") {
		return fmt.Errorf("contains a space")
	}
	return checkText(s, maxName)
}

// checkElement accepts names that become folders and files: paths of one element.
func checkElement(s string) error {
	if strings.Contains(s, "/") {
		return fmt.Errorf("contains '/'")
	}
	return checkPath(s)
}

// checkPath accepts the paths of members: relative, with forward slashes, of
// letters, digits, '.', '_', '+' and '-', and no empty, "." or ".." element. Such a
// path means the same, and stays inside its folder, on every system.
func checkPath(s string) error {
	if s == "" || len(s) > maxName {
		return fmt.Errorf("a path has 1 to %d bytes", maxName)
	}
	for el := range strings.SplitSeq(s, "/") {
		if el == "" || el == "." || el == ".." {
			return fmt.Errorf("an element is %q", el)
		}
	}
	for _, c := range []byte(s) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		case c == '.', c == '_', c == '+', c == '-', c == '/':
		default:
			return fmt.Errorf("contains %q", c)
		}
	}
	return nil
}

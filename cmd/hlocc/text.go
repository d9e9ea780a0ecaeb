package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/text/tokenizer"
)

// isDir says whether path is a directory. A path that is not there is an error
// of the user's.
func isDir(path string) (bool, error) {
	info, err := os.Stat(path)
	if err != nil {
		return false, diag.FileError("open", "cannot open", path, err)
	}
	return info.IsDir(), nil
}

// openTokenizer reads the tokenizer of a model directory or a bundle.
func openTokenizer(path string) (*tokenizer.Tokenizer, error) {
	dir, err := isDir(path)
	if err != nil {
		return nil, err
	}
	if !dir {
		r, err := bundle.Open(path)
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return bundleTokenizer(r)
	}
	file := filepath.Join(path, "tokenizer.json")
	data, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, noTokenizer(path, "tokenizer.json")
	case err != nil:
		return nil, diag.FileError("read", "cannot read the tokenizer", file, err)
	}
	return tokenizer.Parse(file, data)
}

func bundleTokenizer(r *bundle.Reader) (*tokenizer.Tokenizer, error) {
	if !r.HasMember(bundle.PathTokenizer) {
		return nil, noTokenizer(r.Path(), bundle.PathTokenizer)
	}
	data, err := r.Member(bundle.PathTokenizer)
	if err != nil {
		return nil, err
	}
	return tokenizer.Parse(r.Path()+":"+bundle.PathTokenizer, data)
}

func noTokenizer(path, want string) error {
	return &diag.Error{
		Kind: diag.Unsupported, Code: "no_tokenizer", File: path, Message: "there is no tokenizer, so text cannot be read or written",
		Want: want, Found: "none", Fix: "give the prompt as token ids with --tokens 1,2,3, or build from a directory with tokenizer.json",
	}
}

// tokenList reads ids separated by commas or white space.
func tokenList(flag, s string) ([]int32, error) {
	fields := strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' || r == '\t' || r == '\r' })
	ids := make([]int32, 0, len(fields))
	for _, f := range fields {
		id, err := strconv.ParseInt(f, 10, 32)
		if err != nil || id < 0 {
			return nil, &diag.Error{Kind: diag.BadInput, Code: "token_id", Where: flag, Message: "not a token id",
				Want: "whole numbers separated by commas", Found: strconv.Quote(f)}
		}
		ids = append(ids, int32(id))
	}
	return ids, nil
}

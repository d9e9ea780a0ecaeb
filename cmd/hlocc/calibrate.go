package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/hlocc/hlocc/fixtures/text"
	"github.com/hlocc/hlocc/internal/build"
	"github.com/hlocc/hlocc/internal/calibrate"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/quantize"
)

// calibration reads the --calibrate flag: the tokens of a text, nil for none. The
// default text is not used for a model that cannot read text.
func calibration(flag, dir string, plan build.PlanOptions) (*build.Calibration, error) {
	if flag == "none" || plan.Weights.Scheme != quantize.Int4 && plan.Weights.Head.Scheme != quantize.Int4 {
		if flag != "none" && flag != "default" {
			return nil, usage("--calibrate", "add --quant int4-g64, or leave it out", "only 4-bit weights are calibrated")
		}
		return nil, nil
	}
	tok, err := openTokenizer(dir)
	if err != nil {
		if _, missing := os.Stat(filepath.Join(dir, "tokenizer.json")); flag == "default" && errors.Is(missing, fs.ErrNotExist) {
			return nil, nil
		}
		return nil, err
	}
	content, name := []byte(text.Calibration), "default"
	if flag != "default" {
		name = filepath.Base(flag)
		if content, err = os.ReadFile(flag); err != nil {
			return nil, diag.FileError("read", "cannot read the text to calibrate with", flag, err)
		}
	}
	ids, err := tok.Encode(string(content))
	if err != nil {
		return nil, err
	}
	digest := sha256.Sum256(content)
	if flag == "default" { // enough for a small model, and minutes of time for a large one
		ids = ids[:min(len(ids), 4*calibrate.Window)]
	}
	return &build.Calibration{Default: flag == "default", Name: name, SHA256: hex.EncodeToString(digest[:]), Tokens: ids}, nil
}

package arch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/strictjson"
)

// ConfigName is the file that describes a model in its directory.
const ConfigName = "config.json"

const maxConfig = 1 << 20 // bytes of config.json and generation_config.json

// Config is config.json in a normal form: the identity of the model, and typed
// access to every other key. A family reads the keys that it knows; Finish then
// refuses what nobody read and what may change the maths (see keys.go).
//
// Reading follows Hugging Face: a key that is null counts as absent, unless a
// method says otherwise. The first error sticks, so that a family reads all its
// keys in a row and the caller asks for Err once.
type Config struct {
	File          string // path of config.json, for diagnostics
	ModelType     string
	Architectures []string
	// DType is the type of the weights as declared by dtype or torch_dtype, such
	// as "bfloat16"; "" if the config does not say. The tensors decide.
	DType string

	root *strictjson.Value
	used map[string]bool
	err  error

	packed *Packing // of the checkpoint's matrices, read by SpecOf

	text  *Config // of text_config, which has a family of its own
	outer *Config // for such a config, the one around it
}

// ReadConfig reads and parses dir/config.json.
func ReadConfig(dir string) (*Config, error) {
	path := filepath.Join(dir, ConfigName)
	text, err := readFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &diag.Error{Kind: diag.BadInput, Code: "config_missing", File: dir, Message: "is no model directory",
			Want: "a directory with " + ConfigName, Found: "no " + ConfigName}
	}
	if err != nil {
		return nil, err
	}
	return ParseConfig(path, text)
}

// ParseConfig parses the text of a config.json; file names it in diagnostics.
func ParseConfig(file string, text []byte) (*Config, error) {
	root, err := parseObject(file, text)
	if err != nil {
		return nil, err
	}
	c := &Config{File: file, root: root, used: map[string]bool{}}
	c.ModelType = c.String("model_type", "")
	for _, v := range c.list("architectures") {
		if v.Kind != strictjson.String {
			c.wrongType("architectures", "an array of strings", v)
			break
		}
		c.Architectures = append(c.Architectures, v.Text)
	}
	if c.ModelType == "" && c.Has("auto_map") {
		// A model that brings its code needs no model_type (MiniCPM 1B and 2B): the
		// class says what it is.
		c.ModelType = familyOfClass(c.Architectures)
	}
	if c.ModelType == "" && c.err == nil {
		c.fail("model_type", diag.BadInput, "config_key", "missing key", "the name of a model family", "")
	}
	// Both may be there: transformers 5 keeps dtype.
	c.DType = c.String("dtype", c.String("torch_dtype", ""))
	return c, c.err
}

func parseObject(file string, text []byte) (*strictjson.Value, error) {
	root, err := strictjson.Parse(text)
	var syntax *strictjson.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return nil, &diag.Error{Kind: diag.BadInput, Code: "json", File: file,
			Where: fmt.Sprintf("%d:%d", syntax.Line, syntax.Column), Message: syntax.Msg}
	case err != nil:
		return nil, err
	case root.Kind != strictjson.Object:
		return nil, &diag.Error{Kind: diag.BadInput, Code: "json", File: file, Message: "not a JSON object", Found: "a " + root.Kind.String()}
	}
	return root, nil
}

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, diag.FileError("open", "cannot open", path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, diag.FileError("read", "cannot read", path, err)
	}
	if len(text) > maxConfig {
		return nil, &diag.Error{Kind: diag.BadInput, Code: "file_too_large", File: path, Message: "file is too large",
			Want: fmt.Sprintf("at most %d bytes", maxConfig)}
	}
	return text, nil
}

// Err is the first error of all reads so far.
func (c *Config) Err() error { return c.err }

// fixes says by code what support of a value would need.
var fixes = map[string]string{
	"config_unsupported": "support it: the family must say what such a model computes (docs/adding-a-family.md)",
	"rope_type":          "support it: its rule for the frequencies belongs into arch/rope.go",
}

func (c *Config) fail(key string, kind diag.Kind, code, message, want, found string) {
	c.report(key, &diag.Error{Kind: kind, Code: code, Message: message, Want: want, Found: found, Fix: fixes[code]})
}

// report keeps the first error, at the key's place in the file.
func (c *Config) report(key string, e *diag.Error) {
	if c.outer != nil {
		c.outer.report(textKey+"."+key, e)
		c.err = c.outer.err
		return
	}
	if c.err == nil {
		e.File, e.Where = c.File, key
		c.err = e
	}
}

func (c *Config) wrongType(key, want string, v *strictjson.Value) {
	c.fail(key, diag.BadInput, "config_type", "wrong type", want, v.Kind.String()+" "+v.String())
}

// Refuse records that the value of a key is understood but not supported, and
// why.
func (c *Config) Refuse(key, reason string) {
	found := ""
	if v := c.find(key); v != nil {
		found = v.String()
	}
	c.fail(key, diag.Unsupported, "config_unsupported", reason, "", found)
}

// Known marks keys as read: the family knows them, and they do not change what
// the model computes.
func (c *Config) Known(keys ...string) {
	for _, key := range keys {
		c.used[key] = true
	}
}

// find follows a dotted path and marks its first key as read.
func (c *Config) find(path string) *strictjson.Value {
	v := c.root
	for i, key := range strings.Split(path, ".") {
		if i == 0 {
			c.used[key] = true
		}
		v = v.Get(key)
	}
	return v
}

// value returns the value at a path, nil if it is absent or null.
func (c *Config) value(path string) *strictjson.Value {
	v := c.find(path)
	if v == nil || v.Kind == strictjson.Null {
		return nil
	}
	return v
}

// Has says whether a key is there and not null. A dotted path reaches into
// objects, here and in all methods: "rope_scaling.factor".
func (c *Config) Has(path string) bool { return c.value(path) != nil }

// IsNull says whether a key is there and is null.
func (c *Config) IsNull(path string) bool {
	v := c.find(path)
	return v != nil && v.Kind == strictjson.Null
}

// String reads a string.
func (c *Config) String(path, absent string) string {
	v := c.value(path)
	switch {
	case v == nil:
		return absent
	case v.Kind != strictjson.String:
		c.wrongType(path, "a string", v)
		return absent
	}
	return v.Text
}

// Bool reads a boolean.
func (c *Config) Bool(path string, absent bool) bool {
	v := c.value(path)
	switch {
	case v == nil:
		return absent
	case v.Kind != strictjson.Bool:
		c.wrongType(path, "true or false", v)
		return absent
	}
	return v.Bool
}

// Int reads an integer in [low, high].
func (c *Config) Int(path string, absent, low, high int) int {
	v := c.value(path)
	if v == nil {
		return absent
	}
	n, ok := v.Int()
	switch {
	case !ok:
		c.wrongType(path, "an integer", v)
	case n < int64(low) || n > int64(high):
		c.fail(path, diag.BadInput, "config_range", "out of range", fmt.Sprintf("%d..%d", low, high), v.Text)
	default:
		return int(n)
	}
	return absent
}

// RequiredInt reads an integer in [low, high] that must be there.
func (c *Config) RequiredInt(path string, low, high int) int {
	if !c.Has(path) {
		c.fail(path, diag.BadInput, "config_key", "missing key", fmt.Sprintf("an integer in %d..%d", low, high), "")
		return low
	}
	return c.Int(path, low, low, high)
}

// Float reads a number in [low, high]; integers count as numbers.
func (c *Config) Float(path string, absent, low, high float64) float64 {
	v := c.value(path)
	if v == nil {
		return absent
	}
	f, ok := v.Float()
	switch {
	case !ok:
		c.wrongType(path, "a number", v)
	case math.IsNaN(f) || f < low || f > high:
		c.fail(path, diag.BadInput, "config_range", "out of range", fmt.Sprintf("%g..%g", low, high), v.Text)
	default:
		return f
	}
	return absent
}

// list reads an array, nil if it is absent.
func (c *Config) list(path string) []*strictjson.Value {
	v := c.value(path)
	if v == nil {
		return nil
	}
	if v.Kind != strictjson.Array {
		c.wrongType(path, "an array", v)
		return nil
	}
	return v.Elements
}

// Strings reads an array of strings with the given length (any if n < 0), nil if
// it is absent.
func (c *Config) Strings(path string, n int) []string {
	elements := c.list(path)
	if elements == nil {
		return nil
	}
	if n >= 0 && len(elements) != n {
		c.fail(path, diag.BadInput, "config_range", "wrong length", fmt.Sprintf("%d elements", n), fmt.Sprint(len(elements)))
		return nil
	}
	out := make([]string, len(elements))
	for i, v := range elements {
		if v.Kind != strictjson.String {
			c.wrongType(fmt.Sprintf("%s[%d]", path, i), "a string", v)
			return nil
		}
		out[i] = v.Text
	}
	return out
}

// Ints reads an array of integers in [low, high], nil if it is absent.
func (c *Config) Ints(path string, low, high int) []int {
	elements := c.list(path)
	if elements == nil {
		return nil
	}
	out := make([]int, len(elements))
	for i, v := range elements {
		where := fmt.Sprintf("%s[%d]", path, i)
		n, ok := v.Int()
		switch {
		case !ok:
			c.wrongType(where, "an integer", v)
			return nil
		case n < int64(low) || n > int64(high):
			c.fail(where, diag.BadInput, "config_range", "out of range", fmt.Sprintf("%d..%d", low, high), v.Text)
			return nil
		}
		out[i] = int(n)
	}
	return out
}

// tokens reads a token id or a list of them. Ids beyond the vocabulary, which the
// model can never give, are left out: small models are saved with the default ids
// of their class, which are those of its large ones.
func (c *Config) tokens(path string, vocab int) []int {
	v := c.value(path)
	if v == nil {
		return nil
	}
	elements := []*strictjson.Value{v}
	if v.Kind == strictjson.Array {
		elements = v.Elements
	}
	var ids []int
	for _, e := range elements {
		n, ok := e.Int()
		switch {
		case !ok:
			c.wrongType(path, "a token id or a list of them", e)
			return nil
		case n < 0:
			c.fail(path, diag.BadInput, "config_range", "token id out of range", fmt.Sprintf("0..%d (vocab_size)", vocab-1), e.Text)
			return nil
		case n < int64(vocab) && !contains(ids, int(n)):
			ids = append(ids, int(n))
		}
	}
	return ids
}

func contains(ids []int, id int) bool {
	for _, have := range ids {
		if have == id {
			return true
		}
	}
	return false
}

// Invalid records that the value of a key does not fit the other values.
func (c *Config) Invalid(path, want, found string) {
	c.fail(path, diag.BadInput, "config_range", "wrong value", want, found)
}

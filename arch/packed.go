package arch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
	"github.com/hlocc/hlocc/internal/strictjson"
)

// Checkpoints that were quantized before hold matrices packed: in the place of the
// tensor M.weight there are several, of small integers q, of scales and of zero
// points or offsets, one of each for a group of inputs of a row. A family's rules
// ask for M.weight and need not know.
//
// What is read is affine, w = scale*q + offset, with groups of a multiple of 64
// inputs, which is also what a bundle can hold: see WriteSteps.

// PackedGroup is the number of inputs that share a scale and an offset in what
// WriteSteps writes. Larger groups of a checkpoint are several with equal ones.
const PackedGroup = 64

// Packing is how a checkpoint packs its matrices, as config.json says.
type Packing struct {
	Method string `json:"method"` // "mlx", "gptq" or "awq"
	Bits   int    `json:"bits"`
	Group  int    `json:"group"` // inputs; 0 for whole rows

	key       string                // of config.json
	fromOne   bool                  // GPTQ: zero points are stored less 1
	symmetric bool                  // GPTQ: all zero points are 8
	modules   map[string]moduleBits // MLX: those that differ
}

type moduleBits struct{ bits, group int }

// packMethod is what the three formats differ in.
type packMethod struct {
	q, scales, zeros, order string // ends of the names, in the place of ".weight"
	// shapes of q, scales and zeros of a matrix [n,k]
	shapes func(bits, n, k, groups int) [3][]int
	q32    safetensors.DType
	read   func(s *sink, p *packed, b *band) error
}

var packMethods = map[string]packMethod{
	// MLX, mlx.core.quantize: q [n, k*bits/32] with the first input in the low bits, w = scales*q + biases.
	"mlx": {q: ".weight", scales: ".scales", zeros: ".biases", q32: safetensors.U32, read: (*sink).bandMLX,
		shapes: func(bits, n, k, groups int) [3][]int { return [3][]int{{n, k * bits / 32}, {n, groups}, {n, groups}} }},
	// GPTQ, AutoGPTQ's QuantLinear: q [k/8, n], zeros [groups, n/8], the first in the low bits, w = scales*(q - zero);
	// what is stored is zero-1 modulo 16, but for gptq_v2 of GPTQModel.
	"gptq": {q: ".qweight", scales: ".scales", zeros: ".qzeros", order: ".g_idx", q32: safetensors.I32, read: (*sink).bandGPTQ,
		shapes: func(bits, n, k, groups int) [3][]int {
			return [3][]int{{k * bits / 32, n}, {groups, n}, {groups, n * bits / 32}}
		}},
	// AWQ, AutoAWQ's WQLinear_GEMM: q [k, n/8], zeros [groups, n/8], eight outputs in the order awqOrder, w = scales*(q - zero).
	"awq": {q: ".qweight", scales: ".scales", zeros: ".qzeros", q32: safetensors.I32, read: (*sink).bandAWQ,
		shapes: func(bits, n, k, groups int) [3][]int {
			return [3][]int{{k, n * bits / 32}, {groups, n}, {groups, n * bits / 32}}
		}},
}

// packed is a matrix [rows,cols] that is packed.
type packed struct {
	*Packing
	packMethod
	bits, group              int
	rows, cols               int
	steps, scale, zero, gIdx *safetensors.Tensor
}

// groups is the number of groups of a row in the checkpoint.
func (p *packed) groups() int { return p.cols / p.group }

// packedDType holds the numbers of packed matrices, most of them exactly.
const packedDType = safetensors.F32

// Packed says that a weight is packed: in how many bits, and the type that holds its
// scales and offsets exactly. 0 bits if it is not, or not alike in all its pieces.
func (w *Weight) Packed() (bits int, params safetensors.DType) {
	params = safetensors.F16
	for i := range w.Pieces {
		p := w.Pieces[i].packed
		if p == nil || bits != 0 && p.bits != bits {
			return 0, ""
		}
		bits = p.bits
		// An offset of an f16 scale and a zero point of 8 is exact in f16, of others it is not.
		if p.scale.DType != safetensors.F16 || p.Method == "mlx" && p.zero.DType != safetensors.F16 || p.Method != "mlx" && !p.symmetric {
			params = safetensors.F32
		}
	}
	return bits, params
}

// packedAt finds the tensors that hold the matrix called name packed; nil if there are none.
func (r *resolver) packedAt(name string, dims []Dim) *packed {
	module, isWeight := strings.CutSuffix(name, ".weight")
	if r.packing == nil || !isWeight || len(dims) != 2 {
		return nil
	}
	p := &packed{Packing: r.packing, packMethod: packMethods[r.packing.Method], bits: r.packing.Bits, group: r.packing.Group, rows: dims[0].Size, cols: dims[1].Size}
	if m, ok := r.packing.modules[module]; ok {
		p.bits, p.group = m.bits, m.group
	}
	if p.group == 0 {
		p.group = p.cols
	}
	p.steps, p.scale, p.zero = r.ckpt.Tensor(module+p.q), r.ckpt.Tensor(module+p.scales), r.ckpt.Tensor(module+p.zeros)
	if p.steps == nil || p.scale == nil || p.zero == nil {
		return nil
	}
	if p.order != "" {
		p.gIdx = r.ckpt.Tensor(module + p.order)
	}
	return p
}

// take marks the tensors of a packed matrix as used.
func (r *resolver) take(p *packed) {
	for _, t := range []*safetensors.Tensor{p.steps, p.scale, p.zero, p.gIdx} {
		if t != nil {
			r.used[t.Name] = true
		}
	}
}

// check checks the tensors against the shape that they encode.
func (p *packed) check(dims []Dim) error {
	at := func(t *safetensors.Tensor, e diag.Error) error {
		e.Kind, e.File, e.Where = diag.BadInput, t.File(), "tensor "+strconv.Quote(t.Name)
		return &e
	}
	unit := p.group
	if p.Method == "gptq" || p.Method == "awq" {
		if p.rows%8 != 0 {
			return at(p.steps, diag.Error{Code: "tensor_shape", Message: "eight outputs are packed into one number", Want: dims[0].Name + " a multiple of 8", Found: strconv.Itoa(p.rows)})
		}
	}
	if p.cols%unit != 0 || unit%PackedGroup != 0 {
		return at(p.scale, diag.Error{Code: "quantized_checkpoint", Message: "rows are not made of whole groups of this size",
			Want: fmt.Sprintf("%s a multiple of %d", dims[1].Name, max(unit, PackedGroup)), Found: strconv.Itoa(p.cols), Fix: unquantized})
	}
	shapes := p.shapes(p.bits, p.rows, p.cols, p.groups())
	for i, t := range []*safetensors.Tensor{p.steps, p.scale, p.zero} {
		if !slices.Equal(t.Shape, shapes[i]) {
			return at(t, diag.Error{Code: "tensor_shape", Message: "wrong shape",
				Want:  fmt.Sprintf("%v (%s of %s, %s in config.json, with %d bits and groups of %d)", shapes[i], p.Method, dims[0].Name, dims[1].Name, p.bits, p.group),
				Found: fmt.Sprint(t.Shape)})
		}
		want := p.q32
		if i == 1 || i == 2 && p.Method == "mlx" {
			want = ""
		}
		if want == "" && (!t.DType.IsFloat() || t.DType.Bits() > 32) || want != "" && t.DType != want {
			return at(t, diag.Error{Code: "tensor_dtype", Message: "element type is not that of a packed matrix", Want: cmpOr(string(want), "F16, BF16 or F32"), Found: string(t.DType)})
		}
	}
	if t := p.gIdx; t != nil && (t.DType != safetensors.I32 || !slices.Equal(t.Shape, []int{p.cols})) {
		return at(t, diag.Error{Code: "tensor_shape", Message: "is not the group of every input", Want: fmt.Sprintf("I32 [%d]", p.cols), Found: fmt.Sprintf("%s %v", t.DType, t.Shape)})
	}
	return nil
}

func cmpOr(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// packing reads how the checkpoint is packed; nil if it is not, or in a way that is
// not read, whose keys then stay unread and are refused.
func (c *Config) packing() *Packing {
	const mlxKey, key = "quantization", "quantization_config"
	if q := c.root.Get(mlxKey); q != nil && q.Kind == strictjson.Object {
		c.Known(mlxKey, key) // writers give both, with the same content
		return c.mlx(mlxKey, q)
	}
	q := c.root.Get(key)
	if q == nil || q.Kind != strictjson.Object {
		return nil
	}
	method := q.Get("quant_method")
	if method == nil || method.Kind != strictjson.String {
		return nil
	}
	switch method.Text {
	case "gptq":
		return c.gptq(key)
	case "awq":
		return c.awq(key)
	}
	return nil
}

// refusePacked refuses a kind of packing that a bundle cannot hold without loss.
func (c *Config) refusePacked(path, message, want string) {
	found := ""
	if v := c.find(path); v != nil {
		found = v.String()
	}
	c.report(path, &diag.Error{Kind: diag.Unsupported, Code: "quantized_checkpoint", Message: message, Want: want, Found: found, Fix: unquantized})
}

// packedInt reads bits or group size.
func (c *Config) packedInt(path string) int {
	if !c.Has(path) {
		c.refusePacked(path, "missing key", "a number")
		return 0
	}
	return c.Int(path, 0, -1, MaxHidden)
}

// groupSize reads the size of groups; 0 for whole rows.
func (c *Config) groupSize(path string, rows bool) int {
	n := c.packedInt(path)
	if n == -1 && rows {
		return 0
	}
	if c.err == nil && (n < PackedGroup || n%PackedGroup != 0) {
		c.refusePacked(path, "groups of this size cannot be kept without loss", "a multiple of 64")
	}
	return n
}

func (c *Config) mlx(key string, q *strictjson.Value) *Packing {
	p := &Packing{Method: "mlx", key: key, modules: map[string]moduleBits{}}
	bits := func(path string) int {
		n := c.packedInt(path)
		if c.err == nil && n != 4 && n != 8 {
			c.refusePacked(path, "matrices packed in this number of bits are not read", "4 or 8")
		}
		return n
	}
	p.Bits, p.Group = bits(key+".bits"), c.groupSize(key+".group_size", false)
	if mode := c.String(key+".mode", "affine"); mode != "affine" {
		c.refusePacked(key+".mode", "matrices packed in this way are not read", "affine")
	}
	// Names of modules have dots, so no path leads to what they hold.
	for _, module := range q.Keys {
		v := q.Get(module)
		if v.Kind != strictjson.Object {
			continue // false: not packed, which its tensors show as well
		}
		m := moduleBits{intOr(v.Get("bits"), p.Bits), intOr(v.Get("group_size"), p.Group)}
		if mode := v.Get("mode"); m.bits != 4 && m.bits != 8 || m.group < PackedGroup || m.group > MaxHidden || m.group%PackedGroup != 0 || mode != nil && mode.Text != "affine" {
			c.report(key, &diag.Error{Kind: diag.Unsupported, Code: "quantized_checkpoint", Message: "a matrix is packed in a way that is not read",
				Want: "affine, 4 or 8 bits, groups of a multiple of 64", Found: clip(module) + ": " + v.String(), Fix: unquantized})
		}
		p.modules[module] = m
	}
	return p
}

// intOr is the value of a number, absent if there is none, 0 if it is something else.
func intOr(v *strictjson.Value, absent int) int {
	if v == nil {
		return absent
	}
	n, _ := v.Int()
	return int(min(max(n, 0), MaxHidden+1))
}

func (c *Config) fourBits(key string) int {
	n := c.packedInt(key + ".bits")
	if c.err == nil && n != 4 {
		c.refusePacked(key+".bits", "matrices packed in this number of bits are not read", "4")
	}
	return n
}

func (c *Config) gptq(key string) *Packing {
	p := &Packing{Method: "gptq", key: key, Bits: c.fourBits(key), Group: c.groupSize(key+".group_size", true), symmetric: c.Bool(key+".sym", false)}
	if c.Bool(key+".desc_act", false) {
		c.refusePacked(key+".desc_act", "inputs in the order of their activations (act-order) share scales across a row, which cannot be kept without loss", "false")
	}
	switch format := c.String(key+".checkpoint_format", "gptq"); format {
	case "gptq":
		p.fromOne = true
	case "gptq_v2":
	default:
		c.refusePacked(key+".checkpoint_format", "matrices packed in this way are not read", "gptq or gptq_v2")
	}
	if c.Bool(key+".is_marlin_format", false) {
		c.refusePacked(key+".is_marlin_format", "matrices packed in this way are not read", "false")
	}
	if d := c.value(key + ".dynamic"); d != nil && len(d.Keys) > 0 {
		c.refusePacked(key+".dynamic", "settings for single modules are not read", "none")
	}
	if d := c.String(key+".pack_dtype", "int32"); d != "int32" {
		c.refusePacked(key+".pack_dtype", "matrices packed in this way are not read", "int32")
	}
	return p
}

func (c *Config) awq(key string) *Packing {
	p := &Packing{Method: "awq", key: key, Bits: c.fourBits(key), Group: c.groupSize(key+".group_size", true)}
	if v := c.String(key+".version", "gemm"); !strings.EqualFold(v, "gemm") {
		c.refusePacked(key+".version", "matrices packed in this way are not read", "gemm")
	}
	if !c.Bool(key+".zero_point", true) {
		c.refusePacked(key+".zero_point", "matrices packed without zero points are not read", "true")
	}
	return p
}

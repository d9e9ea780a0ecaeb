// Package quantize decides how each weight of a model is kept in a bundle, and
// turns checkpoint tensors into that form, streamed.
//
// A quantized matrix [N,K] has one scale and one offset for 64 inputs of a row:
// w = scale*q + offset with q unsigned. docs/bundle-format.md describes the bytes.
package quantize

import (
	"slices"

	"github.com/hlocc/hlocc/internal/safetensors"
)

// Scheme is how the numbers of a weight are encoded.
type Scheme string

const (
	Float Scheme = "" // as floats
	Int4  Scheme = "int4-g64"
	Int8  Scheme = "int8-g64"
)

const (
	// Group is the number of inputs that share a scale and an offset.
	Group = 64
	// BlockRows is the number of rows of a quantized matrix that lie side by side.
	BlockRows = 16
)

var schemes = map[int]Scheme{4: Int4, 8: Int8} // by bits

// Bits is the number of bits of a quantized number; 0 for floats.
func (s Scheme) Bits() int {
	switch s {
	case Int4:
		return 4
	case Int8:
		return 8
	}
	return 0
}

// Method is how scale and offset of a group are chosen. All methods make the same form.
type Method string

const (
	// Nearest takes the range from the smallest to the largest number of the group,
	// and the nearest step for each: the reference.
	Nearest Method = "nearest"
	// Search looks for the scale and offset with the least squared error.
	Search Method = "search"
	// Kept takes the integers, scales and offsets that the checkpoint has.
	Kept Method = "kept"
)

// Storage is how one weight is kept. It is part of a build's plan.
type Storage struct {
	Weight string `json:"weight"`
	// Parts are the logical weights that are stacked along N, in order: of stacks of
	// matrices [E,N,K] matrix by matrix. Empty if the weight is a logical one.
	Parts  []string          `json:"parts,omitempty"`
	DType  safetensors.DType `json:"dtype,omitempty"` // of floats
	Scheme Scheme            `json:"scheme,omitempty"`
	Params safetensors.DType `json:"params,omitempty"` // of scales and offsets: F16 or F32
	Method Method            `json:"method,omitempty"`
	Shape  []int             `json:"shape"` // of the weight: [N,K] or [E,N,K] if quantized
	// Block is the number of rows of floats whose elements lie side by side: a matrix
	// [N,K] is kept as [N/Block][K][Block], a stack of matrices [E,N,K] as
	// [E][N/Block][K][Block]. 0 means row-major.
	Block int `json:"block,omitempty"`
	// Why says to people in a few words how the choice was made; empty where nothing
	// is quantized.
	Why string `json:"why,omitempty"`
}

// Quantized says that the weight is kept as three tensors: see [Storage.Tensors].
func (s Storage) Quantized() bool { return s.Scheme != Float }

// Tensor is one tensor of the archive.
type Tensor struct {
	Name  string
	DType safetensors.DType
	Shape []int
}

// Bytes is the size of the tensor.
func (t Tensor) Bytes() int64 {
	n := int64(t.DType.Bits() / 8)
	for _, d := range t.Shape {
		n *= int64(d)
	}
	return n
}

// Names of the tensors of a quantized weight.
func (s Storage) QName() string      { return s.Weight + ".q" }
func (s Storage) ScaleName() string  { return s.Weight + ".scale" }
func (s Storage) OffsetName() string { return s.Weight + ".offset" }

// Tensors are what the archive holds of the weight: one tensor of floats, or q,
// scale and offset. Of a matrix with NB blocks of 16 rows and G groups of 64
// inputs, the last of each padded, they are u8 [NB,G,P,16,4], where P is 8 with
// 4 bits and 16 with 8, and twice [NB,G,16]; of a stack there is an E in front.
func (s Storage) Tensors() []Tensor {
	if !s.Quantized() {
		return []Tensor{{s.Weight, s.DType, s.StoredShape()}}
	}
	m := s.matrix()
	lead := append(slices.Clone(s.Shape[:len(s.Shape)-2]), m.blocks(), m.groups())
	with := func(tail ...int) []int { return append(slices.Clone(lead), tail...) }
	return []Tensor{
		{s.QName(), safetensors.U8, with(4*m.bits/2, BlockRows, 4)},
		{s.ScaleName(), s.Params, with(BlockRows)},
		{s.OffsetName(), s.Params, with(BlockRows)},
	}
}

// StoredShape is the shape of the tensor of a weight kept as floats.
func (s Storage) StoredShape() []int {
	if s.Block == 0 {
		return s.Shape
	}
	n := len(s.Shape) - 2
	return append(slices.Clone(s.Shape[:n]), s.Shape[n]/s.Block, s.Shape[n+1], s.Block)
}

// Bytes is the size of the weight in the archive.
func (s Storage) Bytes() int64 {
	n := int64(0)
	for _, t := range s.Tensors() {
		n += t.Bytes()
	}
	return n
}

// matrix is the shape of the matrices of a quantized weight.
func (s Storage) matrix() matrix {
	n := len(s.Shape) - 2
	m := matrix{count: 1, rows: s.Shape[n], cols: s.Shape[n+1], bits: s.Scheme.Bits()}
	for _, d := range s.Shape[:n] {
		m.count *= d
	}
	return m
}

// matrix is a stack of quantized matrices.
type matrix struct {
	count, rows, cols int
	bits              int
}

func (m matrix) blocks() int { return (m.rows + BlockRows - 1) / BlockRows }
func (m matrix) groups() int { return (m.cols + Group - 1) / Group }

// groupBytes is the size of a group's q in one block.
func (m matrix) groupBytes() int { return BlockRows * Group * m.bits / 8 }

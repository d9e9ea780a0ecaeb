package decoder

import (
	"sync"

	"github.com/hlocc/hlocc/arch"
)

// A Table is a parameter that is computed and not read from a checkpoint, float32.
type Table struct {
	Name   string
	Shape  []int
	Values func() []float32
}

// Tables lists the tables of a model's graphs of one context.
func Tables(s *arch.Spec, context int) []Table {
	var list []Table
	for i := range s.RoPE {
		r := &s.RoPE[i]
		shape := []int{arch.RoPERows(r, context), r.Dims / 2}
		cos, sin := RoPETables(i)
		both := sync.OnceValues(func() (cos, sin []float32) { return arch.RoPETables(r, context) })
		list = append(list,
			Table{cos, shape, func() []float32 { cos, _ := both(); return cos }},
			Table{sin, shape, func() []float32 { _, sin := both(); return sin }})
	}
	if q := s.Attention.QueryScale; q != nil {
		list = append(list, Table{"query_scale", []int{context}, func() []float32 { return arch.QueryScaleTable(q, context) }})
	}
	return list
}

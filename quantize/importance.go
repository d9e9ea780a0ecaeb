package quantize

import (
	"fmt"

	"github.com/hlocc/hlocc/arch"
)

// Importance says how much errors matter: for a logical weight the mean squares of the
// K inputs that its columns are multiplied with, found by a calibration. Of a weight
// without an entry all columns are equal.
type Importance map[string][]float32

// leastImportance is the share of the mean of its group that a column counts at least:
// a column that the calibration did not use may be used by another text.
const leastImportance = 0.01

// columns are the importances of a weight's columns, with mean 1 in every group; nil if
// nothing is known.
func (m Importance) columns(w *arch.Weight) ([]float32, error) {
	squares, ok := m[w.Name]
	if !ok {
		return nil, nil
	}
	if k := w.Shape[len(w.Shape)-1]; len(squares) != k {
		return nil, fmt.Errorf("quantize: importance of %d columns for %s, which has %d", len(squares), w.Name, k)
	}
	out := make([]float32, len(squares))
	for from := 0; from < len(squares); from += Group {
		group := squares[from:min(from+Group, len(squares))]
		sum := 0.0
		for k, x := range group {
			if !(x >= 0 && x-x == 0) {
				return nil, fmt.Errorf("quantize: importance of column %d of %s is %g", from+k, w.Name, x)
			}
			sum += float64(x)
		}
		mean := sum / float64(len(group))
		for k, x := range group {
			out[from+k] = 1
			if mean > 0 {
				out[from+k] = float32((float64(x)/mean + leastImportance) / (1 + leastImportance))
			}
		}
	}
	return out, nil
}

package golden

import (
	"fmt"
	"strings"
)

// An edit is a run of lines that were replaced: old[from:to] by new[from:to].
type edit struct{ oldFrom, oldTo, newFrom, newTo int }

// maxTable bounds the memory of a comparison; larger ones are one edit.
const maxTable = 1 << 24

// edits are what makes b of a, by their longest common subsequence.
func edits(a, b []string) []edit {
	first := 0
	for first < len(a) && first < len(b) && a[first] == b[first] {
		first++
	}
	lastA, lastB := len(a), len(b)
	for lastA > first && lastB > first && a[lastA-1] == b[lastB-1] {
		lastA, lastB = lastA-1, lastB-1
	}
	x, y := a[first:lastA], b[first:lastB]
	if len(x) == 0 && len(y) == 0 {
		return nil
	}
	if (len(x)+1)*(len(y)+1) > maxTable {
		return []edit{{first, lastA, first, lastB}}
	}
	// common[i][j] is the length of what x[i:] and y[j:] have in common.
	width := len(y) + 1
	common := make([]int32, (len(x)+1)*width)
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				common[i*width+j] = common[(i+1)*width+j+1] + 1
			} else {
				common[i*width+j] = max(common[(i+1)*width+j], common[i*width+j+1])
			}
		}
	}
	var list []edit
	for i, j := 0, 0; i < len(x) || j < len(y); {
		if i < len(x) && j < len(y) && x[i] == y[j] {
			i, j = i+1, j+1
			continue
		}
		e := edit{oldFrom: first + i, newFrom: first + j}
		for i < len(x) || j < len(y) {
			if i < len(x) && j < len(y) && x[i] == y[j] {
				break
			}
			if j == len(y) || i < len(x) && common[(i+1)*width+j] >= common[i*width+j+1] {
				i++
			} else {
				j++
			}
		}
		e.oldTo, e.newTo = first+i, first+j
		list = append(list, e)
	}
	return list
}

// around is the number of equal lines shown before and after an edit.
const around = 2

// unified writes edits in the unified format, at most limit lines of them.
func unified(a, b []string, list []edit, limit int) string {
	var out strings.Builder
	lines := 0
	put := func(mark, text string) {
		if lines++; lines <= limit {
			fmt.Fprintf(&out, "%s%s\n", mark, text)
		}
	}
	for i := 0; i < len(list); {
		// Edits whose surroundings meet are one hunk.
		last := i
		for last+1 < len(list) && list[last+1].oldFrom-list[last].oldTo <= 2*around {
			last++
		}
		from, to := max(0, list[i].oldFrom-around), min(len(a), list[last].oldTo+around)
		newFrom, newTo := list[i].newFrom-(list[i].oldFrom-from), list[last].newTo+(to-list[last].oldTo)
		put("", fmt.Sprintf("@@ -%d,%d +%d,%d @@", from+1, to-from, newFrom+1, newTo-newFrom))
		at := from
		for _, e := range list[i : last+1] {
			for ; at < e.oldFrom; at++ {
				put(" ", a[at])
			}
			for ; at < e.oldTo; at++ {
				put("-", a[at])
			}
			for n := e.newFrom; n < e.newTo; n++ {
				put("+", b[n])
			}
		}
		for ; at < to; at++ {
			put(" ", a[at])
		}
		i = last + 1
	}
	if lines > limit {
		fmt.Fprintf(&out, "... %d more lines\n", lines-limit)
	}
	return out.String()
}

func splitLines(data []byte) []string {
	return strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
}

package build

import (
	"slices"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
)

func TestPlanSlots(t *testing.T) {
	if got, err := planSlots([]int{8, 2, 8, maxSlots}, 4096); err != nil || !slices.Equal(got, []int{2, 8, maxSlots}) {
		t.Errorf("%v, %v", got, err)
	}
	if got, err := planSlots([]int{15}, 1<<27); err != nil || len(got) != 1 {
		t.Errorf("the last row that an i32 counts: %v, %v", got, err)
	}
	for _, bad := range []struct {
		slots, rows int
		want        string
	}{
		{1, 64, "2 to 256"},
		{maxSlots + 1, 64, "2 to 256"},
		{16, 1 << 27, "2 to 15, with caches of 134217728 rows"},
	} {
		if _, err := planSlots([]int{4, bad.slots}, bad.rows); diag.KindOf(err) != diag.Usage || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%d slots of %d rows: %v", bad.slots, bad.rows, err)
		}
	}
}

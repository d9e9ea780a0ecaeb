package families_test

import (
	"slices"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/fixtures"
)

// Every fixture is named by its family as a proof, and every family has one: its
// own, or one of a family that it equals.
func TestProofs(t *testing.T) {
	proofs := map[string][]string{} // by family
	for _, name := range fixtures.Names(t) {
		c, err := arch.ReadConfig(fixtures.Dir(t, name))
		if err != nil {
			t.Fatal(err)
		}
		f, err := arch.FamilyOf(c)
		if err != nil {
			t.Errorf("fixture %s: %v", name, err)
			continue
		}
		proofs[f.Name] = append(proofs[f.Name], name)
	}
	for _, f := range arch.Families() {
		if len(f.Proof) == 0 {
			t.Errorf("family %s has no Proof", f.Name)
		}
		for _, name := range f.Proof {
			fixtures.Dir(t, name)
		}
		for _, name := range proofs[f.Name] {
			if !slices.Contains(f.Proof, name) {
				t.Errorf("family %s: Proof does not name the fixture %s", f.Name, name)
			}
		}
	}
}

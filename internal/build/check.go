package build

import "github.com/hlocc/hlocc/arch"

// Check says whether a build with these options can begin: the model, the plan
// and the targets, all but the compiler. It takes milliseconds.
func Check(o Options) error {
	m, err := arch.Open(o.Dir)
	if err != nil {
		return err
	}
	defer m.Close()
	if _, err := NewPlan(m, o.Plan); err != nil {
		return err
	}
	_, err = resolveTargets(o.Targets)
	return err
}

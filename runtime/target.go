package runtime

import (
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/elf"
	"github.com/hlocc/hlocc/runtime/internal/hal"
	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

// ABI gives the interface versions of the modules that this package runs, which
// are those that the pinned compiler writes: the major version of the bytecode,
// the version of the hal imports that a module may need at most, and the version
// of the library interface of its executables.
func ABI() bundle.ABI {
	return bundle.ABI{Bytecode: vmfb.VersionMajor, HAL: hal.Version, ExecutableLibrary: elf.Version}
}

// Target is the kind of machine whose modules a Model runs.
type Target struct {
	Name   string `json:"name"`
	Reason string `json:"reason"` // why this one was taken, for people
}

// machine is what a target is compared with.
type machine struct {
	os, arch string
	cpu      cpu.Set
}

func thisMachine() machine { return machine{goruntime.GOOS, goruntime.GOARCH, cpu.Host()} }

// pickTarget chooses among the bundle's targets: the one that is asked for, or
// the one that uses the most of this CPU. Nothing of a target that cannot run
// here is ever loaded, so the worst outcome is an error and not an illegal
// instruction.
func pickTarget(m *bundle.Manifest, mc machine, want string) (*bundle.Target, string, error) {
	if want != "" {
		t := m.Target(want)
		if t == nil {
			return nil, "", &diag.Error{Kind: diag.Unsupported, Code: "no_target", Message: fmt.Sprintf("the bundle has no target %q", want),
				Found: targetNames(m), Fix: "choose one of these, or build it with --target " + want}
		}
		if err := mc.check(t); err != nil {
			return nil, "", err
		}
		return t, "asked for", nil
	}
	if len(m.Targets) == 0 {
		return nil, "", &diag.Error{Kind: diag.Unsupported, Code: "no_target", Message: "the bundle has no compiled modules",
			Fix: "build it with --target " + mc.suggestion()}
	}
	var best *bundle.Target
	var first error
	runnable := 0
	for i := range m.Targets {
		t := &m.Targets[i]
		if err := mc.check(t); err != nil {
			if first == nil {
				first = err
			}
			continue
		}
		runnable++
		if best == nil || len(t.CPUFeatures) > len(best.CPUFeatures) {
			best = t
		}
	}
	switch {
	case best == nil && len(m.Targets) == 1:
		return nil, "", first
	case best == nil:
		e := diag.Error{Kind: diag.Unsupported, Code: "no_target", Cause: first}
		if d, ok := errors.AsType[*diag.Error](first); ok {
			e = *d
		}
		e.Where, e.Message = "", "none of the bundle's targets runs on this machine"
		e.Want, e.Found = "", targetNames(m)+"; this is "+mc.String()
		e.Fix = "build the bundle with --target " + mc.suggestion()
		return nil, "", &e
	case runnable == 1 && len(m.Targets) == 1:
		return best, "the only one in the bundle", nil
	case runnable == 1:
		return best, "the only one of " + targetNames(m) + " that this CPU can run", nil
	}
	return best, "uses the most of this CPU of " + targetNames(m), nil
}

// check says whether a target's modules can run here. Its errors are *diag.Error.
func (mc machine) check(t *bundle.Target) error {
	where := fmt.Sprintf("target %q", t.Name)
	if t.OS != mc.os || t.Arch != mc.arch {
		return &diag.Error{Kind: diag.Unsupported, Code: "platform", Where: where, Message: "the bundle is for another platform",
			Want: t.OS + "/" + t.Arch, Found: mc.os + "/" + mc.arch, Fix: fmt.Sprintf("run it on %s/%s", t.OS, t.Arch)}
	}
	abi := ABI()
	for _, v := range []struct {
		name      string
		has, want int
		ok        bool
	}{
		{"bytecode", t.ABI.Bytecode, abi.Bytecode, t.ABI.Bytecode == abi.Bytecode},
		{"hal", t.ABI.HAL, abi.HAL, t.ABI.HAL <= abi.HAL},
		{"executable library", t.ABI.ExecutableLibrary, abi.ExecutableLibrary, t.ABI.ExecutableLibrary == abi.ExecutableLibrary},
	} {
		if !v.ok {
			return &diag.Error{Kind: diag.Unsupported, Code: "abi", Where: where,
				Message: fmt.Sprintf("its modules were made by a compiler that this hlocc does not match (%s version)", v.name),
				Want:    fmt.Sprint(v.want), Found: fmt.Sprintf("%d, from %s", v.has, t.Compiler.Version),
				Fix: "build the bundle again with this hlocc, or use the hlocc that made it"}
		}
	}
	if missing := mc.cpu.Missing(t.CPUFeatures); len(missing) > 0 {
		return &diag.Error{Kind: diag.Unsupported, Code: "cpu", Where: where, Message: "this CPU lacks " + strings.Join(missing, ", "),
			Found: mc.String(), Fix: "build the bundle with --target " + mc.suggestion()}
	}
	return nil
}

// suggestion names a target that would run here.
func (mc machine) suggestion() string {
	if level, ok := mc.cpu.Best(); ok {
		return level.Name
	}
	return "host"
}

func (mc machine) String() string {
	s := mc.os + "/" + mc.arch
	if level, ok := mc.cpu.Best(); ok {
		s += " " + level.Name
	}
	return s
}

func targetNames(m *bundle.Manifest) string {
	var names []string
	for _, t := range m.Targets {
		names = append(names, t.Name)
	}
	return strings.Join(names, ", ")
}

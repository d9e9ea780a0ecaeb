package compile

import (
	"bytes"
	"os"
	"testing"
)

// A cache entry may hold anything that a disk or another program left there.
func FuzzEntry(f *testing.F) {
	c, err := OpenCache(f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	a := action("text")
	key := Key(a.Text, a.Target.Flags(), fakeCompiler)
	if err := c.put(key, a, fakeCompiler, []byte("module")); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(c.entry(key))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Add([]byte(entryMagic))
	f.Add([]byte(entryMagic + "{\"size\":-1}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if err := os.WriteFile(c.entry(key), data, 0o644); err != nil {
			t.Fatal(err)
		}
		readEntry(c.entry(key))
		if module, ok := c.get(key); ok && !bytes.HasSuffix(data, module) {
			t.Errorf("%q gives %q", data, module)
		}
	})
}

// The compiler prints parts of its input, so that any text may stand there.
func FuzzDiagnose(f *testing.F) {
	f.Add([]byte("<stdin>:3:10: error: no: %0 = x\n"))
	f.Add([]byte("-:99999999999999999999:1: error: x\nLLVM ERROR: \n"))
	f.Add([]byte("error: \xff\xfe"))
	f.Fuzz(func(t *testing.T, stderr []byte) {
		a := action("")
		a.Location = func(int) string { return "op" }
		err := diagnose(a, &Failure{ExitCode: 1, Stderr: stderr}, "report")
		if err == nil || len(err.Error()) > 2000 {
			t.Errorf("%v", err)
		}
	})
}

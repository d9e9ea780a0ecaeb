package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
)

// Rows that end early leave nothing on stdout; complete ones are one object.
func TestLogitsJSON(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		name string
		rows [][]float32
		err  error
		want string
		code int
	}{
		{"all", [][]float32{{1, 2.5}, {-3, 4}}, nil, `{"logits":[[1,2.5],[-3,4]]}` + "\n", 0},
		{"cancelled", [][]float32{{1, 2}, {3, 4}}, context.Canceled, "", 130},
		{"failed", [][]float32{{1, 2}}, errors.New("broken"), "", 1},
		{"not a number", [][]float32{{1, 2}, {3, nan}}, nil, "", 1},
	} {
		var out bytes.Buffer
		e := newEnv(strings.NewReader(""), &out, &bytes.Buffer{})
		err := e.logitsJSON(func(row func(int, []float32) error) error {
			for i, r := range c.rows {
				if err := row(i, r); err != nil {
					return err
				}
			}
			return c.err
		})
		if err := e.out.Flush(); err != nil {
			t.Fatal(err)
		}
		if out.String() != c.want || diag.ExitCode(err) != c.code {
			t.Errorf("%s: stdout %q, %v", c.name, out.String(), err)
		}
		if c.want != "" && !json.Valid(out.Bytes()) {
			t.Errorf("%s: not JSON", c.name)
		}
	}
}

func TestSpool(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	for _, limit := range []int{0, 1, 4, 10, 1000} {
		s := spool{limit: limit}
		var want, got bytes.Buffer
		for _, part := range []string{"abc", "", "defghijkl", "m", "n", "opq"} {
			want.WriteString(part)
			if n, err := s.Write([]byte(part)); n != len(part) || err != nil {
				t.Fatal(n, err)
			}
		}
		if (s.file != nil) != (limit < want.Len()) {
			t.Errorf("limit %d: file %v", limit, s.file)
		}
		if err := s.copyTo(&got); err != nil || got.String() != want.String() {
			t.Errorf("limit %d: %q, %v", limit, got.String(), err)
		}
		s.close()
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	t.Setenv("TMPDIR", dir+"/none")
	t.Setenv("TMP", dir+"/none")
	s := spool{}
	_, _ = s.Write([]byte("a"))
	if _, err := s.Write([]byte("b")); diag.ExitCode(err) != 1 || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("%v", err)
	}
	s.close()
}

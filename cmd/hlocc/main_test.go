package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// result is what a run of the program leaves.
type result struct {
	code     int
	out, err string
}

// hlocc runs the program in-process.
func hlocc(t *testing.T, args ...string) result {
	t.Helper()
	return hloccIn(t.Context(), "", args...)
}

func hloccIn(ctx context.Context, stdin string, args ...string) result {
	var out, err bytes.Buffer
	code := run(ctx, newEnv(strings.NewReader(stdin), &out, &err), args)
	return result{code, out.String(), err.String()}
}

// object decodes the one JSON object of --json and checks that there is nothing else.
func (r result) object(t *testing.T, v any) {
	t.Helper()
	if r.code != 0 || r.err != "" {
		t.Fatalf("exit code %d, stderr %q", r.code, r.err)
	}
	decodeOne(t, r.out, v)
}

func decodeOne(t *testing.T, s string, v any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(s))
	if err := d.Decode(v); err != nil {
		t.Fatalf("%v in %q", err, s)
	}
	if d.More() || !strings.HasSuffix(s, "\n") {
		t.Fatalf("more than one object, or no newline: %q", s)
	}
}

// errorBody is the JSON form of an error.
type errorBody struct{ Code, Message, File, Where, Want, Found, Fix string }

// failure checks the exit code and decodes the JSON error.
func (r result) failure(t *testing.T, code int) errorBody {
	t.Helper()
	if r.code != code {
		t.Fatalf("exit code %d, want %d; stderr %q", r.code, code, r.err)
	}
	var e map[string]map[string]string
	decodeOne(t, r.err, &e)
	b := e["error"]
	for _, k := range []string{"code", "message", "file", "where", "want", "found", "fix"} {
		if _, ok := b[k]; !ok {
			t.Errorf("error has no %q: %s", k, r.err)
		}
	}
	if len(e) != 1 || len(b) != 7 || b["code"] == "" || b["message"] == "" {
		t.Errorf("error is %s", r.err)
	}
	return errorBody{b["code"], b["message"], b["file"], b["where"], b["want"], b["found"], b["fix"]}
}

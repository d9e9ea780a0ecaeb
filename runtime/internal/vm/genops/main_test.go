package main

import (
	"bytes"
	"os"
	"testing"
)

func TestGeneratedTableIsCurrent(t *testing.T) {
	src, err := os.ReadFile("../isa.json")
	if err != nil {
		t.Fatal(err)
	}
	want, err := generate(src)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../ops_gen.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("ops_gen.go is not what isa.json gives: run go generate in runtime/internal/vm")
	}
}

package runtime

import (
	"compress/gzip"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/testenv"
)

func openText(t *testing.T, tokenizer string) *Model {
	t.Helper()
	r, err := bundle.Open(writeToy(t, toyManifest(4), map[string]string{bundle.PathTokenizer: tokenizer}))
	if err != nil {
		t.Fatal(err)
	}
	f := &fake{}
	m, err := openReader(bg, r, Options{}, testMachine, f.open)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func TestText(t *testing.T) {
	f, err := os.Open(testenv.Fixture(t, "smollm2", "tokenizer.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	m := openText(t, string(data))
	if !m.Capabilities().Text {
		t.Error("Capabilities say that there is no text")
	}
	tok, err := m.Tokenizer()
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := m.Tokenizer(); again != tok {
		t.Error("the tokenizer is read twice")
	}
	const text = "A café in 東京 🦙!"
	ids, err := tok.Encode(text)
	if err != nil || tok.Decode(ids, true) != text {
		t.Fatalf("%v %v", ids, err)
	}
	if with, err := tok.EncodeSpecial(text); err != nil || len(with) < len(ids) {
		t.Errorf("%v %v", with, err)
	}
	// The llama is four bytes in several tokens: no piece may be half of it.
	d := tok.NewDecoder(true)
	got, held := "", 0
	for _, id := range ids {
		s := d.Next(id)
		if strings.ContainsRune(s, '\uFFFD') {
			t.Errorf("a split character: %q", s)
		}
		if s == "" {
			held++
		}
		got += s
	}
	if got += d.Flush(); got != text || held == 0 {
		t.Errorf("%q, %d tokens held back", got, held)
	}
}

func TestUnsupportedTokenizer(t *testing.T) {
	m := openText(t, `{"model":{"type":"Unigram","vocab":[]}}`)
	if _, err := m.Tokenizer(); diag.KindOf(err) != diag.Unsupported && diag.KindOf(err) != diag.BadInput {
		t.Errorf("%v", err)
	}
	s := newSession(t, m)
	if _, err := s.Prefill(bg, prompt(3)); err != nil {
		t.Errorf("token ids must still work: %v", err)
	}
}

func TestTokenizerAfterClose(t *testing.T) {
	m := openText(t, "{}")
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Tokenizer(); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
	// The same if the model is closed while the tokenizer is read.
	if _, err := m.readTokenizer(); !errors.Is(err, ErrClosed) {
		t.Errorf("meanwhile: %v", err)
	}
}

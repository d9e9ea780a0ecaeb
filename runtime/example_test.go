//go:build linux && amd64

package runtime_test

import (
	"context"
	"fmt"
	"log"

	hlocc "github.com/hlocc/hlocc/runtime"
)

// Generate tokens after a prompt. tinyBundle builds a random model of 100 kB;
// its tokens mean nothing.
func Example() {
	model, err := hlocc.Open(tinyBundle(), hlocc.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()

	session, err := model.NewSession()
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	prompt := []int32{17, 201, 5, 99, 240, 33, 150, 72, 8, 214, 61, 129, 180, 44, 250, 91, 12, 167, 230, 55, 140, 28}
	result, err := session.Generate(context.Background(), prompt, hlocc.GenerateOptions{MaxNewTokens: 8})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(result.Tokens, result.Stop)
	// Output: [192 217 245 129 71 79 153 74] length
}

// Choose tokens yourself: Step gives the logits of every token.
func ExampleSession_Step() {
	model, err := hlocc.Open(tinyBundle(), hlocc.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	session, err := model.NewSession()
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	ctx := context.Background()
	out, err := session.Prefill(ctx, []int32{17, 201, 5})
	for range 4 {
		if err != nil {
			log.Fatal(err)
		}
		second := 0 // the second most probable, for a change
		for id, l := range out.Logits {
			if int32(id) != out.Token && (int32(second) == out.Token || l > out.Logits[second]) {
				second = id
			}
		}
		out, err = session.Step(ctx, int32(second))
	}
	fmt.Println(session.Len(), len(out.Logits))
	// Output: 7 256
}

// Try several continuations of one prompt without computing it twice.
func ExampleSession_Truncate() {
	model, err := hlocc.Open(tinyBundle(), hlocc.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	session, err := model.NewSession()
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	ctx := context.Background()
	if _, err := session.Prefill(ctx, []int32{17, 201, 5, 99, 240, 33}); err != nil {
		log.Fatal(err)
	}
	for _, next := range []int32{150, 151, 150} {
		if err := session.Truncate(6); err != nil {
			log.Fatal(err)
		}
		out, err := session.Step(ctx, next)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(session.Len(), next, len(out.Logits))
	}
	// Output:
	// 7 150 256
	// 7 151 256
	// 7 150 256
}

func ExampleModel_Capabilities() {
	model, err := hlocc.Open(tinyBundle(), hlocc.Options{Threads: 2})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	c := model.Capabilities()
	fmt.Println(c.VocabSize, c.Context, c.Buckets, c.EOS, c.Threads, c.Text)
	// Output: 256 64 [8 32] [2] 2 false
}

// Text in, text out as it is generated.
func ExampleModel_Tokenizer() {
	model, err := hlocc.Open("smollm2.hlocc", hlocc.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	tok, err := model.Tokenizer()
	if err != nil {
		log.Fatal(err)
	}
	session, err := model.NewSession()
	if err != nil {
		log.Fatal(err)
	}
	defer session.Close()

	prompt, err := tok.EncodeSpecial("The capital of France is")
	if err != nil {
		log.Fatal(err)
	}
	text := tok.NewDecoder(true)
	_, err = session.Generate(context.Background(), prompt, hlocc.GenerateOptions{
		MaxNewTokens: 50,
		OnToken: func(id int32) bool {
			fmt.Print(text.Next(id)) // never half a character
			return true
		},
	})
	fmt.Println(text.Flush())
	if err != nil {
		log.Fatal(err)
	}
}

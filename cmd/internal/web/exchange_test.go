package web_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/cmd/internal/web"
)

// exchange is a request and its answer, as files and documents write it down:
//
//	POST /v1/bohnenspiel/batch
//	{"positions":[]}
//
//	200
//	{"answers":[]}
type exchange struct {
	method, target, body string
	answer               string // status and body
}

// parseExchange reads the text of an exchange. The answer may be missing.
func parseExchange(t *testing.T, text string) exchange {
	t.Helper()
	question, answer, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	line, body, _ := strings.Cut(question, "\n")
	method, target, ok := strings.Cut(line, " ")
	if !ok {
		t.Fatalf("%q is no request", line)
	}
	return exchange{method, target, body, answer}
}

// perform sends the request and returns the exchange with the answer that came.
func (e exchange) perform(t *testing.T, s *web.Server) exchange {
	t.Helper()
	response, body := ask(t, s, e.method, strings.ReplaceAll(e.target, " ", "%20"), e.body)
	e.answer = strings.TrimSpace(fmt.Sprintf("%d\n%s", response.StatusCode, body))
	return e
}

func (e exchange) String() string {
	question := strings.TrimSpace(e.method + " " + e.target + "\n" + e.body)
	return question + "\n\n" + e.answer + "\n"
}

// TestAPI compares the answers of all addresses and all errors with a file.
func TestAPI(t *testing.T) {
	const file = "testdata/api.txt"
	const between = "\n---\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, web.Options{})
	var got []string
	for part := range strings.SplitSeq(string(text), between) {
		got = append(got, parseExchange(t, part).perform(t, s).String())
	}
	compare(t, file, string(text), strings.Join(got, between))
}

// TestDocument does what docs/api.md shows in blocks marked http.
func TestDocument(t *testing.T) {
	const file = "../../../docs/api.md"
	const begin, end = "```http\n", "```\n"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, web.Options{})
	parts := strings.Split(string(text), begin)
	if len(parts) < 5 {
		t.Fatalf("%s has %d examples, want more", file, len(parts)-1)
	}
	for i, part := range parts[1:] {
		example, rest, _ := strings.Cut(part, end)
		parts[i+1] = parseExchange(t, example).perform(t, s).String() + end + rest
	}
	compare(t, file, string(text), strings.Join(parts, begin))
}

// compare compares a text with that of a file, or writes it there.
func compare(t *testing.T, file, want, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got; go test -update writes it anew):\n%s", file, diff)
	}
}

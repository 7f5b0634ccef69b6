package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"bohnenspiel/cmd/internal/web"
)

// FuzzPosition asks about any text as a position, by all addresses that take one.
func FuzzPosition(f *testing.F) {
	for _, seed := range []string{
		"0-1-0-0-0-1-0-0-0-0-0-0-0-0-S", "1 1 / 1 1", "6-6-6-6-6-6-6-6-6-6-6-6-0-0-S", "", "/", "-1", "\x00\xff", "9999999999999999999 / 1",
		"1 1 1 1 1 1 1 1 1 / 1 1 1 1 1 1 1 1 1", "0 0 0 0 0 0 / 1 0 0 0 0 0", "0-0-0-0-0-0-72-0-0-0-0-0-0-0-N", "%zz", "<script>", "🫘",
	} {
		f.Add(seed, "bohnenspiel", "6")
		f.Add(seed, "mangala", "")
	}
	f.Add("1 1 / 1 1", "..", "0")
	s := newServer(f, web.Options{})
	f.Fuzz(func(t *testing.T, position, rules, width string) {
		query := url.Values{"position": {position}}
		if width != "" {
			query.Set("width", width)
		}
		game := url.PathEscape(rules)
		wantNoFault(t, s, "/v1/"+game+"?"+query.Encode())
		wantNoFault(t, s, "/v1/"+game+"/line?"+query.Encode())
		wantNoFault(t, s, "/v1/"+game+"/layers/"+url.PathEscape(position)+"?"+query.Encode())
		query.Set("rules", rules)
		wantNoFault(t, s, "/?"+query.Encode())
		wantNoFault(t, s, "/picture.svg?"+query.Encode())
	})
}

// wantNoFault asks a question that may be bad, and wants no status from 500 up.
func wantNoFault(t *testing.T, s *web.Server, target string) {
	t.Helper()
	if response, text := ask(t, s, http.MethodGet, target, ""); response.StatusCode >= http.StatusInternalServerError {
		t.Errorf("GET %q: status %d\n%s", target, response.StatusCode, text)
	}
}

// FuzzBatch sends any body.
func FuzzBatch(f *testing.F) {
	for _, seed := range []string{
		`{"positions":["1 1 / 1 1"]}`, `{"positions":[null]}`, `{"positions":[""]}`, `{"positions":null}`, `[]`, `{`, `"`, "\x00", `{"positions":["\ud800"]}`,
		`{"positions":["1 1 / 1 1"],"positions":[]}`, `{"positions":["6-6-6-6-6-6-6-6-6-6-6-6-0-0-S"]}`,
	} {
		f.Add(seed)
	}
	s := newServer(f, web.Options{})
	f.Fuzz(func(t *testing.T, body string) {
		response, text := ask(t, s, http.MethodPost, "/v1/bohnenspiel/batch", body)
		if response.StatusCode >= http.StatusInternalServerError || !json.Valid([]byte(text)) {
			t.Errorf("%q: status %d\n%s", body, response.StatusCode, text)
		}
	})
}

// FuzzStudies sends any text of studies, to the API and to the page.
func FuzzStudies(f *testing.F) {
	for _, seed := range []string{
		"[Position \"0-1-0-0-0-1-0-0-0-0-0-0-0-0-S\"]\n[Stipulation \"win\"]\n2! (6?)", "[Position \"1 1 / 1 1\"][Stipulation \"best\"] 1 (2 3) 4", "[", "1 2 3", "",
		"[Rules \"mangala\"][Position \"0-0-0-0-0-0-1-0-0-1-0-0-0-0-S\"][Stipulation \"score -2\"] - 7", "[Position \"9 / 9\"][Stipulation \"win by 99\"] 1",
	} {
		f.Add(seed)
	}
	s := newServer(f, web.Options{})
	f.Fuzz(func(t *testing.T, text string) {
		for target, body := range map[string]string{"/v1/studies": text, "/studies": url.Values{"text": {text}}.Encode()} {
			if head, answer := ask(t, s, http.MethodPost, target, body); head.StatusCode >= http.StatusInternalServerError {
				t.Errorf("%s, %q: status %d\n%s", target, text, head.StatusCode, answer)
			}
		}
	})
}

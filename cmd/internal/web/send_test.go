package web_test

import (
	"net/http"
	"strings"
	"testing"

	"bohnenspiel/cmd/internal/web"
)

func TestCaching(t *testing.T) {
	s := newServer(t, web.Options{})
	_, page := ask(t, s, http.MethodGet, "/", "")
	_, after, _ := strings.Cut(page, `<link rel="stylesheet" href="`)
	style, _, _ := strings.Cut(after, `"`)
	for _, c := range []struct{ target, cache, kind string }{
		{smallQuestion, "public, max-age=86400", "application/json"},
		{"/v1/bohnenspiel/layers", "public, max-age=86400", "application/json"},
		{"/v1/openapi.json", "public, max-age=86400", "application/json"},
		{"/picture.svg", "public, max-age=86400", "image/svg+xml"},
		{style, "public, max-age=31536000, immutable", "text/css; charset=utf-8"},
		{"/", "no-cache", "text/html; charset=utf-8"},
	} {
		first, text := ask(t, s, http.MethodGet, c.target, "")
		tag := first.Header.Get("ETag")
		if first.StatusCode != http.StatusOK || tag == "" || text == "" {
			t.Errorf("%s: status %d, ETag %q, %d bytes", c.target, first.StatusCode, tag, len(text))
		}
		if got := first.Header.Get("Cache-Control"); got != c.cache {
			t.Errorf("%s: Cache-Control %q, want %q", c.target, got, c.cache)
		}
		if got := first.Header.Get("Content-Type"); got != c.kind {
			t.Errorf("%s: Content-Type %q, want %q", c.target, got, c.kind)
		}
		for _, known := range []string{tag, "W/" + tag, `"x", ` + tag, "*"} {
			again, text := ask(t, s, http.MethodGet, c.target, "", "If-None-Match", known)
			if again.StatusCode != http.StatusNotModified || text != "" || again.Header.Get("ETag") != tag {
				t.Errorf("%s with If-None-Match %s: status %d, %d bytes", c.target, known, again.StatusCode, len(text))
			}
		}
		if other, _ := ask(t, s, http.MethodGet, c.target, "", "If-None-Match", `"x"`); other.StatusCode != http.StatusOK {
			t.Errorf("%s with another tag: status %d", c.target, other.StatusCode)
		}
	}
	if posted, _ := ask(t, s, http.MethodPost, "/v1/bohnenspiel/batch", `{"positions":[]}`); posted.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("batch: Cache-Control %q, want no-store", posted.Header.Get("Cache-Control"))
	}
}

// TestHeaders wants the headers that protect readers on every kind of answer.
func TestHeaders(t *testing.T) {
	s := newServer(t, web.Options{})
	for _, target := range []string{"/", smallQuestion, "/v1/nothing/at/all", "/nothing", "/healthz", "/metrics", "/tables", "/picture.svg", "/static/x/y"} {
		response, _ := ask(t, s, http.MethodGet, target, "")
		policy := response.Header.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'; script-src 'self';") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: Content-Security-Policy %q", target, policy)
		}
		if response.Header.Get("X-Content-Type-Options") != "nosniff" || response.Header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("%s: headers %v", target, response.Header)
		}
		any := response.Header.Get("Access-Control-Allow-Origin") == "*"
		if want := strings.HasPrefix(target, "/v1/"); any != want {
			t.Errorf("%s: may be read by any page: %t, want %t", target, any, want)
		}
	}
}

func TestMetrics(t *testing.T) {
	s := newServer(t, web.Options{})
	ask(t, s, http.MethodGet, smallQuestion, "")
	ask(t, s, http.MethodGet, smallQuestion, "")
	ask(t, s, http.MethodGet, "/v1/bohnenspiel", "")
	ask(t, s, http.MethodGet, "/healthz", "")
	_, text := ask(t, s, http.MethodGet, "/metrics", "")
	for _, want := range []string{
		`bohnenspiel_requests_total{route="/v1/{rules}",status="200"} 2`,
		`bohnenspiel_requests_total{route="/v1/{rules}",status="400"} 1`,
		`bohnenspiel_requests_total{route="GET /healthz",status="200"} 1`,
		`bohnenspiel_request_seconds_count{route="/v1/{rules}"} 3`,
		"bohnenspiel_positions_total 2",
		"bohnenspiel_requests_working 0",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("/metrics does not say %s", want)
		}
	}
}

package web_test

import (
	"fmt"
	"net/http"
	"testing"

	"bohnenspiel/cmd/internal/web"
)

// TestCachedAnswers wants answers that were kept to be those that were given before, with
// any budget, and no answer to be mixed up with another.
func TestCachedAnswers(t *testing.T) {
	plain := newServer(t, web.Options{Limits: web.Limits{CacheBytes: -1}})
	for _, budget := range []int{1, 5_000, 1 << 20} {
		s := newServer(t, web.Options{Limits: web.Limits{CacheBytes: budget}})
		for range 3 {
			for _, d := range someDiagrams(40, 6) {
				for _, rules := range []string{"bohnenspiel", "mangala"} {
					target := fmt.Sprintf("/v1/%s?position=%v", rules, d)
					_, want := ask(t, plain, http.MethodGet, target, "")
					head, got := ask(t, s, http.MethodGet, target, "")
					if head.StatusCode != http.StatusOK || got != want {
						t.Fatalf("budget %d, %s: status %d, got %s, want %s", budget, target, head.StatusCode, got, want)
					}
				}
			}
		}
		if bytes := s.CachedBytes(); bytes > budget {
			t.Errorf("%d bytes are kept, with a budget of %d", bytes, budget)
		}
	}
}

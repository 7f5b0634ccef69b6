package web_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bohnenspiel/cmd/internal/web"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/campaign"
)

// TestCampaignPage shows a campaign that has just begun, one whose file is damaged, and none.
func TestCampaignPage(t *testing.T) {
	g, err := game.New(game.Bohnenspiel, 4)
	if err != nil {
		t.Fatal(err)
	}
	d, err := game.ParseDiagram("4-4-4-4-4-4-4-4-0-0-S", 0)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "four.campaign")
	if err := campaign.Create(path, g, campaign.Line{Kind: campaign.Ask, Position: d.Position(), Bound: 2}); err != nil {
		t.Fatal(err)
	}
	s := newServer(t, web.Options{Campaign: func() ([]campaign.Located, error) { return campaign.ReadFile(path) }})
	want := func(target string, status int, parts ...string) {
		t.Helper()
		got, text := pageOf(t, s, target)
		for _, part := range parts {
			if got != status || !strings.Contains(text, part) {
				t.Errorf("%s: status %d, want %d and %q:\n%s", target, got, status, part, text)
			}
		}
	}
	want("/campaign", 200, "4-4-4-4-4-4-4-4", "is the score of the side to move at least +2? Open", "proved: from −32 to +32", "Jobs done 0")
	want("/campaign?lang=de", 200, "Die Kampagne", "bewiesen: von −32 bis +32")
	want("/tables", 200, "The campaign")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), "ask 4", "ask 5", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	want("/campaign", 500, "damaged line")
	s = newServer(t, web.Options{})
	want("/campaign", 404, "There is nothing here")
}

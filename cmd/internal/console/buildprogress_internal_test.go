package console

import (
	"bytes"
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
)

// TestProgressLines builds with a clock that runs fast, so that layers take long.
func TestProgressLines(t *testing.T) {
	g, err := game.New(game.Bohnenspiel, 6)
	if err != nil {
		t.Fatal(err)
	}
	db, err := database.Create(t.TempDir(), tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close() //nolint:errcheck // the test is over
	var out bytes.Buffer
	c := Console{Err: &out, Getenv: func(string) string { return "" }}
	progress := NewBuild(c, false, db, g)
	now := progress.eta.begun
	progress.clock = func() time.Time {
		now = now.Add(time.Second)
		return now
	}
	built, err := build.Scores(context.Background(), db, build.Options{Game: g, Beans: 8, Workers: 1, Report: progress.Report})
	progress.End(words.Mapped(built, Scores))
	if err != nil {
		t.Fatal(err)
	}
	known := regexp.MustCompile(`^layer +\d+: +[\d,]+ positions, .* m?s, .* positions/s, .*B, sha256 [0-9a-f]{12}$`)
	long := regexp.MustCompile(`^layer \d: (convert|sweep \d+|store) \([\d.]+%\)(, [\d.]+% open)?, [\d.]+ ([kMG] )?positions/s(, about \d+ (s|min|h) left)?(, \d+ (s|min|h) for the run)?$`)
	finished, others := 0, 0
	for line := range strings.Lines(out.String()) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case known.MatchString(line):
			finished++
		case long.MatchString(line):
			others++
		default:
			t.Errorf("unknown line %q", line)
		}
	}
	if finished != 5 || others == 0 || others > 40 {
		t.Errorf("got %d lines of finished layers, want 5, and %d of layers in work, want a few:\n%s", finished, others, &out)
	}
	if !strings.Contains(out.String(), " left") || !strings.Contains(out.String(), " for the run") {
		t.Errorf("no time left in\n%s", &out)
	}
}

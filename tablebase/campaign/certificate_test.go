package campaign_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/campaign"
	"bohnenspiel/tablebase/proof"
)

// TestCampaign solves openings by jobs so small that most are split, and has the checker
// verify the certificates.
func TestCampaign(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules           game.Rules
		width, pit, top int
		limit           uint64
		score           game.Score // docs/results.md
		splits          int        // at least
		long            bool
	}{
		{game.Bohnenspiel, 2, 6, 4, 1, 12, 0, false},
		{game.Mangala, 2, 6, 4, 1, 8, 0, false},
		{game.Bohnenspiel, 3, 6, 8, 1, 0, 40, false},
		{game.Mangala, 3, 6, 8, 1, 0, 100, false},
		{game.Bohnenspiel, 4, 4, 8, 1, 4, 60, false},
		{game.Mangala, 4, 4, 8, 1, 4, 40, false},
		{game.Bohnenspiel, 4, 6, 20, 1, 0, 1000, true},
		{game.Mangala, 4, 6, 20, 1, 0, 1000, true},
		{game.Bohnenspiel, 5, 4, 8, 1, 20, 0, false},
		{game.Mangala, 5, 4, 12, 1, 16, 100, true},
	} {
		t.Run(fmt.Sprintf("%v/width=%d/pit=%d", c.rules, c.width, c.pit), func(t *testing.T) {
			t.Parallel()
			if c.long && testing.Short() {
				t.Skip("takes a minute")
			}
			g := newGame(t, c.rules, c.width)
			db := tables(t, g, c.top)
			p := g.Start(c.pit)
			path := newFile(t, g, p)
			file, tree := open(t, path)
			s := newSolver(t, db, g, p, 1<<26)
			if err := campaign.Work(t.Context(), campaign.NewLocal(file, tree, s, campaign.LocalOptions{}), s, c.limit, nil); err != nil {
				t.Fatal(err)
			}
			if b := tree.Bounds(p); b.Low != c.score || b.High != c.score {
				t.Fatalf("got %v, want %d", b, c.score)
			}
			if got := tree.Totals(); got.Splits < c.splits {
				t.Errorf("%+v: want %d splits", got, c.splits)
			}
			lines, err := campaign.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			random := rand.New(rand.NewPCG(1, 2))
			random.Shuffle(len(lines)-1, func(i, j int) { lines[i+1], lines[j+1] = lines[j+1], lines[i+1] })
			proved, err := campaign.Prove(t.Context(), lines, newSolver(t, db, g, p, 1<<26), p, nil)
			if err != nil {
				t.Fatal(err)
			}
			var certificate bytes.Buffer
			if err := proof.WriteCertificate(db, &certificate, proved); err != nil {
				t.Fatal(err)
			}
			report, err := proof.CheckCertificate(t.Context(), db, &certificate)
			if err != nil {
				t.Fatal(err)
			}
			if report.Bounds != [2]game.Score{c.score, c.score} {
				t.Errorf("the certificate shows %v", report.Bounds)
			}
			t.Logf("%+v, %d claims", tree.Totals(), report.Claims)
		})
	}
}

// TestWrongLine makes lines lie, with right checksums, and wants Prove to name one.
func TestWrongLine(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 3)
	db := tables(t, g, 8)
	p := g.Start(4)
	path := newFile(t, g, p)
	file, tree := open(t, path)
	s := newSolver(t, db, g, p, 1<<22)
	if err := campaign.Work(t.Context(), campaign.NewLocal(file, tree, s, campaign.LocalOptions{}), s, 1, nil); err != nil {
		t.Fatal(err)
	}
	lines, err := campaign.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	found, unnoticed := 0, 0
	for i, l := range lines {
		if !l.Answers() {
			continue
		}
		lie := append([]campaign.Located(nil), lines...)
		lie[i].Kind = campaign.Yes + campaign.No - l.Kind
		if lie[i].Kind == campaign.Yes && l.Bound > l.Position.Beans() || lie[i].Kind == campaign.No && l.Bound <= -l.Position.Beans() {
			continue
		}
		// It may contradict other lines, leave the score open or make no difference; but the
		// proof never rests on it.
		proved, err := campaign.Prove(t.Context(), lie, newSolver(t, db, g, p, 1<<22), p, nil)
		switch {
		case errors.Is(err, campaign.ErrWrongLine), errors.Is(err, campaign.ErrContradiction):
			found++
		case err != nil:
			t.Fatal(err)
		case proved.Low > tree.Bounds(p).Low || proved.High < tree.Bounds(p).High:
			t.Errorf("%s: proved %d to %d", lie[i].String(), proved.Low, proved.High)
		default:
			unnoticed++
		}
	}
	if found == 0 {
		t.Errorf("found none of %d", unnoticed)
	}
	t.Logf("%d lies found, %d made no difference", found, unnoticed)
}

// TestAlteredLines flips each byte of a file, and cuts it at each length.
func TestAlteredLines(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 3)
	db := tables(t, g, 8)
	p := g.Start(3)
	path := newFile(t, g, p)
	file, tree := open(t, path)
	s := newSolver(t, db, g, p, 1<<20)
	if err := campaign.Work(t.Context(), campaign.NewLocal(file, tree, s, campaign.LocalOptions{}), s, 1, nil); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole = whole[:min(len(whole), 2000)]
	altered := filepath.Join(t.TempDir(), "altered")
	read := func(text []byte) ([]campaign.Located, error) {
		if err := os.WriteFile(altered, text, 0o600); err != nil {
			t.Fatal(err)
		}
		return campaign.ReadFile(altered)
	}
	all, err := read(whole)
	if err != nil {
		t.Fatal(err)
	}
	for at, b := range whole {
		for _, other := range []byte{b ^ 1, b ^ 0x80, ' ', '0', '\n'} {
			if other == b {
				continue
			}
			text := bytes.Clone(whole)
			text[at] = other
			lines, err := read(text)
			switch {
			case err == nil && at < bytes.LastIndexByte(whole, '\n'):
				t.Fatalf("byte %d, %q for %q: %d lines and no error", at, other, b, len(lines))
			case err != nil && !strings.HasPrefix(err.Error(), altered+":"):
				t.Fatalf("byte %d: %v", at, err)
			}
		}
		lines, err := read(whole[:at])
		if at <= bytes.IndexByte(whole, '\n') {
			if !errors.Is(err, campaign.ErrNotCampaign) {
				t.Fatalf("%d bytes: %v", at, err)
			}
		} else if want := bytes.Count(whole[:at], []byte("\n")); err != nil || len(lines) != want {
			t.Fatalf("%d bytes: %d lines of %d, want %d, %v", at, len(lines), len(all), want, err)
		}
	}
}

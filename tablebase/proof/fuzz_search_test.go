package proof_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/proof"
)

// FuzzCertificate gives the checker of certificates any bytes: a whole file, or the stream
// within one; its checksum is put right. What it accepts must be true, by tables that it
// does not have.
func FuzzCertificate(f *testing.F) {
	const top, most, width = 4, 8, 2
	tables, all := tabletest.Create(f, f.TempDir()), tabletest.Create(f, f.TempDir())
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		g := tabletest.NewGame(f, rules, width)
		tabletest.Build(f, tables, g, top, format.Even)
		tabletest.Build(f, all, g, most, format.Both)
		for _, text := range []string{"2-2-2-2-0-0-S", "1-2-0-3-0-0-S", "3-3-1-1-0-0-N"} {
			d := tabletest.Diagram(f, text)
			s, err := proof.NewSearcher(f.Context(), tables, proof.Options{Rules: rules, Diagram: d, Memory: 16 << 20, Workers: 1, Forget: true})
			if err != nil {
				f.Fatal(err)
			}
			if _, err := s.Solve(f.Context(), 0, nil); err != nil {
				f.Fatal(err)
			}
			var file bytes.Buffer
			if err := s.Certificate(f.Context(), &file); err != nil {
				f.Fatal(err)
			}
			s.Free()
			stream, err := tabletest.StreamOf(file.Bytes())
			if err != nil {
				f.Fatal(err)
			}
			f.Add(true, file.Bytes())
			f.Add(false, stream)
		}
	}
	circle, err := proof.MakeCertificate(tabletest.NewGame(f, game.Mangala, 1), game.Position{Mover: game.RowOf(1)}, 1, 1, []proof.Claim{
		{Position: game.Position{Mover: game.RowOf(1)}, Beans: 1, Bound: 1, Move: 0, Rank: 1},
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(true, circle)
	f.Add(true, []byte("BnsCert1"))
	f.Fuzz(func(t *testing.T, whole bool, data []byte) {
		if whole {
			proof.SealCertificate(data)
		} else {
			data = proof.CertificateOf(data)
		}
		report, err := proof.CheckCertificate(t.Context(), tables, bytes.NewReader(data))
		switch {
		case errors.Is(err, format.ErrNoLayer): // it rests on tables that are not there
			return
		case err != nil:
			tabletest.WantError(t, err, proof.ErrCertificate)
			return
		case report.Bounds[0] > report.Bounds[1]:
			t.Errorf("accepted bounds %v", report.Bounds)
		case report.Width != width || report.Beans > most:
			return // what holds there is not known to this test
		}
		p := game.Position{Mover: game.RowOf(report.Pits[:width]...), Opponent: game.RowOf(report.Pits[width:]...)}
		if score := tabletest.Probe(t, all, tabletest.NewGame(t, report.Rules, width), p); score < report.Bounds[0] || score > report.Bounds[1] {
			t.Errorf("accepted bounds %v of %v, whose score is %d", report.Bounds, p, score)
		}
	})
}

// FuzzKept gives the readers of kept bounds and of their keys any bytes, the checksum put
// right. What they take has a score and a position.
func FuzzKept(f *testing.F) {
	g := tabletest.NewGame(f, game.Bohnenspiel, 6)
	d := tabletest.Diagram(f, tabletest.Above)
	key := proof.BoundsKey(g, d.Position())
	value := binary.BigEndian.AppendUint64([]byte{'B', 'n', 's', 'P', format.Version, 0xfc, 4, 4}, 12)
	value = append(value, make([]byte, 16)...)
	f.Add(key, value)
	f.Add(key[:19], value[:31])
	f.Add(append(bytes.Clone(key), 0), append(bytes.Clone(value), 0))
	f.Add([]byte(nil), []byte(nil))
	f.Fuzz(func(t *testing.T, key, value []byte) {
		h, p, ok := proof.ParseBoundsKey(key)
		if !ok {
			h, p = g, d.Position()
		} else if again := proof.BoundsKey(h, p); !bytes.Equal(again, key) {
			t.Errorf("took %x for the key of %v, which is %x", key, p, again)
		}
		if len(value) >= 32 {
			tabletest.SealBounds(value)
		}
		beans := game.Score(p.Beans())
		kept, err := proof.ParseKept(format.KeyOf(h, p.Beans()), value)
		if err != nil {
			if class := fault.ClassOf(err); class != fault.BadData {
				t.Errorf("got %v of class %v, want bad data", err, class)
			}
			return
		}
		if kept.Low > kept.High || kept.Low < -beans || kept.High > beans {
			t.Errorf("took %x for bounds %+v with %d beans", value, kept, beans)
		}
	})
}

// FuzzSearchFile gives the reader of what a search remembers any file, or the stream within
// one; the checksum is put right. What it takes is written and read as the same.
func FuzzSearchFile(f *testing.F) {
	g := tabletest.NewGame(f, game.Bohnenspiel, 6)
	d := tabletest.Diagram(f, tabletest.Above)
	file := proof.NewSearchFile(f.TempDir(), g, d.Position())
	again := proof.NewSearchFile(f.TempDir(), g, d.Position())
	records := []search.Record{
		{Question: search.Question{Position: d.Position(), Bound: -4}, Yes: 0, No: 1 << 31, Length: 12, Work: 100},
		{Question: search.Question{Position: game.Position{Mover: game.RowOf(1, 2)}, Bound: 2}, Yes: 3, No: 4, Work: 7},
	}
	if err := file.Save(99, records); err != nil {
		f.Fatal(err)
	}
	good, err := os.ReadFile(file.Path())
	if err != nil {
		f.Fatal(err)
	}
	stream, err := tabletest.StreamOf(good)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(true, good)
	f.Add(true, good[:len(good)-3])
	f.Add(true, good[:48])
	f.Add(false, stream)
	f.Add(false, stream[:40])
	f.Fuzz(func(t *testing.T, whole bool, data []byte) {
		if whole {
			tabletest.SealSearch(data)
		} else {
			data = file.Of(data)
		}
		if err := os.WriteFile(file.Path(), data, 0o600); err != nil {
			t.Fatal(err)
		}
		visited, records, err := file.Load()
		if err != nil {
			tabletest.WantError(t, err, format.ErrCorrupt)
			return
		}
		if err := again.Save(visited, records); err != nil {
			t.Fatal(err)
		}
		visitedAgain, recordsAgain, err := again.Load()
		if err != nil || visitedAgain != visited || cmp.Diff(records, recordsAgain) != "" {
			t.Errorf("got %d and %v, then %d and %v, %v", visited, records, visitedAgain, recordsAgain, err)
		}
	})
}

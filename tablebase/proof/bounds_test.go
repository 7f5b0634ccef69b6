package proof_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/proof"
)

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
			tabletest.WantBadData(t, "parse", err)
			return
		}
		if kept.Low > kept.High || kept.Low < -beans || kept.High > beans {
			t.Errorf("took %x for bounds %+v with %d beans", value, kept, beans)
		}
	})
}

// TestKeptDoubts damages kept bounds, and builds other tables below them.
func TestKeptDoubts(t *testing.T) {
	t.Parallel()
	g, dir := tabletest.Even(t, 4)
	d := tabletest.Diagram(t, tabletest.Above)
	key, good := tabletest.Kept(t, dir, g, d, 4)
	for at := range 32 {
		bad := bytes.Clone(good)
		bad[at] ^= 1
		tabletest.Damage(t, dir, func(e tabletest.Editor) { e.Set(key, bad) })
		db := tabletest.Open(t, dir)
		if _, ok, err := proof.BoundsOf(db, g, d.Position()); ok || err == nil {
			t.Errorf("byte %d damaged: got %v, %v", at, ok, err)
		} else {
			tabletest.WantError(t, err, format.ErrCorrupt)
		}
		tabletest.Close(t, db)
	}
	tabletest.Damage(t, dir, func(e tabletest.Editor) {
		e.Set(key, good)
		e.ChangeManifest(format.KeyOf(g, 2), func(m *format.Manifest) { m.SHA256 = strings.Repeat("0", len(m.SHA256)) })
	})
	db := tabletest.Reader(t, dir)
	if kept, ok, err := proof.BoundsOf(db, g, d.Position()); ok || err != nil {
		t.Errorf("above other tables: got %+v, %v, %v, want none", kept, ok, err)
	}
}

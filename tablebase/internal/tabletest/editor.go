package tabletest

import (
	"testing"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// Editor reads and changes what is stored of tables, and fails the test where it can't.
// The database must be open for writing if anything is to be changed.
type Editor struct {
	*tablebase.DB
	tb testing.TB
}

// Edit returns the editor of a database.
func Edit(tb testing.TB, db *tablebase.DB) Editor {
	tb.Helper()
	return Editor{db, tb}
}

// Damage opens a database for writing, lets change do what it likes, and closes it.
func Damage(tb testing.TB, dir string, change func(e Editor)) {
	tb.Helper()
	db := Writer(tb, dir)
	change(Edit(tb, db))
	Close(tb, db)
}

// must fails the test if there is an error.
func (e Editor) must(err error) {
	e.tb.Helper()
	if err != nil {
		e.tb.Fatal(err)
	}
}

// Value returns a copy of the value of a key.
func (e Editor) Value(key []byte) (value []byte) {
	e.tb.Helper()
	e.must(e.Values().View(key, func(v []byte) error {
		value = append(value, v...)
		return nil
	}))
	return value
}

// Stored returns the values of all keys with one of these first bytes.
func (e Editor) Stored(prefixes ...byte) map[string][]byte {
	e.tb.Helper()
	values := make(map[string][]byte)
	for _, prefix := range prefixes {
		keys, err := e.Values().Keys([]byte{prefix}, 0)
		e.must(err)
		for _, key := range keys {
			values[string(key)] = e.Value(key)
		}
	}
	return values
}

// writer returns the directory of the database.
func (e Editor) writer() store.Writer {
	return e.Values().(store.Writer) //nolint:errcheck // tests open what they change for writing
}

// Set writes the value of a key.
func (e Editor) Set(key, value []byte) {
	e.tb.Helper()
	e.must(e.writer().Write([]store.Entry{{Key: key, Value: value}}))
}

// Drop deletes the keys with a prefix.
func (e Editor) Drop(prefix []byte) {
	e.tb.Helper()
	e.must(e.writer().Drop(prefix))
}

// Change changes the value of a key in its place.
func (e Editor) Change(key []byte, change func(value []byte)) {
	e.tb.Helper()
	value := e.Value(key)
	change(value)
	e.Set(key, value)
}

// Scores returns what a block of scores holds.
func (e Editor) Scores(id format.BlockID) []game.Score {
	e.tb.Helper()
	scores, err := NewCodec().Decode(id, e.Value(id.StoreKey()))
	e.must(err)
	return scores
}

// ChangeScores changes what a block of scores holds and encodes it anew.
func (e Editor) ChangeScores(id format.BlockID, change func(scores []game.Score)) {
	e.tb.Helper()
	scores := e.Scores(id)
	change(scores)
	e.Set(id.StoreKey(), NewCodec().Encode(id, scores, nil))
}

// ChangeDepths changes what a block of depths holds and encodes it anew.
func (e Editor) ChangeDepths(id format.BlockID, change func(dtcs []game.DTC)) {
	e.tb.Helper()
	dtcs, err := NewCodec().DecodeDepths(id, e.Value(id.StoreKey()))
	e.must(err)
	change(dtcs)
	e.Set(id.StoreKey(), NewCodec().EncodeDepths(id, dtcs))
}

// ChangeManifest changes the manifest of a layer, whose checksum is right afterwards.
func (e Editor) ChangeManifest(k format.Key, change func(m *format.Manifest)) {
	e.tb.Helper()
	m := Manifest(e.tb, e.DB, k)
	change(&m)
	value, err := m.Encode()
	e.must(err)
	e.Set(ManifestKey(k), value)
}

// ChangeDepthManifest changes the manifest of a depth table, whose checksum is right
// afterwards.
func (e Editor) ChangeDepthManifest(k format.Key, change func(m *format.DepthManifest)) {
	e.tb.Helper()
	m, err := e.DepthManifest(k)
	e.must(err)
	change(&m)
	value, err := m.Encode()
	e.must(err)
	e.Set(DepthManifestKey(k), value)
}

// ManifestKey returns the key of the manifest of a layer.
func ManifestKey(k format.Key) []byte { return format.LayerKey(format.ManifestPrefix, k) }

// DepthManifestKey returns the key of the manifest of a depth table.
func DepthManifestKey(k format.Key) []byte { return format.LayerKey(format.DepthManifestPrefix, k) }

// BlockOf returns the name of a block of a table.
func BlockOf(k format.Key, kind solver.Kind, number int) format.BlockID {
	return format.NewBlocking(index.New(k.Width, k.Beans), k.Beans).ID(k, kind, number)
}

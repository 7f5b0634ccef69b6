package tablebase_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"bohnenspiel/tablebase/fault"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
)

// exported returns the archive of a layer.
func exported(tb testing.TB, db *tablebase.DB, last tablebase.Key) []byte {
	tb.Helper()
	var file bytes.Buffer
	if err := db.Export(context.Background(), &file, last, nil); err != nil {
		tb.Fatal(err)
	}
	return file.Bytes()
}

// importAll imports an archive.
func importAll(db *tablebase.DB, archive []byte) error {
	_, err := db.Import(context.Background(), bytes.NewReader(archive), tablebase.ImportOptions{})
	return err
}

// archiveOf returns the archive of a layer that is built for it, and its name in a folder.
func archiveOf(tb testing.TB, g game.Game, beans int) (archive []byte, path string) {
	tb.Helper()
	db := create(tb, tb.TempDir())
	parity := tablebase.Even
	if beans%2 == 1 {
		parity = tablebase.Odd
	}
	build(tb, db, g, beans, parity)
	archive = exported(tb, db, tablebase.KeyOf(g, beans))
	path = filepath.Join(tb.TempDir(), "tables.bns")
	if err := os.WriteFile(path, archive, 0o600); err != nil {
		tb.Fatal(err)
	}
	closeDB(tb, db)
	return archive, path
}

// TestArchiveBytes compares archives with those of an x86 machine. They have to be the
// same everywhere, whatever its byte order: encoder, manifest and file depend on the
// game alone.
func TestArchiveBytes(t *testing.T) {
	for _, c := range []struct {
		rules  game.Rules
		beans  int
		sha256 string
	}{
		{game.Bohnenspiel, 8, "b6288eac1ce714ad45364e09fd48538bcf0311bafd1037ac0f70e4b7ab1ede9d"},
		{game.Mangala, 3, "82c04da28cd51b5e89ff2e5fcf40213e3de3d9dd2fe9d85a6ede5051e0b1c144"},
	} {
		archive, _ := archiveOf(t, newGame(t, c.rules, 6), c.beans)
		sum := sha256.Sum256(archive)
		if got := hex.EncodeToString(sum[:]); got != c.sha256 {
			t.Errorf("%v, %d beans: got an archive of %d bytes with SHA-256 %s, want %s", c.rules, c.beans, len(archive), got, c.sha256)
		}
	}
}

// TestArchiveProgress wants an export and an import to tell how far they are, block by block
// up to a total that stays as it is.
func TestArchiveProgress(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	db := create(t, t.TempDir())
	total := uint64(0)
	for _, m := range build(t, db, g, 8, tablebase.Even) {
		total += m.Blocks
	}
	done, beans := uint64(0), 0
	report := func(p tablebase.ExportProgress) {
		done++
		if p.Done != done || p.Total != total || p.Key.Beans < beans {
			t.Fatalf("got %d of %d after layer %d, at %v; want %d of %d", p.Done, p.Total, beans, p.Key, done, total)
		}
		beans = p.Key.Beans
	}
	var archive bytes.Buffer
	if err := db.Export(t.Context(), &archive, tablebase.KeyOf(g, 8), report); err != nil || done != total {
		t.Fatalf("export: %d of %d blocks, error %v", done, total, err)
	}
	done, beans = 0, 0
	if _, err := create(t, t.TempDir()).Import(t.Context(), &archive, tablebase.ImportOptions{Report: report}); err != nil || done != total {
		t.Fatalf("import: %d of %d blocks, error %v", done, total, err)
	}
}

// TestArchiveIsProbed compares every position of an archive with the database it comes
// from, and with a database that it was imported to.
func TestArchiveIsProbed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rules game.Rules
		width int
		beans int
	}{{game.Bohnenspiel, 6, 6}, {game.Mangala, 4, 5}, {game.Bohnenspiel, 3, 7}} {
		g := newGame(t, c.rules, c.width)
		archive, path := archiveOf(t, g, c.beans)
		fromFile := open(t, path)
		imported := create(t, t.TempDir())
		// Small pieces, as a pipe would give them.
		layers, err := imported.Import(context.Background(), iotest.HalfReader(bytes.NewReader(archive)), tablebase.ImportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		whole := create(t, t.TempDir())
		build(t, whole, g, c.beans, tablebase.Both)
		x := index.New(c.width, c.beans)
		for i, beans := 0, c.beans%2; beans <= c.beans; i, beans = i+1, beans+2 {
			if !layers[i].Totals || layers[i].Present {
				t.Errorf("layer %d: got %+v, want one that is new and was verified", beans, layers[i])
			}
			for at := range x.Size(beans) {
				p := x.Unrank(beans, at)
				want, err := whole.Probe(g, p)
				if err != nil {
					t.Fatal(err)
				}
				for _, db := range []*tablebase.DB{fromFile, imported} {
					if got, err := db.Probe(g, p); err != nil || got != want {
						t.Fatalf("%s: %v: got %v, %v, want %v", db.Dir(), p, got, err, want)
					}
				}
			}
		}
		last := tablebase.KeyOf(g, c.beans)
		if !bytes.Equal(exported(t, imported, last), archive) || !bytes.Equal(exported(t, fromFile, last), archive) {
			t.Error("exported again, the file differs")
		}
		if diff := cmp.Diff(fromFile.Layers(), imported.Layers(), timeless()); diff != "" {
			t.Errorf("manifests differ (-file +imported):\n%s", diff)
		}
	}
}

func TestImportAddsWhatIsMissing(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	archive, _ := archiveOf(t, g, 6)
	db := create(t, t.TempDir())
	build(t, db, g, 4, tablebase.Even)
	before := db.Layers()
	layers, err := db.Import(context.Background(), bytes.NewReader(archive), tablebase.ImportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, layer := range layers {
		if layer.Present != (layer.Manifest.Beans <= 4) {
			t.Errorf("layer %d: present is %v", layer.Manifest.Beans, layer.Present)
		}
	}
	if diff := cmp.Diff(before, db.Layers()[:3]); diff != "" {
		t.Errorf("layers that were there have changed (-before +after):\n%s", diff)
	}
	// The next build goes on from there.
	if built := build(t, db, g, 8, tablebase.Even); len(built) != 1 {
		t.Errorf("built %d layers, want 1", len(built))
	}
}

func TestExportRefuses(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	db := open(t, built(t, g, 4))
	for _, last := range []tablebase.Key{tablebase.KeyOf(g, 6), tablebase.KeyOf(g, 3), {Width: 10, Beans: 4}, {Width: 6, Beans: -2}} {
		wantError(t, db.Export(context.Background(), io.Discard, last, nil), tablebase.ErrNoLayer)
	}
	full := errors.New("full")
	if err := db.Export(context.Background(), brokenWriter{full}, tablebase.KeyOf(g, 4), nil); !errors.Is(err, full) {
		t.Errorf("got %v, want the writer's error", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := db.Export(ctx, io.Discard, tablebase.KeyOf(g, 4), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's", err)
	}
	_, err := db.Import(context.Background(), bytes.NewReader(nil), tablebase.ImportOptions{})
	wantError(t, err, tablebase.ErrReadOnly)
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// TestDamagedArchive changes and cuts an archive. Opened, it gives right scores or an
// error; imported, it gives an error and leaves the database as it was.
func TestDamagedArchive(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Mangala, 4)
	archive, path := archiveOf(t, g, 3)
	whole := open(t, path)
	db := create(t, t.TempDir())
	build(t, db, newGame(t, game.Bohnenspiel, 6), 2, tablebase.Even)
	before := db.Layers()
	random := rand.New(rand.NewPCG(7, 8))
	x := index.New(4, 3)
	other := filepath.Join(t.TempDir(), "damaged.bns")
	try := func(name string, damaged []byte) {
		t.Helper()
		_, err := db.Import(context.Background(), bytes.NewReader(damaged), tablebase.ImportOptions{})
		if class := fault.ClassOf(err); class != fault.BadData {
			t.Errorf("%s: import gives %v of class %v, want bad data", name, err, class)
		}
		if diff := cmp.Diff(before, db.Layers()); diff != "" {
			t.Fatalf("%s: import has changed the database (-before +after):\n%s", name, diff)
		}
		if err := os.WriteFile(other, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		fromFile, err := tablebase.Open(other, tablebase.Options{})
		if err != nil {
			wantArchiveError(t, err)
			return
		}
		defer closeDB(t, fromFile)
		for at := range x.Size(3) {
			p := x.Unrank(3, at)
			got, err := fromFile.Probe(g, p)
			if err != nil {
				wantArchiveError(t, err)
				continue
			}
			if want, err := whole.Probe(g, p); err != nil || got != want {
				t.Errorf("%s: %v: got %v, want %v, %v", name, p, got, want, err)
			}
		}
	}
	step := 5
	if testing.Short() {
		step = 41
	}
	for at := 0; at < len(archive); at += step {
		damaged := bytes.Clone(archive)
		damaged[at] ^= 1 << random.IntN(8)
		try("a byte", damaged)
	}
	for size := 0; size < len(archive); size += step * 4 {
		try("cut", archive[:size])
		try("cut near the end", archive[:len(archive)-1-size/20])
	}
	try("longer", append(bytes.Clone(archive), 0))
	// Blocks of nobody are left.
	if keys, err := db.BlockKeys(); err != nil || len(keys) != 4 {
		t.Errorf("%d blocks are left, error %v, want the 4 of the layers that were there", len(keys), err)
	}
}

// wantArchiveError fails the test unless an error is bad data, one line, and says what
// to do with a file.
func wantArchiveError(t *testing.T, err error) {
	t.Helper()
	if class := fault.ClassOf(err); class != fault.BadData || strings.Contains(err.Error(), "--repair") || strings.Contains(err.Error(), "\n") {
		t.Fatalf("got %v of class %v, want bad data that speaks of a file", err, class)
	}
}

// TestArchiveCutWhileOpen cuts a file short that is mapped. Reading what is gone is a
// fault, which must not end the process.
func TestArchiveCutWhileOpen(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	_, path := archiveOf(t, g, 10)
	db, err := tablebase.Open(path, tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeDB(t, db)
	if err := os.Truncate(path, 0); err != nil {
		t.Skipf("a file that is open can't be cut here: %v", err)
	}
	x := index.New(6, 10)
	_, err = db.Probe(g, x.Unrank(10, 12345))
	wantError(t, err, tablebase.ErrStorage)
}

func TestArchiveRefusesWriting(t *testing.T) {
	_, path := archiveOf(t, newGame(t, game.Bohnenspiel, 6), 2)
	_, err := tablebase.Create(path, tablebase.Options{})
	wantError(t, err, tablebase.ErrNotDatabase)
	db := open(t, path)
	_, err = db.Build(context.Background(), tablebase.BuildOptions{Game: newGame(t, game.Bohnenspiel, 6), Beans: 4})
	wantError(t, err, tablebase.ErrReadOnly)
	closeDB(t, db)
	_, err = db.Probe(newGame(t, game.Bohnenspiel, 6), game.Position{Mover: 1})
	wantError(t, err, tablebase.ErrClosed)
	closeDB(t, db)
}

// TestImportOfAnotherLayer imports layers that the database has otherwise.
func TestImportOfAnotherLayer(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 3)
	archive, _ := archiveOf(t, g, 4)
	db := create(t, t.TempDir())
	build(t, db, g, 2, tablebase.Even)
	key := tablebase.KeyOf(g, 2)
	m, err := db.Manifest(key)
	if err != nil {
		t.Fatal(err)
	}
	m.SHA256 = strings.Repeat("0", 64)
	value, err := tablebase.EncodeManifest(m)
	if err != nil {
		t.Fatal(err)
	}
	closeDB(t, db)
	damage(t, db.Dir(), func(db *tablebase.DB) error { return db.SetValue(tablebase.ManifestKey(key), value) })
	again, err := tablebase.Create(db.Dir(), tablebase.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer closeDB(t, again)
	_, err = again.Import(context.Background(), bytes.NewReader(archive), tablebase.ImportOptions{})
	wantError(t, err, tablebase.ErrCorrupt)
	if len(again.Layers()) != 2 {
		t.Errorf("%d layers are there, want the two as before", len(again.Layers()))
	}
}

// TestImportWithLittleMemory imports where neither memory nor disk has room for layers, so
// their hashes can't be recomputed. That is said, and all blocks are verified all the same.
func TestImportWithLittleMemory(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 6)
	archive, _ := archiveOf(t, g, 6)
	for _, c := range []struct {
		memory, free uint64
		want         bool // of layers 2 to 6
	}{{1, 130 << 20, false}, {64 << 20, 130 << 20, true}} {
		db := create(t, t.TempDir())
		db.SetFreeDisk(c.free)
		layers, err := db.Import(t.Context(), bytes.NewReader(archive), tablebase.ImportOptions{Memory: c.memory})
		if err != nil {
			t.Fatal(err)
		}
		for _, layer := range layers {
			if layer.Manifest.Beans > 0 && layer.Totals != c.want {
				t.Errorf("%d bytes of memory, %d of disk: %v: hash recomputed: %v", c.memory, c.free, layer.Manifest.Key(), layer.Totals)
			}
		}
		wantSound(t, db)
	}
}

// TestImportOfOtherScores imports an archive that is sound in itself, but whose manifests
// speak of other scores than its blocks hold.
func TestImportOfOtherScores(t *testing.T) {
	t.Parallel()
	g := newGame(t, game.Bohnenspiel, 3)
	for _, alter := range []func(m *tablebase.Manifest){
		func(m *tablebase.Manifest) { m.SHA256 = strings.Repeat("0", 64) },
		func(m *tablebase.Manifest) { m.ScoreSum += 4 },
		func(m *tablebase.Manifest) { slices.Reverse(m.Histogram); m.Histogram[0]++; m.Histogram[1]-- },
	} {
		dir := built(t, g, 2)
		db, err := tablebase.Create(dir, tablebase.Options{})
		if err != nil {
			t.Fatal(err)
		}
		m, err := db.Manifest(tablebase.KeyOf(g, 2))
		if err != nil {
			t.Fatal(err)
		}
		m.Histogram = slices.Clone(m.Histogram)
		alter(&m)
		value, err := tablebase.EncodeManifest(m)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.SetValue(tablebase.ManifestKey(m.Key()), value); err != nil {
			t.Fatal(err)
		}
		closeDB(t, db)
		if db, err = tablebase.Open(dir, tablebase.Options{}); err != nil {
			t.Fatal(err)
		}
		archive := exported(t, db, m.Key())
		closeDB(t, db)
		into := create(t, t.TempDir())
		err = importAll(into, archive)
		wantError(t, err, tablebase.ErrCorrupt)
		if len(into.Layers()) > 0 {
			t.Errorf("%v: layers were added", err)
		}
	}
}

// FuzzArchive opens and imports files of any bytes.
func FuzzArchive(f *testing.F) {
	g := newGame(f, game.Bohnenspiel, 3)
	archive, _ := archiveOf(f, g, 2)
	f.Add(archive)
	f.Add(archive[:len(archive)-10])
	f.Add(archive[:16])
	f.Add([]byte(nil))
	db := create(f, f.TempDir())
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, file []byte) {
		tablebase.SealArchive(file) // so that what follows a checksum is reached
		if _, err := db.Import(context.Background(), bytes.NewReader(file), tablebase.ImportOptions{}); err != nil && fault.ClassOf(err) != fault.BadData {
			t.Errorf("import: got %v, want bad data", err)
		}
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		fromFile, err := tablebase.Open(path, tablebase.Options{})
		if err != nil {
			wantArchiveError(t, err)
			return
		}
		defer closeDB(t, fromFile)
		for _, m := range fromFile.Layers() {
			x := index.New(m.Width, m.Beans)
			h := newGame(t, m.Rules, m.Width)
			if _, err := fromFile.Probe(h, x.Unrank(m.Beans, 0)); err != nil {
				wantArchiveError(t, err)
			}
		}
	})
}

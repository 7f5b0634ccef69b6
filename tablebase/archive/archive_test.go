package archive_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
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

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/archive"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/store"
)

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
		file, _ := tabletest.ArchiveOf(t, tabletest.NewGame(t, c.rules, 6), c.beans)
		sum := sha256.Sum256(file)
		if got := hex.EncodeToString(sum[:]); got != c.sha256 {
			t.Errorf("%v, %d beans: got a file of %d bytes with SHA-256 %s, want %s", c.rules, c.beans, len(file), got, c.sha256)
		}
	}
}

// TestArchiveProgress wants an export and an import to tell how far they are, block by block
// up to a total that stays as it is.
func TestArchiveProgress(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	db := tabletest.Create(t, t.TempDir())
	total := uint64(0)
	for _, m := range tabletest.Build(t, db, g, 8, format.Even) {
		total += m.Blocks
	}
	done, beans := uint64(0), 0
	report := func(p archive.Progress) {
		done++
		if p.Done != done || p.Total != total || p.Key.Beans < beans {
			t.Fatalf("got %d of %d after layer %d, at %v; want %d of %d", p.Done, p.Total, beans, p.Key, done, total)
		}
		beans = p.Key.Beans
	}
	var file bytes.Buffer
	if err := archive.Export(t.Context(), db, &file, format.KeyOf(g, 8), report); err != nil || done != total {
		t.Fatalf("export: %d of %d blocks, error %v", done, total, err)
	}
	done, beans = 0, 0
	if _, err := archive.Import(t.Context(), tabletest.Create(t, t.TempDir()), &file, archive.ImportOptions{Report: report}); err != nil || done != total {
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
		g := tabletest.NewGame(t, c.rules, c.width)
		file, path := tabletest.ArchiveOf(t, g, c.beans)
		fromFile := tabletest.Open(t, path)
		imported := tabletest.Create(t, t.TempDir())
		// Small pieces, as a pipe would give them.
		layers, err := archive.Import(context.Background(), imported, iotest.HalfReader(bytes.NewReader(file)), archive.ImportOptions{})
		if err != nil {
			t.Fatal(err)
		}
		_, whole := tabletest.Tables(t, c.rules, c.width, c.beans, format.Both)
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
		last := format.KeyOf(g, c.beans)
		if !bytes.Equal(tabletest.Exported(t, imported, last), file) || !bytes.Equal(tabletest.Exported(t, fromFile, last), file) {
			t.Error("exported again, the file differs")
		}
		tabletest.WantLayers(t, imported, fromFile.Layers())
	}
}

func TestImportAddsWhatIsMissing(t *testing.T) {
	g, db := tabletest.Tables(t, game.Bohnenspiel, 6, 4, format.Even)
	file, _ := tabletest.ArchiveOf(t, g, 6)
	before := db.Layers()
	layers, err := archive.Import(context.Background(), db, bytes.NewReader(file), archive.ImportOptions{})
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
	if built := tabletest.Build(t, db, g, 8, format.Even); len(built) != 1 {
		t.Errorf("built %d layers, want 1", len(built))
	}
}

func TestExportRefuses(t *testing.T) {
	g, db := tabletest.OpenEven(t, 4)
	for _, last := range []format.Key{format.KeyOf(g, 6), format.KeyOf(g, 3), {Width: 10, Beans: 4}, {Width: 6, Beans: -2}} {
		tabletest.WantError(t, archive.Export(context.Background(), db, io.Discard, last, nil), format.ErrNoLayer)
	}
	full := errors.New("full")
	if err := archive.Export(context.Background(), db, brokenWriter{full}, format.KeyOf(g, 4), nil); !errors.Is(err, full) {
		t.Errorf("got %v, want the writer's error", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := archive.Export(ctx, db, io.Discard, format.KeyOf(g, 4), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's", err)
	}
	_, err := archive.Import(context.Background(), db, bytes.NewReader(nil), archive.ImportOptions{})
	tabletest.WantError(t, err, store.ErrReadOnly)
}

type brokenWriter struct{ err error }

func (w brokenWriter) Write([]byte) (int, error) { return 0, w.err }

// TestDamagedArchive changes and cuts an archive. Opened, it gives right scores or an
// error; imported, it gives an error and leaves the database as it was.
func TestDamagedArchive(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Mangala, 4)
	file, path := tabletest.ArchiveOf(t, g, 3)
	whole := tabletest.Open(t, path)
	_, db := tabletest.Tables(t, game.Bohnenspiel, 6, 2, format.Even)
	before := db.Layers()
	random := rand.New(rand.NewPCG(7, 8))
	x := index.New(4, 3)
	other := filepath.Join(t.TempDir(), "damaged.bns")
	try := func(name string, damaged []byte) {
		t.Helper()
		err := tabletest.ImportAll(db, damaged)
		tabletest.WantBadData(t, name+": import", err)
		if diff := cmp.Diff(before, db.Layers()); diff != "" {
			t.Fatalf("%s: import has changed the database (-before +after):\n%s", name, diff)
		}
		tabletest.WriteFile(t, other, damaged)
		fromFile, err := database.Open(other, tablebase.Options{})
		if err != nil {
			wantArchiveError(t, err)
			return
		}
		defer tabletest.Close(t, fromFile)
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
	for at := 0; at < len(file); at += step {
		damaged := bytes.Clone(file)
		damaged[at] ^= 1 << random.IntN(8)
		try("a byte", damaged)
	}
	for size := 0; size < len(file); size += step * 4 {
		try("cut", file[:size])
		try("cut near the end", file[:len(file)-1-size/20])
	}
	try("longer", append(bytes.Clone(file), 0))
	// Blocks of nobody are left.
	if left := len(tabletest.Edit(t, db).Stored(format.BlockPrefix)); left != 4 {
		t.Errorf("%d blocks are left, want the 4 of the layers that were there", left)
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
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	_, path := tabletest.ArchiveOf(t, g, 10)
	db := tabletest.Reader(t, path)
	if err := os.Truncate(path, 0); err != nil {
		t.Skipf("a file that is open can't be cut here: %v", err)
	}
	x := index.New(6, 10)
	_, err := db.Probe(g, x.Unrank(10, 12345))
	tabletest.WantError(t, err, store.ErrStorage)
}

func TestArchiveRefusesWriting(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	_, path := tabletest.ArchiveOf(t, g, 2)
	_, err := database.Create(path, tablebase.Options{})
	tabletest.WantError(t, err, format.ErrNotDatabase)
	db := tabletest.Open(t, path)
	_, err = build.Scores(context.Background(), db, build.Options{Game: g, Beans: 4})
	tabletest.WantError(t, err, store.ErrReadOnly)
	tabletest.Close(t, db)
	_, err = db.Probe(g, game.Position{Mover: 1})
	tabletest.WantError(t, err, store.ErrClosed)
	tabletest.Close(t, db)
}

// TestImportOfAnotherLayer imports layers that the database has otherwise.
func TestImportOfAnotherLayer(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 3)
	file, _ := tabletest.ArchiveOf(t, g, 4)
	dir := tabletest.Built(t, g, 2)
	tabletest.Damage(t, dir, func(e tabletest.Editor) {
		e.ChangeManifest(format.KeyOf(g, 2), func(m *format.Manifest) { m.SHA256 = strings.Repeat("0", 64) })
	})
	again := tabletest.Writer(t, dir)
	tabletest.WantError(t, tabletest.ImportAll(again, file), format.ErrCorrupt)
	if len(again.Layers()) != 2 {
		t.Errorf("%d layers are there, want the two as before", len(again.Layers()))
	}
}

// TestImportWithLittleMemory imports where neither memory nor disk has room for layers, so
// their hashes can't be recomputed. That is said, and all blocks are verified all the same.
func TestImportWithLittleMemory(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	file, _ := tabletest.ArchiveOf(t, g, 6)
	for _, c := range []struct {
		memory, free uint64
		want         bool // of layers 2 to 6
	}{{1, 130 << 20, false}, {64 << 20, 130 << 20, true}} {
		disk, db := tabletest.NewFaulty(t, t.TempDir(), false)
		disk.FreeBytes = &c.free
		layers, err := archive.Import(t.Context(), db, bytes.NewReader(file), archive.ImportOptions{Memory: c.memory})
		if err != nil {
			t.Fatal(err)
		}
		for _, layer := range layers {
			if layer.Manifest.Beans > 0 && layer.Totals != c.want {
				t.Errorf("%d bytes of memory, %d of disk: %v: hash recomputed: %v", c.memory, c.free, layer.Manifest.Key(), layer.Totals)
			}
		}
		tabletest.WantSound(t, db)
	}
}

// TestImportOfOtherScores imports an archive that is sound in itself, but whose manifests
// speak of other scores than its blocks hold.
func TestImportOfOtherScores(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 3)
	for _, alter := range []func(m *format.Manifest){
		func(m *format.Manifest) { m.SHA256 = strings.Repeat("0", 64) },
		func(m *format.Manifest) { m.ScoreSum += 4 },
		func(m *format.Manifest) { slices.Reverse(m.Histogram); m.Histogram[0]++; m.Histogram[1]-- },
	} {
		dir := tabletest.Built(t, g, 2)
		tabletest.Damage(t, dir, func(e tabletest.Editor) {
			e.ChangeManifest(format.KeyOf(g, 2), func(m *format.Manifest) {
				m.Histogram = slices.Clone(m.Histogram)
				alter(m)
			})
		})
		file := tabletest.Exported(t, tabletest.Reader(t, dir), format.KeyOf(g, 2))
		into := tabletest.Create(t, t.TempDir())
		err := tabletest.ImportAll(into, file)
		tabletest.WantError(t, err, format.ErrCorrupt)
		if len(into.Layers()) > 0 {
			t.Errorf("%v: layers were added", err)
		}
	}
}

// FuzzArchive opens and imports files of any bytes.
func FuzzArchive(f *testing.F) {
	g := tabletest.NewGame(f, game.Bohnenspiel, 3)
	file, _ := tabletest.ArchiveOf(f, g, 2)
	f.Add(file)
	f.Add(file[:len(file)-10])
	f.Add(file[:16])
	f.Add([]byte(nil))
	db := tabletest.Create(f, f.TempDir())
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, file []byte) {
		sealArchive(file) // so that what follows a checksum is reached
		if err := tabletest.ImportAll(db, file); err != nil && fault.ClassOf(err) != fault.BadData {
			t.Errorf("import: got %v, want bad data", err)
		}
		path := filepath.Join(dir, "file")
		tabletest.WriteFile(t, path, file)
		fromFile, err := database.Open(path, tablebase.Options{})
		if err != nil {
			wantArchiveError(t, err)
			return
		}
		defer tabletest.Close(t, fromFile)
		for _, m := range fromFile.Layers() {
			x := index.New(m.Width, m.Beans)
			h := tabletest.NewGame(t, m.Rules, m.Width)
			if _, err := fromFile.Probe(h, x.Unrank(m.Beans, 0)); err != nil {
				wantArchiveError(t, err)
			}
		}
	})
}

// sealArchive puts right checksums, as far as there are places for them, into what may be
// an archive.
func sealArchive(file []byte) {
	if len(file) < format.ArchiveHeaderSize+format.ArchiveFooterSize {
		return
	}
	format.WriteChecksum(file[:format.ArchiveHeaderSize], format.ArchiveChecksumAt)
	body, footer := file[:len(file)-format.ArchiveFooterSize], file[len(file)-format.ArchiveFooterSize:]
	for at := format.ArchiveHeaderSize; at+format.RecordLengthSize < len(body); {
		size := int(binary.BigEndian.Uint32(body[at:]))
		at += format.RecordLengthSize
		if size > len(body)-at {
			break
		}
		value := body[at:][:size]
		switch {
		case bytes.HasPrefix(value, []byte(format.BlockMagic)) && size >= format.BlockHeaderSize:
			format.WriteChecksum(value, format.BlockChecksumAt)
		case bytes.HasPrefix(value, []byte(format.ManifestMagic)) && size >= format.ManifestHeaderSize:
			format.WriteChecksum(value, format.ManifestChecksumAt)
		case bytes.HasPrefix(value, []byte(format.ArchiveIndexMagic)) && size >= format.ArchiveIndexHeaderSize:
			format.WriteChecksum(value, format.ArchiveIndexChecksumAt)
		}
		at += size
	}
	sum := sha256.Sum256(body)
	copy(footer[format.ArchiveFooterHashAt:], sum[:])
	format.WriteChecksum(footer, format.ArchiveFooterChecksumAt)
}

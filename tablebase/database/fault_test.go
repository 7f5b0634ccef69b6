package database_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/fault"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/proof"
	"bohnenspiel/tablebase/store"
)

// faultsVariable says how many percent of the full number of faults are to be tried;
// without it, few are. docs/verification.md has the command.
const faultsVariable = "BOHNENSPIEL_FAULTS"

// faults returns how many faults to try.
func faults(short, usual, full int) int {
	if percent, err := strconv.Atoi(os.Getenv(faultsVariable)); err == nil {
		return full * percent / 100
	}
	if testing.Short() {
		return short
	}
	return usual
}

// TestEveryWriteFails has the k-th write to the database fail, for each k, in a build and
// in an import. The error is clean, what is there then is right, and the same goes on
// from there.
func TestEveryWriteFails(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	beans := 10
	if testing.Short() {
		beans = 6
	}
	file, _ := tabletest.ArchiveOf(t, g, beans)
	want := tabletest.Build(t, tabletest.Create(t, t.TempDir()), g, beans, format.Even)
	for name, write := range map[string]func(db *tablebase.DB) error{
		"build": func(db *tablebase.DB) error {
			_, err := build.Scores(context.Background(), db, build.Options{Game: g, Beans: beans})
			return err
		},
		"import": func(db *tablebase.DB) error { return tabletest.ImportAll(db, file) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failed := true
			k := 0
			for ; failed; k++ {
				dir := t.TempDir()
				disk, db := tabletest.NewFaulty(t, dir, false)
				failed = false
				disk.Fail = func(n int) error {
					if n != k {
						return nil
					}
					failed = true
					return syscall.ENOSPC
				}
				if err := write(db); failed {
					tabletest.WantError(t, err, store.ErrStorage)
				} else if err != nil {
					t.Fatal(err)
				}
				disk.Fail = nil
				tabletest.Close(t, db)
				again := tabletest.Create(t, dir)
				tabletest.WantSound(t, again)
				if err := write(again); err != nil {
					t.Fatalf("after a failure of write %d: %v", k, err)
				}
				tabletest.WantLayers(t, again, want, "Sweeps")
				tabletest.WantSound(t, again)
				if t.Failed() {
					t.Fatalf("after a failure of write %d", k)
				}
				tabletest.Close(t, again)
			}
			t.Logf("%s makes %d writes", name, k-1)
		})
	}
}

// TestFaultSearchKills kills searches at random moments, which keep their state as often as
// they can. What comes after goes on from there, to the same score. Neither that state nor
// what is kept in the database is ever damaged.
func TestFaultSearchKills(t *testing.T) {
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	d := tabletest.Diagram(t, searched)
	tables := tabletest.Built(t, g, 2)
	whole := tabletest.Copy(t, tables)
	began := time.Now()
	want, err := child(t, "search", whole, false).Output()
	if err != nil || !strings.HasPrefix(string(want), "bounds [") {
		t.Fatalf("got %q, %v", want, err)
	}
	took := time.Since(began)
	kills, ends, resumed := 0, 0, 0
	dir := ""
	for most := faults(3, 10, 100); kills < most || dir != ""; {
		if dir == "" {
			dir = tabletest.Copy(t, tables)
		}
		command := child(t, "search", dir, false)
		var out strings.Builder
		command.Stdout = &out
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		if kills < most {
			time.Sleep(rand.N(took))
			_ = command.Process.Kill() // it may have ended
		}
		killed := command.Wait() != nil
		if !killed {
			if out.String() != string(want) {
				t.Errorf("after %d kills: got %q, want %q", kills, &out, want)
			}
			ends++
		} else {
			kills++
		}
		left := tabletest.States(t, dir)
		// The state is deleted after the score is kept.
		db := tabletest.Open(t, dir)
		tabletest.WantSound(t, db)
		kept, ok, err := proof.BoundsOf(db, g, d.Position())
		if err != nil || ok && (kept.Low != kept.High || fmt.Sprintf("bounds [%d %d]\n", kept.Low, kept.High) != string(want)) {
			t.Errorf("kept: got %+v, %v, %v", kept, ok, err)
		}
		tabletest.Close(t, db)
		if !killed {
			if !ok || len(left) > 0 {
				t.Errorf("at the end: bounds are kept: %v, and %v is left", ok, left)
			}
			dir = ""
			continue
		}
		for _, name := range left {
			if strings.HasSuffix(name, ".new") {
				continue
			}
			state := tabletest.ReadFile(t, name)
			stream, err := tabletest.StreamOf(state)
			sealed := bytes.Clone(state)
			if tabletest.SealSearch(sealed); err != nil || !bytes.Equal(sealed, state) {
				t.Errorf("the state of a killed search is damaged: %v", err)
			}
			const record = 33
			if got, want := tabletest.Searcher(t, dir, d, 0, false).Resumed(), len(stream)/record; got != want {
				t.Errorf("a search goes on from %d records of %d", got, want)
			}
			resumed++
		}
	}
	t.Logf("%d kills of a search, after %d of which there was a state; %d ends", kills, resumed, ends)
}

// TestFaultDamage flips bits and cuts the ends off files of a database, and asks for many
// positions then: each answer is right, or there is none.
func TestFaultDamage(t *testing.T) {
	t.Parallel()
	g := tabletest.NewGame(t, game.Bohnenspiel, 6)
	const beans = 14
	dir := tabletest.Built(t, g, beans)
	files := tabletest.Listing(t, dir)
	names := slices.Sorted(maps.Keys(files))
	names = slices.DeleteFunc(names, func(name string) bool { return files[name] == "" })
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 12))
	type question struct {
		position game.Position
		score    game.Score
	}
	db := tabletest.Open(t, dir)
	questions := make([]question, 1000)
	x := index.New(6, beans)
	for i := range questions {
		n := 2 * random.IntN(beans/2+1)
		p := x.Unrank(n, random.Uint64N(x.Size(n)))
		questions[i] = question{p, tabletest.Probe(t, db, g, p)}
	}
	tabletest.Close(t, db)
	answers, refused := 0, 0
	try := func(name string, damaged []byte) {
		t.Helper()
		tabletest.WriteFile(t, name, damaged)
		defer tabletest.WriteFile(t, name, []byte(files[name]))
		hang := time.AfterFunc(time.Minute, func() { panic("probing hangs with a damaged " + filepath.Base(name)) })
		defer hang.Stop()
		db, err := database.Open(dir, tablebase.Options{CacheBytes: 1})
		if err != nil {
			tabletest.WantBadData(t, filepath.Base(name), err)
			refused++
			return
		}
		defer tabletest.Close(t, db)
		for _, q := range questions {
			value, err := db.Probe(g, q.position)
			switch {
			case err != nil && fault.ClassOf(err) != fault.BadData:
				t.Fatalf("%s: %v: got %v of class %v, want bad data", filepath.Base(name), q.position, err, fault.ClassOf(err))
			case err != nil:
				refused++
			case value.Score != q.score || value.Endless():
				t.Fatalf("%s: %v: got %+v, want %d", filepath.Base(name), q.position, value, q.score)
			default:
				answers++
			}
		}
	}
	flips, cuts := faults(5, 20, 2000), faults(5, 6, 200)
	for i := range flips {
		name := names[i%len(names)]
		damaged := []byte(files[name])
		at := random.IntN(len(damaged))
		if i%2 == 0 { // the ends of long files may be empty
			at = random.IntN(min(len(damaged), 1<<12))
		}
		damaged[at] ^= 1 << random.IntN(8)
		try(name, damaged)
	}
	for i := range cuts {
		name := names[i%len(names)]
		try(name, []byte(files[name][:random.IntN(len(files[name]))]))
	}
	t.Logf("seed %d: %d flips and %d cuts over %d files: %d right answers, %d refusals", seed, flips, cuts, len(names), answers, refused)
	tabletest.WantSound(t, tabletest.Open(t, dir))
}

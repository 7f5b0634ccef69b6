package held_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/memory"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/held"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestStoredIsWhatIsSolved builds layers, those that lean on rule 8 and such that
// don't, on boards of all widths. It brings them back in each form,
// and compares each value of each kind with the solver's; and it probes each position.
func TestStoredIsWhatIsSolved(t *testing.T) {
	t.Parallel()
	beans := map[int]int{1: 12, 2: 20, 3: 12, 4: 8, 5: 7, 6: 8, 7: 6, 8: 5, 9: 4}
	if testing.Short() {
		beans = map[int]int{1: 10, 2: 16, 3: 8, 6: 5, 9: 3}
	}
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		for width, most := range beans {
			t.Run(fmt.Sprintf("%v/width=%d", rules, width), func(t *testing.T) {
				t.Parallel()
				g, db := tabletest.Tables(t, rules, width, most, format.Both)
				solved := solve(t, g, most)
				plain, packed := load(t, db, g, most, held.Bytewise), load(t, db, g, most, held.Packed)
				spilled := load(t, db, g, most, held.Spilled)
				if held.PackedLayers(plain) != 0 || held.PackedLayers(packed) == 0 {
					t.Errorf("%d layers are packed where none should, %d where some should", held.PackedLayers(plain), held.PackedLayers(packed))
				}
				for n := range most + 1 {
					compareTables(t, solved, plain, n)
					compareTables(t, solved, packed, n)
					compareTables(t, solved, spilled, n)
					compareProbes(t, db, g, solved[n])
				}
			})
		}
	}
}

// solvedLayers gives solved layers, by beans.
type solvedLayers map[int]*solver.Layer

func (m solvedLayers) Read(kind solver.Kind, beans int, first uint64, count int, buf []game.Score) ([]game.Score, error) {
	m[beans].Copy(kind, first, buf[:count])
	return buf[:count], nil
}

func (m solvedLayers) Leans(beans int) bool { return m[beans].Leaning() > 0 }

// solve solves all layers of a game up to beans.
func solve(tb testing.TB, g game.Game, beans int) solvedLayers {
	tb.Helper()
	x := index.New(g.Width(), beans)
	solved := solvedLayers{}
	for n := range beans + 1 {
		layer, err := solver.Solve(context.Background(), solver.Problem{Game: g, Index: x, Beans: n, Lower: solved})
		if err != nil {
			tb.Fatal(err)
		}
		solved[n] = layer
	}
	return solved
}

// load brings all layers up to beans into a form.
func load(tb testing.TB, db *tablebase.DB, g game.Game, beans int, as held.Form) *held.Layers {
	tb.Helper()
	layers, err := loadUpTo(context.Background(), db, g, beans, as)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(layers.Free)
	return layers
}

// compareTables compares all tables of a layer.
func compareTables(tb testing.TB, want solvedLayers, got *held.Layers, beans int) {
	tb.Helper()
	if got.Leans(beans) != want.Leans(beans) {
		tb.Fatalf("layer %d leans is %v, want %v", beans, got.Leans(beans), want.Leans(beans))
	}
	wantScores, gotScores := make([]game.Score, want[beans].Size()), make([]game.Score, want[beans].Size())
	for kind := solver.Scores; kind <= solver.Highs; kind++ {
		want[beans].Copy(kind, 0, wantScores)
		table, err := got.Read(kind, beans, 0, len(gotScores), gotScores)
		if err != nil {
			tb.Fatal(err)
		}
		if diff := cmp.Diff(wantScores, table); diff != "" {
			tb.Fatalf("%v of layer %d differ (-want +got):\n%s", kind, beans, diff)
		}
	}
}

// compareProbes probes every position of a layer, by Probe and through a source.
func compareProbes(tb testing.TB, db *tablebase.DB, g game.Game, solved *solver.Layer) {
	tb.Helper()
	x := index.New(g.Width(), solved.Beans())
	tables := make([][]game.Score, solver.Highs+1)
	for kind := range tables {
		tables[kind] = make([]game.Score, solved.Size())
		solved.Copy(solver.Kind(kind), 0, tables[kind])
		got, err := db.Probes(g).Read(solver.Kind(kind), solved.Beans(), 0, len(tables[kind]), make([]game.Score, len(tables[kind])))
		if err != nil {
			tb.Fatal(err)
		}
		if diff := cmp.Diff(tables[kind], got); diff != "" {
			tb.Fatalf("layer %d: probed %v differ (-want +got):\n%s", solved.Beans(), solver.Kind(kind), diff)
		}
	}
	if got, want := db.Probes(g).Leans(solved.Beans()), solved.Leaning() > 0; got != want {
		tb.Fatalf("layer %d: leans is %v, want %v", solved.Beans(), got, want)
	}
	for at := range solved.Size() {
		got, err := db.Probe(g, x.Unrank(solved.Beans(), at))
		if err != nil {
			tb.Fatal(err)
		}
		want := tablebase.Value{Score: tables[solver.Scores][at], Low: tables[solver.Lows][at], High: tables[solver.Highs][at]}
		if got != want {
			tb.Fatalf("layer %d, index %d: got %+v, want %+v", solved.Beans(), at, got, want)
		}
		if got.Endless() != (want.Low < want.High) {
			tb.Fatalf("layer %d, index %d: endless is %v", solved.Beans(), at, got.Endless())
		}
	}
}

// TestLoadOfDamage loads layers with a block that is damaged, in each form.
func TestLoadOfDamage(t *testing.T) {
	g, db := tabletest.Tables(t, game.Mangala, 3, 7, format.Both)
	dir := db.Dir()
	tabletest.Close(t, db)
	for _, id := range []format.BlockID{
		tabletest.BlockOf(format.KeyOf(g, 6), solver.Scores, 3),
		tabletest.BlockOf(format.KeyOf(g, 7), solver.Highs, 2),
	} {
		var good []byte
		tabletest.Damage(t, dir, func(e tabletest.Editor) {
			good = e.Value(id.StoreKey())
			e.Change(id.StoreKey(), func(value []byte) { value[20] ^= 1 })
		})
		tabletest.Damage(t, dir, func(e tabletest.Editor) {
			for _, as := range forms {
				_, err := loadUpTo(t.Context(), e.DB, g, 7, as)
				tabletest.WantError(t, err, format.ErrCorrupt)
				var corrupt *format.CorruptError
				if !errors.As(err, &corrupt) || corrupt.Key != id.Key {
					t.Errorf("got error %v, want one that names %v", err, id.Key)
				}
			}
			e.Set(id.StoreKey(), good)
		})
	}
	load(t, tabletest.Create(t, dir), g, 7, held.Packed)
}

func TestLoadIsCancelled(t *testing.T) {
	g, db := tabletest.OpenEven(t, 8)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := loadUpTo(ctx, db, g, 8, held.Bytewise); !errors.Is(err, context.Canceled) {
		t.Errorf("got error %v, want %v", err, context.Canceled)
	}
}

// BenchmarkLoad brings layers into memory: it decodes all blocks and resolves them.
func BenchmarkLoad(b *testing.B) {
	g := tabletest.NewGame(b, game.Bohnenspiel, 6)
	const beans = 12
	dir := tabletest.Built(b, g, beans)
	db := tabletest.Open(b, dir)
	positions := uint64(0)
	for _, m := range db.Layers() {
		positions += m.Positions
	}
	for as, name := range []string{"bytewise", "packed", "spilled"} {
		b.Run(fmt.Sprintf("beans=%d/form=%s/workers=2", beans, name), func(b *testing.B) {
			for b.Loop() {
				layers, err := loadUpTo(b.Context(), db, g, beans, held.Form(as))
				if err != nil {
					b.Fatal(err)
				}
				wantHistogram(b, db, g, layers, beans)
				layers.Free()
			}
			b.ReportMetric(float64(positions)*float64(b.N)/b.Elapsed().Seconds(), "positions/s")
		})
	}
}

// wantHistogram compares the scores of a layer in memory with what its manifest says.
func wantHistogram(tb testing.TB, db *tablebase.DB, g game.Game, layers *held.Layers, beans int) {
	tb.Helper()
	m := tabletest.Manifest(tb, db, format.KeyOf(g, beans))
	scores, err := layers.Read(solver.Scores, beans, 0, int(m.Positions), make([]game.Score, m.Positions))
	if err != nil {
		tb.Fatal(err)
	}
	histogram := make([]uint64, len(m.Histogram))
	for _, score := range scores {
		histogram[int(score)+beans]++
	}
	if diff := cmp.Diff(m.Histogram, histogram); diff != "" {
		tb.Fatalf("histogram differs (-manifest +memory):\n%s", diff)
	}
}

// loadUpTo brings the layers of a game up to beans that there are into a form, by parity in
// ascending order.
func loadUpTo(ctx context.Context, db *tablebase.DB, g game.Game, beans int, as held.Form) (*held.Layers, error) {
	var scratch memory.Block
	defer scratch.Free()
	l := &held.Loader{
		From: db, Index: index.New(g.Width(), beans), Workers: 2, Scratch: &scratch, Lower: held.NewLayers(g, beans),
	}
	for n := range beans + 1 {
		m, err := db.Manifest(format.KeyOf(g, n))
		if errors.Is(err, format.ErrNoLayer) {
			continue
		}
		if err == nil {
			err = l.Load(ctx, m, as)
		}
		if err != nil {
			l.Lower.Free()
			return nil, err
		}
	}
	return l.Lower, nil
}

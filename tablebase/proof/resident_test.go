package proof_test

import (
	"context"
	"errors"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/solver/search"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/proof"
)

var _ search.Prober = (*proof.Resident)(nil)

// TestResident compares every position in memory with a probe, in layers that lean on
// rule 8 and in layers that don't.
func TestResident(t *testing.T) {
	t.Parallel()
	const beans = 8
	for _, c := range []struct {
		rules  game.Rules
		width  int
		parity format.Parity
	}{
		{game.Bohnenspiel, 2, format.Even},
		{game.Bohnenspiel, 4, format.Odd},
		{game.Mangala, 3, format.Even},
		{game.Mangala, 3, format.Odd},
	} {
		g, db := tabletest.Tables(t, c.rules, c.width, beans, c.parity)
		r, err := proof.NewResident(t.Context(), db, proof.ResidentOptions{Game: g, Parity: c.parity, Beans: game.MaxBeans(c.width)})
		if err != nil {
			t.Fatal(err)
		}
		x := index.New(c.width, beans)
		for n := range beans + 1 {
			if _, ok := r.Probe(x.Unrank(n, 0), n); ok != c.parity.Has(n) {
				t.Errorf("%v 2×%d: layer %d is there: got %v, want %v", c.rules, c.width, n, ok, !ok)
			} else if !ok {
				continue
			}
			for at := range x.Size(n) {
				p := x.Unrank(n, at)
				if got, _ := r.Probe(p, n); got != tabletest.Probe(t, db, g, p) {
					t.Fatalf("%v 2×%d, %v: got %d, want %d", c.rules, c.width, p, got, tabletest.Probe(t, db, g, p))
				}
			}
		}
		top := beans
		if !c.parity.Has(top) {
			top--
		}
		if r.Top() != top {
			t.Errorf("top: got %d, want %d", r.Top(), top)
		}
		r.Free()
		if r.Top() != -1 || r.Size() != 0 {
			t.Errorf("freed: top %d, %d bytes", r.Top(), r.Size())
		}
	}
}

// TestResidentSqueezed compares layers that have more scores than half a byte.
func TestResidentSqueezed(t *testing.T) {
	t.Parallel()
	const beans = 36
	g := tabletest.NewGame(t, game.Bohnenspiel, 3)
	db := tabletest.Open(t, tabletest.Built(t, g, beans))
	x := index.New(3, beans)
	positions := uint64(0)
	for n := 0; n <= beans; n += 2 {
		positions += x.Size(n)
	}
	most := positions*6/10 + uint64(beans/2+1)*(2<<20) // memory comes in blocks of 2 MiB
	r, err := proof.NewResident(t.Context(), db, proof.ResidentOptions{Game: g, Parity: format.Even, Beans: beans, Memory: most})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Free()
	if r.Top() != beans || r.Size() > most {
		t.Fatalf("got layers to %d in %d bytes, want to %d in at most %d", r.Top(), r.Size(), beans, most)
	}
	step := uint64(1)
	if testing.Short() {
		step = 17
	}
	for _, n := range []int{30, 32, 36} {
		for at := uint64(0); at < x.Size(n); at += step {
			p := x.Unrank(n, at)
			if got, _ := r.Probe(p, n); got != tabletest.Probe(t, db, g, p) {
				t.Fatalf("%v: got %d, want %d", p, got, tabletest.Probe(t, db, g, p))
			}
		}
	}
}

func TestResidentWithinMemory(t *testing.T) {
	t.Parallel()
	g, db := tabletest.OpenEven(t, 8)
	o := proof.ResidentOptions{Game: g, Parity: format.Even, Beans: 20}
	// Memory comes in blocks of 2 MiB.
	for memory, want := range map[uint64]int{1: -1, 8 << 20: 6, 64 << 20: 8, 0: 8} {
		o.Memory = memory
		r, err := proof.NewResident(t.Context(), db, o)
		if err != nil {
			t.Fatal(err)
		}
		if r.Top() != want || memory > 0 && r.Size() > memory {
			t.Errorf("within %d bytes: got layers to %d in %d bytes, want to %d", memory, r.Top(), r.Size(), want)
		}
		r.Free()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	o.Memory = 0
	if _, err := proof.NewResident(ctx, db, o); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: got error %v", err)
	}
}

package index_test

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
)

// indexes returns an index of all layers for each width.
func indexes() []*index.Index {
	all := make([]*index.Index, 0, game.MaxWidth)
	for width := game.MinWidth; width <= game.MaxWidth; width++ {
		all = append(all, index.New(width, game.MaxBeans(width)))
	}
	return all
}

// rows returns R(x) = C(x+w−1, w−1).
func rows(width, beans int) *big.Int {
	return new(big.Int).Binomial(int64(beans+width-1), int64(width-1))
}

// rank returns Σ C(s(i)+i, i+1) for i = 0 to w−2.
func rank(width int, row game.Row) *big.Int {
	sum, total := 0, new(big.Int)
	for i := range width - 1 {
		sum += row.Pit(i)
		total.Add(total, new(big.Int).Binomial(int64(sum+i), int64(i+1)))
	}
	return total
}

// offset returns the number of positions in the rectangles before a.
func offset(width, beans, a int) *big.Int {
	total := new(big.Int)
	for b := range a {
		total.Add(total, new(big.Int).Mul(rows(width, b), rows(width, beans-b)))
	}
	return total
}

// equal reports whether got is want, or MaxSize+1 where want is larger than MaxSize.
func equal(got uint64, want *big.Int) bool {
	if want.Cmp(big.NewInt(index.MaxSize)) > 0 {
		return got == index.MaxSize+1
	}
	return want.IsUint64() && got == want.Uint64()
}

func TestExampleOfDoc(t *testing.T) {
	x := index.New(2, 3)
	want := []game.Row{game.RowOf(0, 3), game.RowOf(1, 2), game.RowOf(2, 1), game.RowOf(3, 0)}
	got := make([]game.Row, x.Rows(3))
	for i := range got {
		got[i] = x.UnrankRow(3, uint64(i))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("rows of 2 pits with 3 beans (-want +got):\n%s", diff)
	}
}

func TestSizes(t *testing.T) {
	for _, x := range indexes() {
		width := x.Width()
		if got, want := x.MaxBeans(), game.MaxBeans(width); got != want {
			t.Errorf("width %d: MaxBeans = %d, want %d", width, got, want)
		}
		for beans := range x.MaxBeans() + 1 {
			if got, want := x.Rows(beans), rows(width, beans); !want.IsUint64() || got != want.Uint64() {
				t.Errorf("width %d: Rows(%d) = %d, want %d", width, beans, got, want)
			}
			size := new(big.Int).Binomial(int64(beans+2*width-1), int64(2*width-1))
			if got := x.Size(beans); !equal(got, size) {
				t.Errorf("width %d: Size(%d) = %d, want %d", width, beans, got, size)
			}
			for a := range beans + 2 {
				if got, want := x.Offset(beans, a), offset(width, beans, a); !equal(got, want) {
					t.Errorf("width %d: Offset(%d, %d) = %d, want %d", width, beans, a, got, want)
				}
			}
		}
	}
}

func TestSizesOfTraditionalBoard(t *testing.T) {
	x := index.New(game.StandardWidth, game.MaxBeans(game.StandardWidth))
	for beans, want := range map[int]uint64{
		0: 1, 1: 12, 2: 78, 8: 75_582, 16: 13_037_895, 18: 34_597_290, 20: 84_672_315,
		41: 60_403_728_840, 72: index.MaxSize + 1,
	} {
		if got := x.Size(beans); got != want {
			t.Errorf("Size(%d) = %d, want %d", beans, got, want)
		}
	}
}

// TestSmallLayers goes through layers of all widths in order. The order is strictly
// increasing and each index leads back to itself, so there are no holes.
func TestSmallLayers(t *testing.T) {
	most := uint64(100_000)
	if testing.Short() {
		most = 5_000
	}
	for _, x := range indexes() {
		t.Run(fmt.Sprintf("width=%d", x.Width()), func(t *testing.T) {
			for beans := 0; beans <= x.MaxBeans() && x.Size(beans) <= most; beans++ {
				var last []int
				for i := range x.Size(beans) {
					p := x.Unrank(beans, i)
					if got := p.Beans(); got != beans {
						t.Fatalf("Unrank(%d, %d) = %v with %d beans", beans, i, p, got)
					}
					if layer, again := x.Rank(p); layer != beans || again != i {
						t.Fatalf("Rank(%v) = %d, %d, want %d, %d", p, layer, again, beans, i)
					}
					key := order(x.Width(), p)
					if !less(last, key) {
						t.Fatalf("layer %d: position %d, %v, is not behind the one before it", beans, i, p)
					}
					last = key
				}
			}
		})
	}
}

// order returns what positions of a layer are sorted by: the beans of the mover,
// then the rows, each by its sums of pits 0 to w−2, 0 to w−3, …, 0.
func order(width int, p game.Position) []int {
	key := make([]int, 1, 2*width)
	key[0] = p.Mover.Beans()
	for _, row := range []game.Row{p.Mover, p.Opponent} {
		for i := width - 2; i >= 0; i-- {
			sum := 0
			for pit := range i + 1 {
				sum += row.Pit(pit)
			}
			key = append(key, sum)
		}
	}
	return key
}

// less reports whether a comes before b, as nothing does before the first position.
func less(a, b []int) bool {
	for i := range a {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return a == nil
}

func TestLargeLayers(t *testing.T) {
	all := indexes()
	rapid.Check(t, func(rt *rapid.T) {
		x := rapid.SampledFrom(all).Draw(rt, "index")
		width := x.Width()
		most := 0
		for most < x.MaxBeans() && x.Size(most+1) <= index.MaxSize {
			most++
		}
		beans := rapid.IntRange(0, most).Draw(rt, "beans")
		i := rapid.Uint64Range(0, x.Size(beans)-1).Draw(rt, "position")
		p := x.Unrank(beans, i)
		for pit := width; pit < game.MaxWidth; pit++ {
			if p.Mover.Pit(pit) != 0 || p.Opponent.Pit(pit) != 0 {
				rt.Fatalf("width %d: Unrank(%d, %d) = %v fills pit %d", width, beans, i, p, pit)
			}
		}
		if layer, again := x.Rank(p); layer != beans || again != i {
			rt.Fatalf("width %d: Rank(Unrank(%d, %d)) = %d, %d", width, beans, i, layer, again)
		}
		// The formula of the package comment.
		want := rank(width, p.Mover)
		want.Mul(want, rows(width, p.Opponent.Beans()))
		want.Add(want, rank(width, p.Opponent))
		want.Add(want, offset(width, beans, p.Mover.Beans()))
		if !want.IsUint64() || want.Uint64() != i {
			rt.Fatalf("width %d: Unrank(%d, %d) = %v, whose index is %d", width, beans, i, p, want)
		}
	})
}

// TestRowsOfFullBoards ranks rows that are too many for a layer to be ranked.
func TestRowsOfFullBoards(t *testing.T) {
	all := indexes()
	rapid.Check(t, func(rt *rapid.T) {
		x := rapid.SampledFrom(all).Draw(rt, "index")
		beans := rapid.IntRange(0, x.MaxBeans()).Draw(rt, "beans")
		i := rapid.Uint64Range(0, x.Rows(beans)-1).Draw(rt, "row")
		row := x.UnrankRow(beans, i)
		if got := row.Beans(); got != beans {
			rt.Fatalf("width %d: UnrankRow(%d, %d) = %v with %d beans", x.Width(), beans, i, row.Pits(x.Width()), got)
		}
		if got := x.RankRow(row); got != i || rank(x.Width(), row).Uint64() != i {
			rt.Fatalf("width %d: RankRow(UnrankRow(%d, %d)) = %d, and %d by the formula", x.Width(), beans, i, got, rank(x.Width(), row))
		}
		if i+1 < x.Rows(beans) {
			if got, want := x.NextRow(row), x.UnrankRow(beans, i+1); got != want {
				rt.Fatalf("width %d: NextRow(%v) = %v, want %v", x.Width(), row.Pits(x.Width()), got.Pits(x.Width()), want.Pits(x.Width()))
			}
		}
	})
}

func TestNewPanicsOutOfRange(t *testing.T) {
	for _, test := range []struct{ width, beans int }{{0, 4}, {10, 4}, {-1, 0}, {6, -1}, {6, 73}, {1, 13}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("New(%d, %d): want a panic", test.width, test.beans)
				}
			}()
			index.New(test.width, test.beans)
		}()
	}
	if x := index.New(1, 0); x.Size(0) != 1 {
		t.Errorf("New(1, 0): Size(0) = %d, want 1", x.Size(0))
	}
}

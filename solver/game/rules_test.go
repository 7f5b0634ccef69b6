package game_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
)

// played is a line of moves and how it must end.
type played struct {
	name  string
	rules game.Rules
	start string
	moves []int
	taken []int // by each move
	want  string
}

// check plays the line.
func (l played) check(t *testing.T) {
	t.Helper()
	d := diagram(t, l.start)
	g := newGame(t, l.rules, d.Width)
	taken := make([]int, 0, len(l.moves))
	for _, number := range l.moves {
		next, captured, err := d.Play(g, number)
		if err != nil {
			t.Fatalf("%v, move %d: %v", d, number, err)
		}
		d = next
		taken = append(taken, captured)
	}
	if diff := cmp.Diff(l.taken, taken); diff != "" {
		t.Errorf("beans taken (-want +got):\n%s", diff)
	}
	if want := diagram(t, l.want); d != want {
		t.Errorf("got  %v\nwant %v", d, want)
	}
}

// checkAll plays the lines, each in a subtest.
func checkAll(t *testing.T, lines []played) {
	t.Helper()
	for _, l := range lines {
		t.Run(l.name, l.check)
	}
}

// diagram reads a position that must be right.
func diagram(t *testing.T, text string) game.Diagram {
	t.Helper()
	d, err := game.ParseDiagram(text, 0)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestRule1BoardAndStart(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, game.StandardWidth)
	if got, want := g.StartDiagram(6), diagram(t, "6-6-6-6-6-6-6-6-6-6-6-6-0-0-S"); got != want {
		t.Errorf("start: got %v, want %v", got, want)
	}
	if got, want := g.Start(6), g.StartDiagram(6).Position(); got != want {
		t.Errorf("Start(6) = %v, want %v", got, want)
	}
	for width := game.MinWidth; width <= game.MaxWidth; width++ {
		g := newGame(t, game.Bohnenspiel, width)
		south := g.StartDiagram(6)
		if got, want := south.Position().Beans(), game.MaxBeans(width); got != want {
			t.Errorf("width %d: the start has %d beans, want %d", width, got, want)
		}
		north := south
		north.ToMove = game.North
		for pit := range width {
			if got, want := south.Number(pit), 1+pit; got != want {
				t.Errorf("width %d: South's pit %d has number %d, want %d", width, pit, got, want)
			}
			if got, want := north.Number(pit), width+1+pit; got != want {
				t.Errorf("width %d: North's pit %d has number %d, want %d", width, pit, got, want)
			}
		}
		if south.Number(game.Pass) != 0 || north.Number(game.Pass) != 0 {
			t.Errorf("width %d: a pass has numbers %d and %d, want 0", width, south.Number(game.Pass), north.Number(game.Pass))
		}
	}
}

func TestRule2Sowing(t *testing.T) {
	checkAll(t, []played{
		{
			name:  "within the own row",
			start: "0 3 0 2 2 0 / 1 1 1 1 1 1", moves: []int{2}, taken: []int{0},
			want: "0 0 1 3 3 0 / 1 1 1 1 1 1 N",
		},
		{
			name:  "past South's store into North's row",
			start: "0 0 0 0 3 0 / 0 0 1 0 0 0 / 10 20", moves: []int{5}, taken: []int{0},
			want: "0 0 0 0 0 1 / 1 1 1 0 0 0 / 10 20 N",
		},
		{
			name:  "past North's store into South's row",
			start: "0 0 1 0 0 0 / 0 0 0 0 3 0 / 10 20 N", moves: []int{11}, taken: []int{0},
			want: "1 1 1 0 0 0 / 0 0 0 0 0 1 / 10 20 S",
		},
		{
			name:  "the bean that comes to a pit is not sown on",
			start: "1 2 0 0 / 0 0 0 0", moves: []int{1}, taken: []int{0},
			want: "0 3 0 0 / 0 0 0 0 N",
		},
		{
			name:  "round to the pit before the origin",
			start: "0 11 0 0 0 0 / 0 0 0 0 0 0", moves: []int{2}, taken: []int{0},
			want: "1 0 1 1 1 1 / 1 1 1 1 1 1 N",
		},
	})
	g := newGame(t, game.Bohnenspiel, 6)
	for number, want := range map[int]string{
		3:  "illegal move 3: the pit is empty",
		7:  "illegal move 7: South to move has pits 1 to 6",
		13: "illegal move 13: South to move has pits 1 to 6",
		-1: "illegal move -1: South to move has pits 1 to 6",
		0:  "illegal move: South has beans and must not pass",
	} {
		_, _, err := diagram(t, "1 1 0 1 1 1 / 1 1 1 1 1 1").Play(g, number)
		wantError(t, err, game.ErrMove, want)
	}
}

func TestRule3WholeLapsSowTheOrigin(t *testing.T) {
	checkAll(t, []played{
		{
			name:  "twelve beans end in the origin",
			start: "0 12 0 0 0 0 / 0 0 0 0 0 0", moves: []int{2}, taken: []int{0},
			want: "1 1 1 1 1 1 / 1 1 1 1 1 1 N",
		},
		{
			name:  "thirteen beans",
			start: "0 13 0 0 0 0 / 0 0 0 0 0 0", moves: []int{2}, taken: []int{2},
			want: "1 1 0 1 1 1 / 1 1 1 1 1 1 / 2 0 N",
		},
		{
			name:  "two laps on a narrow board",
			start: "0 0 / 9 0 N", moves: []int{3}, taken: []int{0},
			want: "2 2 / 2 3 S",
		},
		{
			name:  "two laps that end in the origin, on the narrowest board",
			start: "4 / 0", moves: []int{1}, taken: []int{4},
			want: "0 / 0 / 4 0 N",
		},
	})
}

func TestRule4Captures(t *testing.T) {
	checkAll(t, []played{
		{
			name:  "on the own side",
			start: "1 1 0 0 0 0 / 1 0 0 0 0 0", moves: []int{1}, taken: []int{2},
			want: "0 0 0 0 0 0 / 1 0 0 0 0 0 / 2 0 N",
		},
		{
			name:  "on the other side",
			start: "0 0 0 0 0 1 / 3 0 1 0 0 0", moves: []int{6}, taken: []int{4},
			want: "0 0 0 0 0 0 / 0 0 1 0 0 0 / 4 0 N",
		},
		{
			name:  "six, then four, then two, in one chain that crosses the rows",
			start: "1 0 0 3 1 3 / 5 0 0 0 0 1", moves: []int{4}, taken: []int{12},
			want: "1 0 0 0 0 0 / 0 0 0 0 0 1 / 12 0 N",
		},
		{
			name:  "the chain runs back through sown pits until a pit holds another number",
			start: "0 3 2 1 3 0 / 1 0 0 0 0 0", moves: []int{2}, taken: []int{6},
			want: "0 0 3 0 0 0 / 1 0 0 0 0 0 / 6 0 N",
		},
		{
			name:  "the empty origin stops the chain",
			start: "2 4 6 1 5 0 / 1 0 0 0 0 0", moves: []int{4}, taken: []int{6},
			want: "2 4 6 0 0 0 / 1 0 0 0 0 0 / 6 0 N",
		},
		{
			name:  "eight is not captured",
			start: "0 0 0 0 1 7 / 1 0 0 0 0 0", moves: []int{5}, taken: []int{0},
			want: "0 0 0 0 0 8 / 1 0 0 0 0 0 N",
		},
		{
			name:  "a pit that holds two, but not the last one, is safe",
			start: "0 0 0 2 1 2 / 1 0 0 0 0 0", moves: []int{4}, taken: []int{0},
			want: "0 0 0 0 2 3 / 1 0 0 0 0 0 N",
		},
		{
			name:  "from North's row back into South's",
			start: "0 0 0 0 2 1 / 3 0 0 0 0 1", moves: []int{5}, taken: []int{6},
			want: "0 0 0 0 0 0 / 0 0 0 0 0 1 / 6 0 N",
		},
		{
			name:  "North takes from South's row",
			start: "1 0 0 1 0 0 / 0 0 0 0 0 1 N", moves: []int{12}, taken: []int{2},
			want: "0 0 0 1 0 0 / 0 0 0 0 0 0 / 0 2 S",
		},
		{
			name:  "after two laps, every pit, each once",
			start: "8 2 / 4 0", moves: []int{1}, taken: []int{14},
			want: "0 0 / 0 0 / 14 0 N",
		},
		{
			name:  "after a lap, the origin's bean stops the chain",
			start: "5 2 / 1 1", moves: []int{1}, taken: []int{4},
			want: "1 0 / 2 2 / 4 0 N",
		},
	})
	for beans := range 128 {
		want := beans == 2 || beans == 4 || beans == 6
		if got := game.Captures(beans); got != want {
			t.Errorf("Captures(%d) = %v, want %v", beans, got, want)
		}
	}
}

// TestRule4ChainStaysInSownPits holds a consequence of rules 2 and 4: with less than
// a lap the origin is empty and stops the chain, so pits beyond it are safe.
func TestRule4ChainStaysInSownPits(t *testing.T) {
	for width := game.MinWidth; width <= game.MaxWidth; width++ {
		g := newGame(t, game.Bohnenspiel, width)
		for _, positions := range smallLayers(width, 3_000) {
			for p := range positions {
				for _, s := range g.Successors(nil, p) {
					hand := p.Mover.Pit(s.Pit)
					before := append(p.Mover.Pits(width), p.Opponent.Pits(width)...)
					after := append(s.Next.Opponent.Pits(width), s.Next.Mover.Pits(width)...)
					for distance := hand + 1; distance < 2*width; distance++ {
						pit := (s.Pit + distance) % (2 * width)
						if before[pit] != after[pit] {
							t.Fatalf("%v, pit %d: pit %d was not sown, but changes from %d to %d", before, s.Pit, pit, before[pit], after[pit])
						}
					}
				}
			}
		}
	}
}

func TestRule5BohnenspielEndsOnAnEmptyRow(t *testing.T) {
	g := newGame(t, game.Bohnenspiel, 6)
	d := diagram(t, "0 0 0 0 0 0 / 3 0 1 0 0 1 / 30 37")
	if !g.Over(d.Position()) || g.Passes(d.Position()) {
		t.Errorf("%v: Over = %v, Passes = %v, want true, false", d, g.Over(d.Position()), g.Passes(d.Position()))
	}
	if got, want := g.Final(d.Position()), game.Score(-5); got != want {
		t.Errorf("%v: Final = %d, want %d", d, got, want)
	}
	if got, want := d.Settle(g), diagram(t, "0 0 0 0 0 0 / 0 0 0 0 0 0 / 30 42"); got != want {
		t.Errorf("%v settles as %v, want %v", d, got, want)
	}
	if got := g.Successors(nil, d.Position()); len(got) != 0 {
		t.Errorf("%v has successors %v, want none", d, got)
	}
	_, _, err := d.Play(g, 0)
	wantError(t, err, game.ErrMove, "illegal move 0: the game is over")
	_, _, err = d.Play(g, 1)
	wantError(t, err, game.ErrMove, "illegal move 1: the game is over")

	// The opponent's empty row ends nothing, and nobody has to feed it.
	d = diagram(t, "1 0 0 0 1 0 / 0 0 0 0 0 0 / 30 40")
	if g.Over(d.Position()) {
		t.Errorf("%v: Over, want play to go on", d)
	}
	if got := d.Settle(g); got != d {
		t.Errorf("%v settles as %v, want it unchanged", d, got)
	}
	played{
		start: d.String(), moves: []int{1}, taken: []int{0},
		want: "0 1 0 0 1 0 / 0 0 0 0 0 0 / 30 40 N",
	}.check(t)

	// South's beans are South's when North can't move.
	d = diagram(t, "0 1 0 0 1 0 / 0 0 0 0 0 0 / 30 40 N")
	if got, want := d.Settle(g), diagram(t, "0 0 0 0 0 0 / 0 0 0 0 0 0 / 32 40 N"); got != want {
		t.Errorf("%v settles as %v, want %v", d, got, want)
	}
}

func TestRule6MangalaPasses(t *testing.T) {
	g := newGame(t, game.Mangala, 6)
	d := diagram(t, "0 0 0 0 0 0 / 3 0 1 0 0 1 / 30 37")
	if g.Over(d.Position()) || !g.Passes(d.Position()) {
		t.Errorf("%v: Over = %v, Passes = %v, want false, true", d, g.Over(d.Position()), g.Passes(d.Position()))
	}
	if got := d.Settle(g); got != d {
		t.Errorf("%v settles as %v, want it unchanged", d, got)
	}
	want := []game.Successor{{Pit: game.Pass, Next: d.Position().Swap()}}
	if diff := cmp.Diff(want, g.Successors(nil, d.Position())); diff != "" {
		t.Errorf("%v: successors (-want +got):\n%s", d, diff)
	}
	_, _, err := d.Play(g, 1)
	wantError(t, err, game.ErrMove, "illegal move 1: South has no beans and has to pass")
	played{
		rules: game.Mangala, start: d.String(), moves: []int{0, 9, 0, 12}, taken: []int{0, 0, 0, 0},
		want: "1 0 0 0 0 0 / 3 0 0 1 0 0 / 30 37 S",
	}.check(t)
	_, _, err = diagram(t, "1 0 0 0 0 0 / 1 0 0 0 0 0").Play(g, 0)
	wantError(t, err, game.ErrMove, "illegal move: South has beans and must not pass")

	// Play ends when the board is empty.
	d = diagram(t, "0 0 0 0 0 0 / 0 0 0 0 0 0 / 30 42")
	if !g.Over(d.Position()) || g.Passes(d.Position()) {
		t.Errorf("%v: Over = %v, Passes = %v, want true, false", d, g.Over(d.Position()), g.Passes(d.Position()))
	}
	if got := g.Final(d.Position()); got != 0 {
		t.Errorf("%v: Final = %d, want 0", d, got)
	}
	if got := d.Settle(g); got != d {
		t.Errorf("%v settles as %v, want it unchanged", d, got)
	}

	// Hemprich's end rule is the same rule.
	if got, err := game.ParseRules("hemprich"); got != game.Mangala || err != nil {
		t.Errorf("ParseRules(hemprich) = %v, %v, want mangala", got, err)
	}
}

func TestRule7MoreBeansWin(t *testing.T) {
	for _, test := range []struct {
		position string
		score    game.Score
		want     game.Outcome
	}{
		{"0 0 0 0 0 0 / 0 0 0 0 0 0 / 37 35", 0, game.Win},
		{"0 0 0 0 0 0 / 0 0 0 0 0 0 / 36 36", 0, game.Draw},
		{"0 0 0 0 0 0 / 0 0 0 0 0 0 / 35 37", 0, game.Loss},
		{"0 0 0 0 0 0 / 0 0 0 0 0 0 / 37 35 N", 0, game.Loss},
		{"0 0 0 0 0 0 / 0 0 0 0 0 0 / 35 37 N", 0, game.Win},
		{"0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30", 0, game.Loss},
		{"0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30", 4, game.Draw},
		{"0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30", 8, game.Win},
		{"0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30 N", -4, game.Draw},
	} {
		if got := diagram(t, test.position).Outcome(test.score); got != test.want {
			t.Errorf("%s with score %d: got a %v, want a %v", test.position, test.score, got, test.want)
		}
	}
}

func TestRule8EndlessPlayEndsNothing(t *testing.T) {
	for _, line := range []played{
		{rules: game.Bohnenspiel, start: "1 / 0", moves: []int{1, 2}, taken: []int{0, 0}, want: "1 / 0"},
		{rules: game.Mangala, start: "1 / 0", moves: []int{1, 2}, taken: []int{0, 0}, want: "1 / 0"},
		{rules: game.Mangala, start: "1 0 / 0 0", moves: []int{1, 0, 2, 3, 0, 4}, taken: []int{0, 0, 0, 0, 0, 0}, want: "1 0 / 0 0"},
	} {
		line.check(t)
	}
}

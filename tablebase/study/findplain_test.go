package study_test

import (
	"context"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/study"
)

// parts are what is compared of a puzzle.
type parts struct {
	Score  game.Score
	Final  game.Beans
	Keys   []int
	Forced int
	Greedy study.Greedy
	Line   tablebase.Pits
}

func puzzleParts(p study.Puzzle) *parts {
	return &parts{p.Score, p.Final, p.Keys, p.Forced, p.Greedy, p.Line}
}

// puzzles looks at every position of a layer, with each way to share out the stores
// where none are given. It returns the puzzles by their positions.
func puzzles(tb testing.TB, db *tablebase.DB, o study.FindOptions) map[string]*parts {
	tb.Helper()
	layers := load(tb, db, o.Game, o.Beans)
	defer layers.Free()
	found := make(map[string]*parts)
	for number := range layers.Size(o.Beans) {
		p := layers.Position(o.Beans, number)
		value, err := db.Probe(o.Game, p)
		if err != nil {
			tb.Fatal(err)
		}
		if o.Game.Over(p) || value.Endless() {
			continue
		}
		d := game.Diagram{Width: o.Game.Width(), ToMove: o.ToMove}
		d.Rows[o.ToMove], d.Rows[o.ToMove.Other()] = p.Mover, p.Opponent
		if o.Stores != nil {
			d.Stores = *o.Stores
		} else if !shareOut(&d, o, value.Score) {
			continue
		}
		final := d.Lead() + int(value.Score)
		if !reaches(o.Stipulation, final, int(value.Score)) {
			continue
		}
		if puzzle := puzzle(tb, db, o, d, value.Score); puzzle != nil {
			found[d.String()] = puzzle
		}
	}
	return found
}

// shareOut finds the stores of a whole game with which the side to move just does what
// is asked: it tries all.
func shareOut(d *game.Diagram, o study.FindOptions, score game.Score) bool {
	all := game.MaxBeans(o.Game.Width()) - o.Beans
	least := 1000
	var best [2]int
	for south := range all + 1 {
		d.Stores = [2]int{south, all - south}
		final := d.Lead() + int(score)
		lead := final
		if o.Stipulation.Goal == study.Score || o.Stipulation.Goal == study.Best {
			lead = d.Lead() // it makes no difference, so the stores are equal, or nearly so
		}
		if reaches(o.Stipulation, final, int(score)) && lead >= 0 && lead < least {
			least, best = lead, d.Stores
		}
	}
	d.Stores = best
	return least < 1000
}

// reaches reports whether a final lead, and a score, do what is asked.
func reaches(s study.Stipulation, final, score int) bool {
	switch s.Goal {
	case study.Win:
		return final > 0
	case study.Draw:
		return final == 0
	case study.WinBy:
		return final >= s.Beans
	case study.Score:
		return score == s.Beans
	default:
		return true
	}
}

// puzzle describes a position if it is a puzzle; else it returns nil.
func puzzle(tb testing.TB, db *tablebase.DB, o study.FindOptions, d game.Diagram, score game.Score) *parts {
	tb.Helper()
	best := d.Lead() + int(score)
	// keeps reports whether a final lead of the side to move does as well.
	keeps := func(final int) bool {
		switch o.Stipulation.Goal {
		case study.Win:
			return final > 0
		case study.WinBy:
			return final >= o.Stipulation.Beans
		default:
			return final >= best
		}
	}
	// look returns the moves that keep the result, all moves, and what each takes.
	look := func(d game.Diagram) (keeping, all []int, takes map[int]int) {
		takes = make(map[int]int)
		for _, m := range o.Game.Successors(nil, d.Position()) {
			score := o.Game.Final(m.Next)
			if !o.Game.Over(m.Next) {
				score = tabletest.Probe(tb, db, o.Game, m.Next)
			}
			pit := d.Number(m.Pit)
			all = append(all, pit)
			takes[pit] = m.Captured
			if keeps(d.Lead() + m.Captured - int(score)) {
				keeping = append(keeping, pit)
			}
		}
		return keeping, all, takes
	}
	keeping, all, takes := look(d)
	greedy := study.Greedy{}
	for _, pit := range all {
		if takes[pit] > greedy.Captured {
			greedy = study.Greedy{Captured: takes[pit]}
		}
		if takes[pit] == greedy.Captured {
			greedy.Pits = append(greedy.Pits, pit)
		}
	}
	if len(keeping) != 1 || len(all) < 2 {
		return nil
	}
	if takes[keeping[0]] == greedy.Captured {
		if !o.AnyCapture {
			return nil
		}
		greedy = study.Greedy{Pits: []int{}}
	}
	line, err := db.Line(context.Background(), o.Game.Rules(), d, tablebase.LineOptions{})
	if err != nil {
		tb.Fatal(err)
	}
	found := &parts{Score: score, Greedy: greedy, Final: *line.Final}
	choice := false
	for i, ply := range line.Plies {
		pit := 0
		if ply.Pit != nil {
			pit = *ply.Pit
		}
		found.Line = append(found.Line, pit)
		if keeping, all, _ := look(d); i%2 == 0 && !choice {
			choice = len(keeping) > 1
			if len(keeping) == 1 && len(all) > 1 {
				found.Keys = append(found.Keys, i+1)
			}
		}
		if !choice {
			found.Forced = i + 1
		}
		d = playMove(tb, o.Game, d, pit)
	}
	return found
}

package study

import (
	"slices"

	"bohnenspiel/solver/game"
)

// Summary is what games have in common. Only games without flaws count, except for Games
// and Flawed.
type Summary struct {
	Games  int `json:"games"`
	Flawed int `json:"flawed"`
	// Unfinished are games whose play is not over; the next three are the others.
	Unfinished int `json:"unfinished"`
	SouthWins  int `json:"southWins"`
	NorthWins  int `json:"northWins"`
	Draws      int `json:"draws"`
	// Whole are the lengths of games that are over and began with the opening position.
	Whole Lengths `json:"whole"`
	// Known are games that the tables know from some position on, Turned those of them
	// with a move that changed the outcome.
	Known  int `json:"known"`
	Turned int `json:"turned"`
	// Judged are the moves that the tables know, Best those of them that lost nothing,
	// Lost is how many beans the others lost.
	Judged int `json:"judged"`
	Best   int `json:"best"`
	Lost   int `json:"lost"`
}

// Lengths are the lengths of games in moves of both sides. All fields are 0 where
// there are no games.
type Lengths struct {
	Games    int     `json:"games"`
	Mean     float64 `json:"mean"`
	Median   float64 `json:"median"`
	Shortest int     `json:"shortest"`
	Longest  int     `json:"longest"`
	// Usual are the games of UsualShortest to UsualLongest moves.
	Usual int `json:"usual"`
}

// Most recorded games are said to have from UsualShortest to UsualLongest moves.
const (
	UsualShortest = 28
	UsualLongest  = 65
)

// Summarize counts what games have in common.
func Summarize(games []Record) Summary {
	var s Summary
	var whole []int
	for _, g := range games {
		s.Games++
		if g.Flaw != nil {
			s.Flawed++
			continue
		}
		switch winner, won := g.Winner(); {
		case !g.Over:
			s.Unfinished++
		case !won:
			s.Draws++
		case winner == game.South:
			s.SouthWins++
		default:
			s.NorthWins++
		}
		if g.Over && g.Whole {
			whole = append(whole, g.Length)
		}
		s.judge(g)
	}
	s.Whole = lengths(whole)
	return s
}

// judge counts what the moves of a game were worth.
func (s *Summary) judge(g Record) {
	if g.Known == nil {
		return
	}
	s.Known++
	if g.TurningPoint != nil {
		s.Turned++
	}
	for _, move := range g.Plies {
		if move.Lost == nil {
			continue
		}
		s.Judged++
		if *move.Lost == 0 {
			s.Best++
		}
		s.Lost += *move.Lost
	}
}

// lengths describes the lengths of games.
func lengths(all []int) Lengths {
	l := Lengths{Games: len(all)}
	if l.Games == 0 {
		return l
	}
	slices.Sort(all)
	sum := 0
	for _, length := range all {
		sum += length
		if length >= UsualShortest && length <= UsualLongest {
			l.Usual++
		}
	}
	l.Mean = float64(sum) / float64(len(all))
	l.Median = float64(all[(len(all)-1)/2]+all[len(all)/2]) / 2
	l.Shortest, l.Longest = all[0], all[len(all)-1]
	return l
}

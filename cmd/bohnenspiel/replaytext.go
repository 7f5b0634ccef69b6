package main

import (
	"fmt"
	"strings"

	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/study"
)

// gamesText prints what came of games for people, file by file with its parties.
func gamesText(files []gameFile) string {
	var text strings.Builder
	for _, f := range files {
		for i, record := range f.records {
			fmt.Fprintf(&text, "%s\n", recordText(f, i, record))
		}
		for _, partie := range study.Parties(f.records) {
			fmt.Fprintf(&text, "%s\n", partieText(partie))
		}
	}
	return text.String()
}

// recordText prints what came of the i-th game of a file for people.
func recordText(f gameFile, i int, r study.Record) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s, game %d", f.name, i+1)
	for _, tag := range f.games[i].Tags {
		fmt.Fprintf(&text, ", %s", tag.Value)
	}
	fmt.Fprintf(&text, "\n%s, %s.\n", words.Things(r.Length, "move"), resultText(r))
	if r.Flaw != nil {
		fmt.Fprintf(&text, "%s:%d:%d: ply %d: %s\n", f.name, r.Flaw.Line, r.Flaw.Column, r.Flaw.Ply, r.Flaw.Message)
	}
	if r.Known == nil {
		text.WriteString("The tables know none of its positions.\n")
		return text.String()
	}
	text.WriteByte('\n')
	text.WriteString(movesTable(r))
	if r.Lost == (game.Beans{}) {
		text.WriteString("No side lost a bean.\n")
		return text.String()
	}
	fmt.Fprintf(&text, "South lost %s, North %d. ", words.Things(r.Lost.South, "bean"), r.Lost.North)
	if r.TurningPoint == nil {
		text.WriteString("No move changed the result.\n")
		return text.String()
	}
	move := r.Plies[*r.TurningPoint-1]
	fmt.Fprintf(&text, "The turning point is ply %d: %s played %s, and a %v became a %v.\n",
		move.Ply, move.Side, words.MoveName(words.MoveNumber(move.Pit)), *move.Outcome, *move.After)
	return text.String()
}

// resultText says how a game ended.
func resultText(r study.Record) string {
	stores := fmt.Sprintf("%d–%d", r.Stores.South, r.Stores.North)
	winner, won := r.Winner()
	switch {
	case !r.Over:
		return stores + ", and play is not over"
	case !won:
		return stores + ", a draw"
	default:
		return fmt.Sprintf("%s, %v has won", stores, winner)
	}
}

// movesTable lists the moves that the tables know.
func movesTable(r study.Record) string {
	rows := words.NewTable()
	rows.Row("", "ply", "beans", "side", "move", "takes", "lost", "best", "South–North", "result")
	for _, move := range r.Plies {
		if move.Score == nil {
			continue
		}
		mark, lost, best, final := "", "-", "-", "-"
		if *move.After != *move.Outcome {
			mark = "!"
		}
		if *move.Lost > 0 {
			lost, best = fmt.Sprint(*move.Lost), words.PitList(move.Best)
		}
		if move.Final != nil {
			final = fmt.Sprintf("%d–%d", move.Final.South, move.Final.North)
		}
		rows.Row(mark, fmt.Sprint(move.Ply), fmt.Sprint(move.Beans), move.Side.String(), words.MoveName(words.MoveNumber(move.Pit)), fmt.Sprint(move.Captured), lost, best, final,
			resultOf(move.Side, *move.After))
	}
	return rows.String()
}

// partieText prints a Partie for people.
func partieText(p study.Partie) string {
	var text strings.Builder
	fmt.Fprintf(&text, "Partie of %s and %s, a point a bean, to %d points\n\n", p.Players[0], p.Players[1], study.PartiePoints)
	rows := words.NewTable()
	rows.Row("round", "game", p.Players[0], p.Players[1])
	for i, round := range p.Rounds {
		rows.Row(fmt.Sprint(i+1), fmt.Sprint(round.Game), fmt.Sprint(round.Points[0]), fmt.Sprint(round.Points[1]))
	}
	rows.Row("all", "", fmt.Sprint(p.Points[0]), fmt.Sprint(p.Points[1]))
	text.WriteString(rows.String())
	switch {
	case p.Winner != nil:
		fmt.Fprintf(&text, "%s has won it.\n", *p.Winner)
	case p.Over:
		text.WriteString("It is a draw.\n")
	default:
		text.WriteString("It is not over.\n")
	}
	return text.String()
}

// summaryText prints what the games have in common for people.
func summaryText(s study.Summary) string {
	rows := words.NewTable()
	games := uint64(s.Games)
	row := func(name string, n int, of uint64) { rows.Row(name, fmt.Sprint(n), words.Percent(uint64(n), of)) }
	rows.Row("games", fmt.Sprint(s.Games), "")
	row("with a flaw", s.Flawed, games)
	row("not over", s.Unfinished, games)
	over := uint64(s.SouthWins + s.NorthWins + s.Draws)
	row("won by South", s.SouthWins, over)
	row("won by North", s.NorthWins, over)
	row("drawn", s.Draws, over)
	var text strings.Builder
	text.WriteString(rows.String())
	if w := s.Whole; w.Games > 0 {
		fmt.Fprintf(&text, "%s from the opening: %.1f moves on average, median %g, from %d to %d; %s of them %d to %d\n",
			words.Things(w.Games, "game"), w.Mean, w.Median, w.Shortest, w.Longest,
			words.Percent(uint64(w.Usual), uint64(w.Games)), study.UsualShortest, study.UsualLongest)
	}
	if s.Known > 0 {
		fmt.Fprintf(&text, "the tables know the endings of %s, %s: %s best, %s lost; %s with a turning point\n",
			words.Things(s.Known, "game"), words.Things(s.Judged, "move"), words.Percent(uint64(s.Best), uint64(s.Judged)),
			words.Things(s.Lost, "bean"), words.Things(s.Turned, "game"))
	}
	return text.String()
}

// resultOf says what an outcome of a side means for the game.
func resultOf(side game.Side, o game.Outcome) string {
	switch o {
	case game.Win:
		return side.String() + " wins"
	case game.Loss:
		return side.Other().String() + " wins"
	default:
		return "draw"
	}
}

// gameLine is the JSON object of a game.
type gameLine struct {
	Kind   string `json:"kind"` // "game"
	File   string `json:"file"`
	Number int    `json:"number"` // of the game in its file, counted from 1
	study.Record
}

// partieLine is the JSON object of a Partie.
type partieLine struct {
	Kind string `json:"kind"` // "partie"
	File string `json:"file"`
	study.Partie
}

// summaryLine is the JSON object of all games together.
type summaryLine struct {
	Kind string `json:"kind"` // "summary"
	study.Summary
}

// gameObjects returns for JSON what gamesText prints.
func gameObjects(files []gameFile) []any {
	var objects []any
	for _, f := range files {
		for i, record := range f.records {
			objects = append(objects, gameLine{"game", f.name, i + 1, record})
		}
		for _, partie := range study.Parties(f.records) {
			objects = append(objects, partieLine{"partie", f.name, partie})
		}
	}
	return objects
}

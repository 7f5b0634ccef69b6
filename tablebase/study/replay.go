package study

import (
	"errors"
	"fmt"
	"slices"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
)

// Prober knows the scores of positions: a [tablebase.DB].
type Prober interface {
	// Probe returns what is known of a position. The error wraps
	// tablebase.ErrNoLayer when the position has too many beans.
	Probe(g game.Game, p game.Position) (tablebase.Value, error)
}

// Replay plays the moves of a game and checks them and the result. From the first
// position that the tables know it says what each move was worth. Tables may be nil.
//
// What is wrong with the game is in the record. The error is ErrWidth, or one of the
// tables other than that they don't hold a position.
func Replay(tables Prober, played Game) (Record, error) {
	g, err := game.New(played.Rules, played.Diagram.Width)
	if err != nil {
		return Record{}, err
	}
	const beansPerPit = 6 // rule 1
	r := replayer{game: g, tables: tables, diagram: played.Diagram, record: Record{
		Tags:     make(map[string]string, len(played.Tags)),
		Rules:    played.Rules,
		Position: played.Diagram.String(),
		Whole:    played.Diagram == g.StartDiagram(beansPerPit),
		Plies:    []PlayedMove{},
	}}
	for _, tag := range played.Tags {
		r.record.Tags[tag.Name] = tag.Value
	}
	if result := played.Result; result != nil {
		r.record.Result = &game.Beans{South: result.South, North: result.North}
	}
	for _, move := range played.Moves.Moves {
		if err := r.play(move); err != nil {
			return Record{}, fmt.Errorf("ply %d: %w", r.record.Length+1, err)
		}
		if r.record.Flaw != nil {
			break
		}
	}
	r.end(played.Place)
	return r.record, nil
}

// replayer plays a game.
type replayer struct {
	game    game.Game
	tables  Prober
	diagram game.Diagram // the position that is reached
	record  Record
}

// play plays a move. Where it is not legal, it only notes the flaw.
func (r *replayer) play(m Move) error {
	before := r.diagram
	after, captured, err := before.Play(r.game, m.Number)
	if err != nil {
		r.flaw(FlawMove, m.Place, r.record.Length+1, err.Error())
		return nil
	}
	played := PlayedMove{
		Ply:      r.record.Length + 1,
		Side:     before.ToMove,
		Captured: captured,
		Beans:    before.Position().Beans(),
	}
	if m.Number != 0 {
		played.Pit = new(m.Number)
	}
	if err := r.judge(&played, before, m.Number); err != nil {
		return err
	}
	r.diagram = after
	r.record.Length++
	r.record.Plies = append(r.record.Plies, played)
	return nil
}

// judge says what a legal move is worth, if the tables know all moves.
func (r *replayer) judge(played *PlayedMove, before game.Diagram, number int) error {
	if r.tables == nil {
		return nil
	}
	p := before.Position()
	moves := r.game.Successors(nil, p)
	scores := make([]game.Score, len(moves))
	values := make([]tablebase.Value, len(moves)) // of the positions after them
	for i, m := range moves {
		next, err := r.tables.Probe(r.game, m.Next)
		if errors.Is(err, format.ErrNoLayer) {
			return nil
		}
		if err != nil {
			return err
		}
		scores[i], values[i] = game.Score(m.Captured)-next.Score, next
	}
	best := slices.Max(scores)
	played.Score, played.Outcome = &best, new(before.Outcome(best))
	for i, m := range moves {
		if scores[i] == best {
			played.Best = append(played.Best, before.Number(m.Pit))
		}
		if before.Number(m.Pit) == number {
			played.After, played.Lost = new(before.Outcome(scores[i])), new(int(best-scores[i]))
			if !values[i].Endless() {
				played.Final = new(before.Final(scores[i]))
			}
		}
	}
	if r.record.Known == nil {
		r.record.Known = new(played.Ply)
	}
	if *played.After != *played.Outcome {
		r.record.TurningPoint = new(played.Ply)
	}
	if before.ToMove == game.South {
		r.record.Lost.South += *played.Lost
	} else {
		r.record.Lost.North += *played.Lost
	}
	return nil
}

// end compares what the stores hold with the recorded result.
func (r *replayer) end(place Place) {
	record := &r.record
	record.Over = r.game.Over(r.diagram.Position())
	record.Stores = r.diagram.Settle(r.game).Won()
	switch {
	case record.Flaw != nil || record.Result == nil || record.Stores == *record.Result:
	case !record.Over:
		r.flaw(FlawUnfinished, place, record.Length, fmt.Sprintf("play is not over, and the stores hold %v, not the result %v", record.Stores, *record.Result))
	default:
		r.flaw(FlawResult, place, record.Length, fmt.Sprintf("the game ends %v, not %v", record.Stores, *record.Result))
	}
}

func (r *replayer) flaw(kind FlawKind, place Place, ply int, message string) {
	r.record.Flaw = &Flaw{Kind: kind, Ply: ply, Line: place.Line, Column: place.Column, Message: message}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/study"
)

// errFlawed is returned when a game has a flaw.
var errFlawed = errors.New("not all games are right: the report says which")

// replayFlags are the flags of replay.
type replayFlags struct {
	*session.Options
	summary bool
	noBuild bool
}

func newReplayCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := replayFlags{Options: shared}
	cmd := &cobra.Command{
		Use:   "replay FILE… | -",
		Short: "Play recorded games, and say where they were lost",
		Long: `replay plays the games of files, or of standard input, and checks every move
and the final score. From the first position that the tables know, it says what
each move was worth: best, or so many beans lost. The turning point is the last
move that changed who wins. Games of one file with the same tags South and North
make a Partie of rounds to 100 points.

Missing tables of up to 16 beans are built on the spot. The status is 1 if a
move is illegal or a result wrong.`,
		Example: `  bohnenspiel replay my.games
  bohnenspiel replay --summary --json *.games`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return session.Usagef("replay needs a file of games, or - for standard input")
			}
			return o.run(cmd.Context(), c, args)
		},
	}
	cmd.Flags().BoolVar(&o.summary, "summary", false, "print the summary alone")
	cmd.Flags().BoolVar(&o.noBuild, "no-build", false, "never build: judge the moves that the tables know")
	return cmd
}

// gameFile is the games of a file.
type gameFile struct {
	name    string
	games   []study.Game
	records []study.Record
}

func (o *replayFlags) run(ctx context.Context, c console.Console, names []string) (err error) {
	files := make([]gameFile, len(names))
	for i, name := range names {
		if files[i], err = readGames(c, name); err != nil {
			return err
		}
	}
	s, err := session.New(c, o.Options, o.noBuild)
	if err != nil {
		return err
	}
	defer s.End(&err)
	if !o.noBuild {
		if err := o.prepare(ctx, s, files); err != nil {
			return err
		}
	}
	var tables study.Prober
	if s.DB != nil {
		tables = s.DB
	}
	flawed := false
	for i := range files {
		f := &files[i]
		for number, played := range f.games {
			if err := ctx.Err(); err != nil {
				return err
			}
			record, err := study.Replay(tables, played)
			if err != nil {
				return fmt.Errorf("%s: game %d: %w", f.name, number+1, err)
			}
			flawed = flawed || record.Flaw != nil
			f.records = append(f.records, record)
		}
	}
	if err := o.print(c, files); err != nil {
		return err
	}
	if flawed {
		return errFlawed
	}
	return nil
}

// readGames reads a file of games.
func readGames(c console.Console, name string) (gameFile, error) {
	file, text, err := session.ReadFile(c, name)
	f := gameFile{name: file}
	if err != nil {
		return f, err
	}
	if f.games, err = study.ParseGames(f.name, text); err != nil {
		return f, session.Usagef("%w", err)
	}
	return f, nil
}

// prepare makes sure that there are tables for the endings of the games, as far as a
// query would build them.
func (o *replayFlags) prepare(ctx context.Context, s *session.Session, files []gameFile) error {
	type layers struct {
		game   game.Game
		parity int
	}
	most := make(map[layers]int) // beans
	var order []layers
	for _, f := range files {
		for _, played := range f.games {
			g, err := game.New(played.Rules, played.Diagram.Width)
			if err != nil {
				return err
			}
			d := played.Diagram
			key := layers{g, d.Position().Beans() % 2}
			if _, met := most[key]; !met {
				most[key] = -1
				order = append(order, key)
			}
			for _, move := range played.Moves.Moves {
				if beans := d.Position().Beans(); beans <= session.MaxBuildBeans {
					most[key] = max(most[key], beans)
				}
				if d, _, err = d.Play(g, move.Number); err != nil {
					break // replay tells
				}
			}
		}
	}
	for _, key := range order {
		if most[key] < 0 {
			continue
		}
		if err := s.Prepare(ctx, key.game, most[key]); err != nil {
			return err
		}
	}
	return nil
}

// print prints what came of the games, unless the summary is wanted alone, and the summary.
func (o *replayFlags) print(c console.Console, files []gameFile) error {
	var all []study.Record
	for _, f := range files {
		all = append(all, f.records...)
	}
	summary := study.Summarize(all)
	if o.summary {
		files = nil
	}
	if !o.JSON {
		return c.Print(gamesText(files) + summaryText(summary))
	}
	var text bytes.Buffer
	lines := json.NewEncoder(&text) // unlike PrintJSON, it escapes <, > and &
	for _, object := range append(gameObjects(files), summaryLine{"summary", summary}) {
		if err := lines.Encode(object); err != nil {
			return err
		}
	}
	_, err := c.Out.Write(text.Bytes())
	return err
}

package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/study"
)

// findFlags are the flags of study find.
type findFlags struct {
	*session.Options
	beans       int
	stipulation string
	side        string
	stores      string
	keys        int
	limit       int
	anyCapture  bool
	variants    bool
	studies     bool
	noBuild     bool
}

func newStudyFindCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := findFlags{Options: shared}
	cmd := &cobra.Command{
		Use:   "find --beans N",
		Short: "Look through a layer for positions worth composing with",
		Long: `find looks at all positions of a layer and lists those where one move alone
keeps the result, the key, and another would take more beans at once. The more
moves of the line of best play are keys, the better. Without --stores each
position gets those with which the side to move just reaches what it has to.

Missing tables of up to 16 beans are built on the spot.`,
		Example: `  bohnenspiel study find --beans 8
  bohnenspiel study find --beans 12 --stipulation draw --side north --keys 9`,
		Args: session.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !cmd.Flags().Changed("beans") {
				return session.Usagef("study find needs --beans N, the layer to look at")
			}
			return o.run(cmd.Context(), c)
		},
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.IntVar(&o.beans, "beans", 0, "the layer with `N` beans on the board")
	flags.StringVar(&o.stipulation, "stipulation", "win", "what to reach, as in a `STUDY`: win, draw, win by N,\nscore N or best")
	flags.StringVar(&o.side, "side", "south", "the `SIDE` to move: south or north")
	flags.StringVar(&o.stores, "stores", "", "beans that South and North have won, such as 28-32:\n`S-N`")
	flags.IntVar(&o.keys, "keys", 1, "at least `N` keys in the line")
	flags.IntVar(&o.limit, "limit", 10, "list the best `N`; 0 means all")
	flags.BoolVar(&o.anyCapture, "any-capture", false, "list also positions where no move takes more than\nthe key")
	flags.BoolVar(&o.variants, "variants", false, "list also positions whose line soon joins that of a\nbetter one")
	flags.BoolVar(&o.studies, "studies", false, "print them as a file of studies")
	flags.BoolVar(&o.noBuild, "no-build", false, "never build: fail when a table is missing")
	return cmd
}

func (o *findFlags) run(ctx context.Context, c console.Console) (err error) {
	find, err := o.parse()
	if err != nil {
		return err
	}
	s, err := session.New(c, o.Options, o.noBuild)
	if err != nil {
		return err
	}
	defer s.End(&err)
	if err := s.Prepare(ctx, find.Game, find.Beans); err != nil {
		return err
	}
	layers, err := s.DB.LoadUpTo(ctx, find.Game, find.Beans, o.Workers)
	if err != nil {
		return err
	}
	defer layers.Free()
	findings, err := study.Find(ctx, layers, find)
	if err != nil {
		return err
	}
	text, err := o.render(find, findings)
	if err != nil {
		return err
	}
	_, err = c.Out.Write(text)
	return err
}

// parse returns what to look for.
func (o *findFlags) parse() (study.FindOptions, error) {
	find := study.FindOptions{Beans: o.beans, Keys: o.keys, Limit: o.limit, Variants: o.variants, AnyCapture: o.anyCapture, Workers: o.Workers}
	var err error
	if find.Game, err = o.GameWith(o.beans); err != nil {
		return find, err
	}
	if o.keys < 1 || o.limit < 0 {
		return find, session.Usagef("--keys %d --limit %d: want at least 1 and 0", o.keys, o.limit)
	}
	if o.JSON && o.studies {
		return find, session.Usagef("--json and --studies are two forms of the same: want one of them")
	}
	switch strings.ToLower(o.side) {
	case "south", "s":
	case "north", "n":
		find.ToMove = game.North
	default:
		return find, session.Usagef("--side %q: want south or north", o.side)
	}
	if find.Stipulation, err = study.ParseStipulation(o.stipulation); err != nil {
		return find, session.Usagef("--stipulation: %w", err)
	}
	if find.Stipulation.For != study.ToMove {
		return find, session.Usagef("--stipulation %q: it is always for the side to move; --side says who that is", o.stipulation)
	}
	if o.stores != "" {
		find.Stores, err = o.parseStores()
	}
	return find, err
}

// parseStores reads what both stores hold.
func (o *findFlags) parseStores() (*[2]int, error) {
	south, north, _ := strings.Cut(o.stores, "-")
	var stores [2]int
	all := o.beans
	most := game.MaxBeans(o.Width)
	for side, text := range []string{south, north} {
		beans, err := strconv.ParseUint(strings.TrimSpace(text), 10, 8)
		if err != nil {
			return nil, session.Usagef("--stores %q: want South's and North's beans, such as 28-32", o.stores)
		}
		stores[side] = int(beans)
		all += stores[side]
	}
	if all > most {
		return nil, session.Usagef("--stores %q: that makes %d beans with the %d on the board; a 2×%d board has at most %d", o.stores, all, o.beans, o.Width, most)
	}
	return &stores, nil
}

func (o *findFlags) render(find study.FindOptions, findings study.Findings) ([]byte, error) {
	var text bytes.Buffer
	switch {
	case o.JSON:
		return console.JSONLines(findings.Puzzles...)
	case o.studies:
		studies := make([]study.Study, len(findings.Puzzles))
		for i, puzzle := range findings.Puzzles {
			var err error
			if studies[i], err = puzzle.Study(); err != nil {
				return nil, err
			}
		}
		if err := study.Format(&text, studies); err != nil {
			return nil, err
		}
	default:
		fmt.Fprintf(&text, "%s\n", findingsText(find, findings))
		for i, puzzle := range findings.Puzzles {
			board, err := game.ParseDiagram(puzzle.Position, 0)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&text, "\n%d. %s\n\n%s\n%s", i+1, puzzle.Position, board.Board(), puzzleText(board, puzzle))
		}
	}
	return text.Bytes(), nil
}

// findingsText says how many positions there are.
func findingsText(find study.FindOptions, findings study.Findings) string {
	text := fmt.Sprintf("%v, %v: %s with a key", format.KeyOf(find.Game, find.Beans), find.Stipulation, words.Things(findings.Positions, "position"))
	if !find.AnyCapture {
		text += " that takes less than another move"
	}
	if listed := len(findings.Puzzles); uint64(listed) < findings.Positions {
		text += fmt.Sprintf("; the best %d", listed)
	}
	return text
}

// puzzleText prints what there is to say of a puzzle: the result, the line, and the
// stores that make it a win or a draw.
func puzzleText(board game.Diagram, p study.Puzzle) string {
	var text strings.Builder
	fmt.Fprintf(&text, "%v to move, %v: %d–%d.", board.ToMove, p.Stipulation, p.Final.South, p.Final.North)
	switch pits := p.Greedy.Pits; len(pits) {
	case 0:
	case 1:
		fmt.Fprintf(&text, " Move %s takes %d and spoils it.", words.PitList(pits), p.Greedy.Captured)
	default:
		fmt.Fprintf(&text, " Moves %s take %d each and spoil it.", words.PitList(pits), p.Greedy.Captured)
	}
	text.WriteByte('\n')
	fmt.Fprintf(&text, "%s: %s\n", words.Things(len(p.Keys), "key"), markedLine(p))
	stores := make([]string, 0, len(p.Win)+len(p.Draw))
	for _, s := range p.Win {
		stores = append(stores, fmt.Sprintf("%d–%d win", s.South, s.North))
	}
	for _, s := range p.Draw {
		stores = append(stores, fmt.Sprintf("%d–%d draw", s.South, s.North))
	}
	fmt.Fprintf(&text, "stores: %s\n", strings.Join(stores, ", "))
	return text.String()
}

// markedLine prints a line, with the keys marked.
func markedLine(p study.Puzzle) string {
	words := make([]string, len(p.Line))
	for i, number := range p.Line {
		words[i] = strconv.Itoa(number)
		if number == 0 {
			words[i] = "-"
		}
		if slices.Contains(p.Keys, i+1) {
			words[i] += "!"
		}
	}
	return strings.Join(words, " ")
}

package tablebase_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
)

// Example builds small layers and asks for a position.
func Example() {
	dir, err := os.MkdirTemp("", "bohnenspiel")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := ask(dir, "0 1 1 1 0 0 / 0 0 1 0 0 0"); err != nil {
		fmt.Println(err)
	}
	if err := os.RemoveAll(dir); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0-1-1-1-0-0-0-0-1-0-0-0-0-0-S: +4, a win
	// pit 3 takes 2, then +4
	// pit 4 takes 0, then +4
	// pit 2 takes 2, then +0
}

// ask builds the even layers up to 4 beans in a directory and prints the answer to a
// position.
func ask(dir, position string) error {
	g, err := game.New(game.Bohnenspiel, game.StandardWidth)
	if err != nil {
		return err
	}
	d, err := game.ParseDiagram(position, g.Width())
	if err != nil {
		return err
	}
	db, err := database.Create(dir, tablebase.Options{})
	if err != nil {
		return err
	}
	if _, err := build.Scores(context.Background(), db, build.Options{Game: g, Beans: 4}); err != nil {
		return errors.Join(err, db.Close())
	}
	answer, err := db.Answer(context.Background(), g.Rules(), d, tablebase.DefaultDepthLimit)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	fmt.Printf("%s: %+d, a %v\n", answer.Position, *answer.Score, answer.Outcome)
	for _, move := range answer.Moves {
		fmt.Printf("pit %d takes %d, then %+d\n", *move.Pit, move.Captured, *move.Score)
	}
	return db.Close()
}

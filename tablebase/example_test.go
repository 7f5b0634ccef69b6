package tablebase_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// Example builds small layers and asks for a position.
func Example() {
	dir, err := os.MkdirTemp("", "bohnenspiel")
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	db, err := tablebase.Create(dir, tablebase.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = db.Close() }()

	g, err := game.New(game.Bohnenspiel, game.StandardWidth)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := db.Build(context.Background(), tablebase.BuildOptions{Game: g, Beans: 4}); err != nil {
		log.Fatal(err)
	}
	d, err := game.ParseDiagram("0 1 1 1 0 0 / 0 0 1 0 0 0", 0)
	if err != nil {
		log.Fatal(err)
	}
	answer, err := db.Answer(game.Bohnenspiel, d)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s: %+d, a %v\n", answer.Position, *answer.Score, answer.Outcome)
	for _, move := range answer.Moves {
		fmt.Printf("pit %d takes %d, then %+d\n", *move.Pit, move.Captured, *move.Score)
	}
	// Output:
	// 0-1-1-1-0-0-0-0-1-0-0-0-0-0-S: +4, a win
	// pit 3 takes 2, then +4
	// pit 4 takes 0, then +4
	// pit 2 takes 2, then +0
}

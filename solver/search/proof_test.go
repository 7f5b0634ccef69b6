package search_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
)

// TestProof writes down proofs about random positions and verifies each step by the
// rules and the tables alone.
func TestProof(t *testing.T) {
	t.Parallel()
	positions := 60
	if testing.Short() {
		positions = 15
	}
	for _, c := range []struct {
		rules        game.Rules
		width, beans int
		memory       uint64
	}{
		{game.Bohnenspiel, 6, 9, 1 << 24},
		{game.Bohnenspiel, 6, 10, 1 << 24},
		{game.Mangala, 6, 9, 1 << 24},
		{game.Mangala, 6, 10, 1 << 14}, // the table loses most of it
		{game.Mangala, 2, 7, 1 << 20},
		{game.Bohnenspiel, 1, 8, 1 << 20},
	} {
		t.Run(fmt.Sprintf("%v/width=%d/beans=%d", c.rules, c.width, c.beans), func(t *testing.T) {
			t.Parallel()
			g := newGame(t, c.rules, c.width)
			tables := upTo{solveLayers(t, g, c.beans, true), 4}
			random := rand.New(rand.NewPCG(1, 2))
			s := search.New(search.Options{Game: g, Prober: tables, Workers: 1, Memory: c.memory})
			steps := 0
			for range positions {
				p := tables.index.Unrank(c.beans, random.Uint64N(tables.index.Size(c.beans)))
				score := int(solve(t, s, p))
				for _, bound := range []int{score, score + 1} {
					proof, err := s.Proof(t.Context(), p, bound)
					if errors.Is(err, search.ErrNoProof) && c.memory < 1<<20 {
						continue
					}
					if err != nil {
						t.Fatalf("%v at least %d: %v", p, bound, err)
					}
					v := newVerifier(tables, proof)
					v.want(t, p, bound, bound <= score)
					steps += len(proof)
				}
			}
			if steps == 0 {
				t.Error("no proof has any step")
			}
		})
	}
}

// verifier checks proofs step by step. It knows the rules and the tables.
type verifier struct {
	tables upTo
	steps  map[search.Question]search.Step
	all    []search.Step
}

func newVerifier(tables upTo, proof []search.Step) *verifier {
	v := &verifier{tables: tables, steps: make(map[search.Question]search.Step), all: proof}
	for _, step := range proof {
		v.steps[step.Question] = step
	}
	return v
}

// answer returns the answer to a question, by rules, tables and steps, and the rank of
// the step, or −1 if it is none.
func (v *verifier) answer(t *testing.T, p game.Position, bound int) (yes bool, rank int) {
	t.Helper()
	beans := p.Beans()
	switch score, ok := v.tables.Probe(p, beans); {
	case v.tables.game.Over(p):
		return int(v.tables.game.Final(p)) >= bound, -1
	case bound > beans:
		return false, -1
	case bound <= -beans:
		return true, -1
	case ok:
		return int(score) >= bound, -1
	}
	if beans%2 == 0 && bound%2 != 0 {
		bound++
	}
	step, ok := v.steps[search.Question{Position: p, Bound: int8(bound)}]
	if !ok {
		t.Fatalf("%v at least %d: no step", p, bound)
	}
	return step.Yes, step.Rank
}

// want verifies all steps, and that they show an answer.
func (v *verifier) want(t *testing.T, p game.Position, bound int, yes bool) {
	t.Helper()
	if got, _ := v.answer(t, p, bound); got != yes {
		t.Fatalf("%v at least %d: got %v, want %v", p, bound, got, yes)
	}
	if len(v.steps) != len(v.all) {
		t.Fatalf("%d steps answer %d questions", len(v.all), len(v.steps))
	}
	for _, step := range v.all {
		q := step.Question
		forced := step.Yes == (q.Bound > 0)
		moves := 0
		for _, s := range v.tables.game.Successors(nil, q.Position) {
			if step.Yes && s.Pit != step.Pit {
				continue
			}
			moves++
			answer, rank := v.answer(t, s.Next, s.Captured-int(q.Bound)+1)
			if answer == step.Yes {
				t.Fatalf("%+v: move %d does not show it", step, s.Pit)
			}
			if forced && s.Captured == 0 && rank >= step.Rank {
				t.Fatalf("%+v: move %d leads to rank %d", step, s.Pit, rank)
			}
		}
		if moves == 0 || step.Yes != (step.Pit != search.AllMoves) {
			t.Fatalf("%+v: %d moves", step, moves)
		}
	}
}

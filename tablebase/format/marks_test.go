package format_test

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/internal/tabletest"
)

// TestMarkedScoresAreEncodedAlike encodes the same block from scores and from marks.
func TestMarkedScoresAreEncodedAlike(t *testing.T) {
	codec := tabletest.NewCodec()
	rapid.Check(t, func(rt *rapid.T) {
		s := drawSample(rt)
		step := rapid.SampledFrom([]int{2, 4}).Draw(rt, "step of the layer")
		marks := make([]byte, len(s.scores))
		for i, score := range s.scores {
			place := (int(score) + 72) / step
			s.scores[i] = game.Score(place*step - 72)
			marks[i] = byte(2 * place)
			if s.free != nil && s.free[i] {
				marks[i]++
			}
		}
		m := format.Marks{Bytes: make([]byte, len(marks)+format.MarksMargin), Count: len(marks)}
		copy(m.Bytes, marks)
		if !bytes.Equal(codec.EncodeMarked(s.id(), m, step), codec.Encode(s.id(), s.scores, s.free)) {
			rt.Fatal("the values differ")
		}
	})
}

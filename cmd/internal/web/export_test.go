package web

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"bohnenspiel/solver/game"
)

// Schemas returns the types of this package that the API encodes, by the names of their
// schemas.
func Schemas() map[string]reflect.Type {
	return map[string]reflect.Type{
		"Layers":        reflect.TypeFor[layersAnswer](),
		"Layer":         reflect.TypeFor[layerAnswer](),
		"Batch":         reflect.TypeFor[batchQuestion](),
		"BatchAnswer":   reflect.TypeFor[batchAnswer](),
		"BatchItem":     reflect.TypeFor[batchItem](),
		"StudiesAnswer": reflect.TypeFor[studiesAnswer](),
		"StudyItem":     reflect.TypeFor[studyItem](),
		"ErrorAnswer":   reflect.TypeFor[errorAnswer](),
		"Problem":       reflect.TypeFor[problem](),
	}
}

// Instrument wraps a handler as those of the server are.
func (s *Server) Instrument(h http.Handler) http.Handler { return s.instrument(h) }

// Occupy takes one of the places for work until release is called.
func (s *Server) Occupy() (release func()) {
	s.working <- struct{}{}
	return func() { <-s.working }
}

// ReasonOf returns the name of the text for an error with a code.
func ReasonOf(code string) string { return problem{Code: code}.Reason() }

// Texts returns the texts of the page by language.
func Texts() map[string]map[string]string {
	return map[string]map[string]string{english: englishTexts(), german: germanTexts()}
}

// Puzzles returns all puzzles in the order of their days.
func Puzzles(t *testing.T) []game.Diagram {
	t.Helper()
	var all []game.Diagram
	for line := range strings.Lines(puzzleText) {
		d, err := game.ParseDiagram(line, 0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, d)
	}
	return all
}

// CachedBytes returns about how many bytes of answers are kept.
func (s *Server) CachedBytes() int {
	s.cache.mu.Lock()
	defer s.cache.mu.Unlock()
	bytes := 0
	for _, generation := range []map[cacheKey][]byte{s.cache.young, s.cache.older} {
		for _, text := range generation {
			bytes += len(text) + cacheOverhead
		}
	}
	return bytes
}

package web

import (
	"context"
	"net/http"
	"net/url"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
)

// tablesPage lists all layers that can be asked for, game by game.
type tablesPage struct {
	Games    []gameTables
	Campaign bool // whether there is one to show
}

// gameTables are the layers of one game.
type gameTables struct {
	Rules  game.Rules
	Width  int
	Layers []format.Manifest
}

func (s *Server) tablesPage(context.Context, *http.Request, url.Values) (any, int, error) {
	page := tablesPage{Campaign: s.campaign != nil}
	for _, rules := range []game.Rules{game.Bohnenspiel, game.Mangala} {
		for width := game.MaxWidth; width >= game.MinWidth; width-- {
			if layers := s.databases.manifests(rules, width); len(layers) > 0 {
				page.Games = append(page.Games, gameTables{rules, width, layers})
			}
		}
	}
	return page, 0, nil
}

// layerPage shows the numbers of one layer.
type layerPage struct {
	format.Manifest
	Bars       []bar                      // one for each score that occurs, the highest first
	Depths     *tablebase.DepthStatistics // nil if the layer has none
	LongestURL string                     // of the page of the position with the longest DTC
}

// bar is a bar of a histogram.
type bar struct {
	Score     int
	Positions uint64
	Length    int // from 0 to longestBar
	Y         int // of its row
}

// The histogram of the page.
const (
	longestBar = 1000
	barStep    = 26
)

func (s *Server) layerPage(_ context.Context, r *http.Request, _ url.Values) (any, int, error) {
	q, err := requestOf(r)
	if err != nil {
		return nil, 0, err
	}
	m, numbers, err := s.layerOf(q)
	if err != nil {
		return nil, 0, err
	}
	page := layerPage{Manifest: m, Bars: barsOf(m), Depths: numbers.Depths}
	if page.Depths != nil {
		page.LongestURL = address(m.Rules, page.Depths.LongestPosition)
	}
	return page, 0, nil
}

// barsOf returns a bar for each score that occurs.
func barsOf(m format.Manifest) []bar {
	var most uint64
	for _, n := range m.Histogram {
		most = max(most, n)
	}
	var bars []bar
	for score := m.Beans; score >= -m.Beans; score-- {
		n := m.Histogram[score+m.Beans]
		if n > 0 {
			length := int((float64(n)*longestBar)/float64(most) + 0.5)
			bars = append(bars, bar{Score: score, Positions: n, Length: max(length, 1), Y: barStep * len(bars)})
		}
	}
	return bars
}

// BarsHeight returns the height of the histogram.
func (p layerPage) BarsHeight() int { return barStep * len(p.Bars) }

package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
)

// question is a request to the API, read whole and not yet answered.
type question struct {
	*http.Request
	query url.Values
	body  []byte
}

// endpoint answers a question with a value that is sent as JSON; a json.RawMessage is
// sent as it is.
type endpoint func(ctx context.Context, q question) (any, error)

// methods are the endpoints of one address.
type methods map[string]endpoint

// names lists the methods for the header Allow.
func (m methods) names() string {
	names := []string{http.MethodOptions}
	for name := range m {
		names = append(names, name)
		if name == http.MethodGet {
			names = append(names, http.MethodHead)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// api returns the handler of an address of the API. Pages of any origin may read it.
func (s *Server) api(all methods) http.Handler {
	allowed := all.names()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Access-Control-Allow-Origin", "*")
		header.Set("Access-Control-Expose-Headers", "ETag")
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		end := all[method]
		switch {
		case len(all) == 0:
			s.fail(w, r, errNotFound)
		case method == http.MethodOptions:
			header.Set("Allow", allowed)
			header.Set("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
			w.WriteHeader(http.StatusNoContent)
		case end == nil:
			header.Set("Allow", allowed)
			s.fail(w, r, errMethod)
		default:
			s.answer(w, r, end)
		}
	})
}

// answer reads a request, answers it, and sends the answer.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, end endpoint) {
	q := question{Request: r}
	var err error
	if q.query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		s.fail(w, r, fmt.Errorf("%w: %w", errQuery, err))
		return
	}
	if r.Method == http.MethodPost {
		if q.body, err = s.body(w, r); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	var text []byte
	err = s.work(r.Context(), func(ctx context.Context) error {
		answer, err := end(ctx, q)
		if err != nil {
			return err
		}
		raw, ok := answer.(json.RawMessage)
		if !ok {
			raw, err = encode(answer)
		}
		text = raw
		return err
	})
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	send(w, r, text, tablesNeverChange)
}

// Encode returns a value as a line of JSON, as the commands print it.
func encode(value any) ([]byte, error) {
	var line bytes.Buffer
	err := json.NewEncoder(&line).Encode(value)
	return line.Bytes(), err
}

// fail sends an error.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	s.report(r, p.status, err)
	if p.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	text, err := encode(errorAnswer{p})
	if err != nil {
		panic(err) // strings can always be encoded
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(p.status)
	_, _ = w.Write(text) // who has gone needs no answer
}

// position answers GET /v1/{rules}?position=….
func (s *Server) position(ctx context.Context, q question) (any, error) {
	rules, d, err := q.diagram()
	if err != nil {
		return nil, err
	}
	s.metrics.positions.Inc()
	key := keptKey{rules, d}
	if text := s.kept.get(key); text != nil {
		return json.RawMessage(text), nil
	}
	answer, err := s.tables.answer(ctx, rules, d, s.limits.Depths)
	if err != nil {
		return nil, err
	}
	text, err := encode(answer)
	if err == nil {
		s.kept.add(key, text)
	}
	return json.RawMessage(text), err
}

// line answers GET /v1/{rules}/line?position=….
func (s *Server) line(ctx context.Context, q question) (any, error) {
	rules, d, err := q.diagram()
	if err != nil {
		return nil, err
	}
	s.metrics.positions.Inc()
	return s.tables.line(ctx, rules, d, s.limits.Visited)
}

// rules reads the name of the game in the address.
func (q question) rules() (game.Rules, error) { return game.ParseRules(q.PathValue("rules")) }

// width reads the width of the board; 0 means that none is named.
func (q question) width() (int, error) {
	text := q.query.Get("width")
	if text == "" {
		return 0, nil
	}
	width, err := strconv.Atoi(text)
	if err != nil || width < game.MinWidth || width > game.MaxWidth {
		return 0, errWidth
	}
	return width, nil
}

// Diagram reads game and position.
func (q question) diagram() (game.Rules, game.Diagram, error) {
	rules, err := q.rules()
	if err != nil {
		return 0, game.Diagram{}, err
	}
	width, err := q.width()
	if err != nil {
		return 0, game.Diagram{}, err
	}
	text := q.query["position"]
	if len(text) != 1 || strings.TrimSpace(text[0]) == "" {
		return 0, game.Diagram{}, errNoPosition
	}
	d, err := game.ParseDiagram(text[0], width)
	return rules, d, err
}

// layersAnswer is the answer to GET /v1/{rules}/layers.
type layersAnswer struct {
	Layers []tablebase.Statistics `json:"layers"` // ordered by beans
}

// Layers answers GET /v1/{rules}/layers.
func (s *Server) layers(_ context.Context, q question) (any, error) {
	rules, width, err := q.game()
	if err != nil {
		return nil, err
	}
	answer := layersAnswer{Layers: []tablebase.Statistics{}}
	for _, m := range s.tables.manifests(rules, width) {
		numbers, err := s.tables.statistics(m)
		if err != nil {
			return nil, err
		}
		answer.Layers = append(answer.Layers, numbers)
	}
	return answer, nil
}

// Game reads a game by rules and width, which is that of the usual board unless named.
func (q question) game() (game.Rules, int, error) {
	rules, err := q.rules()
	if err != nil {
		return 0, 0, err
	}
	width, err := q.width()
	if width == 0 {
		width = game.StandardWidth
	}
	return rules, width, err
}

// layerAnswer is the answer to GET /v1/{rules}/layers/{beans}.
type layerAnswer struct {
	tablebase.Statistics
	// Histogram counts the positions of each score, from −beans to beans.
	Histogram []uint64 `json:"histogram"`
}

// layer answers GET /v1/{rules}/layers/{beans}.
func (s *Server) layer(_ context.Context, q question) (any, error) {
	rules, width, err := q.game()
	if err != nil {
		return nil, err
	}
	beans, err := strconv.Atoi(q.PathValue("beans"))
	if err != nil || beans < 0 || beans > game.MaxBeans(width) {
		return nil, errBeans
	}
	m, err := s.tables.manifest(format.Key{Rules: rules, Width: width, Beans: beans})
	if err != nil {
		return nil, err
	}
	numbers, err := s.tables.statistics(m)
	return layerAnswer{numbers, m.Histogram}, err
}

// batchQuestion is the body of POST /v1/{rules}/batch.
type batchQuestion struct {
	Positions []string `json:"positions"`
}

// batchAnswer is the answer to POST /v1/{rules}/batch.
type batchAnswer struct {
	Answers []batchItem `json:"answers"` // one for each position, in order
}

// batchItem is what became of one position: one of the fields is null.
type batchItem struct {
	Answer *tablebase.Answer `json:"answer"`
	Error  *problem          `json:"error"`
}

// Batch answers POST /v1/{rules}/batch. A position that cannot be answered leaves the
// others alone.
func (s *Server) batch(ctx context.Context, q question) (any, error) {
	rules, err := q.rules()
	if err != nil {
		return nil, err
	}
	positions, err := readBatch(q.body)
	if err != nil {
		return nil, err
	}
	if len(positions) > s.limits.Batch {
		return nil, fmt.Errorf("%w: %d", errManyAtOnce, len(positions))
	}
	answer := batchAnswer{Answers: make([]batchItem, len(positions))}
	for i, text := range positions {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		d, err := game.ParseDiagram(text, 0)
		if err == nil {
			s.metrics.positions.Inc()
			var a tablebase.Answer
			a, err = s.tables.answer(ctx, rules, d, s.limits.Depths)
			answer.Answers[i].Answer = &a
		}
		if err != nil {
			p := problemOf(err)
			s.report(q.Request, p.status, err)
			answer.Answers[i] = batchItem{Error: &p}
		}
	}
	return answer, nil
}

// readBatch reads the body of a batch.
func readBatch(body []byte) ([]string, error) {
	var b batchQuestion
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&b); err != nil {
		return nil, fmt.Errorf(`%w: want {"positions":["…"]}: %w`, errBody, err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: there is more after the object", errBody)
	}
	if b.Positions == nil {
		return nil, fmt.Errorf(`%w: want {"positions":["…"]}`, errBody)
	}
	return b.Positions, nil
}

package web

import (
	"bytes"
	"context"
	_ "embed"
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

// apiRequest is a request to the API, read whole and not yet answered.
type apiRequest struct {
	*http.Request
	query url.Values
	body  []byte
}

// endpoint answers a request with a value that is sent as JSON; a json.RawMessage is
// sent as it is.
type endpoint func(ctx context.Context, r apiRequest) (any, error)

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
			s.respond(w, r, end)
		}
	})
}

// respond reads a request, answers it, and sends the answer.
func (s *Server) respond(w http.ResponseWriter, r *http.Request, end endpoint) {
	request := apiRequest{Request: r}
	var err error
	if request.query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		s.fail(w, r, fmt.Errorf("%w: %w", errQuery, err))
		return
	}
	if r.Method == http.MethodPost {
		if request.body, err = s.body(w, r); err != nil {
			s.fail(w, r, err)
			return
		}
	}
	var text []byte
	err = s.work(r.Context(), func(ctx context.Context) error {
		answer, err := end(ctx, request)
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

// encode returns a value as a line of JSON, as the commands print it.
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
func (s *Server) position(ctx context.Context, r apiRequest) (any, error) {
	rules, d, err := r.diagram()
	if err != nil {
		return nil, err
	}
	s.metrics.positions.Inc()
	key := cacheKey{rules, d}
	if text := s.cache.get(key); text != nil {
		return json.RawMessage(text), nil
	}
	answer, err := s.databases.answer(ctx, rules, d, s.limits.Depths)
	if err != nil {
		return nil, err
	}
	text, err := encode(answer)
	if err == nil {
		s.cache.add(key, text)
	}
	return json.RawMessage(text), err
}

// line answers GET /v1/{rules}/line?position=….
func (s *Server) line(ctx context.Context, r apiRequest) (any, error) {
	rules, d, err := r.diagram()
	if err != nil {
		return nil, err
	}
	s.metrics.positions.Inc()
	return s.databases.line(ctx, rules, d, s.limits.Visited)
}

// rules reads the name of the game in the address.
func (r apiRequest) rules() (game.Rules, error) { return game.ParseRules(r.PathValue("rules")) }

// width reads the width of the board; 0 means that none is named.
func (r apiRequest) width() (int, error) {
	text := r.query.Get("width")
	if text == "" {
		return 0, nil
	}
	width, err := strconv.Atoi(text)
	if err != nil || width < game.MinWidth || width > game.MaxWidth {
		return 0, errWidth
	}
	return width, nil
}

// diagram reads game and position.
func (r apiRequest) diagram() (game.Rules, game.Diagram, error) {
	rules, err := r.rules()
	if err != nil {
		return 0, game.Diagram{}, err
	}
	width, err := r.width()
	if err != nil {
		return 0, game.Diagram{}, err
	}
	text := r.query["position"]
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

// layers answers GET /v1/{rules}/layers.
func (s *Server) layers(_ context.Context, r apiRequest) (any, error) {
	rules, width, err := r.game()
	if err != nil {
		return nil, err
	}
	answer := layersAnswer{Layers: []tablebase.Statistics{}}
	for _, m := range s.databases.manifests(rules, width) {
		numbers, err := s.databases.statistics(m)
		if err != nil {
			return nil, err
		}
		answer.Layers = append(answer.Layers, numbers)
	}
	return answer, nil
}

// game reads a game by rules and width, which is that of the usual board unless named.
func (r apiRequest) game() (game.Rules, int, error) {
	rules, err := r.rules()
	if err != nil {
		return 0, 0, err
	}
	width, err := r.width()
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
func (s *Server) layer(_ context.Context, r apiRequest) (any, error) {
	m, numbers, err := s.layerOf(r)
	return layerAnswer{numbers, m.Histogram}, err
}

// layerOf returns manifest and numbers of the layer that an address names.
func (s *Server) layerOf(r apiRequest) (format.Manifest, tablebase.Statistics, error) {
	rules, width, err := r.game()
	if err != nil {
		return format.Manifest{}, tablebase.Statistics{}, err
	}
	beans, err := strconv.Atoi(r.PathValue("beans"))
	if err != nil || beans < 0 || beans > game.MaxBeans(width) {
		return format.Manifest{}, tablebase.Statistics{}, errBeans
	}
	m, err := s.databases.manifest(format.Key{Rules: rules, Width: width, Beans: beans})
	if err != nil {
		return m, tablebase.Statistics{}, err
	}
	numbers, err := s.databases.statistics(m)
	return m, numbers, err
}

// batchQuestion is the body of POST /v1/{rules}/batch. Clients read its name where package
// json says which field it cannot decode.
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

// batch answers POST /v1/{rules}/batch. A position that cannot be answered leaves the
// others alone.
func (s *Server) batch(ctx context.Context, r apiRequest) (any, error) {
	rules, err := r.rules()
	if err != nil {
		return nil, err
	}
	positions, err := readBatch(r.body)
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
			a, err = s.databases.answer(ctx, rules, d, s.limits.Depths)
			answer.Answers[i].Answer = &a
		}
		if err != nil {
			p := problemOf(err)
			s.report(r.Request, p.status, err)
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

// openAPIText describes the API for programs (OpenAPI 3.1).
//
//go:embed openapi.json
var openAPIText []byte

// openAPI answers GET /v1/openapi.json.
func (s *Server) openAPI(context.Context, apiRequest) (any, error) {
	return json.RawMessage(openAPIText), nil
}

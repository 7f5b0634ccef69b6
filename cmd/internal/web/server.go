package web

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"bohnenspiel/tablebase/campaign"

	"golang.org/x/net/netutil"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// Options are the choices of whoever runs a server.
type Options struct {
	// Databases are open databases, in the order in which they are asked. There is
	// at least one. The server does not close them.
	Databases []*tablebase.DB
	// Campaign, if not nil, reads the lines of the campaign that a page shows.
	Campaign func() ([]campaign.Located, error)
	// Log gets a record of each request at level Info, and of each fault at level
	// Error. Nil means no records.
	Log *slog.Logger
	// Limits bound what clients can make the server do. Fields that are zero have
	// their default.
	Limits Limits
}

// Server answers requests. It is safe for concurrent use.
type Server struct {
	databases databases
	campaign  func() ([]campaign.Located, error)
	log       *slog.Logger
	limits    Limits
	working   chan struct{} // holds one element for each request that is worked on
	cache     *answerCache
	metrics   *metrics
	assets    *assets
	pages     *pages
	example   game.Diagram // that the board shows first
	puzzles   []puzzle
	handler   http.Handler
}

// New returns a server over open databases.
func New(o Options) (*Server, error) {
	if len(o.Databases) == 0 {
		return nil, errors.New("a server needs a database")
	}
	s := &Server{
		databases: o.Databases,
		campaign:  o.Campaign,
		log:       o.Log,
		limits:    o.Limits.withDefaults(),
		metrics:   newMetrics(),
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	s.working = make(chan struct{}, s.limits.Working)
	s.cache = newAnswerCache(s.limits.CacheBytes)
	var err error
	if s.assets, err = newAssets(); err != nil {
		return nil, fmt.Errorf("embedded files: %w", err)
	}
	if s.pages, err = newPages(s.assets); err != nil {
		return nil, fmt.Errorf("embedded pages: %w", err)
	}
	if s.example, err = newExample(s.databases); err != nil {
		return nil, err
	}
	s.puzzles = newPuzzles(s.databases)
	s.handler = s.instrument(s.routes())
	return s, nil
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Serve answers the requests of a listener until ctx ends. Then it takes no more,
// finishes those in work, for a few seconds at most, and returns nil. It closes the
// listener.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           s,
		ReadHeaderTimeout: s.limits.Header,
		ReadTimeout:       s.limits.Read,
		WriteTimeout:      s.limits.Read + s.limits.Work + s.limits.Write,
		IdleTimeout:       s.limits.Idle,
		MaxHeaderBytes:    s.limits.HeaderBytes,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	stopped := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		patience, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopPatience)
		defer cancel()
		err := server.Shutdown(patience)
		if errors.Is(err, context.DeadlineExceeded) {
			err = server.Close() // slow clients are cut off
		}
		stopped <- err
	})
	err := server.Serve(netutil.LimitListener(listener, s.limits.Connections))
	if stop() {
		return fmt.Errorf("serve %v: %w", listener.Addr(), err) // nobody asked it to end
	}
	return <-stopped
}

// stopPatience is how long a server that stops waits for requests in work.
const stopPatience = 5 * time.Second

// routes returns the table of paths.
func (s *Server) routes() *http.ServeMux {
	mux := http.NewServeMux()
	mux.Handle("/v1/{rules}", s.api(methods{http.MethodGet: s.position}))
	mux.Handle("/v1/{rules}/line", s.api(methods{http.MethodGet: s.line}))
	mux.Handle("/v1/{rules}/layers", s.api(methods{http.MethodGet: s.layers}))
	mux.Handle("/v1/{rules}/layers/{beans}", s.api(methods{http.MethodGet: s.layer}))
	mux.Handle("/v1/{rules}/batch", s.api(methods{http.MethodPost: s.batch}))
	mux.Handle("/v1/studies", s.api(methods{http.MethodPost: s.studies}))
	mux.Handle("/v1/openapi.json", s.api(methods{http.MethodGet: s.openAPI}))
	mux.Handle("/v1/", s.api(methods{}))
	mux.HandleFunc("GET /healthz", s.health)
	mux.Handle("GET /metrics", s.metrics.handler())
	mux.Handle("GET /static/{stamp}/{name}", s.assets)
	s.routePages(mux)
	return mux
}

// health says that the databases are open.
func (s *Server) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte("ok\n")) // who has gone needs no answer
}

package web

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"time"

	"bohnenspiel/tablebase"
)

// Limits bound what clients can make a server do.
type Limits struct {
	BodyBytes   int64 // of a request
	HeaderBytes int   // of a request, its address included
	Batch       int   // positions in one request
	Visited     int   // positions that the search for one line may look at
	Depths      int   // positions that the search for the depths of one answer may look at
	CacheBytes  int   // of answers that are kept for those who ask again; below 0 for none
	Working     int   // requests that are worked on at once; others wait
	Connections int   // open at once; others wait

	Work   time.Duration // that one request may take
	Wait   time.Duration // for a place among those that are worked on
	Header time.Duration // to read the header of a request
	Read   time.Duration // to read a whole request
	Write  time.Duration // to write an answer
	Idle   time.Duration // between two requests of a connection
}

// withDefaults returns the limits with defaults for those that are zero.
func (l Limits) withDefaults() Limits {
	return Limits{
		BodyBytes:   cmp.Or(l.BodyBytes, 256<<10),
		HeaderBytes: cmp.Or(l.HeaderBytes, 16<<10),
		Batch:       cmp.Or(l.Batch, 1000),
		Visited:     cmp.Or(l.Visited, 1<<17),
		Depths:      cmp.Or(l.Depths, tablebase.QuickDepthLimit),
		CacheBytes:  cmp.Or(l.CacheBytes, 32<<20),
		Working:     cmp.Or(l.Working, 8*runtime.GOMAXPROCS(0)),
		Connections: cmp.Or(l.Connections, 4096),
		Work:        cmp.Or(l.Work, 10*time.Second),
		Wait:        cmp.Or(l.Wait, 2*time.Second),
		Header:      cmp.Or(l.Header, 5*time.Second),
		Read:        cmp.Or(l.Read, 10*time.Second),
		Write:       cmp.Or(l.Write, 20*time.Second),
		Idle:        cmp.Or(l.Idle, time.Minute),
	}
}

var (
	// errBusy is returned when too many requests are worked on.
	errBusy = errors.New("too many requests are being answered")
	// errBody is returned when a body can't be read.
	errBody = errors.New("bad body")
)

// work runs a piece of work as soon as there is a place for it, with a context that
// ends when its time is up.
func (s *Server) work(ctx context.Context, do func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, s.limits.Work)
	defer cancel()
	select {
	case s.working <- struct{}{}:
	default:
		if err := s.queue(ctx); err != nil {
			return err
		}
	}
	s.metrics.working.Inc()
	defer func() {
		s.metrics.working.Dec()
		<-s.working
	}()
	return do(ctx)
}

// queue waits for a place among those that are worked on.
func (s *Server) queue(ctx context.Context) error {
	patience := time.NewTimer(s.limits.Wait)
	defer patience.Stop()
	select {
	case s.working <- struct{}{}:
		return nil
	case <-patience.C:
		return errBusy
	case <-ctx.Done():
		return ctx.Err()
	}
}

// body reads the body of a request. Nobody else waits meanwhile: a slow client costs
// its connection only.
func (s *Server) body(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, s.limits.BodyBytes))
	var tooLarge *http.MaxBytesError
	if err != nil && !errors.As(err, &tooLarge) {
		return nil, fmt.Errorf("%w: %w", errBody, err)
	}
	return text, err
}

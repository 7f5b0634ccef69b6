package web

import (
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"
)

// policy lets pages load and ask what comes from this server, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// instrument wraps all handlers: it sets the headers that every answer has, counts and
// logs requests, and turns a panic into status 500.
func (s *Server) instrument(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		began := time.Now()
		seen := &recordingWriter{ResponseWriter: w}
		defer func() {
			if fault := recover(); fault != nil {
				s.recovered(seen, r, fault)
			}
			took := time.Since(began)
			s.metrics.count(r.Pattern, seen.status, took)
			if s.log.Enabled(r.Context(), slog.LevelInfo) {
				s.log.LogAttrs(r.Context(), slog.LevelInfo, "request",
					slog.String("method", r.Method), slog.String("path", r.URL.Path), slog.String("query", r.URL.RawQuery),
					slog.Int("status", seen.status), slog.Int("bytes", seen.bytes), slog.Duration("took", took))
			}
		}()
		next.ServeHTTP(seen, r)
	})
}

// recovered answers a request whose handler panicked.
func (s *Server) recovered(w *recordingWriter, r *http.Request, fault any) {
	if fault == http.ErrAbortHandler { //nolint:errorlint // it is compared as net/http does
		panic(fault)
	}
	s.metrics.panics.Inc()
	s.log.LogAttrs(r.Context(), slog.LevelError, "panic", slog.String("path", r.URL.Path), slog.String("query", r.URL.RawQuery),
		slog.Any("fault", fault), slog.String("stack", string(debug.Stack())))
	if w.status == 0 {
		s.fail(w, r, errInternal)
	}
}

// report logs an error that is the server's own. Those of clients are in the records
// of requests.
func (s *Server) report(r *http.Request, status int, err error) {
	if status >= http.StatusInternalServerError {
		s.log.LogAttrs(r.Context(), slog.LevelError, "failed", slog.String("path", r.URL.Path), slog.String("query", r.URL.RawQuery),
			slog.Int("status", status), slog.String("error", err.Error()))
	}
}

// recordingWriter remembers what was sent.
type recordingWriter struct {
	http.ResponseWriter
	status int // 0 before anything is sent
	bytes  int
}

// WriteHeader remembers the status.
func (w *recordingWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes.
func (w *recordingWriter) Write(text []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(text)
	w.bytes += n
	return n, err
}

// Unwrap returns the writer beneath, for http.ResponseController.
func (w *recordingWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

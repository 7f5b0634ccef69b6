package web_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bohnenspiel/cmd/internal/web"
	"bohnenspiel/tablebase"
)

const smallQuestion = "/v1/bohnenspiel?position=0-1-0-0-0-1-0-0-0-0-0-0-0-0-S"

// start serves on a free port until the test ends and returns the address.
func start(tb testing.TB, o web.Options) string {
	tb.Helper()
	s := newServer(tb, o)
	var listen net.ListenConfig
	listener, err := listen.Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	tb.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			tb.Errorf("Serve: %v", err)
		}
	})
	return listener.Addr().String()
}

// wantAlive wants the server to answer a question.
func wantAlive(t *testing.T, address string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+smallQuestion, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }() // nothing more is read
	if response.StatusCode != http.StatusOK {
		t.Errorf("status %d, want 200", response.StatusCode)
	}
}

// raw sends bytes to a server and returns the first line that comes back.
func raw(t *testing.T, address, text string) string {
	t.Helper()
	connection, err := net.Dial("tcp", address) //nolint:noctx // the deadline below bounds it
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = connection.Close() }() // the answer has come
	if err := connection.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	// The server may answer and close before it has read everything.
	_, _ = io.WriteString(connection, text)
	line, err := bufio.NewReader(connection).ReadString('\n')
	if err != nil {
		t.Fatalf("%.60q: %v", text, err)
	}
	return strings.TrimSpace(line)
}

// TestMalformedRequests sends what no browser would.
func TestMalformedRequests(t *testing.T) {
	address := start(t, web.Options{})
	const host = " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
	for _, c := range []struct{ text, want string }{
		{"GET /v1/bohnenspiel?position=%zz" + host, "400 Bad Request"},
		{"GET /v1/%zz" + host, "400 Bad Request"},
		{"GET /v1/bohnenspiel/layers/%2e%2e" + host, "400 Bad Request"},
		{"GET /../../../../etc/passwd" + host, "307 Temporary Redirect"},
		{"GET /static/../../../../etc/passwd" + host, "307 Temporary Redirect"},
		{"GET /%2e%2e/%2e%2e/etc/passwd" + host, "404 Not Found"},
		{"GET /static/%2e%2e%2f%2e%2e%2fserver.go/page.css" + host, "404 Not Found"},
		{"GET /static/x/..%2f..%2fserver.go" + host, "404 Not Found"},
		{"GET /static/x/page.css" + host, "404 Not Found"},
		{"GET /static/" + host, "404 Not Found"},
		{"GET /pages/board.html" + host, "404 Not Found"},
		{"GET /tables/bohnenspiel/..%2f..%2fMANIFEST" + host, "400 Bad Request"},
		{"GET /debug/pprof/" + host, "404 Not Found"},
		{"GET /v1/bohnenspiel?position=\x00" + host, "400 Bad Request"},
		{"nonsense\r\n\r\n", "400 Bad Request"},
		{"GET /?x=" + strings.Repeat("x", 40<<10) + host, "431 Request Header Fields Too Large"},
		{"POST /v1/bohnenspiel/batch HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", "400 Bad Request"},
		{"TRACE /" + host, "404 Not Found"},
	} {
		if got := strings.TrimPrefix(raw(t, address, c.text), "HTTP/1.1 "); got != c.want {
			t.Errorf("%.60q: got %s, want %s", c.text, got, c.want)
		}
	}
	wantAlive(t, address)
}

// TestLargeBodies sends bodies of 1 MB, with their length said and without.
func TestLargeBodies(t *testing.T) {
	s := newServer(t, web.Options{})
	address := start(t, web.Options{})
	large := `{"positions":["` + strings.Repeat("x", 1<<20) + `"]}`
	response, text := ask(t, s, http.MethodPost, "/v1/bohnenspiel/batch", large)
	if response.StatusCode != http.StatusRequestEntityTooLarge || !strings.Contains(text, `"too_large"`) {
		t.Errorf("status %d, %s; want 413", response.StatusCode, text)
	}
	for range 20 {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+address+"/v1/bohnenspiel/batch", io.MultiReader(strings.NewReader(large)))
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			continue // the server has hung up while the body was being sent
		}
		_ = response.Body.Close() // the status is enough
		if response.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("status %d, want 413", response.StatusCode)
		}
	}
	wantAlive(t, address)
}

func TestBatchLimit(t *testing.T) {
	s := newServer(t, web.Options{})
	body := func(n int) string {
		text, err := json.Marshal(map[string][]string{"positions": slices.Repeat([]string{"1 1 / 1 1"}, n)})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	response, text := ask(t, s, http.MethodPost, "/v1/bohnenspiel/batch", body(1000))
	if got := strings.Count(text, `"position"`); response.StatusCode != http.StatusOK || got != 1000 {
		t.Errorf("1000 positions: status %d with %d answers", response.StatusCode, got)
	}
	response, text = ask(t, s, http.MethodPost, "/v1/bohnenspiel/batch", body(1001))
	if response.StatusCode != http.StatusBadRequest || !strings.Contains(text, `"too_many_positions"`) {
		t.Errorf("1001 positions: status %d, %s", response.StatusCode, text)
	}
}

// TestSlowConnections opens many connections that never finish their request. Others
// are answered meanwhile, memory stays small, and at last the slow ones are cut off.
func TestSlowConnections(t *testing.T) {
	if testing.Short() {
		t.Skip("opens 1,000 connections")
	}
	// Both ends are in this process.
	connections := min(1000, (openFiles()-100)/2)
	address := start(t, web.Options{Limits: web.Limits{Header: 5 * time.Second, Read: 5 * time.Second}})
	wantAlive(t, address)
	before := memory()
	var open sync.WaitGroup
	begun := make(chan struct{}, connections)
	for i := range connections {
		open.Go(func() {
			connection, err := net.Dial("tcp", address) //nolint:noctx // the deadline below bounds it
			if err != nil {
				t.Error(err)
				begun <- struct{}{}
				return
			}
			defer func() { _ = connection.Close() }() // the server closes it
			text := "GET / HTTP/1.1\r\nHost: x\r\nX-Slow: "
			if i%2 == 1 {
				text = "POST /v1/bohnenspiel/batch HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{"
			}
			_, _ = io.WriteString(connection, text)
			begun <- struct{}{}
			if err := connection.SetDeadline(time.Now().Add(2 * time.Minute)); err != nil {
				t.Error(err)
			}
			if _, err := io.Copy(io.Discard, connection); err != nil && strings.Contains(err.Error(), "timeout") {
				t.Errorf("connection %d was not cut off", i)
			}
		})
	}
	for range connections {
		<-begun
	}
	for range 20 {
		wantAlive(t, address)
	}
	if grown := memory() - before; grown > 100<<20 {
		t.Errorf("memory grew by %d bytes", grown)
	}
	open.Wait()
	wantAlive(t, address)
}

// manyFiles is more open files than a test needs.
const manyFiles = 1 << 16

// memory returns the bytes of memory in use.
func memory() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

// TestMemoryStaysFlat asks the same kinds of questions many times.
func TestMemoryStaysFlat(t *testing.T) {
	s := newServer(t, web.Options{})
	round := func() {
		for i := range 200 {
			ask(t, s, http.MethodGet, fmt.Sprintf("/?position=%d+1+0+0+0+1+/+0+0+0+0+0+0&x=%d", i%4, i), "")
			ask(t, s, http.MethodGet, fmt.Sprintf("/nothing/%d", i), "")
			ask(t, s, http.MethodGet, fmt.Sprintf("/v1/bohnenspiel/layers/%d", i), "")
		}
	}
	round()
	before := memory()
	round()
	round()
	if grown := memory() - before; grown > 8<<20 {
		t.Errorf("memory grew by %d bytes", grown)
	}
}

// TestDamagedLayer serves a database with bytes that have changed on the disk.
func TestDamagedLayer(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(tablesDir)); err != nil {
		t.Fatal(err)
	}
	damageLargestFile(t, dir)
	var log bytes.Buffer
	s := newServer(t, web.Options{
		Databases: []*tablebase.DB{open(t, dir)},
		Log:       slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelError})),
	})
	const question = "position=1-1-1-1-1-1-1-1-1-1-1-1-30-30-S"
	response, text := ask(t, s, http.MethodGet, "/v1/bohnenspiel?"+question, "")
	if response.StatusCode != http.StatusInternalServerError || !strings.Contains(text, `"bad_data"`) || strings.Contains(text, dir) {
		t.Errorf("status %d, %s; want 500 and bad_data, without the directory", response.StatusCode, text)
	}
	if cache := response.Header.Get("Cache-Control"); cache != "no-store" {
		t.Errorf("an error may be kept: Cache-Control %q", cache)
	}
	if !strings.Contains(log.String(), "corrupt data in layer 1") {
		t.Errorf("the log says %q, want the layer", log.String())
	}
	response, text = ask(t, s, http.MethodGet, "/?"+question, "")
	if response.StatusCode != http.StatusInternalServerError || !strings.Contains(text, "No answer") {
		t.Errorf("page: status %d", response.StatusCode)
	}
	response, text = ask(t, s, http.MethodGet, smallQuestion, "")
	if response.StatusCode != http.StatusOK {
		t.Errorf("another layer: status %d, %s", response.StatusCode, text)
	}
}

// damageLargestFile overwrites the second half of the largest file of a directory,
// where the blocks of the largest layer lie.
func damageLargestFile(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.vlog"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no value log: %v", err)
	}
	largest := slices.MaxFunc(files, func(a, b string) int { return len(read(t, a)) - len(read(t, b)) })
	text := read(t, largest)
	end := len(bytes.TrimRight(text, "\x00"))
	for i := end / 10; i < end*9/10; i += 64 {
		text[i] ^= 0x55
	}
	if err := os.WriteFile(largest, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestPanicBecomes500 makes a handler panic.
func TestPanicBecomes500(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, web.Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	response, text := ask(t, s.Instrument(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("a fault") })), http.MethodGet, "/x", "")
	if response.StatusCode != http.StatusInternalServerError || !strings.Contains(text, `"internal"`) || strings.Contains(text, "a fault") {
		t.Errorf("status %d, %s; want 500 without the fault", response.StatusCode, text)
	}
	if got := log.String(); !strings.Contains(got, "a fault") || !strings.Contains(got, "abuse_test.go") {
		t.Errorf("the log says %q, want the fault and where it happened", got)
	}
	if _, text := ask(t, s, http.MethodGet, "/metrics", ""); !strings.Contains(text, "bohnenspiel_panics_total 1\n") {
		t.Error("the panic is not counted")
	}
}

// TestBusy fills all places with work and wants the next request to be refused, and to
// be answered again after that.
func TestBusy(t *testing.T) {
	s := newServer(t, web.Options{Limits: web.Limits{Working: 1, Wait: 10 * time.Millisecond}})
	release := s.Occupy()
	response, text := ask(t, s, http.MethodGet, smallQuestion, "")
	if response.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, `"busy"`) || response.Header.Get("Retry-After") == "" {
		t.Errorf("status %d, %s; want 503, busy and Retry-After", response.StatusCode, text)
	}
	if response, _ := ask(t, s, http.MethodGet, "/healthz", ""); response.StatusCode != http.StatusOK {
		t.Errorf("health of a busy server: status %d", response.StatusCode)
	}
	release()
	if response, _ := ask(t, s, http.MethodGet, smallQuestion, ""); response.StatusCode != http.StatusOK {
		t.Errorf("afterwards: status %d", response.StatusCode)
	}
}

// TestTimeLimit gives requests no time.
func TestTimeLimit(t *testing.T) {
	s := newServer(t, web.Options{Limits: web.Limits{Work: time.Nanosecond}})
	response, text := ask(t, s, http.MethodPost, "/v1/bohnenspiel/batch", `{"positions":["1 1 / 1 1"]}`)
	if response.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, `"timeout"`) {
		t.Errorf("status %d, %s; want 503 and timeout", response.StatusCode, text)
	}
}

// TestLongLine allows a search that is too short.
func TestLongLine(t *testing.T) {
	s := newServer(t, web.Options{Limits: web.Limits{Visited: 1}})
	const question = "position=0-0-1-0-1-1-0-0-0-1-0-0-34-34-S"
	response, text := ask(t, s, http.MethodGet, "/v1/bohnenspiel/line?"+question, "")
	if response.StatusCode != http.StatusNotFound || !strings.Contains(text, `"too_long"`) {
		t.Errorf("status %d, %s; want 404 and too_long", response.StatusCode, text)
	}
	if response, _ := ask(t, s, http.MethodGet, "/?"+question, ""); response.StatusCode != http.StatusOK {
		t.Errorf("page without a line: status %d", response.StatusCode)
	}
}

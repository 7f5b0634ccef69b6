package web_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"bohnenspiel/cmd/internal/web"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
)

// update makes tests write what they get to the files that they compare with.
var update = flag.Bool("update", false, "write testdata and docs/api.md anew")

// tablesDir is a database that TestMain builds. Tests only read it.
var tablesDir string

func TestMain(m *testing.M) {
	flag.Parse()
	status, err := runTests(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		status = 1
	}
	os.Exit(status) //nolint:forbidigo // the only way to give the status of tests
}

func runTests(m *testing.M) (status int, err error) {
	if tablesDir, err = os.MkdirTemp("", "web"); err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(tablesDir)) }()
	if err := buildTables(tablesDir); err != nil {
		return 0, err
	}
	return m.Run(), nil
}

// Build makes a database with even layers of Bohnenspiel to 12 beans, and small ones
// of other games.
func buildTables(dir string) (err error) {
	db, err := database.Create(dir, tablebase.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, b := range []struct {
		rules        game.Rules
		width, beans int
		parity       format.Parity
		depths       bool
	}{
		{game.Bohnenspiel, 6, 12, format.Even, false},
		{game.Bohnenspiel, 2, 4, format.Even, true},
		{game.Mangala, 6, 6, format.Even, false},
		{game.Mangala, 6, 3, format.Odd, false},
	} {
		g, err := game.New(b.rules, b.width)
		if err != nil {
			return err
		}
		o := build.Options{Game: g, Beans: b.beans, Parity: b.parity}
		if _, err := build.Scores(context.Background(), db, o); err != nil {
			return err
		}
		if !b.depths {
			continue
		}
		if _, err := build.Depths(context.Background(), db, o); err != nil {
			return err
		}
	}
	return nil
}

// open opens a database for reading and closes it when the test ends.
func open(tb testing.TB, dir string) *tablebase.DB {
	tb.Helper()
	db, err := database.Open(dir, tablebase.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return db
}

// newServer returns a server over the database of all tests, unless o names others. It has
// more patience than others have: the machine may be slow.
func newServer(tb testing.TB, o web.Options) *web.Server {
	tb.Helper()
	if o.Databases == nil {
		o.Databases = []*tablebase.DB{open(tb, tablesDir)}
	}
	for _, limit := range []*time.Duration{&o.Limits.Work, &o.Limits.Wait, &o.Limits.Header, &o.Limits.Read} {
		if *limit == 0 {
			*limit = 10 * time.Minute
		}
	}
	s, err := web.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// reply is the head of an answer.
type reply struct {
	StatusCode int
	Header     http.Header
}

// ask sends one request and returns the answer with its body.
func ask(tb testing.TB, s http.Handler, method, target, body string, header ...string) (head reply, text string) {
	tb.Helper()
	r := httptest.NewRequestWithContext(tb.Context(), method, target, strings.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return reply{w.Code, w.Header()}, w.Body.String()
}

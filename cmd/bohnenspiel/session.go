package main

import (
	"context"
	"errors"
	"fmt"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// maxBuildBeans is the largest layer that a query builds on the spot.
const maxBuildBeans = 16

// session is the database behind the queries of one command line. It is opened
// once, for reading, and anew when a layer had to be built.
type session struct {
	console
	*options
	dir     string
	noBuild bool
	db      *tablebase.DB // nil as long as there is no database
}

func newSession(c console, o *options, noBuild bool) (*session, error) {
	dir, err := c.directory(o)
	if err != nil {
		return nil, err
	}
	s := &session{console: c, options: o, dir: dir, noBuild: noBuild}
	if err := s.open(); err != nil && !errors.Is(err, store.ErrNoDatabase) {
		return nil, err
	}
	return s, nil
}

// close releases the database.
func (s *session) close() error {
	if s.db == nil {
		return nil
	}
	db := s.db
	s.db = nil
	return db.Close()
}

// end closes the session. Its error counts if there is no other.
func (s *session) end(err *error) {
	if closeErr := s.close(); *err == nil {
		*err = closeErr
	}
}

// prepare makes sure that the layers are there which a position with the given number of
// beans needs. It builds what is missing, or says how to.
func (s *session) prepare(ctx context.Context, g game.Game, beans int) error {
	parity := parityOf(beans)
	_, missing, err := layers(s.db, g, beans, parity)
	if err != nil || len(missing) == 0 {
		return err
	}
	key := format.KeyOf(g, missing[len(missing)-1])
	if err := checkBeans(g, beans); err != nil {
		return fmt.Errorf("%w: %v has too many positions to be built: play on until fewer beans are left", format.ErrTooManyBeans, key)
	}
	if s.noBuild || beans > maxBuildBeans || s.db != nil && s.db.Archived() {
		return missingLayer(s.options, g, key, s.db, s.dir)
	}
	cost := build.Estimate(g, beans, parity, s.workers, hasLayer(s.db))
	return s.build(ctx, build.Options{Game: g, Beans: beans, Parity: parity}, fmt.Sprintf("%v is not in %s: building %s, %s, %s",
		key, s.dir, layerList(missing), things(cost.Positions, "position"), costs(cost)))
}

// maxBuildPositions is the largest layer that is built on the spot for a search.
const maxBuildPositions = 20_000_000

// prepareBelow makes sure that there are some tables for a search of a position with the
// given number of beans: those that a query would build, as far as they are small. The
// search uses any others that are there as well.
func (s *session) prepareBelow(ctx context.Context, g game.Game, beans int) error {
	most := min(beans, maxBuildBeans-beans%2)
	for most > 0 && index.New(g.Width(), most).Size(most) > maxBuildPositions {
		most -= 2
	}
	if most < 0 || s.noBuild && s.db != nil {
		return nil
	}
	return s.prepare(ctx, g, most)
}

// build builds layers and opens the database for reading again. Why is the line that
// says so.
func (s *session) build(ctx context.Context, b build.Options, why string) (err error) {
	if err := s.close(); err != nil {
		return err
	}
	db, err := database.Create(s.dir, tablebase.Options{})
	if err != nil {
		return err
	}
	if !s.quiet {
		s.note("%s", why)
	}
	_, err = buildLayers(ctx, s.console, s.options, db, b)
	closeDatabase(db, &err)
	if err != nil {
		return err
	}
	return s.open()
}

func (s *session) open() (err error) {
	s.db, err = database.Open(s.dir, tablebase.Options{})
	return err
}

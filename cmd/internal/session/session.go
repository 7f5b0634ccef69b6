package session

import (
	"context"
	"errors"
	"fmt"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/solver/index"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/build"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
)

// MaxBuildBeans is the largest layer that a query builds on the spot.
const MaxBuildBeans = 16

// Session is the database behind the queries of one command line. It is opened
// once, for reading, and anew when a layer had to be built.
type Session struct {
	console.Console
	*Options
	dir     string
	noBuild bool
	DB      *tablebase.DB // nil as long as there is no database
}

// New opens the database of a command, or none if it is not there yet. With noBuild nothing is
// built on the spot.
func New(c console.Console, o *Options, noBuild bool) (*Session, error) {
	dir, err := Directory(c, o)
	if err != nil {
		return nil, err
	}
	s := &Session{Console: c, Options: o, dir: dir, noBuild: noBuild}
	if err := s.Open(); err != nil && !errors.Is(err, store.ErrNoDatabase) {
		return nil, err
	}
	return s, nil
}

// Close releases the database.
func (s *Session) Close() error {
	if s.DB == nil {
		return nil
	}
	db := s.DB
	s.DB = nil
	return db.Close()
}

// End closes the session. Its error counts if there is no other.
func (s *Session) End(err *error) {
	if closeErr := s.Close(); *err == nil {
		*err = closeErr
	}
}

// Prepare makes sure that the layers are there which a position with the given number of
// beans needs. It builds what is missing, or says how to.
func (s *Session) Prepare(ctx context.Context, g game.Game, beans int) error {
	parity := ParityOf(beans)
	_, missing, err := Layers(s.DB, g, beans, parity)
	if err != nil || len(missing) == 0 {
		return err
	}
	key := format.KeyOf(g, missing[len(missing)-1])
	if err := CheckBeans(g, beans); err != nil {
		return fmt.Errorf("%w: %v has too many positions to be built: play on until fewer beans are left", format.ErrTooManyBeans, key)
	}
	if s.noBuild || beans > MaxBuildBeans || s.DB != nil && s.DB.Archived() {
		return missingLayer(s.Options, g, key, s.DB, s.dir)
	}
	cost := build.Estimate(g, beans, parity, s.Workers, HasLayer(s.DB))
	return s.build(ctx, build.Options{Game: g, Beans: beans, Parity: parity}, fmt.Sprintf("%v is not in %s: building %s, %s, %s",
		key, s.dir, words.LayerList(missing), words.Things(cost.Positions, "position"), words.Costs(cost)))
}

// maxBuildPositions is the largest layer that is built on the spot for a search.
const maxBuildPositions = 20_000_000

// PrepareBelow makes sure that there are some tables for a search of a position with the
// given number of beans: those that a query would build, as far as they are small. The
// search uses any others that are there as well.
func (s *Session) PrepareBelow(ctx context.Context, g game.Game, beans int) error {
	most := min(beans, MaxBuildBeans-beans%2)
	for most > 0 && index.New(g.Width(), most).Size(most) > maxBuildPositions {
		most -= 2
	}
	if most < 0 || s.noBuild && s.DB != nil {
		return nil
	}
	return s.Prepare(ctx, g, most)
}

// build builds layers and opens the database for reading again. Why is the line that
// says so.
func (s *Session) build(ctx context.Context, b build.Options, why string) (err error) {
	if err := s.Close(); err != nil {
		return err
	}
	db, err := database.Create(s.dir, tablebase.Options{})
	if err != nil {
		return err
	}
	if !s.Quiet {
		s.Note("%s", why)
	}
	_, err = BuildLayers(ctx, s.Console, s.Options, db, b)
	CloseDatabase(db, &err)
	if err != nil {
		return err
	}
	return s.Open()
}

// Open opens the database for reading, if there is one.
func (s *Session) Open() (err error) {
	s.DB, err = database.Open(s.dir, tablebase.Options{})
	return err
}

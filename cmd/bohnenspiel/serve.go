package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"bohnenspiel/tablebase/campaign"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/web"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/store"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	*session.Options
	databases []string
	campaign  string // its file, or ""
	address   string
	verbose   bool
}

func newServeCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := serveFlags{Options: shared}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer over HTTP: a page for people, an API for programs",
		Long: `serve prints the address of a page with a board to set up, and answers there
until Ctrl-C. The same address has an API under /v1/, see docs/api.md. It builds
nothing. Of several databases, the first that has the layer answers.

Only this machine can reach the server, unless --addr names another address.`,
		Example: `  bohnenspiel serve
  bohnenspiel serve --addr 127.0.0.1:0 --db tables --db more`,
		Args: session.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.run(cmd.Context(), c) },
	}
	cmd.Flags().StringVar(&o.address, "addr", "127.0.0.1:8080", "listen at `ADDRESS`; port 0 is any free\none")
	cmd.Flags().StringVar(&o.campaign, "campaign", "", "show on a page how far the campaign of `FILE` is")
	cmd.Flags().StringArrayVar(&o.databases, "db", nil, "database in `DIR`; may be given more than once\n(default: as for the other commands)")
	cmd.Flags().BoolVar(&o.verbose, "verbose", false, "log every request, not only faults, on standard error")
	return cmd
}

func (o *serveFlags) run(ctx context.Context, c console.Console) (err error) {
	var databases []*tablebase.DB
	defer func() {
		for _, db := range databases {
			session.CloseDatabase(db, &err)
		}
	}()
	dirs, err := o.directories(c)
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		db, err := o.openToServe(dir)
		if err != nil {
			return err
		}
		databases = append(databases, db)
	}
	level := slog.LevelError
	if o.verbose {
		level = slog.LevelInfo
	}
	var lines func() ([]campaign.Located, error)
	if o.campaign != "" {
		lines = func() ([]campaign.Located, error) { return campaign.ReadFile(o.campaign) }
		if _, err := lines(); err != nil {
			return err
		}
	}
	server, err := web.New(web.Options{
		Databases: databases,
		Campaign:  lines,
		Log:       slog.New(slog.NewTextHandler(c.Err, &slog.HandlerOptions{Level: level})),
	})
	if err != nil {
		return err
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", o.address)
	if err != nil {
		return session.Usagef("--addr %q: %w; name HOST:PORT, with port 0 for any free one", o.address, err)
	}
	if _, err := fmt.Fprintf(c.Out, "http://%v/\n", listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	if !o.Quiet {
		c.Note("serving %s; Ctrl-C stops it", words.Things(len(databases), "database"))
	}
	return server.Serve(ctx, listener)
}

// directories returns the directories of the databases. None may be named twice, since
// a database can't be opened twice.
func (o *serveFlags) directories(c console.Console) ([]string, error) {
	if len(o.databases) == 0 {
		dir, err := session.Directory(c, o.Options)
		return []string{dir}, err
	}
	seen := map[string]string{}
	for _, dir := range o.databases {
		if dir == "" {
			return nil, session.Usagef("--db: want the name of a directory")
		}
		real, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		if resolved, err := filepath.EvalSymlinks(real); err == nil || !errors.Is(err, os.ErrNotExist) {
			real = resolved
		}
		if before, ok := seen[real]; ok {
			return nil, session.Usagef("--db %s: it is the same database as %s; name each once", dir, before)
		}
		seen[real] = dir
	}
	return o.databases, nil
}

// openToServe opens a database for reading. If there is none, the error says how to
// build it.
func (o *serveFlags) openToServe(dir string) (*tablebase.DB, error) {
	db, err := database.Open(dir, tablebase.Options{})
	if errors.Is(err, store.ErrNoDatabase) {
		command := "bohnenspiel build --beans 16"
		if len(o.databases) > 0 {
			command = fmt.Sprintf("bohnenspiel build --db %s --beans 16", words.Quote(dir))
		}
		return nil, fmt.Errorf("%w in %s; run %s, or name another directory with --db", store.ErrNoDatabase, dir, command)
	}
	return db, err
}

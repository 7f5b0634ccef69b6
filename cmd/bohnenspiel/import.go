package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"bohnenspiel/cmd/internal/console"
	"bohnenspiel/cmd/internal/session"
	"bohnenspiel/cmd/internal/words"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/archive"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
)

// importFlags are the flags of import.
type importFlags struct {
	*session.Options
	memory session.ByteSize
}

func newImportCommand(c console.Console, shared *session.Options) *cobra.Command {
	o := importFlags{Options: shared}
	cmd := &cobra.Command{
		Use:   "import FILE | -",
		Short: "Add the layers of an exported file to the database",
		Long: `import reads a file that bohnenspiel export has written, or standard input for
"-", and adds those layers that the database does not have. Before they are
there it verifies every checksum, compares hashes with the published ones, and
recomputes hash and totals of each layer from its scores. If anything is wrong,
nothing is added. bohnenspiel check looks whether scores follow from each other.`,
		Example: `  bohnenspiel import sixteen.bns`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 {
				return session.Usagef("import takes one FILE, or - for standard input; see %s --help", cmd.CommandPath())
			}
			return o.run(cmd.Context(), c, args[0])
		},
	}
	session.MemoryFlag(cmd.Flags(), &o.memory)
	return cmd
}

func (o *importFlags) run(ctx context.Context, c console.Console, path string) (err error) {
	in := bufio.NewReader(c.In)
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", path, session.Cause(err))
		}
		defer func() { _ = file.Close() }() // nothing was written
		in.Reset(file)
	}
	// No database is made for what is no archive.
	if err := archive.Peek(in); err != nil {
		return fmt.Errorf("import %s: %w", path, err)
	}
	dir, err := session.Directory(c, o.Options)
	if err != nil {
		return err
	}
	db, err := database.Create(dir, tablebase.Options{})
	if err != nil {
		return err
	}
	defer session.CloseDatabase(db, &err)
	imported, err := o.read(ctx, c, db, in)
	if ctx.Err() != nil {
		return fmt.Errorf("stopped; nothing was added to %s", dir)
	}
	if err == nil {
		err = db.Close() // which may fail to write, so nothing is told before
	}
	if err != nil {
		return fmt.Errorf("import %s: %w", path, err)
	}
	return o.print(c, dir, imported)
}

func (o *importFlags) read(ctx context.Context, c console.Console, db *tablebase.DB, in io.Reader) ([]archive.Layer, error) {
	b := console.NewBar(c, o.Quiet)
	defer b.Clear()
	options := archive.ImportOptions{
		Workers: o.Workers,
		Report: func(p archive.Progress) {
			b.Show(words.Share(p.Done, p.Total), func() string { return fmt.Sprintf("%v: read", p.Key) })
		},
		Verifying: func(p check.Progress) {
			b.Show(words.Share(p.Done, p.Total), func() string { return fmt.Sprintf("%v: verify", p.Key) })
		},
	}
	if o.memory > 0 {
		layers, heap, err := check.Budget(db, check.Options{Keys: []format.Key{}, Workers: o.Workers}, uint64(o.memory))
		if err != nil {
			return nil, err
		}
		options.Memory = layers
		debug.SetMemoryLimit(heap)
	}
	return archive.Import(ctx, db, in, options)
}

// importedLayer is the JSON object of a layer of an imported file.
type importedLayer struct {
	Rules     game.Rules `json:"rules"`
	Width     int        `json:"width"`
	Beans     int        `json:"beans"`
	Positions uint64     `json:"positions"`
	SHA256    string     `json:"sha256"`
	Bytes     uint64     `json:"bytes"`
	Added     bool       `json:"added"`  // false if the database had it
	Totals    bool       `json:"totals"` // whether hash and totals were recomputed
	Published bool       `json:"published"`
}

// print says which layers were added.
func (o *importFlags) print(c console.Console, dir string, imported []archive.Layer) error {
	if !o.JSON {
		return c.Print(importText(dir, imported))
	}
	return console.PrintJSON(c, words.Mapped(imported, func(layer archive.Layer) importedLayer {
		m := layer.Manifest
		_, published := format.Published(m.Key())
		return importedLayer{
			Rules: m.Rules, Width: m.Width, Beans: m.Beans, Positions: m.Positions, SHA256: m.SHA256, Bytes: m.Bytes,
			Added: !layer.Present, Totals: layer.Totals, Published: published,
		}
	})...)
}

// importText says for people which layers were added.
func importText(dir string, imported []archive.Layer) string {
	var added, unverified []int
	var positions, bytes uint64
	for _, layer := range imported {
		m := layer.Manifest
		if layer.Present {
			continue
		}
		added, positions, bytes = append(added, m.Beans), positions+m.Positions, bytes+m.Bytes
		if !layer.Totals {
			unverified = append(unverified, m.Beans)
		}
	}
	if len(added) == 0 {
		return fmt.Sprintf("%s has all layers of the file already, the same ones\n", dir)
	}
	k := imported[0].Manifest.Key()
	text := fmt.Sprintf("added %s of %v 2×%d to %s: %s, %s; every block verified", words.LayerList(added), k.Rules, k.Width, dir,
		words.Things(positions, "position"), words.Size(bytes))
	if len(unverified) == 0 {
		return text + ", hashes recomputed\n"
	}
	return text + fmt.Sprintf("; %s too large for memory and disk here to recompute the hash\n", words.LayersAre(unverified))
}

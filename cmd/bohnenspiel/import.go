package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/archive"
	"bohnenspiel/tablebase/check"
	"bohnenspiel/tablebase/database"
	"bohnenspiel/tablebase/format"
)

// importFlags are the flags of import.
type importFlags struct {
	*options
	memory byteSize
}

func newImportCommand(c console, shared *options) *cobra.Command {
	o := importFlags{options: shared}
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
				return usagef("import takes one FILE, or - for standard input; see %s --help", cmd.CommandPath())
			}
			return o.run(cmd.Context(), c, args[0])
		},
	}
	memoryFlag(cmd.Flags(), &o.memory)
	return cmd
}

func (o *importFlags) run(ctx context.Context, c console, path string) (err error) {
	in := bufio.NewReader(c.in)
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", path, cause(err))
		}
		defer func() { _ = file.Close() }() // nothing was written
		in.Reset(file)
	}
	// No database is made for what is no archive.
	if err := archive.Peek(in); err != nil {
		return fmt.Errorf("import %s: %w", path, err)
	}
	dir, err := c.directory(o.options)
	if err != nil {
		return err
	}
	db, err := database.Create(dir, tablebase.Options{})
	if err != nil {
		return err
	}
	defer closeDatabase(db, &err)
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

func (o *importFlags) read(ctx context.Context, c console, db *tablebase.DB, in io.Reader) ([]archive.Layer, error) {
	b := newBar(c, o.quiet)
	defer b.clear()
	options := archive.ImportOptions{
		Workers: o.workers,
		Report: func(p archive.Progress) {
			b.show(share(p.Done, p.Total), func() string { return fmt.Sprintf("%v: read", p.Key) })
		},
		Verifying: func(p check.Progress) {
			b.show(share(p.Done, p.Total), func() string { return fmt.Sprintf("%v: verify", p.Key) })
		},
	}
	if o.memory > 0 {
		layers, heap, err := check.Budget(db, check.Options{Keys: []format.Key{}, Workers: o.workers}, uint64(o.memory))
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
func (o *importFlags) print(c console, dir string, imported []archive.Layer) error {
	if !o.json {
		return c.print(importText(dir, imported))
	}
	return printJSON(c, mapped(imported, func(layer archive.Layer) importedLayer {
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
	text := fmt.Sprintf("added %s of %v 2×%d to %s: %s, %s; every block verified", layerList(added), k.Rules, k.Width, dir,
		things(positions, "position"), size(bytes))
	if len(unverified) == 0 {
		return text + ", hashes recomputed\n"
	}
	return text + fmt.Sprintf("; %s too large for memory and disk here to recompute the hash\n", layersAre(unverified))
}

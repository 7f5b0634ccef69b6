package docs_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// module is the path of the module.
const module = "bohnenspiel"

// chain is the order of the packages: each may import those after it. The packages
// of beside have a place in it, but architecture.md does not draw them.
var chain = []string{
	"cmd/bohnenspiel",
	"cmd/internal/session",
	"cmd/internal/console",
	"cmd/internal/words",
	"cmd/internal/web",
	"tablebase/study",
	fixtures,
	"tablebase/archive",
	"tablebase/check",
	"tablebase/build",
	"tablebase/campaign",
	"tablebase/proof",
	"tablebase/database",
	"tablebase",
	"tablebase/held",
	"tablebase/store",
	"tablebase/format",
	"tablebase/fault",
	"solver/search",
	"solver",
	oracle,
	"solver/memory",
	"solver/index",
	"solver/game",
}

// Packages that only tests import.
const (
	oracle   = "solver/internal/reference"
	fixtures = "tablebase/internal/tabletest"
)

// forTests are the packages that only tests import.
var forTests = []string{oracle, fixtures}

// beside are packages that serve others, and that architecture.md lists below its drawing.
var beside = []string{oracle, fixtures, "solver/memory"}

// proseAndTests are the folders that hold no package but that of their tests.
var proseAndTests = []string{"benchmarks", "docs"}

// soleImporters says which single package may import a package or those under its
// path.
var soleImporters = map[string]string{
	"net/http":              "cmd/internal/web",
	"github.com/prometheus": "cmd/internal/web",
	"github.com/chromedp":   "cmd/internal/web",
	"github.com/getkin":     "cmd/internal/web",
	"github.com/dgraph-io":  "tablebase/database",
}

// goPackage is what the tests read of the output of go list.
type goPackage struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// TestImports holds the import graph to the order of the packages.
func TestImports(t *testing.T) {
	for _, p := range listPackages(t) {
		for _, fault := range importFaults(p) {
			t.Error(fault)
		}
	}
}

// listPackages returns all packages of the module.
func listPackages(t *testing.T) []goPackage {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports,TestImports,XTestImports", "./...")
	command.Dir = root
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var all []goPackage
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// importFaults says which imports of a package are against the order.
func importFaults(p goPackage) []string {
	name := strings.TrimPrefix(p.ImportPath, module+"/")
	place := slices.Index(chain, name)
	onlyTests := slices.Contains(proseAndTests, name)
	if place < 0 && !onlyTests {
		return []string{name + " has no place in the order of packages: see docs/architecture.md"}
	}
	var faults []string
	report := func(format string, args ...any) {
		faults = append(faults, name+" "+fmt.Sprintf(format, args...))
	}
	if onlyTests && len(p.Imports) > 0 {
		report("holds more than tests")
	}
	for _, path := range p.Imports {
		inside, ok := strings.CutPrefix(path, module+"/")
		first, _, _ := strings.Cut(path, "/")
		switch {
		case ok && slices.Contains(forTests, inside):
			report("imports %s, which is for tests", inside)
		case ok && slices.Index(chain, inside) <= place:
			report("imports %s, which is not to its right", inside)
		case !ok && name == "solver/game" && strings.Contains(first, "."):
			report("imports %s; it may use the standard library only", path)
		}
	}
	for _, path := range slices.Concat(p.TestImports, p.XTestImports) {
		inside, ok := strings.CutPrefix(path, module+"/")
		// Something has to build the tables that the tests of their packages look at.
		tables := strings.HasPrefix(name, "tablebase") && strings.HasPrefix(inside, "tablebase")
		if ok && !onlyTests && !tables && slices.Index(chain, inside) < place {
			report("imports %s in tests, which is to its left", inside)
		}
	}
	for path, importer := range soleImporters {
		for _, imported := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			if (imported == path || strings.HasPrefix(imported, path+"/")) && name != importer {
				report("imports %s; only %s may", imported, importer)
			}
		}
	}
	return faults
}

func TestImportFaults(t *testing.T) {
	for _, c := range []struct {
		name string
		p    goPackage
		want []string
	}{
		{
			name: "sound",
			p: goPackage{
				ImportPath: "bohnenspiel/tablebase/database", Imports: []string{"fmt", "bohnenspiel/solver/game", "github.com/dgraph-io/badger/v4/options"},
				XTestImports: []string{"bohnenspiel/tablebase/build", "bohnenspiel/solver/internal/reference", "github.com/google/go-cmp/cmp"},
			},
		},
		{
			name: "to the left",
			p:    goPackage{ImportPath: "bohnenspiel/solver", Imports: []string{"bohnenspiel/tablebase"}, XTestImports: []string{"bohnenspiel/cmd/bohnenspiel"}},
			want: []string{
				"solver imports tablebase, which is not to its right",
				"solver imports cmd/bohnenspiel in tests, which is to its left",
			},
		},
		{
			name: "oracle",
			p:    goPackage{ImportPath: "bohnenspiel/solver", Imports: []string{"bohnenspiel/solver/internal/reference"}},
			want: []string{"solver imports solver/internal/reference, which is for tests"},
		},
		{
			name: "more than the standard library",
			p:    goPackage{ImportPath: "bohnenspiel/solver/game", Imports: []string{"golang.org/x/sync/errgroup", "math/bits"}},
			want: []string{"solver/game imports golang.org/x/sync/errgroup; it may use the standard library only"},
		},
		{
			name: "Badger",
			p:    goPackage{ImportPath: "bohnenspiel/cmd/bohnenspiel", Imports: []string{"github.com/dgraph-io/badger/v4"}},
			want: []string{"cmd/bohnenspiel imports github.com/dgraph-io/badger/v4; only tablebase/database may"},
		},
		{
			name: "HTTP",
			p:    goPackage{ImportPath: "bohnenspiel/tablebase", XTestImports: []string{"net/http/httptest"}},
			want: []string{"tablebase imports net/http/httptest; only cmd/internal/web may"},
		},
		{
			name: "unknown package",
			p:    goPackage{ImportPath: "bohnenspiel/util"},
			want: []string{"util has no place in the order of packages: see docs/architecture.md"},
		},
		{
			name: "code among the documents",
			p:    goPackage{ImportPath: "bohnenspiel/docs", Imports: []string{"fmt"}},
			want: []string{"docs holds more than tests"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, importFaults(c.p)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNoBadger wants a program that reads exported files, judges studies or searches to do
// without Badger.
func TestNoBadger(t *testing.T) {
	for _, name := range []string{"tablebase", "tablebase/study", "tablebase/proof", "tablebase/build", "tablebase/check", "tablebase/archive"} {
		command := exec.CommandContext(t.Context(), "go", "list", "-deps", "./"+name)
		command.Dir = root
		command.Stderr = os.Stderr
		out, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		if text := string(out); strings.Contains(text, "dgraph-io") || !strings.Contains(text, module+"/tablebase/store") {
			t.Errorf("%s depends on Badger, or not on the store", name)
		}
	}
}

// TestArchitectureShowsOrder wants architecture.md to draw the order of packages
// that the tests hold.
func TestArchitectureShowsOrder(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	shown := slices.DeleteFunc(slices.Clone(chain), func(name string) bool { return slices.Contains(beside, name) })
	if want := strings.Join(shown, " → "); !strings.Contains(string(text), want) {
		t.Errorf("docs/architecture.md does not show the order of packages:\n%s", want)
	}
}

package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rootNames are the names at the root of the repository, besides dotfiles.
var rootNames = []string{
	"LICENSE", "README.md", "benchmarks", "cmd", "docs", "go.mod", "go.sum", "solver", "tablebase",
}

// TestRootNames wants nothing at the root that has no place there.
func TestRootNames(t *testing.T) {
	command := exec.CommandContext(t.Context(), "git", "ls-files", "--cached", "--others", "--exclude-standard")
	command.Dir = root
	out, err := command.Output()
	if err != nil {
		t.Skipf("this is no git checkout: %v", err)
	}
	seen := map[string]bool{}
	for path := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(strings.TrimSpace(path), "/")
		if !seen[name] && !strings.HasPrefix(name, ".") && !slices.Contains(rootNames, name) {
			t.Errorf("%s does not belong at the root: it holds %s and dotfiles only", name, strings.Join(rootNames, ", "))
		}
		seen[name] = true
	}
}

// TestNoInit wants no function that runs unasked when a package is imported.
func TestNoInit(t *testing.T) {
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "testdata") {
			return fs.SkipDir
		}
		if entry.IsDir() || filepath.Ext(path) != ".go" {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if ok && function.Recv == nil && function.Name.Name == "init" {
				t.Errorf("%s: no function may be called init", files.Position(function.Pos()))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

package docs_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestLinks follows all relative links of the documents, fragments included.
func TestLinks(t *testing.T) {
	all := pages(t)
	byPath := map[string]page{}
	for _, p := range all {
		byPath[p.path] = p
	}
	for _, p := range all {
		for _, l := range p.links {
			if fault := follow(p, l, byPath); fault != "" {
				t.Errorf("%s:%d: %s", p.path, l.line, fault)
			}
		}
	}
}

// follow says what is wrong with a link, or returns "".
func follow(from page, l link, all map[string]page) string {
	if strings.Contains(l.target, "://") || strings.HasPrefix(l.target, "mailto:") {
		return "" // not ours to check, and tests need no network
	}
	file, fragment, _ := strings.Cut(l.target, "#")
	target := from.path
	if file != "" {
		target = path.Join(path.Dir(from.path), file)
	}
	if path.IsAbs(file) || strings.HasPrefix(target, "..") {
		return fmt.Sprintf("link %s leads out of the repository", l.target)
	}
	if _, err := os.Stat(filepath.Join(root, target)); err != nil {
		return fmt.Sprintf("link %s: there is no %s", l.target, target)
	}
	if fragment == "" {
		return ""
	}
	to, ok := all[target]
	if !ok {
		return fmt.Sprintf("link %s: only documents have fragments; line numbers go stale", l.target)
	}
	if !to.anchors[fragment] {
		return fmt.Sprintf("link %s: %s has no heading #%s", l.target, target, fragment)
	}
	return ""
}

// TestPagesAreFound wants each document to be reached by links from the README.
func TestPagesAreFound(t *testing.T) {
	byPath := map[string]page{}
	for _, p := range pages(t) {
		byPath[p.path] = p
	}
	reached := map[string]bool{"README.md": true}
	for queue := []string{"README.md"}; len(queue) > 0; queue = queue[1:] {
		for _, l := range byPath[queue[0]].links {
			file, _, _ := strings.Cut(l.target, "#")
			target := path.Join(path.Dir(queue[0]), file)
			if _, ok := byPath[target]; ok && !reached[target] {
				reached[target] = true
				queue = append(queue, target)
			}
		}
	}
	for name := range byPath {
		if !reached[name] {
			t.Errorf("no way leads from README.md to %s: link to it", name)
		}
	}
}

func TestParse(t *testing.T) {
	text := strings.Join([]string{
		"# One `code`, two!", // 1
		"A [link](a.md) and `[none](b.md)`; [`code`](c.md#x-y),", // 2
		"a [long", // 3
		"one](d.md \"title\"). <!-- [no](e.md) -->", // 4
		"```console",          // 5
		"$ command [x](y)",    // 6
		"# no heading",        // 7
		"```",                 // 8
		"# One code two",      // 9
		"## See [this](f.md)", // 10
		"",
	}, "\n")
	got := parse("docs/x.md", text)
	want := page{
		path:    "docs/x.md",
		anchors: map[string]bool{"one-code-two": true, "one-code-two-1": true, "see-this": true},
		links:   []link{{2, "a.md"}, {2, "c.md#x-y"}, {3, "d.md"}, {10, "f.md"}},
		blocks:  []block{{line: 6, info: "console", lines: []string{"$ command [x](y)", "# no heading"}}},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(page{}, link{}, block{})); diff != "" {
		t.Errorf("parse (-want +got):\n%s", diff)
	}
}

func TestFollow(t *testing.T) {
	all := map[string]page{"docs/architecture.md": {path: "docs/architecture.md", anchors: map[string]bool{"a": true}}}
	from := all["docs/architecture.md"]
	for _, c := range []struct {
		target string
		sound  bool
	}{
		{"https://example.org/nothing", true},
		{"#a", true},
		{"architecture.md#a", true},
		{"#b", false},
		{"links_test.go", true},
		{"links_test.go#L3", false},
		{"../LICENSE", true},
		{"adr", true},
		{"nothing.md", false},
		{"../../elsewhere", false},
		{"/etc/passwd", false},
	} {
		if fault := follow(from, link{1, c.target}, all); (fault == "") != c.sound {
			t.Errorf("follow(%q) = %q, want sound = %t", c.target, fault, c.sound)
		}
	}
}

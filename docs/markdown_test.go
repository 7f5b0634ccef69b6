package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// root is the root of the repository, seen from this folder.
const root = ".."

// page is a Markdown file, as far as the tests look into it.
type page struct {
	path    string // relative to root, with slashes
	anchors map[string]bool
	links   []link
	blocks  []block
}

// link is an inline link or a picture.
type link struct {
	line   int // counted from 1
	target string
}

// block is a fenced code block.
type block struct {
	line  int    // of its first line of code, counted from 1
	info  string // what follows the opening fence, "console" for example
	lines []string
}

var (
	comment  = regexp.MustCompile(`(?s)<!--.*?-->`)
	codeSpan = regexp.MustCompile("`[^`\n]*`")
	inline   = regexp.MustCompile(`\[[^\]]*\]\(([^()\s]+)(?:\s+"[^"]*")?\)`)
	linkText = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	heading  = regexp.MustCompile(`^#{1,6}\s+(.*?)\s*#*$`)
	fence    = regexp.MustCompile("^\\s*(`{3,}|~{3,})\\s*(.*)$")
)

// pages returns README.md and all Markdown files of docs and benchmarks.
func pages(t *testing.T) []page {
	t.Helper()
	paths := []string{"README.md"}
	for _, folder := range []string{"docs", "benchmarks"} {
		err := filepath.WalkDir(filepath.Join(root, folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
				return err
			}
			path, err = filepath.Rel(root, path)
			paths = append(paths, filepath.ToSlash(path))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	all := make([]page, 0, len(paths))
	for _, path := range paths {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, parse(path, string(text)))
	}
	return all
}

// parse splits a Markdown file into prose and code blocks and finds the headings
// and links of the prose.
func parse(path, text string) page {
	p := page{path: path, anchors: map[string]bool{}}
	var prose strings.Builder // the text with code blocks blanked, line by line
	open := ""                // the fence that closes the block that we are in
	for i, line := range strings.Split(text, "\n") {
		mark := fence.FindStringSubmatch(line)
		switch {
		case open != "" && mark != nil && strings.HasPrefix(mark[1], open) && mark[2] == "":
			open = ""
		case open != "":
			last := &p.blocks[len(p.blocks)-1]
			last.lines = append(last.lines, line)
		case mark != nil:
			open = mark[1]
			p.blocks = append(p.blocks, block{line: i + 2, info: mark[2]})
		default:
			if title := heading.FindStringSubmatch(line); title != nil {
				p.anchors[anchor(title[1], p.anchors)] = true
			}
			prose.WriteString(line)
		}
		prose.WriteByte('\n')
	}
	// What is blanked keeps its line ends, so that lines can be counted.
	blank := func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) }
	plain := codeSpan.ReplaceAllStringFunc(comment.ReplaceAllStringFunc(prose.String(), blank), blank)
	for _, at := range inline.FindAllStringSubmatchIndex(plain, -1) {
		p.links = append(p.links, link{
			line:   1 + strings.Count(plain[:at[0]], "\n"),
			target: plain[at[2]:at[3]],
		})
	}
	return p
}

// anchor returns the fragment by which GitHub links to a heading. Those in taken
// belong to headings before it.
func anchor(title string, taken map[string]bool) string {
	title = linkText.ReplaceAllString(title, "$1")
	name := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		default:
			return -1
		}
	}, title)
	unique := name
	for i := 1; taken[unique]; i++ {
		unique = name + "-" + strconv.Itoa(i)
	}
	return unique
}

package web_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bohnenspiel/cmd/internal/web"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
)

// pageOf returns the page of a position without scripts, as one line without tags and
// double blanks.
func pageOf(t *testing.T, s *web.Server, target string) (status int, text string) {
	t.Helper()
	response, text := ask(t, s, http.MethodGet, target, "")
	text = regexp.MustCompile(`(?s)<svg.*?</svg>|<[^>]*>`).ReplaceAllString(text, " ")
	return response.StatusCode, strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}

// TestPageAnswersWithoutScript wants the answer in what the server sends.
func TestPageAnswersWithoutScript(t *testing.T) {
	s := newServer(t, web.Options{})
	for _, c := range []struct {
		name, position, rules, language string
		status                          int
		want                            []string
	}{
		{
			"win", "0-1-0-0-0-1-0-0-0-0-0-0-30-40-N", "", "en", 200,
			[]string{"North wins 32–40", "Play is over: North to move has no beans, so South takes the 2 on the board."},
		},
		{
			"loss", "1-0-0-0-2-1-1-0-0-3-0-0-30-34-S", "", "en", 200,
			[]string{
				"North wins 34–38", "Every move loses.", "0 for South, to move: of the 8 beans on the board, South still wins 4 and North 4.",
				"Moves of South, best first", "1 0 34–38 loss best", "6 2 32–40 loss 4", "Best play", "All positions with 8 beans",
			},
		},
		{
			"German", "1-0-0-0-2-1-1-0-0-3-0-0-30-34-N", "", "de", 200,
			[]string{"Nord gewinnt 34–38", "Jeder Zug gewinnt.", "Züge von Nord, die besten zuerst", "gewonnen am besten", "Bestes Spiel"},
		},
		{
			"one move", "0 1 0 0 0 1 / 0 0 0 0 0 0", "", "en", 200,
			[]string{"South wins 2–0", "Only move 2 wins.", "Stores are empty, so this counts the beans on the board alone."},
		},
		{"pass", "0-0-0-0-0-0-1-0-0-1-0-0-30-40-S", "mangala", "en", 200, []string{"North wins 30–42", "South has to pass.", "pass 0 30–42 loss best"}},
		{"endless", "1-0-0-0-0-0-0-0-0-0-0-0-40-31-S", "mangala", "en", 200, []string{"South wins ahead by 9", "(rule 8)", "From here on play goes round for ever."}},
		{"empty", "0-0-0-0-0-0-0-0-0-0-0-0-36-36-S", "", "en", 200, []string{"Draw 36–36", "Play is over: the board is empty."}},
		{
			"no table", "6-6-6-6-6-6-6-6-6-6-6-6-0-0-S", "", "en", 404,
			[]string{"No table", "do not hold 72 beans", "They hold: 0, 2, 4, 6, 8, 10, 12.", "Moves of South", "1 0", "6 0"},
		},
		{"bad", "0 1 x", "", "en", 400, []string{"No position", "bad position: field 3"}},
		{"bad, German", "0 1 x", "", "de", 400, []string{"Keine Stellung", "So schreibt man eine Stellung", "bad position: field 3"}},
		{"other rules", "1 1 / 1 1", "chess", "en", 400, []string{"No position", "unknown rules"}},
		{"small board", "1 1 / 1 1", "", "en", 200, []string{"Draw 2–2"}},
		{"markup", "<b>1</b>", "", "en", 400, []string{"No position"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			query := url.Values{"position": {c.position}, "lang": {c.language}}
			if c.rules != "" {
				query.Set("rules", c.rules)
			}
			status, text := pageOf(t, s, "/?"+query.Encode())
			if status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("the page does not say %q:\n%s", want, text)
				}
			}
		})
	}
}

func TestPageEscapes(t *testing.T) {
	s := newServer(t, web.Options{})
	_, text := ask(t, s, http.MethodGet, "/?position="+url.QueryEscape(`"><script>alert(1)</script>`), "")
	if strings.Contains(text, "<script>alert") {
		t.Error("the page repeats markup from its address")
	}
}

func TestLanguage(t *testing.T) {
	s := newServer(t, web.Options{})
	for _, c := range []struct{ query, cookie, accept, want string }{
		{"", "", "", "en"},
		{"", "", "de-AT,de;q=0.9,en;q=0.5", "de"},
		{"", "", "fr,en;q=0.5", "en"},
		{"", "", "fr", "en"},
		{"", "", ";;;", "en"},
		{"", "de", "en", "de"},
		{"en", "de", "de", "en"},
		{"xx", "xx", "de", "de"},
	} {
		_, text := ask(t, s, http.MethodGet, "/?lang="+c.query, "", "Cookie", "lang="+c.cookie, "Accept-Language", c.accept)
		if !strings.Contains(text, fmt.Sprintf(`<html lang="%s">`, c.want)) {
			t.Errorf("%+v: the page is in another language", c)
		}
	}
	response, text := ask(t, s, http.MethodGet, "/?lang=de", "", "Cookie", "theme=dark")
	if !strings.Contains(text, `<html lang="de" data-theme="dark">`) || !strings.HasPrefix(response.Header.Get("Set-Cookie"), "lang=de;") {
		t.Errorf("choices: cookie %q", response.Header.Get("Set-Cookie"))
	}
}

// TestWordsAreComplete wants each text in both languages, with the same values in the
// same order.
func TestWordsAreComplete(t *testing.T) {
	texts := web.Texts()
	verbs := regexp.MustCompile(`%[ds]`)
	for name, text := range texts["en"] {
		other, ok := texts["de"][name]
		if !ok {
			t.Errorf("%s has no German text", name)
		}
		if !slices.Equal(verbs.FindAllString(text, -1), verbs.FindAllString(other, -1)) {
			t.Errorf("%s: %q and %q want different values", name, text, other)
		}
	}
	if len(texts["de"]) != len(texts["en"]) {
		t.Errorf("%d German texts, %d English ones", len(texts["de"]), len(texts["en"]))
	}
}

// TestReasonsHaveWords wants a text for each code of errors that the page of the API lists,
// and for those of no list.
func TestReasonsHaveWords(t *testing.T) {
	document, err := os.ReadFile("../../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	const most = 32
	codes := append(make([]string, 0, most), "of no list")
	for _, row := range regexp.MustCompile("(?m)^\\| [45][0-9][0-9] \\| (`[a-z_`, ]+) \\|").FindAllStringSubmatch(string(document), -1) {
		codes = append(codes, regexp.MustCompile("[a-z_]+").FindAllString(row[1], -1)...)
	}
	if len(codes) < 16 {
		t.Fatalf("got codes %v, want at least 16", codes)
	}
	names := make(map[string]bool)
	for _, code := range codes {
		name := web.ReasonOf(code)
		if web.Texts()["en"][name] == "" {
			t.Errorf("%s: there is no text %s", code, name)
		}
		names[name] = true
	}
	for name := range web.Texts()["en"] {
		if strings.HasPrefix(name, "reason") && !names[name] {
			t.Errorf("no code has the text %s", name)
		}
	}
}

// TestFirstView wants all that a first visit loads to be less than 100 kB.
func TestFirstView(t *testing.T) {
	const most = 100_000
	s := newServer(t, web.Options{})
	for _, target := range []string{"/", "/tables", "/?position=1-1-1-1-1-1-1-1-1-1-1-1-30-30-S&lang=de"} {
		_, text := ask(t, s, http.MethodGet, target, "")
		all := len(text)
		for _, found := range regexp.MustCompile(`(?:href|src)="(/static/[^"#]*)`).FindAllStringSubmatch(text, -1) {
			_, file := ask(t, s, http.MethodGet, found[1], "")
			all += len(file)
		}
		if all >= most {
			t.Errorf("%s: %d bytes, want less than %d", target, all, most)
		}
		t.Logf("%s: %d bytes in all", target, all)
	}
}

// TestPagesLoadNothingElse wants no address of another server in pages, styles and
// scripts.
func TestPagesLoadNothingElse(t *testing.T) {
	s := newServer(t, web.Options{})
	targets := slices.Concat([]string{"/", "/tables", "/tables/bohnenspiel/6", "/nothing"}, filesOf(t, s))
	for _, target := range targets {
		_, text := ask(t, s, http.MethodGet, target, "")
		text = strings.ReplaceAll(text, "http://www.w3.org/2000/svg", "")
		if at := strings.Index(text, "//"); at >= 0 && regexp.MustCompile(`(https?:|["'(])//`).MatchString(text) {
			t.Errorf("%s names another server", target)
		}
		if strings.Contains(text, "style=") || regexp.MustCompile(`<script>|\son\w+=`).MatchString(text) {
			t.Errorf("%s has what its policy forbids", target)
		}
	}
}

// filesOf returns the addresses of the files that the first page loads.
func filesOf(t *testing.T, s *web.Server) (files []string) {
	t.Helper()
	_, text := ask(t, s, http.MethodGet, "/", "")
	for _, found := range regexp.MustCompile(`(?:href|src)="(/static/[^"#]*)`).FindAllStringSubmatch(text, -1) {
		files = append(files, found[1])
	}
	return files
}

func TestTablesPages(t *testing.T) {
	s := newServer(t, web.Options{})
	for _, c := range []struct {
		target string
		status int
		want   string
	}{
		{"/tables", 200, "Bohnenspiel on a 2×6 board"},
		{"/tables", 200, "12 1,352,078"},
		{"/tables", 200, "Mangala II on a 2×6 board"},
		{"/tables?lang=de", 200, "12 1.352.078"},
		{"/tables/bohnenspiel/8", 200, "8 beans: 75,582 positions"},
		{"/tables/bohnenspiel/8", 200, "+8 10,759 14.2% +4 18,892 25.0% 0 21,735 28.8% −4 16,734 22.1% −8 7,462 9.9%"},
		{"/tables/mangala/3", 200, "leans on rule 8"},
		{"/tables/bohnenspiel/2?width=2", 200, "2 beans: 10 positions"},
		{"/tables/bohnenspiel/4?width=2", 200, "The longest way to a capture or the end takes"},
		{"/tables/bohnenspiel/14", 404, "layer is not built"},
		{"/tables/bohnenspiel/x", 400, "whole number"},
		{"/tables/chess/2", 400, "unknown rules"},
		{"/tables/bohnenspiel/14?lang=de", 404, "Die Tabellen hier kennen keine Stellungen mit so vielen Bohnen"},
		{"/tables/bohnenspiel/x?lang=de", 400, "Ein Brett hat 1 bis 9 Mulden"},
		{"/tables/chess/2?lang=de", 400, "Die Spiele hier heißen"},
		{"/nothing", 404, "There is nothing here"},
	} {
		status, text := pageOf(t, s, c.target)
		if status != c.status || !strings.Contains(text, c.want) {
			t.Errorf("%s: status %d, want %d and %q:\n%s", c.target, status, c.status, c.want, text)
		}
	}
}

// TestPicture wants a drawing that is well-formed XML, with as many beans as there are.
func TestPicture(t *testing.T) {
	s := newServer(t, web.Options{})
	for position, beans := range map[string]int{
		"1-0-0-0-2-1-1-0-0-3-0-0-30-34-S": 72,
		"0-0-0-0-0-0-0-0-0-0-0-0-0-0-N":   0,
		"1-1-1-1-3-4-S":                   11,
	} {
		response, text := ask(t, s, http.MethodGet, "/picture.svg?position="+position, "")
		if response.StatusCode != http.StatusOK {
			t.Fatalf("status %d: %s", response.StatusCode, text)
		}
		drawn := 0
		for decoder := xml.NewDecoder(strings.NewReader(text)); ; {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", position, err)
			}
			if element, ok := token.(xml.StartElement); ok && element.Name.Local == "ellipse" {
				drawn++
			}
		}
		if drawn != beans {
			t.Errorf("%s: %d beans are drawn, want %d", position, drawn, beans)
		}
	}
}

// TestPuzzles wants each puzzle to be one: one move only keeps a win or a draw, and
// another takes more beans.
func TestPuzzles(t *testing.T) {
	db := open(t, tablesDir)
	seen := map[game.Diagram]bool{}
	for _, d := range web.Puzzles(t) {
		a, err := db.Answer(t.Context(), game.Bohnenspiel, d, 0)
		if err != nil {
			t.Fatalf("%v: %v", d, err)
		}
		keeping := 0
		for _, m := range a.Moves {
			if *m.Outcome == *a.Outcome {
				keeping++
			}
		}
		greedy := slices.MaxFunc(a.Moves, func(x, y tablebase.Move) int { return x.Captured - y.Captured })
		if *a.Outcome == game.Loss || keeping != 1 || greedy.Captured <= a.Moves[0].Captured || seen[d] {
			t.Errorf("%v is no puzzle, or there twice: %v, %d moves keep it", d, *a.Outcome, keeping)
		}
		seen[d] = true
	}
	if len(seen) < 50 {
		t.Errorf("%d puzzles, want more", len(seen))
	}
}

func TestStudiesPage(t *testing.T) {
	s := newServer(t, web.Options{})
	if status, text := pageOf(t, s, "/studies"); status != http.StatusOK || !strings.Contains(text, "The last pair") {
		t.Errorf("status %d, without an example:\n%s", status, text)
	}
	const position = "[Position \"0-1-0-0-0-1-0-0-0-0-0-0-0-0-S\"]\n"
	for _, c := range []struct {
		text   string
		status int
		want   []string
	}{
		{"[Title \"A <b>pair</b>\"]" + position + "[Stipulation \"win\"]\n2!", 200, []string{"A &lt;b&gt;pair&lt;/b&gt;", ">sound<", "South wins"}},
		{position + "[Stipulation \"draw\"]\n2", 200, []string{"Untitled", ">unsound<", "the claim is false"}},
		{"[Position \"6-6-6-6-6-6-6-6-6-6-6-6-0-0-S\"]\n[Stipulation \"win\"]", 200, []string{">not judged<", "layer is not built"}},
		{"nonsense", 400, []string{"This is no text of studies", "study:1:1:"}},
		{"", 400, []string{"This is no text of studies"}},
	} {
		for _, target := range []string{"/studies", "/studies?part=1"} {
			head, text := ask(t, s, http.MethodPost, target, url.Values{"text": {c.text}}.Encode())
			if head.StatusCode != c.status || head.Header.Get("Cache-Control") != "no-store" {
				t.Errorf("%q: status %d, want %d; Cache-Control %q", c.text, head.StatusCode, c.status, head.Header.Get("Cache-Control"))
			}
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("%q: the page does not say %q:\n%s", c.text, want, text)
				}
			}
			if whole := strings.Contains(text, "<html"); whole == strings.HasSuffix(target, "part=1") {
				t.Errorf("%s: a whole page: %t", target, whole)
			}
		}
	}
}

// TestStudiesPageInGerman wants of every study of the suite as many faults as in English,
// and no English word in them.
func TestStudiesPageInGerman(t *testing.T) {
	s := newServer(t, web.Options{})
	suite, err := os.ReadFile("../../../tablebase/study/testdata/suite.studies")
	if err != nil {
		t.Fatal(err)
	}
	fault := regexp.MustCompile(`<li>([^<]*)</li>|(?:Claim|Forderung): ([^<]*)</p>`)
	faultsOf := func(language string) [][]string {
		head, text := ask(t, s, http.MethodPost, "/studies?part=1&lang="+language, url.Values{"text": {string(suite)}}.Encode())
		if head.StatusCode != http.StatusOK {
			t.Fatalf("status %d:\n%s", head.StatusCode, text)
		}
		return fault.FindAllStringSubmatch(text, -1)
	}
	want, got := faultsOf("en"), faultsOf("de")
	if len(want) < 100 || len(got) != len(want) {
		t.Fatalf("got %d faults and claims in German, want as many as the %d in English, at least 100", len(got), len(want))
	}
	foreign := regexp.MustCompile(`\b(ply|claim|move|moves|defence|reply|wins|draws|score|South|North|and)\b|: :|: $`)
	number := regexp.MustCompile(`[0-9]+`)
	for i := range got {
		if word := foreign.FindString(got[i][0]); word != "" {
			t.Errorf("%q, in English %q, has %q", got[i][0], want[i][0], word)
		}
		if got[i][1] == "" || strings.Contains(want[i][1], "claim is false") || strings.Contains(want[i][1], "illegal") {
			continue // the English text says more: by how much, and why
		}
		if !slices.Equal(number.FindAllString(got[i][1], -1), number.FindAllString(want[i][1], -1)) {
			t.Errorf("%q has other numbers than %q", got[i][1], want[i][1])
		}
	}
}

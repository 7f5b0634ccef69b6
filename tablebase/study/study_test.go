package study_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/internal/tabletest"
	"bohnenspiel/tablebase/study"
)

// everything is a file with each thing that the format has.
const everything = "\ufeff" + `% a line for the eyes of people only
[Title "A \"study\" with a \\"]
[Author "Somebody"]   [Source "none"]
[Rules "hemprich"]
[Position "0 2 1 1 1 1 / 3 3 3 1 0 0 / 26 30 N"] ; the rest of the line is hidden
[Stipulation "North win by 4"]

{before  the
first} 12! {one} {two} (3? {fails} 7! (8 9?) (- {a pass}))
(5?? 4!? 6?!) {three} 1 ;{hidden}
2!! * [Position "1,0,0,0,0,0,0,0,0,0,0,0,0,0,S"]
[Stipulation "best"]
*
[Stipulation "score -3 for South"][Position "1-0-0-0-0-0-0-0-0-0-0-0-0-0-S"] {no moves}
`

const written = `[Title "A \"study\" with a \\"]
[Author "Somebody"]
[Source "none"]
[Rules "mangala"]
[Position "0-2-1-1-1-1-3-3-3-1-0-0-26-30-N"]
[Stipulation "win by 4 for North"]

{before the first} 12! {one two three} (3? {fails} 7! (8 9?) (- {a pass})) (5??
4!? 6?!) 1 2!!

[Rules "bohnenspiel"]
[Position "1-0-0-0-0-0-0-0-0-0-0-0-0-0-S"]
[Stipulation "best"]

*

[Rules "bohnenspiel"]
[Position "1-0-0-0-0-0-0-0-0-0-0-0-0-0-S"]
[Stipulation "score -3 for South"]

{no moves} *
`

func TestParse(t *testing.T) {
	studies := parse(t, everything)
	if len(studies) != 3 {
		t.Fatalf("got %d studies, want 3", len(studies))
	}
	diagram := tabletest.Diagram(t, "0-2-1-1-1-1-3-3-3-1-0-0-26-30-N")
	want := study.Study{
		Title: `A "study" with a \`, Author: "Somebody", Source: "none",
		Rules: game.Mangala, Diagram: diagram,
		Stipulation: study.Stipulation{Goal: study.WinBy, Beans: 4, For: study.NorthSolves},
		Solution: study.Movetext{
			Comment: "before the first",
			Moves: []study.Move{
				{
					Number: 12, Mark: study.Key, Comment: "one two three", Place: study.Place{Line: 9, Column: 8},
					Variations: []study.Movetext{
						{Moves: []study.Move{
							{Number: 3, Mark: study.Try, Comment: "fails", Place: study.Place{Line: 9, Column: 25}},
							{
								Number: 7, Mark: study.Key, Place: study.Place{Line: 9, Column: 36},
								Variations: []study.Movetext{
									{Moves: []study.Move{
										{Number: 8, Place: study.Place{Line: 9, Column: 40}},
										{Number: 9, Mark: study.Try, Place: study.Place{Line: 9, Column: 42}},
									}},
									{Moves: []study.Move{{Number: 0, Comment: "a pass", Place: study.Place{Line: 9, Column: 47}}}},
								},
							},
						}},
						{Moves: []study.Move{
							{Number: 5, Mark: "??", Place: study.Place{Line: 10, Column: 2}},
							{Number: 4, Mark: "!?", Place: study.Place{Line: 10, Column: 6}},
							{Number: 6, Mark: "?!", Place: study.Place{Line: 10, Column: 10}},
						}},
					},
				},
				{Number: 1, Place: study.Place{Line: 10, Column: 23}},
				{Number: 2, Mark: "!!", Place: study.Place{Line: 11, Column: 1}},
			},
		},
		Place: study.Place{Line: 2, Column: 1},
	}
	if diff := cmp.Diff(want, studies[0]); diff != "" {
		t.Errorf("first study (-want +got):\n%s", diff)
	}
}

func TestFormat(t *testing.T) {
	if diff := cmp.Diff(written, printed(t, parse(t, everything))); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(written, printed(t, parse(t, written))); diff != "" {
		t.Errorf("written again (-want +got):\n%s", diff)
	}
}

// TestFormatRefuses wants nothing written that could not be read again.
func TestFormatRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(s *study.Study)
	}{
		{"control character in a tag", func(s *study.Study) { s.Title = "a\nb" }},
		{"tag that is no text", func(s *study.Study) { s.Author = "\xff" }},
		{"brace in a comment", func(s *study.Study) { s.Solution.Comment = "a } b" }},
		{"brace in the comment of a variation", func(s *study.Study) {
			s.Solution.Moves[0].Variations = []study.Movetext{{Moves: []study.Move{{Number: 3, Comment: "}"}}}}
		}},
		{"variation without moves", func(s *study.Study) { s.Solution.Moves[0].Variations = []study.Movetext{{Comment: "none"}} }},
		{"too many moves", func(s *study.Study) {
			s.Solution.Moves[0].Variations = []study.Movetext{{Moves: slices.Repeat([]study.Move{{Number: 1}}, 20_000)}}
		}},
		{"no such pit", func(s *study.Study) { s.Solution.Moves[0].Number = 19 }},
		{"no such mark", func(s *study.Study) { s.Solution.Moves[0].Mark = "!!!" }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := parse(t, written)[0]
			c.change(&s)
			var text strings.Builder
			if err := study.Format(&text, []study.Study{s}); err == nil || text.Len() > 0 {
				t.Errorf("got error %v and %q, want an error and nothing written", err, &text)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	const tags = "[Position \"1-0-0-0-0-0-0-0-0-0-0-0-0-0-S\"]\n[Stipulation \"best\"]\n"
	for _, c := range []struct{ text, want string }{
		{"1 2", `f:1:1: want a tag such as [Title "…"], not "1"`},
		{"\n [", "f:2:3: want the name of a tag, not the end of the file"},
		{"[Title", `f:1:7: want a string in double quotes, not the end of the file`},
		{"[Title x]", `f:1:8: want a string in double quotes, not "x"`},
		{`[Title "x" 5`, `f:1:12: want ], not "5"`},
		{"[Title \"x\n\"]", `f:1:8: the string has no closing " on its line`},
		{"[Title \"x\r\n\"]", `f:1:8: the string has no closing " on its line`},
		{`[Title "x`, `f:1:8: the string has no closing " on its line`},
		{`[Title "é\n"]`, `f:1:10: a \ stands only before " or another \`},
		{"[Title \"\t\"]", "f:1:9: U+0009 is a control character"},
		{"[Title \"\xff\"]", "f:1:9: byte 0xff is no text: save the file as UTF-8"},
		{"[Title \"a\"]\n\x01", "f:2:1: U+0001 is a control character"},
		{`[2nd "x"]`, `f:1:2: "2nd" is no name of a tag: want letters, digits and _, a letter first`},
		{`[Titel "x"]`, "f:1:2: unknown tag Titel: a study has Title, Author, Source, Rules, Position and Stipulation"},
		{"[Title \"a\"]\n[Title \"b\"]", "f:2:2: tag Title was given in line 1; moves, or a * for none, have to come before the next tags"},
		{`[Title "x"]`, "f:1:1: the study has no tag Position"},
		{`[Position "1-0-0-0-0-0-0-0-0-0-0-0-0-0-S"]`, "f:1:1: the study has no tag Stipulation"},
		{`[Position "1-0-0-x-0-0-0-0-0-0-0-0-0-0-S"]`, `f:1:11: bad position: field 4 "x" is not a number of beans`},
		{`[Rules "chess"]`, `f:1:8: unknown rules "chess": use bohnenspiel, mangala or hemprich`},
		{`[Stipulation "mate"]`, `f:1:14: bad stipulation "mate": want win, draw, win by N, score N or best, and perhaps for South or for North`},
		{`[Stipulation "win by 0"]`, `f:1:14: bad stipulation "win by 0": want a number of beans from 1 to 108, not "0"`},
		{tags + "1 13 19", `f:3:6: "19" is no move: want a pit's number from 1 to 18, or - for a pass`},
		{tags + "0", `f:3:1: "0" is no move: want a pit's number from 1 to 18, or - for a pass`},
		{tags + "+1", `f:3:1: "+1" is no move: want a pit's number from 1 to 18, or - for a pass`},
		{tags + "1. 5", `f:3:1: "1." is no move: moves are not numbered here; a move is a pit's number, or - for a pass`},
		{tags + "é 5x", `f:3:1: "é" is no move: want a pit's number from 1 to 18, or - for a pass`},
		{tags + "5 !", "f:3:3: the mark ! has no move: it stands right behind one, with no blank between"},
		{tags + "5!!!", `f:3:1: "5!!!" has no known mark: use !, ?, !!, ??, !? or ?!`},
		{tags + "5 {é} {", "f:3:7: the comment has no closing }"},
		{tags + "5 }", "f:3:3: a } without the { that begins a comment"},
		{tags + "5 {\x00}", "f:3:4: U+0000 is a control character"},
		{tags + "(5)", "f:3:1: a variation stands behind the move that it replaces; there is none"},
		{tags + "5 ()", `f:3:4: want a move, not ")"`},
		{tags + "5 ({x} (", `f:3:8: want a move, not "("`},
		{tags + "5 (6", "f:3:3: the variation has no closing )"},
		{tags + "5 (6 *)", `f:3:6: want a move or ), not "*"`},
		{tags + "5 )", "f:3:3: a ) without the ( that begins a variation"},
		{tags + "5 ]", `f:3:3: want a move, not "]"`},
		{tags + "5 * 6", `f:3:5: want a tag such as [Title "…"], not "6"`},
		{tags + strings.Repeat("1(", 101), "f:3:202: variations lie more than 100 deep in each other"},
		{tags + strings.Repeat("1(2)", 10_000) + " 3", "f:3:40002: there are more than 20000 moves before the next tags"},
	} {
		studies, err := study.Parse("f", []byte(c.text))
		var syntax *study.SyntaxError
		if err == nil || err.Error() != c.want || !errors.Is(err, study.ErrSyntax) || !errors.As(err, &syntax) {
			t.Errorf("Parse(%q): got %v and error %v, want %s", c.text, studies, err, c.want)
		}
	}
}

// FuzzParse wants no panic, errors with a place, and that what is written is read as
// the same and written again as the same bytes.
func FuzzParse(f *testing.F) {
	f.Add(everything)
	f.Add(written)
	f.Add("[Title \"unfinished")
	f.Add("[Position \"1 0 / 0 1\"][Stipulation \"draw\"] 1 (2 {\u00a0x\u2028y} - (3??)) ; {")
	f.Fuzz(func(t *testing.T, text string) {
		studies, err := study.Parse("f", []byte(text))
		if err != nil {
			wantPlace(t, text, err)
			return
		}
		once := printed(t, studies)
		again := parse(t, once)
		if diff := cmp.Diff(studies, again, ignorePlaces); diff != "" {
			t.Errorf("what was written is read as something else (-first +second):\n%s", diff)
		}
		if diff := cmp.Diff(once, printed(t, again)); diff != "" {
			t.Errorf("written again (-first +second):\n%s", diff)
		}
	})
}

// ignorePlaces compares studies and games, wherever they stand in a file.
var ignorePlaces = cmp.Transformer("place", func(study.Place) struct{} { return struct{}{} })

// wantPlace fails the test unless an error names a place in the text.
func wantPlace(t *testing.T, text string, err error) {
	t.Helper()
	var syntax *study.SyntaxError
	if !errors.As(err, &syntax) {
		t.Fatalf("got error %v, want a *study.SyntaxError", err)
	}
	lines := strings.Split(text, "\n")
	if syntax.File != "f" || syntax.Line < 1 || syntax.Line > len(lines) || syntax.Column < 1 ||
		syntax.Column > len([]rune(lines[syntax.Line-1]))+1 {
		t.Errorf("error %v is not in the text", err)
	}
	if strings.ContainsAny(err.Error(), "\n\r") {
		t.Errorf("error %q is not one line", err)
	}
}

// parse reads studies from a file called f.
func parse(tb testing.TB, text string) []study.Study {
	tb.Helper()
	studies, err := study.Parse("f", []byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return studies
}

// format writes studies.
func printed(tb testing.TB, studies []study.Study) string {
	tb.Helper()
	var text strings.Builder
	if err := study.Format(&text, studies); err != nil {
		tb.Fatal(err)
	}
	return text.String()
}

package web_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestBrowser uses the pages as a person would, in a real browser, on a phone and on a
// large screen.
func TestBrowser(t *testing.T) {
	for _, window := range []struct{ width, height int64 }{{360, 780}, {1280, 900}} {
		t.Run(fmt.Sprint(window.width), func(t *testing.T) {
			b := newBrowser(t, window.width, window.height)
			for _, visit := range []struct {
				name string
				do   func(*browser)
			}{
				{"first view", firstView},
				{"clicks", setUpByClicks},
				{"keys", setUpByKeys},
				{"address", setUpByAddress},
				{"preview", previewMove},
				{"play", playMoves},
				{"line", playLine},
				{"puzzle", solvePuzzle},
				{"language and theme", chooseLanguageAndTheme},
				{"studies", verifyStudy},
				{"other views", seeOtherViews},
				{"no server", loseServer},
				{"no script", seeWithoutScript},
			} {
				t.Run(visit.name, func(t *testing.T) {
					outer := b.t
					b.t = t
					defer func() { b.t = outer }()
					b.prefer("light", "reduce")
					visit.do(b)
				})
			}
		})
	}
}

const (
	pair    = "0-1-0-0-0-1-0-0-0-0-0-0-0-0-S" // move 2 wins, move 6 loses
	winning = "3-2-2-0-1-0-1-0-2-0-0-1-30-30-S"
)

// firstView opens the page without an address of a position.
func firstView(b *browser) {
	b.visit("/")
	b.wantText(".verdict", "South wins")
	b.wantStill("first view")
	b.wantAccessible("first view")
	b.prefer("dark", "reduce")
	b.wantAccessible("first view, dark")
	if b.phone {
		b.picture("phone")
	} else {
		b.prefer("light", "reduce")
		b.picture("board")
	}
}

// setUpByClicks sets up a position by clicks.
func setUpByClicks(b *browser) {
	b.visit("/")
	b.click(`[data-mode="edit"]`)
	b.click("#clear")
	b.wantPosition("0-0-0-0-0-0-0-0-0-0-0-0-0-0-S")
	b.click(`[data-pit="2"]`)
	b.click(`[data-pit="6"]`)
	b.click(`[data-pit="6"]`)
	b.click(`[data-pit="6"]`, chromedp.ButtonModifiers(chromedp.ModifierShift))
	b.wantPosition(pair)
	b.wantText(".verdict", "South wins 2–0")
	b.wantText(".choice", "Only move 2 wins.")

	b.click(`[data-side="North"]`)
	b.wantPosition(strings.Replace(pair, "-S", "-N", 1))
	b.wantText(".value", "Play is over: North to move has no beans, so South takes the 2 on the board.")
	b.click(`[data-side="South"]`)
	b.wantPosition(pair)

	// An edit never changes the side to move; stores are edited like pits.
	b.click(`[data-store="1"]`)
	b.click("#more")
	b.click("#more")
	b.click("#fewer")
	b.wantPosition("0-1-0-0-0-1-0-0-0-0-0-0-0-2-S")
	b.wantText(".verdict", "Draw 2–2")
	b.click("#back")
	b.wantPosition("0-1-0-0-0-1-0-0-0-0-0-0-0-3-S")
	b.click("#back")
	b.wantPosition("0-1-0-0-0-1-0-0-0-0-0-0-0-2-S")
	b.click("#back")
	b.wantPosition("0-1-0-0-0-1-0-0-0-0-0-0-0-1-S")
}

// setUpByKeys sets up a position without a mouse.
func setUpByKeys(b *browser) {
	b.visit("/?position=0-0-0-0-0-0-0-0-0-0-0-0-0-0-S")
	for range 40 { // Tab reaches the board, which is one stop
		if evaluate[bool](b, "document.activeElement.closest('#board') !== null") {
			break
		}
		b.keys(kb.Tab)
	}
	if got := evaluate[string](b, "document.activeElement.dataset.pit"); got != "1" {
		b.t.Fatalf("Tab reaches pit %q, want 1", got)
	}
	b.keys(kb.ArrowRight + "1")
	b.wantPosition("0-1-0-0-0-0-0-0-0-0-0-0-0-0-S")
	b.keys(kb.ArrowRight + kb.ArrowRight + kb.ArrowRight + kb.ArrowRight + "+")
	b.wantPosition(pair)
	b.keys(kb.ArrowUp)
	// Digits of one number come within a second; keys that the browser is sent may not.
	evaluate[bool](b, `[..."12"].every(key => !document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })))`)
	b.wantPosition("0-1-0-0-0-1-12-0-0-0-0-0-0-0-S")
	b.keys("-")
	b.wantPosition("0-1-0-0-0-1-11-0-0-0-0-0-0-0-S")
	b.keys(kb.Delete)
	b.wantPosition(pair)
	b.keys(kb.ArrowRight + "5") // South's store
	b.wantPosition("0-1-0-0-0-1-0-0-0-0-0-0-5-0-S")
	b.keys(kb.Backspace)
	b.wantPosition(pair)
	b.do(chromedp.Focus(chromedp.CSS(`[data-pit="2"]`)))
	b.keys(kb.Enter)
	b.wantPosition("0-0-1-0-0-1-0-0-0-0-0-0-0-0-N")
}

// setUpByAddress reads positions from the address and from the field for text.
func setUpByAddress(b *browser) {
	b.visit("/?position=" + url.QueryEscape("0 1 0 0 0 1 / 0 0 0 0 0 0"))
	b.wantPosition(pair)
	b.wantText(".verdict", "South wins 2–0")
	b.do(chromedp.SetValue(chromedp.CSS("#position"), "1 0 0 0 2 1 / 1 0 0 3 0 0 / 30 34 N"), chromedp.Submit(chromedp.CSS("#typed")))
	b.wantPosition("1-0-0-0-2-1-1-0-0-3-0-0-30-34-N")
	b.wantText(".verdict", "North wins 34–38")
	b.visit("/?position=1-0-0-0-0-0-0-0-0-0-0-0-40-31-S&rules=mangala")
	b.wantText(".verdict", "ahead by 9")
	b.visit("/?position=0+1+x")
	b.wantText(".fault", "field 3")
	b.wantAccessible("bad position")
	b.visit("/?position=6-6-6-6-6-6-6-6-6-6-6-6-0-0-S")
	b.wantText(".verdict", "No table")
	b.wantAccessible("no table")
	b.click(`[data-pit="1"]`) // it can be played nevertheless
	b.wantPosition("0-7-7-7-7-7-7-6-6-6-6-6-0-0-N")
}

// previewMove wants a move to be shown before it is played.
func previewMove(b *browser) {
	b.visit("/?position=" + winning)
	b.wantText(".moves", "best")
	for _, selector := range []string{`.moves tr[data-pit="1"]`, `[data-pit="1"]`} {
		b.hover("h1, .top")
		b.hover(selector)
		b.wait(`document.querySelector('.pit.lifted')?.dataset.pit === "1" && document.querySelectorAll(".pit.sown").length === 3`)
		if got := evaluate[string](b, `[...document.querySelectorAll("[data-add]")].map(p => p.dataset.pit + p.dataset.add).join(" ")`); got != "2+1 3+1 4+1" {
			b.t.Errorf("hovering over %s shows %q", selector, got)
		}
	}
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, 2, 300)) // beside everything
	b.do(chromedp.Focus(chromedp.CSS(`.moves tr[data-pit="2"] a`)))
	b.wait(`document.querySelector('.pit.lifted')?.dataset.pit === "2"`)
	b.hover(`[data-pit="5"]`)
}

// playMoves plays moves by clicks, with their animation, and goes back and forward.
func playMoves(b *browser) {
	b.prefer("light", "no-preference")
	b.visit("/?position=" + winning)
	// It may be over before it is looked for.
	evaluate[bool](b, `new MutationObserver(() => {
		if (document.querySelector(".board.moving .pit.sown")) document.body.dataset.sowed = "yes";
	}).observe(document.querySelector(".board"), { subtree: true, attributeFilter: ["class"] }) === undefined`)
	b.click(`[data-pit="1"]`)
	b.wait(`document.body.dataset.sowed`)
	const after = "0-3-3-1-1-0-1-0-2-0-0-1-30-30-N"
	b.wantPosition(after)
	b.click(`.moves tr[data-pit="7"] a`)
	const then = "0-3-3-1-1-0-0-1-2-0-0-1-30-30-S"
	b.wantPosition(then)
	b.click("#back")
	b.wantPosition(after)
	b.click("#start")
	b.wantPosition(winning)
	b.click("#forward")
	b.wantPosition(after)
	b.click("#forward")
	b.wantPosition(then)
	b.do(chromedp.NavigateBack())
	b.wantPosition(after)
	b.do(chromedp.Reload())
	b.wantPosition(after)
}

// playLine plays best play to the end.
func playLine(b *browser) {
	b.visit("/?position=" + winning)
	b.wantText(".line", "Best play")
	plies := evaluate[[]string](b, `[...document.querySelectorAll(".line li")].map(li => li.dataset.next)`)
	text := evaluate[string](b, `document.querySelector("#copyline").dataset.text`)
	if len(plies) < 4 || len(strings.Fields(text)) != len(plies)+1 || !strings.HasPrefix(text, winning+": ") {
		b.t.Fatalf("the line has %d plies, as text %q", len(plies), text)
	}
	verdict := b.text(".verdict")
	b.click("#playline")
	b.wantPosition(plies[len(plies)-1])
	b.wait(`document.querySelector("#answer").dataset.kind === "over"`)
	if got := b.text(".verdict"); got != verdict {
		b.t.Errorf("at the end of the line: %q, want what was said before it, %q", got, verdict)
	}
	for i := len(plies) - 2; i >= 0; i-- {
		b.click("#back")
		b.wantPosition(plies[i])
	}
	b.click("#back")
	b.wantPosition(winning)
	b.click(".line li:nth-child(2) a")
	b.wantPosition(plies[1])
}

// solvePuzzle follows the puzzle of the day and finds the answer hidden.
func solvePuzzle(b *browser) {
	b.visit("/")
	b.click(".puzzle .button")
	b.wait(`document.querySelector("details.cover")`)
	if b.text(".verdict") != "" || evaluate[string](b, `[...document.querySelectorAll(".mark")].map(m => m.textContent).join("")`) != "" {
		b.t.Error("the page tells the answer of the puzzle")
	}
	b.wantAccessible("puzzle")
	if !b.phone {
		b.picture("puzzle")
	}
	b.click("details.cover summary")
	b.wantText(".choice", "Only move")
	b.wait(`document.querySelector(".mark.best")`)
	b.wantAccessible("puzzle, solved")
}

// chooseLanguageAndTheme switches both and wants them to be remembered.
func chooseLanguageAndTheme(b *browser) {
	b.visit("/?position=" + pair)
	paper := func() string { return evaluate[string](b, "getComputedStyle(document.body).backgroundColor") }
	light := paper()
	b.click("#theme")
	b.wait(`document.documentElement.dataset.theme === "dark"`)
	dark := paper()
	if light == dark {
		b.t.Errorf("light and dark have the same background %s", light)
	}
	b.click("#language")
	b.wantText(".verdict", "Süd gewinnt 2–0")
	if got := evaluate[string](b, "document.documentElement.lang"); got != "de" {
		b.t.Errorf("the page says that it is in %q", got)
	}
	if b.position() != pair || paper() != dark {
		b.t.Error("position or theme are lost with the language")
	}
	b.wantAccessible("German, dark")
	if !b.phone {
		b.picture("german")
	}
	b.visit("/tables")
	b.wantText("h1", "Tabellen")
	b.click("#theme")
	b.click("#language")
	b.wantText("h1", "Tables")
	if paper() != light {
		b.t.Error("the theme is not light again")
	}
}

// verifyStudy pastes studies and reads what is wrong with them.
func verifyStudy(b *browser) {
	b.visit("/studies")
	b.wantStill("studies")
	b.wantAccessible("studies")
	b.click("form.study .button")
	b.wantText("#verdicts", "The last pair sound")
	b.do(chromedp.SetValue(chromedp.CSS("#text"), "[Title \"Too good\"]\n[Position \"0-1-0-0-0-1-0-0-0-0-0-0-0-0-S\"]\n[Stipulation \"draw\"]\n6"))
	b.click("form.study .button")
	b.wantText("#verdicts", "Too good unsound")
	b.wantText("#verdicts", "the claim is false: South wins by 2")
	b.wantAccessible("studies, judged")
	if !b.phone {
		b.picture("studies")
	}
	b.click("#verdicts a")
	b.wantPosition(pair)
}

// loseServer wants the pages to say that there is no answer, where none comes or where it
// is an error for the whole page.
func loseServer(b *browser) {
	for _, fetch := range []string{
		`() => Promise.reject(new Error("no server"))`,
		`() => Promise.resolve(new Response("<!doctype html><html>busy</html>", { status: 503 }))`,
	} {
		b.visit("/?position=" + pair)
		evaluate[bool](b, "(window.fetch = "+fetch+") !== null")
		b.click("#clear")
		b.wantText("#result", "No answer")
		b.visit("/studies?lang=de")
		evaluate[bool](b, "(window.fetch = "+fetch+") !== null")
		b.click("form.study .button")
		b.wantText("#verdicts", "Keine Antwort")
		b.visit("/?lang=en")
	}
}

// seeOtherViews looks at the views without a board.
func seeOtherViews(b *browser) {
	for _, view := range []struct{ target, want, picture string }{
		{"/tables", "1,352,078", ""},
		{"/tables/bohnenspiel/12", "12 beans: 1,352,078 positions", "layer"},
		{"/tables/bohnenspiel/14", "layer is not built", ""},
		{"/nothing", "There is nothing here", ""},
	} {
		b.visit(view.target)
		b.wantText("main", view.want)
		b.wantStill(view.target)
		b.wantAccessible(view.target)
		if view.picture != "" && !b.phone {
			b.picture(view.picture)
		}
	}
}

// seeWithoutScript wants the answer where scripts are off.
func seeWithoutScript(b *browser) {
	b.do(command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	b.visit("/?position=" + pair)
	for _, want := range []string{"South wins 2–0", "Only move 2 wins.", "Scripts are off"} {
		b.wantText("main", want)
	}
	if text := b.text("main"); strings.Contains(text, "adds a bean") {
		b.t.Errorf("the page offers what needs a script:\n%s", text)
	}
	b.click(`.moves tr[data-pit="2"] a`)
	b.wantText("main", "North to move has no beans")
	b.do(command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{}))
}

package web_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"bohnenspiel/cmd/internal/web"
)

// pictures makes the browser test write its pictures to docs/pictures.
var pictures = flag.Bool("pictures", false, "write docs/pictures anew, from the browser test")

// axeVariable names the file axe.min.js of axe-core, which looks for faults of
// accessibility.
const axeVariable = "AXE_CORE"

// browser is a tab of a real browser that looks at a server.
type browser struct {
	t       *testing.T
	ctx     context.Context
	address string // of the server, without a path
	phone   bool

	mu     sync.Mutex // guards what follows, which the browser reports
	faults []string   // errors on the console, and requests to other servers
}

// patience is how long a test waits for the browser, or for a page to say something. A
// machine that does much else may be slow.
const patience = 2 * time.Minute

// newBrowser starts a browser, or skips the test where there is none that starts.
func newBrowser(t *testing.T, width, height int64) *browser {
	t.Helper()
	program := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		t.Skip("there is no browser: install chromium")
	}
	if testing.Short() {
		t.Skip("starts a browser")
	}
	b := &browser{t: t, phone: width < 500, address: "http://" + start(t, web.Options{})}
	for tries := 1; b.ctx == nil; tries++ {
		ctx, stop := chromedp.NewContext(t.Context(), chromedp.WithAllocatorOptions(
			chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.Headless, chromedp.DisableGPU, chromedp.WSURLReadTimeout(patience),
			chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true), chromedp.Flag("hide-scrollbars", true),
			chromedp.Flag("force-color-profile", "srgb"), chromedp.Flag("lang", "en"), chromedp.Flag("accept-lang", "en"),
		))
		t.Cleanup(stop)
		switch err := chromedp.Listen(ctx, b.listen); {
		case err == nil:
			b.ctx = ctx
		case tries == 2: // such as a program that only says how to install the browser
			t.Skipf("%s does not start: %v", program, err)
		}
	}
	b.do(chromedp.EmulateViewport(width, height), command(network.Enable, network.EnableParams{}), command(log.Enable, cdp.Empty{}))
	t.Cleanup(b.wantNoFaults)
	return b
}

// command makes an action of a command of the browser's protocol.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, c, params)
		return err
	})
}

// listen notes what the browser reports as a fault. Answers with an error status are
// none: some are asked for.
func (b *browser) listen(event any) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		fault = "exception: " + e.ExceptionDetails.Text
	case *log.EventEntryAdded:
		if e.Entry.Source != "network" {
			fault = fmt.Sprintf("%s: %s", e.Entry.Source, e.Entry.Text)
		}
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, b.address+"/") {
			fault = "request to " + e.Request.URL
		}
	}
	if fault != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.faults = append(b.faults, fault)
	}
}

func (b *browser) wantNoFaults() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fault := range b.faults {
		b.t.Errorf("the browser reports: %s", fault)
	}
}

// do performs actions.
func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// evaluate returns the value of an expression on the page.
func evaluate[T any](b *browser, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// wait waits until an expression is true. (The page's policy forbids what chromedp.Poll
// does.)
func (b *browser) wait(expression string) {
	b.t.Helper()
	var err error // such as that of a page that is being left
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(15 * time.Millisecond) {
		var yes bool
		if yes, err = chromedp.Run(b.ctx, chromedp.Evaluate[bool]("Boolean("+expression+")")); err == nil && yes {
			return
		}
	}
	b.t.Fatalf("%s does not come true (%v); the page says:\n%s", expression, err, b.text("main"))
}

// visit opens an address of the server.
func (b *browser) visit(target string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.address + target))
}

// text returns what an element says, without double blanks.
func (b *browser) text(selector string) string {
	b.t.Helper()
	return strings.Join(strings.Fields(evaluate[string](b, fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", selector))), " ")
}

// wantText waits until an element says something.
func (b *browser) wantText(selector, want string) {
	b.t.Helper()
	b.wait(fmt.Sprintf("(document.querySelector(%q)?.innerText ?? '').replace(/\\s+/g, ' ').includes(%q)", selector, want))
}

// click clicks an element with the mouse.
func (b *browser) click(selector string, options ...chromedp.MouseOption) {
	b.t.Helper()
	b.do(chromedp.ScrollIntoView(chromedp.CSS(selector)))
	x, y := b.middle(selector)
	b.do(chromedp.MouseClickXY(x, y, options...))
}

// middle returns where an element is in the window.
func (b *browser) middle(selector string) (x, y float64) {
	b.t.Helper()
	at := evaluate[[]float64](b, fmt.Sprintf(
		"(() => { const r = document.querySelector(%q).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()", selector))
	return at[0], at[1]
}

// hover moves the mouse over an element.
func (b *browser) hover(selector string) {
	b.t.Helper()
	b.do(chromedp.ScrollIntoView(chromedp.CSS(selector)))
	x, y := b.middle(selector)
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, x, y))
}

// keys types keys to what has the focus.
func (b *browser) keys(keys string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(keys))
}

// position returns the position that the address of the page names.
func (b *browser) position() string {
	b.t.Helper()
	return evaluate[string](b, addressed)
}

// addressed is the position that the address names.
const addressed = "new URLSearchParams(location.search).get('position')"

// wantPosition waits until address, board and answer show a position.
func (b *browser) wantPosition(want string) {
	b.t.Helper()
	fields := strings.Split(want, "-")
	counts := fields[:len(fields)-3]
	// A page that has just come writes its address anew once its script runs.
	b.wait(fmt.Sprintf(`document.querySelector("#answer")?.dataset.position === %q && document.querySelector(".result.busy") === null && `+addressed+` === %q`, want, want))
	got := evaluate[[]string](b, `[...Array(12).keys()].map(i => document.querySelector('[data-pit="' + (i + 1) + '"] .count').textContent)`)
	if !slices.Equal(got, counts) {
		b.t.Errorf("the board shows %v, want %v", got, counts)
	}
}

// prefer sets what the system of the reader prefers.
func (b *browser) prefer(scheme, motion string) {
	b.t.Helper()
	b.do(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion},
	}}))
}

// wantAccessible looks for faults of accessibility, if axe-core is there.
func (b *browser) wantAccessible(view string) {
	b.t.Helper()
	path := os.Getenv(axeVariable)
	if path == "" {
		b.t.Logf("%s: not looked at with axe-core: %s names no file axe.min.js", view, axeVariable)
		return
	}
	script, err := os.ReadFile(path)
	if err != nil {
		b.t.Fatal(err)
	}
	evaluate[bool](b, string(script)+"\ntrue")
	// The first line counts the rules that were looked at and hold.
	lines := evaluate[[]string](b, `axe.run(document).then(r => [String(r.passes.length), ...r.violations.flatMap(v => v.nodes.map(n =>
		v.id + ": " + v.help + ": " + n.html.slice(0, 120) + " " + n.any.map(a => a.message).join("; ")))])`)
	for _, fault := range lines[1:] {
		b.t.Errorf("%s: %s", view, fault)
	}
	if n, err := strconv.Atoi(lines[0]); err != nil || n < 10 {
		b.t.Errorf("%s: axe-core has looked at %s rules only", view, lines[0])
	}
}

// wantStill wants no layout shift since the page was opened, and nothing that sticks
// out of the window.
func (b *browser) wantStill(view string) {
	b.t.Helper()
	shifts := evaluate[[]string](b, `new Promise(done => {
		const all = [];
		const text = r => [r.x, r.y, r.width, r.height].join(" ");
		new PerformanceObserver(list => {
			for (const e of list.getEntries()) {
				if (!e.hadRecentInput) all.push(e.value + ": " + e.sources.map(s =>
					(s.node?.outerHTML ?? s.node?.textContent ?? "something").slice(0, 100) + " from " + text(s.previousRect) + " to " + text(s.currentRect)).join("; "));
			}
		}).observe({type: "layout-shift", buffered: true});
		setTimeout(() => done(all), 100);
	})`)
	for _, shift := range shifts {
		b.t.Errorf("%s: layout shift %s", view, shift)
	}
	if wide := evaluate[int](b, "document.documentElement.scrollWidth - innerWidth"); wide > 0 {
		b.t.Errorf("%s: the page is %d pixels wider than the window", view, wide)
	}
}

// picture takes a picture of the whole page for the documents, if that is wanted.
func (b *browser) picture(name string) {
	b.t.Helper()
	if !*pictures {
		return
	}
	shot, err := chromedp.Run(b.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		b.t.Fatal(err)
	}
	drawing, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		b.t.Fatal(err)
	}
	var small bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&small, drawing); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("../../../docs/pictures", name+".png"), small.Bytes(), 0o666); err != nil {
		b.t.Fatal(err)
	}
}

package campaign

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/search"
)

// The measures of a drawing, in pixels.
const (
	svgWidth  = 1200
	svgRow    = 34
	svgLevels = 9
	svgLeast  = 1.5 // narrower ones are left out
	svgLetter = 7.5
	svgHead   = 44
)

// colours are those of what is open, no, and yes.
var colours = [...]string{search.Open: "#e8e4d8", search.No: "#c8553d", search.Yes: "#4f8a5b"} //nolint:gochecknoglobals // a constant table

// WriteSVG draws the tree near its root: a row for each ply, from the questions of the
// campaign down; below each question those after its moves, as wide as the work that
// went into them; colours say what is proved. Errors are those of w.
func (t *Tree) WriteSVG(w io.Writer) error {
	out := new(strings.Builder)
	d := &drawing{tree: t, out: out, efforts: t.efforts(), onPath: make(map[int32]bool)}
	height := svgHead + svgLevels*svgRow + 8
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", svgWidth, height)
	fmt.Fprintf(out, "<title>Campaign: the questions near the root</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#fffdf7\"/>\n", svgWidth, height)
	for i, word := range [...]string{search.Open: "open", search.No: "no", search.Yes: "yes"} {
		fmt.Fprintf(out, `<rect x="%d" y="8" width="14" height="14" fill="%s" stroke="#555"/><text x="%d" y="20">%s</text>`+"\n", 8+i*80, colours[i], 28+i*80, word)
	}
	fmt.Fprintf(out, `<text x="260" y="20">is the score of the mover at least so much? below: after his move from pit 1 to %d; as wide as the work in it</text>`+"\n", t.game.Width())
	var roots []edge
	for _, q := range t.begun() {
		if root := (edge{node: t.node(q)}); !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	d.row(roots, 0, svgWidth, 0, true)
	out.WriteString("</svg>\n")
	_, err := io.WriteString(w, out.String())
	return err
}

// drawing is a drawing in work.
type drawing struct {
	tree    *Tree
	out     *strings.Builder
	efforts []float64
	onPath  map[int32]bool
}

// row draws nodes side by side, and what is below them.
func (d *drawing) row(edges []edge, x, width float64, level int, roots bool) {
	total := 0.0
	for _, e := range edges {
		total += d.weight(e)
	}
	for _, e := range edges {
		share := width * d.weight(e) / total
		d.node(e, x, share, level, roots)
		x += share
	}
}

// weight returns how wide a node is to be.
func (d *drawing) weight(e edge) float64 { return 1 + math.Log2(1+d.efforts[e.node]) }

// node draws a node and what is below it.
func (d *drawing) node(e edge, x, width float64, level int, root bool) {
	if width < svgLeast || level == svgLevels {
		return
	}
	n := &d.tree.nodes[e.node]
	pit := "pass"
	if e.pit != game.Pass {
		pit = fmt.Sprint(e.pit + 1)
	}
	label := fmt.Sprintf("%s: ≥ %d?", pit, n.question.Bound)
	if root {
		label = fmt.Sprintf("≥ %d?", n.question.Bound)
	}
	y := svgHead - svgRow/2 + 8 + level*svgRow
	verdict := n.verdict()
	fmt.Fprintf(d.out, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s" stroke="#555" stroke-width="0.6"><title>%s at least %d: %s, %.0f positions visited</title></rect>`+"\n",
		x, y, width, svgRow-4, colours[verdict], Pits(d.tree.game, n.question.Position), n.question.Bound,
		[...]string{search.Open: "open", search.No: "no", search.Yes: "yes"}[verdict], d.efforts[e.node])
	if width > svgLetter*float64(len([]rune(label))) {
		fmt.Fprintf(d.out, `<text x="%.1f" y="%d" text-anchor="middle" pointer-events="none">%s</text>`+"\n", x+width/2, y+svgRow/2+2, label)
	}
	if d.onPath[e.node] {
		return
	}
	d.onPath[e.node] = true
	d.row(n.children, x, width, level+1, false)
	delete(d.onPath, e.node)
}

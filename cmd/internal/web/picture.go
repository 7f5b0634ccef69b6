package web

import (
	"net/http"

	"bohnenspiel/solver/game"
)

// picture is a board as a drawing that stands alone. Lengths are those of its own
// coordinates, in which a pit is pitSide wide.
type picture struct {
	Board         board
	Width, Height int
	Far, Near     []picturePit
	North, South  pictureStore
}

// picturePit is a pit of a picture.
type picturePit struct {
	pit
	X, Y            int // of its upper left corner
	NumberY, CountY int // of the texts above and below, from there
}

// pictureStore is a store of a picture.
type pictureStore struct {
	Beans int
	X, Y  int
	Turn  bool // whether this side is to move
}

// The layout of a picture.
const (
	pictureGap  = 10 // between pits, and around all
	pictureText = 34 // height of a line of text
)

// newPicture returns the drawing of a diagram.
func newPicture(rules game.Rules, d game.Diagram) picture {
	p := picture{Board: newBoard(rules, d, positionView{})}
	const step = pitSide + pictureGap
	left := 2*pictureGap + storeWidth
	p.Width = 2*left + d.Width*step + pictureGap - 2*pictureGap
	const farY = pictureGap + pictureText
	const nearY = farY + pitSide + 2*pictureText
	p.Height = nearY + pitSide + pictureText + pictureGap
	for i := range d.Width {
		x := left + i*step
		p.Far = append(p.Far, picturePit{pit: p.Board.Far[i], X: x, Y: farY, NumberY: -12, CountY: pitSide + 28})
		p.Near = append(p.Near, picturePit{pit: p.Board.Near[i], X: x, Y: nearY, NumberY: pitSide + 26, CountY: -8})
	}
	y := (p.Height - storeHeight) / 2
	p.North = pictureStore{Beans: d.Stores[game.North], X: pictureGap, Y: y, Turn: d.ToMove == game.North}
	p.South = pictureStore{Beans: d.Stores[game.South], X: p.Width - pictureGap - storeWidth, Y: y, Turn: d.ToMove == game.South}
	return p
}

// picture answers GET /picture.svg?position=…: the board as a drawing.
func (s *Server) picture(w http.ResponseWriter, r *http.Request) {
	rules, d, err := s.pageDiagram(r)
	var text []byte
	if err == nil {
		text, err = s.pages.render("picture.svg.html", newFrame(r, "", newPicture(rules, d)))
	}
	if err != nil {
		s.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	send(w, r, text, tablesNeverChange)
}

package web

import (
	"context"
	"net/http"
	"net/url"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/study"
)

// studiesAnswer is the answer to POST /v1/studies.
type studiesAnswer struct {
	Studies []studyItem `json:"studies"` // one for each study, in order
}

// studyItem is what became of one study: one of the fields is null.
type studyItem struct {
	Report *study.Report `json:"report"`
	Error  *problem      `json:"error"`
}

// studyName is what errors call a text that came without a name.
const studyName = "study"

// studies answers POST /v1/studies: the body is a text of studies.
func (s *Server) studies(ctx context.Context, r apiRequest) (any, error) {
	judged, err := s.judge(ctx, r.Request, r.body)
	if err != nil {
		return nil, err
	}
	answer := studiesAnswer{Studies: []studyItem{}}
	for _, j := range judged {
		answer.Studies = append(answer.Studies, j.studyItem)
	}
	return answer, nil
}

// judgedStudy is a study with what is to be said of it.
type judgedStudy struct {
	study.Study
	studyItem
}

// judge verifies a text of studies. One that cannot be judged leaves the others alone.
func (s *Server) judge(ctx context.Context, r *http.Request, text []byte) ([]judgedStudy, error) {
	all, err := study.Parse(studyName, text)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errNoStudy
	}
	judged := make([]judgedStudy, len(all))
	for i, one := range all {
		judged[i].Study = one
		report, err := s.verify(ctx, one)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			p := problemOf(err)
			s.report(r, p.status, err)
			judged[i].Error = &p
			continue
		}
		judged[i].Report = &report
	}
	return judged, nil
}

// verify judges a study.
func (s *Server) verify(ctx context.Context, one study.Study) (study.Report, error) {
	key := format.Key{Rules: one.Rules, Width: one.Diagram.Width, Beans: one.Diagram.Position().Beans()}
	db := boundedDepths{s.databases.holder(key), uint64(s.limits.Visited)}
	report, err := study.Verify(ctx, db, one)
	return report, s.databases.explain(err, key)
}

// boundedDepths is a database whose searches for depths look at a limited number of
// positions.
type boundedDepths struct {
	*tablebase.DB
	most uint64
}

// Depth returns the DTC of a position as the database does, with a lower limit.
func (b boundedDepths) Depth(ctx context.Context, g game.Game, p game.Position, limit uint64) (game.DTC, uint64, error) {
	return b.DB.Depth(ctx, g, p, min(limit, b.most))
}

// studiesPage is the page on which studies are verified.
type studiesPage struct {
	Text    string // that was sent, or an example
	Asked   bool
	Fault   string // why the text is no text of studies
	Studies []studyView
}

// studyView is a study as the page shows it.
type studyView struct {
	judgedStudy
	Board board
	URL   string
}

// Moves writes moves for people.
func (v studyView) Moves(pits tablebase.Pits) string { return study.MoveNames(pits) }

// exampleStudy is what the page shows first. It is a study that is sound.
const exampleStudy = `[Title "The last pair"]
[Author "bohnenspiel project"]
[Position "0-1-0-0-0-1-0-0-0-0-0-0-0-0-S"]
[Stipulation "win"]

2! {the pair meets} (6? {gives both away})
`

// studiesPage shows the text that a form sends, judged, or an example.
func (s *Server) studiesPage(ctx context.Context, r *http.Request, form url.Values) (any, int, error) {
	page := studiesPage{Text: exampleStudy}
	if r.Method != http.MethodPost {
		return page, 0, nil
	}
	page.Text, page.Asked = form.Get("text"), true
	judged, err := s.judge(ctx, r, []byte(page.Text))
	if err != nil {
		if !isClientError(err) {
			return nil, 0, err
		}
		page.Fault = err.Error()
		return page, problemOf(err).status, nil
	}
	for _, j := range judged {
		page.Studies = append(page.Studies, studyView{j, newBoard(j.Rules, j.Diagram, positionView{}), address(j.Rules, j.Diagram.String())})
	}
	return page, 0, nil
}

package web

import (
	"bytes"
	"context"
	"html/template"
	"net/http"
	"net/url"

	"bohnenspiel/tablebase/campaign"
)

// campaignPage shows how far a campaign is.
type campaignPage struct {
	Questions          []campaignQuestion
	JobsDone, JobsOpen int
	Visited            uint64
	Left               *uint64 // a guess, nil where there is none
	Drawing            template.HTML
}

// campaignQuestion is a question of a campaign, and what is known of it.
type campaignQuestion struct {
	Position  string
	AtLeast   string // the bound that is asked about, "" where the score is wanted
	Answer    string // the name of the text that says it
	Low, High int    // what is proved of the score
}

// campaignPage reads the file of the campaign anew each time, as runs add to it.
func (s *Server) campaignPage(context.Context, *http.Request, url.Values) (any, int, error) {
	if s.campaign == nil {
		return nil, 0, errNotFound
	}
	lines, err := s.campaign()
	if err != nil {
		return nil, 0, err
	}
	status, err := campaign.StatusOf(lines)
	if err != nil {
		return nil, 0, err
	}
	tree, err := campaign.Load(lines)
	if err != nil {
		return nil, 0, err
	}
	var drawing bytes.Buffer
	if err := tree.WriteSVG(&drawing); err != nil {
		return nil, 0, err
	}
	page := campaignPage{
		JobsDone: status.JobsDone, JobsOpen: status.JobsOpen, Visited: status.Visited,
		Drawing: template.HTML(drawing.String()),
	}
	if status.Left != nil {
		page.Left = new(uint64(*status.Left))
	}
	for _, q := range status.Questions {
		answer := "campaignOpen"
		switch {
		case q.Answer != nil && *q.Answer:
			answer = "campaignYes"
		case q.Answer != nil:
			answer = "campaignNo"
		}
		shown := campaignQuestion{Position: q.Position, Answer: answer, Low: int(q.Bounds[0]), High: int(q.Bounds[1])}
		if q.AtLeast != nil {
			shown.AtLeast = signed(*q.AtLeast)
		}
		page.Questions = append(page.Questions, shown)
	}
	return page, 0, nil
}

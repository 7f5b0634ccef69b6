package web

import (
	"context"
	"errors"
	"net/http"

	"bohnenspiel/tablebase/fault"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/format"
	"bohnenspiel/tablebase/store"
	"bohnenspiel/tablebase/study"
)

// problem is an error as clients see it. It never names a file of the server.
type problem struct {
	status int
	Code   string `json:"code"`    // one word for programs, see docs/api.md
	What   string `json:"message"` // what is wrong
	Hint   string `json:"hint"`    // what to do
}

// Reason returns the name of the text that says in the language of the page what is wrong.
func (p problem) Reason() string {
	switch p.Code {
	case "bad_position":
		return "reasonPosition"
	case "bad_rules":
		return "reasonRules"
	case "bad_width", "bad_beans":
		return "reasonBoard"
	case "no_layer":
		return "reasonLayer"
	case "too_long", "too_large", "too_many_positions":
		return "reasonMuch"
	case "busy", "timeout", "canceled", "stopping":
		return "reasonBusy"
	case "bad_data", "internal":
		return "reasonServer"
	default:
		return "reasonRequest"
	}
}

// errorAnswer is the body of every answer of the API that is an error.
type errorAnswer struct {
	Error problem `json:"error"`
}

// Errors of requests, besides those of the packages below.
var (
	errNoPosition = errors.New("the address names no position")
	errQuery      = errors.New("the address cannot be read")
	errNotFound   = errors.New("there is nothing at this address")
	errMethod     = errors.New("this address knows no such method")
	errWidth      = errors.New("the width is not a whole number from 1 to 9")
	errBeans      = errors.New("a layer is named by a whole number of beans that the board has")
	errNoStudy    = errors.New("the text has no study")
	errManyAtOnce = errors.New("too many positions in one request")
	errInternal   = errors.New("the server has failed")
)

// hints say what to do about errors whose text does not.
const (
	positionHint = "write pits 1 to 12, South's store, North's store and the side to move, such as 0-2-1-1-1-1-3-3-3-1-0-0-26-30-S"
	addressHint  = "docs/api.md and /v1/openapi.json list the addresses"
	againHint    = "try again in a moment"
	operatorHint = "tell whoever runs this server; its log says more"
)

// problemOf says how an error looks to clients. The status follows from its class:
// 400 for what has no meaning, 404 for what cannot be answered, 500 for bad data and
// whatever should not happen.
func problemOf(err error) problem {
	var missing *missingError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &missing):
		return problem{http.StatusNotFound, "no_layer", err.Error(), missing.hint}
	case errors.As(err, &tooLarge):
		return problem{http.StatusRequestEntityTooLarge, "too_large", "the body is too large", "send less at once"}
	}
	for _, known := range []struct {
		err    error
		status int
		code   string
		hint   string
	}{
		{study.ErrSyntax, http.StatusBadRequest, "bad_study", "docs/studies.md has the format; the numbers are line and column"},
		{errNoStudy, http.StatusBadRequest, "bad_study", "docs/studies.md has the format"},
		{format.ErrTooManyBeans, http.StatusNotFound, "no_layer", "play on until fewer beans are on the board"},
		{tablebase.ErrDepthBudget, http.StatusNotFound, "too_long", "ask about a later position, or with bohnenspiel line, which has no limit"},
		{game.ErrPosition, http.StatusBadRequest, "bad_position", positionHint},
		{game.ErrRules, http.StatusBadRequest, "bad_rules", "/v1/bohnenspiel and /v1/mangala are the games"},
		{game.ErrWidth, http.StatusBadRequest, "bad_width", "name 1 to 9 pits a side"},
		{errNoPosition, http.StatusBadRequest, "bad_request", "add ?position=…: " + positionHint},
		{errQuery, http.StatusBadRequest, "bad_request", "write percent signs as %25 and semicolons as %3B"},
		{errBody, http.StatusBadRequest, "bad_request", "docs/api.md shows what to send"},
		{errWidth, http.StatusBadRequest, "bad_width", "name 1 to 9 pits a side, such as ?width=6"},
		{errBeans, http.StatusBadRequest, "bad_beans", "a board has up to twelve beans for each pit of a side: 0 to 72 on 2×6"},
		{errManyAtOnce, http.StatusBadRequest, "too_many_positions", "send at most 1,000 at once"},
		{errNotFound, http.StatusNotFound, "not_found", addressHint},
		{errMethod, http.StatusMethodNotAllowed, "bad_method", "the header Allow names the methods"},
		{errBusy, http.StatusServiceUnavailable, "busy", againHint},
		{context.DeadlineExceeded, http.StatusServiceUnavailable, "timeout", "ask for less at once"},
		{context.Canceled, http.StatusServiceUnavailable, "canceled", againHint},
		{store.ErrClosed, http.StatusServiceUnavailable, "stopping", againHint},
	} {
		if errors.Is(err, known.err) {
			return problem{known.status, known.code, err.Error(), known.hint}
		}
	}
	if fault.ClassOf(err) == fault.BadData {
		return problem{http.StatusInternalServerError, "bad_data", err.Error(), operatorHint}
	}
	return problem{http.StatusInternalServerError, "internal", "the server has failed", operatorHint}
}

package web

import (
	"context"
	_ "embed"
	"encoding/json"
)

// openAPIText describes the API for programs (OpenAPI 3.1).
//
//go:embed openapi.json
var openAPIText []byte

// openAPI answers GET /v1/openapi.json.
func (s *Server) openAPI(context.Context, question) (any, error) {
	return json.RawMessage(openAPIText), nil
}

package web_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/google/go-cmp/cmp"

	"bohnenspiel/cmd/internal/web"
	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase"
	"bohnenspiel/tablebase/study"
)

// loadOpenAPI returns the description that the server sends.
func loadOpenAPI(t *testing.T) *openapi3.T {
	t.Helper()
	response, text := ask(t, newServer(t, web.Options{}), http.MethodGet, "/v1/openapi.json", "")
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "application/json" {
		t.Fatalf("status %d, type %q", response.StatusCode, response.Header.Get("Content-Type"))
	}
	description, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return description
}

func TestOpenAPIIsValid(t *testing.T) {
	if err := loadOpenAPI(t).Validate(t.Context(), openapi3.IsOpenAPI31OrLater()); err != nil {
		t.Error(err)
	}
}

// TestOpenAPINamesAllFields compares the schemas with the types that are encoded: the
// names, in their order, and whether they may be null.
func TestOpenAPINamesAllFields(t *testing.T) {
	schemas := loadOpenAPI(t).Components.Schemas
	seen := map[string]bool{}
	types := web.Schemas()
	types["Answer"] = reflect.TypeFor[tablebase.Answer]()
	types["Move"] = reflect.TypeFor[tablebase.Move]()
	types["Final"] = reflect.TypeFor[game.Beans]()
	types["Statistics"] = reflect.TypeFor[tablebase.Statistics]()
	types["Line"] = reflect.TypeFor[tablebase.Line]()
	types["DepthStatistics"] = reflect.TypeFor[tablebase.DepthStatistics]()
	types["LayerFacts"] = reflect.TypeFor[tablebase.LayerFacts]()
	types["Report"] = reflect.TypeFor[study.Report]()
	types["Fault"] = reflect.TypeFor[study.Fault]()
	types["Place"] = reflect.TypeFor[study.Place]()
	types["Ply"] = reflect.TypeFor[tablebase.Ply]()
	for name, goType := range types {
		seen[name] = true
		schema := schemas[name]
		if schema == nil {
			t.Errorf("there is no schema %s", name)
			continue
		}
		var want []string
		for _, field := range reflect.VisibleFields(goType) {
			tag, ok := field.Tag.Lookup("json")
			if !ok || tag == "-" || field.Anonymous {
				continue
			}
			want = append(want, tag)
			property := schema.Value.Properties[tag]
			if property == nil {
				t.Errorf("schema %s has no property %s", name, tag)
				continue
			}
			if field.Type.Kind() == reflect.Pointer && !allowsNull(property) {
				t.Errorf("%s.%s may be null, and the schema does not say so", name, tag)
			}
		}
		if diff := cmp.Diff(want, schema.Value.Required); diff != "" {
			t.Errorf("schema %s, required (-type +schema):\n%s", name, diff)
		}
		if len(schema.Value.Properties) != len(want) {
			t.Errorf("schema %s has %d properties, the type has %d", name, len(schema.Value.Properties), len(want))
		}
	}
	for name, schema := range schemas {
		if schema.Value.Type.Is("object") && !seen[name] {
			t.Errorf("schema %s belongs to no type", name)
		}
	}
}

// allowsNull reports whether a schema says that a value may be null.
func allowsNull(schema *openapi3.SchemaRef) bool {
	if schema.Value.Type != nil && slices.Contains(*schema.Value.Type, "null") {
		return true
	}
	return slices.ContainsFunc(schema.Value.OneOf, allowsNull)
}

// TestAnswersFitOpenAPI holds the answers of testdata/api.txt against the description,
// and their requests too, where they are answered.
func TestAnswersFitOpenAPI(t *testing.T) {
	description := loadOpenAPI(t)
	router, err := gorillamux.NewRouter(description)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("testdata/api.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, web.Options{})
	checked := 0
	for part := range strings.SplitSeq(string(text), "\n---\n") {
		e := parseExchange(t, part)
		target := strings.ReplaceAll(e.target, " ", "%20")
		response, body := ask(t, s, e.method, target, e.body)
		r, err := http.NewRequestWithContext(t.Context(), e.method, "http://localhost"+target, strings.NewReader(e.body))
		if err != nil {
			continue // no address at all
		}
		r.Header.Set("Content-Type", "application/json")
		if target == "/v1/studies" {
			r.Header.Set("Content-Type", "text/plain")
		}
		route, parameters, err := router.FindRoute(r)
		if err != nil {
			if strings.HasPrefix(target, "/v1") && response.StatusCode == http.StatusOK {
				t.Errorf("%s %s is answered, and not described", e.method, target)
			}
			continue
		}
		input := &openapi3filter.RequestValidationInput{Request: r, PathParams: parameters, Route: route}
		if response.StatusCode == http.StatusOK {
			if err := openapi3filter.ValidateRequest(t.Context(), input); err != nil {
				t.Errorf("%s %s: the request is answered, and not as described: %v", e.method, target, err)
			}
		}
		err = openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
			RequestValidationInput: input, Status: response.StatusCode, Header: response.Header,
			Body: io.NopCloser(bytes.NewReader([]byte(body))),
		})
		if err != nil {
			t.Errorf("%s %s: the answer is not as described: %v", e.method, target, err)
		}
		checked++
	}
	if checked < 30 {
		t.Errorf("%d answers were held against the description, want more", checked)
	}
}

// TestOpenAPIListsAddresses wants the description to be JSON with the addresses that
// docs/api.md lists.
func TestOpenAPIListsAddresses(t *testing.T) {
	document, err := os.ReadFile("../../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text := ask(t, newServer(t, web.Options{}), http.MethodGet, "/v1/openapi.json", "")
	var description struct {
		Paths map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal([]byte(text), &description); err != nil {
		t.Fatal(err)
	}
	for path := range description.Paths {
		if !strings.Contains(string(document), path) {
			t.Errorf("docs/api.md does not mention %s", path)
		}
	}
}

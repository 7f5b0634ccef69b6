package web

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"sync"
)

// pages are the templates of the page, ready in each language.
type pages struct {
	byLanguage map[string]*template.Template
}

// templates are the sources of the pages.
//
//go:embed pages
var templates embed.FS

func newPages(a *assets) (*pages, error) {
	p := &pages{byLanguage: map[string]*template.Template{}}
	for _, language := range []string{english, german} {
		text := textsOf(language)
		t, err := template.New("").Funcs(template.FuncMap{
			"say":              text.say,
			"claim":            claimIn(language),
			"fault":            faultIn(language),
			"asset":            a.address,
			"count":            func(n uint64) string { return count(n, language) },
			"percent":          func(part, whole uint64) string { return percent(part, whole, language) },
			"signed":           signed,
			"drawPit":          drawPit,
			"drawStore":        drawStore,
			"drawBeansInStore": func(n int) template.HTML { return drawBeans(beansInStore(n), n) },
			"drawSymbols":      sync.OnceValue(drawSymbols),
			"sides":            func() []string { return []string{"North", "South"} },
			"address":          address,
			"abs":              func(n int) int { return max(n, -n) },
			"lossStep":         lossStep,
		}).ParseFS(templates, "pages/*.html")
		if err != nil {
			return nil, err
		}
		p.byLanguage[language] = t
	}
	return p, nil
}

// frame is what all pages have in common.
type frame struct {
	Language string
	Other    string // the language to switch to
	Theme    string // "light", "dark" or "" for that of the system
	Here     string // the name of the page in the navigation
	Switch   string // this address in the other language
	Page     any    // what the page itself shows
}

// newFrame returns the frame of an answer to r.
func newFrame(r *http.Request, here string, page any) frame {
	f := frame{Language: languageOf(r), Theme: themeOf(r), Here: here, Page: page}
	f.Other = otherLanguage(f.Language)
	query := r.URL.Query()
	query.Set("lang", f.Other)
	f.Switch = (&url.URL{Path: r.URL.Path, RawQuery: query.Encode()}).String()
	return f
}

// pageFunc makes what a page shows. A page that shows an error has its status.
type pageFunc func(ctx context.Context, r *http.Request, form url.Values) (page any, status int, err error)

// page returns the handler of a page. The address parameter part asks for the named
// part of it alone.
func (s *Server) page(here, name, part string, show pageFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := name
		if part != "" && r.URL.Query().Has("part") {
			name = part
		}
		form, err := s.form(w, r)
		if err != nil {
			s.failPage(w, r, err)
			return
		}
		var text []byte
		status := http.StatusOK
		err = s.work(r.Context(), func(ctx context.Context) error {
			page, code, err := show(ctx, r, form)
			if err != nil {
				return err
			}
			status = cmp.Or(code, http.StatusOK)
			text, err = s.pages.render(name, newFrame(r, here, page))
			return err
		})
		if err != nil {
			s.failPage(w, r, err)
			return
		}
		s.sendPage(w, r, status, text)
	})
}

// form reads what a form has sent, if it was one.
func (s *Server) form(w http.ResponseWriter, r *http.Request) (url.Values, error) {
	if r.Method != http.MethodPost {
		return nil, nil
	}
	text, err := s.body(w, r)
	if err != nil {
		return nil, err
	}
	form, err := url.ParseQuery(string(text))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errBody, err)
	}
	return form, nil
}

// failPage sends an error for people.
func (s *Server) failPage(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(err)
	s.report(r, p.status, err)
	text, err := s.pages.render("error.html", newFrame(r, "", p))
	if err != nil {
		s.report(r, http.StatusInternalServerError, err)
		text = []byte(p.What + "\n")
	}
	s.sendPage(w, r, p.status, text)
}

// sendPage sends a page.
func (s *Server) sendPage(w http.ResponseWriter, r *http.Request, status int, text []byte) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Vary", "Accept-Language, Cookie")
	if chosen := r.URL.Query().Get("lang"); isLanguage(chosen) {
		http.SetCookie(w, &http.Cookie{
			Name: "lang", Value: chosen, Path: "/", MaxAge: 365 * 24 * 60 * 60, SameSite: http.SameSiteLaxMode,
		})
	}
	if status == http.StatusOK {
		send(w, r, text, askAgain)
		return
	}
	header.Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(text) // who has gone needs no answer
}

// render fills in a page.
func (p *pages) render(name string, f frame) ([]byte, error) {
	var text bytes.Buffer
	if err := p.byLanguage[f.Language].ExecuteTemplate(&text, name, f); err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return text.Bytes(), nil
}

// routePages adds the pages to the table of paths.
func (s *Server) routePages(mux *http.ServeMux) {
	mux.Handle("GET /{$}", s.page("board", "board.html", "answer", s.boardPage))
	for _, method := range []string{"GET", "POST"} {
		mux.Handle(method+" /studies", s.page("studies", "studies.html", "verdicts", s.studiesPage))
	}
	mux.Handle("GET /tables", s.page("tables", "tables.html", "", s.tablesPage))
	mux.Handle("GET /tables/{rules}/{beans}", s.page("tables", "layer.html", "", s.layerPage))
	mux.Handle("GET /campaign", s.page("tables", "campaign.html", "", s.campaignPage))
	mux.HandleFunc("GET /picture.svg", s.picture)
	mux.Handle("/", s.page("", "", "", func(context.Context, *http.Request, url.Values) (any, int, error) {
		return nil, 0, errNotFound
	}))
}

// requestOf reads the parameters of the address of a page.
func requestOf(r *http.Request) (apiRequest, error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		err = fmt.Errorf("%w: %w", errQuery, err)
	}
	return apiRequest{Request: r, query: query}, err
}

// isClientError reports whether an error is one that a page shows in its place, not instead
// of itself: a bad question, or one that the tables do not answer.
func isClientError(err error) bool {
	status := problemOf(err).status
	return status < http.StatusInternalServerError && !errors.Is(err, errNotFound)
}

package web

import (
	"embed"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// static are the files that browsers fetch.
//
//go:embed static
var static embed.FS

// assets are the files that browsers fetch. Their address has a stamp that changes with
// their content, so browsers can keep them for ever.
type assets struct {
	stamp string
	files map[string][]byte // by name
}

func newAssets() (*assets, error) {
	a := &assets{files: map[string][]byte{}}
	hash := xxhash.New()
	err := fs.WalkDir(static, "static", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := static.ReadFile(name)
		if err != nil {
			return err
		}
		a.files[path.Base(name)] = text
		_, _ = fmt.Fprintf(hash, "%s %d %s\n", name, len(text), text) // a hash takes all
		return nil
	})
	a.stamp = fmt.Sprintf("%016x", hash.Sum64())
	return a, err
}

// address returns where browsers find a file.
func (a *assets) address(name string) (string, error) {
	if _, ok := a.files[name]; !ok {
		return "", fmt.Errorf("no file static/%s", name)
	}
	return "/static/" + a.stamp + "/" + name, nil
}

// ServeHTTP sends a file.
func (a *assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	text, ok := a.files[name]
	if !ok || r.PathValue("stamp") != a.stamp {
		http.NotFound(w, r)
		return
	}
	kind := mime.TypeByExtension(path.Ext(name))
	if strings.HasPrefix(kind, "text/") && !strings.Contains(kind, "charset") {
		kind += "; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	send(w, r, text, sameName)
}

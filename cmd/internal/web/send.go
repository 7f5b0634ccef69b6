package web

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// How long clients may keep what they got.
const (
	// tablesNeverChange is for what follows from the tables alone. A day, since the
	// next version of the program may say more.
	tablesNeverChange = "public, max-age=86400"
	// sameName is for files whose name changes with their content.
	sameName = "public, max-age=31536000, immutable"
	// askAgain is for pages: they may be kept, but the server is asked first.
	askAgain = "no-cache"
)

// send sends a body, or 304 to clients that have it. To POST, nothing is kept.
func send(w http.ResponseWriter, r *http.Request, body []byte, keep string) {
	header := w.Header()
	if r.Method == http.MethodPost {
		keep = "no-store"
	} else {
		tag := fmt.Sprintf(`"%016x"`, xxhash.Sum64(body))
		header.Set("ETag", tag)
		if matches(r.Header.Get("If-None-Match"), tag) {
			header.Set("Cache-Control", keep)
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	header.Set("Cache-Control", keep)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // who has gone needs no answer
}

// matches reports whether a list of tags names a tag (RFC 9110, 13.1.2).
func matches(list, tag string) bool {
	for entry := range strings.SplitSeq(list, ",") {
		entry = strings.TrimPrefix(strings.TrimSpace(entry), "W/")
		if entry == tag || entry == "*" {
			return true
		}
	}
	return false
}

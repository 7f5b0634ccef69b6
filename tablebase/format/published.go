package format

import (
	_ "embed"
	"fmt"
	"strings"
)

// publishedText is a copy of docs/signatures.tsv: a line for each layer, with rules,
// pits a side, beans, positions and SHA-256, separated by tabs. The first line names
// the columns.
//
//go:embed signatures.tsv
var publishedText string

// Published returns the SHA-256 of a layer, in hexadecimal, that was published with
// this program, and whether there is one. The manifest of a layer that is right has the
// same, whoever has built it, since it depends on the game alone.
func Published(k Key) (sha256 string, ok bool) {
	name := fmt.Sprintf("%v\t%d\t%d\t", k.Rules, k.Width, k.Beans)
	for line := range strings.Lines(publishedText) {
		if rest, found := strings.CutPrefix(line, name); found {
			_, sha256, ok = strings.Cut(strings.TrimSpace(rest), "\t")
			return sha256, ok
		}
	}
	return "", false
}

package web

import (
	"fmt"
	"net/http"

	"golang.org/x/text/language"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/study"
)

// The languages of the page.
const (
	english = "en"
	german  = "de"
)

// texts are the texts of the page in one language, by name. Some have verbs of package
// fmt.
type texts map[string]string

// say returns the text of a name, with values for its verbs.
func (t texts) say(name string, values ...any) (string, error) {
	text, ok := t[name]
	if !ok {
		return "", fmt.Errorf("no text %q", name)
	}
	if len(values) > 0 {
		text = fmt.Sprintf(text, values...)
	}
	return text, nil
}

// languageOf returns what a person wants to read: what the address says, else what was
// chosen before, else what the browser asks for.
func languageOf(r *http.Request) string {
	if name := r.URL.Query().Get("lang"); isLanguage(name) {
		return name
	}
	if chosen, err := r.Cookie("lang"); err == nil && isLanguage(chosen.Value) {
		return chosen.Value
	}
	offered := language.NewMatcher([]language.Tag{language.English, language.German})
	if _, at := language.MatchStrings(offered, r.Header.Get("Accept-Language")); at == 1 {
		return german
	}
	return english
}

func isLanguage(name string) bool { return name == english || name == german }

// otherLanguage returns the language to switch to.
func otherLanguage(name string) string {
	if name == german {
		return english
	}
	return german
}

// themeOf returns "light" or "dark" if that was chosen, or "", which leaves it to the
// system.
func themeOf(r *http.Request) string {
	chosen, err := r.Cookie("theme")
	if err == nil && (chosen.Value == "light" || chosen.Value == "dark") {
		return chosen.Value
	}
	return ""
}

// textsOf returns the texts of the page in a language.
func textsOf(language string) texts {
	if language == german {
		return germanTexts()
	}
	return englishTexts()
}

// claimIn returns how the page words the claim of a study in a language.
func claimIn(language string) func(study.Stipulation, game.Diagram) string {
	if language == german {
		return germanClaim
	}
	return study.Stipulation.Claim
}

// faultIn returns how the page words a fault of a study in a language.
func faultIn(language string) func(study.Fault) string {
	if language == german {
		return germanFault
	}
	return study.Fault.Text
}

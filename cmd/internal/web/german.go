package web

import (
	"fmt"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/study"
)

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

// germanClaim is [study.Stipulation.Claim] in German.
func germanClaim(s study.Stipulation, d game.Diagram) string {
	side := germanWords()[s.Side(d).String()]
	switch s.Goal {
	case study.Win:
		return fmt.Sprintf("%s gewinnt", side)
	case study.Draw:
		return fmt.Sprintf("%s hält unentschieden", side)
	case study.WinBy:
		return fmt.Sprintf("%s gewinnt mit %d oder mehr", side, s.Beans)
	case study.Score:
		return fmt.Sprintf("der Wert ist %+d für %s", s.Beans, side)
	default:
		return fmt.Sprintf("bestes Spiel für %s", side)
	}
}

// germanFault is [study.Fault.Text] in German.
func germanFault(f study.Fault) string {
	text := fmt.Sprintf("Halbzug %d", f.Ply)
	if len(f.Path) > 0 {
		text += " nach " + study.MoveNames(f.Path)
	}
	if f.Kind != study.Unsound {
		text += ", " + study.MoveNames(f.Pits)
	}
	text += ": " + germanMessage(f.Kind, f.Manner)
	if len(f.Line) > 1 {
		text += ": " + study.MoveNames(f.Line)
	}
	return text
}

// germanMessage says what is wrong with a study.
func germanMessage(kind study.Verdict, manner study.Manner) string {
	const another = "ein anderer Zug erfüllt die Forderung auch"
	switch kind {
	case study.Unsound:
		if manner == study.More {
			return "die Forderung ist falsch, der Löser erreicht mehr"
		}
		return "die Forderung ist falsch, der Löser erreicht weniger"
	case study.Cooked:
		return "ein anderer erster Zug erfüllt die Forderung auch"
	case study.Incomplete:
		return "hier fehlt eine Verteidigung, die mindestens so gut ist wie die angegebenen"
	case study.Wrong:
		return map[study.Manner]string{
			study.Illegal: "der Zug ist regelwidrig",
			study.Fails:   "der Zug erfüllt die Forderung nicht",
			study.Works:   "der Zug ist als Verführung angegeben, erfüllt aber die Forderung",
			study.Refutes: "die Antwort widerlegt die Verführung nicht",
		}[manner]
	case study.Dual:
		switch manner {
		case study.Transposes:
			return another + "; er stellt nur um"
		case study.Lengthens:
			return another + "; er verlängert nur"
		default:
			return another
		}
	default:
		return ""
	}
}

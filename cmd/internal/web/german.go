package web

import (
	"fmt"

	"bohnenspiel/solver/game"
	"bohnenspiel/tablebase/study"
)

func germanTexts() texts {
	return texts{
		"title":       "Bohnenspiel: Wer gewinnt?",
		"tagline":     "Genaue Antworten für Endspiele von Bohnenspiel und Mangala II",
		"skip":        "Zum Brett springen",
		"navBoard":    "Brett",
		"navStudies":  "Studien",
		"navTables":   "Tabellen",
		"navAPI":      "API",
		"navigation":  "Seiten",
		"language":    "English",
		"theme":       "Hell oder dunkel",
		"South":       "Süd",
		"North":       "Nord",
		"rules":       "Regeln",
		"bohnenspiel": "Bohnenspiel",
		"mangala":     "Mangala II",
		"toMove":      "Am Zug",
		"isToMove":    "am Zug",
		"mode":        "Ein Klick auf eine Mulde",
		"modePlay":    "zieht",
		"modeEdit":    "legt eine Bohne",
		"board":       "Brett",
		"boardHelp":   "Pfeiltasten wechseln die Mulde, Ziffern setzen die Zahl der Bohnen, + und − legen dazu und nehmen weg, Eingabe zieht.",
		"pit":         "Mulde %d, %s, Bohnen: %d",
		"store":       "Schatzhöhle von %s, Bohnen: %d",
		"selected":    "Bohnen in",
		"pitShort":    "Mulde %d",
		"storeShort":  "Schatzhöhle von %s",
		"fewer":       "Eine Bohne weniger",
		"more":        "Eine Bohne mehr",
		"clear":       "Brett leeren",
		"clearShort":  "Leeren",
		"start":       "Zum Anfang",
		"back":        "Zurück",
		"forward":     "Vor",
		"history":     "Gespielte Züge",
		"position":    "Stellung als Text",
		"show":        "Zeigen",
		"picture":     "Bild (SVG)",
		"link":        "Link kopieren",
		"copied":      "Kopiert",
		"result":      "Ergebnis",
		"noscript":    "Skripte sind aus: Stellung unten eintippen und über die Links in der Zugliste spielen.",

		"wins":         "%s gewinnt",
		"draw":         "Unentschieden",
		"noTable":      "Keine Tabelle",
		"badPosition":  "Keine Stellung",
		"failed":       "Keine Antwort",
		"score":        "%d–%d",
		"scoreOrder":   "Süd–Nord am Ende",
		"onBoardOnly":  "Die Schatzhöhlen sind leer; gezählt werden nur die Bohnen auf dem Brett.",
		"valueTitle":   "Wert der Stellung",
		"value":        "%s für %s am Zug: Von den %d Bohnen auf dem Brett gewinnt %s noch %d und %s %d.",
		"valueEndless": "%s für %s am Zug. Manche der %d Bohnen bleiben vielleicht für immer auf dem Brett und zählen dann für niemanden (Regel 8).",
		"valueOver":    "Das Spiel ist aus: %s ist am Zug und hat keine Bohnen; %s bekommt die %d auf dem Brett.",
		"valueEmpty":   "Das Spiel ist aus: Das Brett ist leer.",
		"leadEndless":  "voraus um %d",
		"noTableText":  "Die Tabellen hier kennen keine Stellungen mit %d Bohnen auf dem Brett, sondern mit: %s. Weiterspielen oder Bohnen wegnehmen hilft.",
		"noTables":     "keinen",
		"onlyMove":     "Zug %d ist der einzige.",
		"onlyPass":     "%s muss passen.",
		"onlyWins":     "Nur Zug %d gewinnt.",
		"onlyDraws":    "Nur Zug %d hält unentschieden.",
		"allWin":       "Jeder Zug gewinnt.",
		"allDraw":      "Jeder Zug hält unentschieden.",
		"allLose":      "Jeder Zug verliert.",
		"someWin":      "%d von %d Zügen gewinnen.",
		"someDraw":     "%d von %d Zügen halten unentschieden.",
		"moves":        "Züge von %s, die besten zuerst",
		"movesUnknown": "Züge von %s",
		"move":         "Zug",
		"pass":         "passen",
		"takes":        "nimmt",
		"ends":         "endet",
		"endsTitle":    "Süd–Nord am Ende, wenn beide bestmöglich spielen",
		"for":          "für %s",
		"lost":         "Bohnen verloren",
		"best":         "am besten",
		"Win":          "gewonnen",
		"Draw":         "unentschieden",
		"Loss":         "verloren",
		"dtc":          "DTC",
		"dtcTitle":     "Halbzüge bis zum nächsten Gewinn von Bohnen oder zum Ende, wenn beide bestmöglich spielen",
		"layerLink":    "Alle Stellungen mit %d Bohnen",

		"line":      "Bestes Spiel",
		"linePlay":  "Abspielen",
		"lineStop":  "Anhalten",
		"lineCopy":  "Als Text kopieren",
		"lineCycle": "Von hier an geht es ewig im Kreis.",

		"puzzle":     "Rätsel des Tages",
		"puzzleWin":  "%s am Zug gewinnt, mit nur einem Zug.",
		"puzzleDraw": "%s am Zug hält unentschieden, mit nur einem Zug.",
		"puzzleOpen": "Aufbauen",
		"task":       "Rätsel",
		"puzzleTry":  "Zieh auf dem Brett.",
		"puzzleShow": "Oder die Lösung zeigen",

		"studies":      "Studien",
		"studiesIntro": "Eine Studie ist eine komponierte Stellung mit Forderung und Lösung. Eine oder mehrere einfügen: Jede wird geprüft, und jeder Fehler wird mit seiner Zugfolge gezeigt.",
		"studyText":    "Studien",
		"verify":       "Prüfen",
		"badStudy":     "Das ist kein Text mit Studien",
		"untitled":     "Ohne Titel",
		"claim":        "Forderung",
		"solution":     "Zugfolge",
		"sound":        "korrekt",
		"dual":         "dualistisch",
		"incomplete":   "unvollständig",
		"wrong":        "falsch",
		"cooked":       "nebenlösig",
		"unsound":      "unlösbar",
		"unjudged":     "nicht geprüft",
		"soundText":    "Die Forderung stimmt, und die Lösung hat keinen Fehler.",
		"onBoard":      "Auf dem Brett",

		"tables":           "Tabellen",
		"campaign":         "Die Kampagne",
		"campaignIntro":    "Ein Wert wird in Stücken bewiesen. Diese Seite zeigt, was schon bewiesen ist; neu geladen zeigt sie mehr.",
		"campaignAtLeast":  "Ist der Wert für die Seite am Zug mindestens %s?",
		"campaignYes":      "Ja",
		"campaignNo":       "Nein",
		"campaignOpen":     "Offen",
		"campaignBounds":   "bewiesen: von %s bis %s",
		"campaignJobs":     "Erledigte Aufgaben",
		"campaignJobsOpen": "Offene Aufgaben",
		"campaignVisited":  "Betrachtete Stellungen",
		"campaignLeft":     "Verbleibende Stellungen, geschätzt",
		"campaignTree":     "Die Fragen nahe der Wurzel",

		"tablesIntro":  "Eine Tabelle enthält den Wert jeder Stellung mit so vielen Bohnen auf dem Brett. Was hier steht, kann gefragt werden.",
		"tablesNone":   "Noch ist keine Tabelle berechnet.",
		"tableBoard":   "%s auf einem Brett mit 2×%d Mulden",
		"beans":        "Bohnen",
		"positions":    "Stellungen",
		"winsShare":    "gewonnen",
		"drawsShare":   "unentschieden",
		"lossesShare":  "verloren",
		"layerTitle":   "%d Bohnen: %s Stellungen",
		"layerIntro":   "Wie viele Stellungen welchen Wert haben: die Bohnen, die der Spieler am Zug noch gewinnt, weniger die des Gegners.",
		"layerShares":  "Wer am Zug ist, bekommt in %s aller Stellungen mehr Bohnen, in %s gleich viele, in %s weniger.",
		"layerEndless": "Bei %s Stellungen hängt der Wert an Regel 8: Das Spiel kann ewig dauern.",
		"scoreColumn":  "Wert",
		"share":        "Anteil",
		"histogram":    "Histogramm der Werte",
		"longest":      "Der längste Weg zu einem Gewinn von Bohnen oder zum Ende braucht %s Halbzüge:",
		"sha256":       "SHA-256 der Werte",

		"notFound":     "Hier ist nichts",
		"notFoundText": "Diese Adresse führt nirgendwohin.",
		"errorTitle":   "Etwas ist schiefgegangen",
		"toBoard":      "Zum Brett",

		"reasonPosition": "So schreibt man eine Stellung: Mulden 1 bis 12, die Schatzhöhlen von Süd und von Nord, und wer am Zug ist (S oder N).",
		"reasonRules":    "Die Spiele hier heißen bohnenspiel und mangala.",
		"reasonBoard":    "Ein Brett hat 1 bis 9 Mulden auf jeder Seite und bis zu zwölf Bohnen für jede davon.",
		"reasonLayer":    "Die Tabellen hier kennen keine Stellungen mit so vielen Bohnen auf dem Brett.",
		"reasonMuch":     "Das ist zu viel auf einmal.",
		"reasonBusy":     "Der Server hat zu viel zu tun. Bitte gleich noch einmal versuchen.",
		"reasonServer":   "Der Server oder seine Tabellen haben einen Fehler. Bitte dem Betreiber melden.",
		"reasonRequest":  "Die Anfrage ist nicht zu lesen.",

		"footer": "Jede Zahl ist genau: das Ergebnis, wenn beide Seiten bestmöglich spielen.",
	}
}

// germanClaim is [study.Stipulation.Claim] in German.
func germanClaim(s study.Stipulation, d game.Diagram) string {
	side := germanTexts()[s.Side(d).String()]
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

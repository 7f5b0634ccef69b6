package study

// PartiePoints is how many points end a Partie (rule 9).
const PartiePoints = 100

// Partie is a series of rounds between two players (rule 9). Each bean that a player
// has won at the end of a round is a point, whichever side he plays. The Partie is
// over with the round in which a player reaches PartiePoints; who has more then has
// won.
type Partie struct {
	Players [2]string `json:"players"` // in the order of the first round: South, North
	Rounds  []Round   `json:"rounds"`
	Points  [2]int    `json:"points"` // of all rounds, in the order of Players
	Over    bool      `json:"over"`   // whether a player has PartiePoints
	// Winner is the player who has won, or nil if the Partie is not over or both have
	// the same.
	Winner *string `json:"winner"`
}

// Round is a game of a Partie.
type Round struct {
	Game   int    `json:"game"`   // its place among the games, counted from 1
	Points [2]int `json:"points"` // that it gave, in the order of the players
}

// The tags that name the players of a game.
const (
	SouthTag = "South"
	NorthTag = "North"
)

// Parties puts the games of a file together to Parties: games of the same two players,
// whoever plays South, follow one another as rounds, other games between them or not.
// After the end of a Partie, the next game of its players begins another. Games that
// don't name two players, have a flaw, or are not over, are no rounds.
func Parties(games []Record) []Partie {
	var all []*Partie
	running := make(map[[2]string]*Partie) // by the players in the order of their names
	for i, g := range games {
		players := [2]string{g.Tags[SouthTag], g.Tags[NorthTag]}
		if players[0] == "" || players[1] == "" || players[0] == players[1] || g.Flaw != nil || !g.Over {
			continue
		}
		key := [2]string{min(players[0], players[1]), max(players[0], players[1])}
		p := running[key]
		if p == nil || p.Over {
			p = &Partie{Players: players}
			running[key] = p
			all = append(all, p)
		}
		round := Round{Game: i + 1, Points: [2]int{g.Stores.South, g.Stores.North}}
		if players != p.Players {
			round.Points[0], round.Points[1] = round.Points[1], round.Points[0]
		}
		p.add(round)
	}
	parties := make([]Partie, len(all))
	for i, p := range all {
		parties[i] = *p
	}
	return parties
}

// add adds a round, and ends the Partie if that is enough.
func (p *Partie) add(r Round) {
	p.Rounds = append(p.Rounds, r)
	for i, points := range r.Points {
		p.Points[i] += points
	}
	p.Over = max(p.Points[0], p.Points[1]) >= PartiePoints
	switch {
	case !p.Over || p.Points[0] == p.Points[1]:
	case p.Points[0] > p.Points[1]:
		p.Winner = &p.Players[0]
	default:
		p.Winner = &p.Players[1]
	}
}

package campaign

import "errors"

var (
	// ErrNotCampaign is returned when a file is no file of a campaign, or one of another
	// format version.
	ErrNotCampaign = errors.New("not a campaign")
	// ErrDamaged is returned when a line is not what was written.
	ErrDamaged = errors.New("damaged line")
	// ErrOtherGame is returned when files of different games are to be put together.
	ErrOtherGame = errors.New("campaign of another game")
	// ErrContradiction is returned when two lines can't both be right.
	ErrContradiction = errors.New("lines contradict each other")
	// ErrOpen is returned when something is wanted of an answer that is not proved.
	ErrOpen = errors.New("not proved yet")
	// ErrWrongLine is returned when the search finds another answer than a line says.
	ErrWrongLine = errors.New("a line is wrong")
)

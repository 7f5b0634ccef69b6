package campaign

import "bohnenspiel/tablebase/fault"

// Errors of files that cannot be trusted.
var (
	// ErrNotCampaign is returned when a file is no file of a campaign, or one of another
	// format version.
	ErrNotCampaign = fault.New(fault.BadData, "not a campaign")
	// ErrDamaged is returned when a line is not what was written.
	ErrDamaged = fault.New(fault.BadData, "damaged line")
	// ErrContradiction is returned when two lines can't both be right.
	ErrContradiction = fault.New(fault.BadData, "lines contradict each other")
	// ErrWrongLine is returned when the search finds another answer than a line says.
	ErrWrongLine = fault.New(fault.BadData, "a line is wrong")
)

// Errors of questions that cannot be answered as things are.
var (
	// ErrOtherGame is returned when files of different games are to be put together.
	ErrOtherGame = fault.New(fault.Unanswered, "campaign of another game")
	// ErrOpen is returned when something is wanted of an answer that is not proved.
	ErrOpen = fault.New(fault.Unanswered, "not proved yet")
)

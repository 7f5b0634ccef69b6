package check

import (
	"bohnenspiel/tablebase/fault"
)

// ErrLevel is returned when a text names no depth of a check: ClassUsage.
var ErrLevel = fault.New(fault.Usage, "unknown depth")

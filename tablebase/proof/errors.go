package proof

import (
	"bohnenspiel/tablebase/fault"
)

// ErrCertificate is returned when a certificate is none, is damaged, or does not
// prove what it says.
var ErrCertificate = fault.New(fault.BadData, "the certificate is refused")

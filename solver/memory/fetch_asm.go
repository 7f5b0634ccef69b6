//go:build amd64 || arm64

package memory

import "unsafe"

// Fetch makes the processor fetch the line of its cache that p points into, and waits
// for nothing. It is a hint: what p points to is neither read nor changed.
//
//go:noescape
func Fetch(p unsafe.Pointer)

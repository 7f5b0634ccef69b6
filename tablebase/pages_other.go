//go:build !linux

package tablebase

// releasesPages tells whether releasePages does anything.
const releasesPages = false

// releasePages does nothing: mapped files are left to the system.
func releasePages(_, _ string) {}

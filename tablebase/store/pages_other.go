//go:build !linux

package store

// ReleasesPages tells whether ReleasePages does anything.
const ReleasesPages = false

// ReleasePages does nothing: mapped files are left to the system.
func ReleasePages(_, _ string) {}

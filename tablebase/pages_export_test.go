package tablebase

// What follows opens releasePages to its test.

// ReleasesPages tells whether ReleasePages does anything here.
const ReleasesPages = releasesPages

// ReleasePages takes pages of mapped files out of memory.
func ReleasePages(dir, suffix string) { releasePages(dir, suffix) }

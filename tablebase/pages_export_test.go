package tablebase

// What follows opens releasePages to its test.

// ReleasePages takes pages of mapped files out of memory.
func ReleasePages(dir, suffix string) { releasePages(dir, suffix) }

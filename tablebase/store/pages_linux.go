package store

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// ReleasesPages tells whether ReleasePages does anything.
const ReleasesPages = true

// ReleasePages takes the pages of files in a directory, those with a name that ends as
// said, out of the memory of the process where they are mapped shared. Nothing is lost:
// what was written stays in the cache of the system and goes to the disk as ever, and
// what is read again is mapped again. No such file may be mapped or unmapped meanwhile,
// as other memory could then lie at the place of the old map. Errors are left alone,
// since it only makes the process smaller.
func ReleasePages(dir, suffix string) {
	maps, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		return
	}
	for line := range strings.Lines(string(maps)) {
		// Such as "7f3c20000000-7f3ca0000000 rw-s 00000000 fe:00 1234   /data/000001.vlog".
		path := strings.Index(line, "/")
		if path < 0 {
			continue
		}
		name := strings.TrimSuffix(line[path:], "\n")
		if filepath.Dir(name) != dir || !strings.HasSuffix(name, suffix) {
			continue
		}
		var from, to uintptr
		var leave string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &leave); err != nil || !strings.HasSuffix(leave, "s") {
			continue
		}
		// What Go holds of the map is a slice that is not known here.
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED)
	}
}

package store

import "golang.org/x/sys/windows"

// freeBytes returns the bytes that one may still write to the disk of a directory
// that is there, and whether that is known.
func freeBytes(dir string) (bytes uint64, known bool) {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return 0, false
	}
	if err := windows.GetDiskFreeSpaceEx(name, &bytes, nil, nil); err != nil {
		return 0, false
	}
	return bytes, true
}

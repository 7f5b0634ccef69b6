package store

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// GuardFaults calls f, which reads memory that files are mapped to, and returns its
// error. Where the file has been cut meanwhile, or the disk fails, reading such memory is
// a fault, which would end the process; here it becomes an error that wraps ErrStorage.
func GuardFaults(f func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		switch r := recover().(type) {
		case nil:
		case interface {
			runtime.Error
			Addr() uintptr
		}:
			err = fmt.Errorf("%w: a file was cut, or could not be read from the disk", ErrStorage)
		default:
			panic(r)
		}
	}()
	return f()
}

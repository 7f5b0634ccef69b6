// Package store is where values lie: bytes under keys, in one of two places behind the same
// interface. A [Reader] is a database directory or one exported file, a [Writer] a directory
// that can be changed. The exported file is implemented here, as [File]; the directory in
// package database, which alone knows Badger.
//
// Around that stands what everything needs that writes files: free space, the replacement of
// a file by a whole one, errors of the system as one line, and memory maps that fault.
package store

// Package database opens database directories, and is the only one that knows Badger.
//
// [Create] opens one for a builder, [Open] for any number of readers; Open also takes an
// exported file. Before Badger sees a directory, preflight.go finds out whether it can be
// opened: who holds its lock, which format version it has, and whether its files are whole.
// [Salvage] gives up what is damaged and keeps the rest.
package database

// Command bohnenspiel builds and asks exact endgame tables of the mancala game
// Bohnenspiel and of its sister Mangala II.
//
// Each command has a file of its own with its options, its constructor and a
// method that does the work and returns an error; long texts for people stand
// beside it, as in checktext.go. main.go has the exit status, root.go the list of
// commands, positions.go what commands share that take positions. What is shared
// beyond that is in three packages: session (flags, usage errors, the database,
// files, tables built on demand), console (streams, and how far long work is) and
// words (numbers, lists and answers in words).
//
// Results go to standard output, progress and errors to standard error. An error
// is one line. The exit status is 0 when the question was answered, 1 when it
// can't be answered or the data is bad, and 2 for wrong usage or a bad position.
// docs/cli.md is the manual.
package main

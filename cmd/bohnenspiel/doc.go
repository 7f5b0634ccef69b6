// Command bohnenspiel builds and asks exact endgame tables of the mancala game
// Bohnenspiel and of its sister Mangala II.
//
// Each command has a file of its own with its options, its constructor and a
// method that does the work and returns an error; long texts for people stand
// beside it, as in querytext.go. Commands share main.go (exit status), root.go
// (the list of commands), flags.go, console.go (streams), files.go, format.go
// (numbers, lists, tables), database.go (where the database is and what it has),
// session.go (tables built on demand), positions.go (arguments that are
// positions), and for progress bar.go, progress.go, buildprogress.go,
// searchprogress.go and eta.go.
//
// Results go to standard output, progress and errors to standard error. An error
// is one line. The exit status is 0 when the question was answered, 1 when it
// can't be answered or the data is bad, and 2 for wrong usage or a bad position.
// docs/cli.md is the manual.
package main

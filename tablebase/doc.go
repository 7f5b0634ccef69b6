// Package tablebase answers questions about positions from tables.
//
// A [DB] is a set of tables that is open for reading: a database directory, opened by package
// database, or an exported file ([OpenFile]). [DB.Probe] looks up the score of one position,
// [DB.Answer] a position with all its moves, [DB.Depth] its depth to conversion, and [DB.Line]
// plays best play to the end. A [Writer] is the right to change the tables, which packages
// build, check, archive and proof ask for.
//
// Errors fall into classes by who has to act on them, see package fault.
package tablebase

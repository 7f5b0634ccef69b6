// Package tablebase keeps the scores of solved layers in one Badger database and
// answers questions about positions from it.
//
// A database is a directory. It holds layers, each named by a [Key]: a rule set, a
// board width and a number of beans. The scores of a layer are cut into blocks,
// each compressed and checksummed on its own; a [Manifest], written last, says what
// the layer holds. A layer without a manifest does not exist, so a build that is
// stopped at any moment leaves whole layers only. docs/format.md describes every
// byte.
//
// [Create] opens a database for one builder, [Open] for any number of readers.
// [DB.Build] adds layers, [DB.BuildDepths] tables of depths to conversion,
// [DB.Probe] looks up one position, [DB.Answer] a position with all its moves,
// [DB.Line] plays best play to the end, and [DB.Check] verifies what is stored.
// Errors fall into classes by who has to act on them, see [ClassOf].
package tablebase

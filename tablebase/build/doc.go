// Package build makes tables: [Scores] solves the layers that are missing from those below
// them, [Depths] finds the depths to conversion of layers whose scores are there.
//
// Both run the same way, see builder: a [Plan] says beforehand what memory, disk and time it
// takes and in which form lower layers are kept; each layer is solved, its blocks are written
// in their order, and its manifest last. scores.go and depths.go say where the two differ. The
// state of a layer that takes long is kept in a file, see checkpointFile.
package build

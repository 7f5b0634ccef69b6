// Package solver computes the scores of all positions of a layer from the layers
// below it.
//
// [Solve] gives each position an interval that holds its score, at first as wide
// as the beans on the board, and narrows the intervals in sweeps until nothing
// changes. [Check] looks once at each position of a solved layer and compares it
// with its successors, by the plain rules and without the solver's tables.
// [SolveDepths] and [CheckDepths] do the same for depths to conversion, given the
// scores; [FindFacts] counts what takes a look at all moves.
//
// The package knows nothing of disks: it reads lower layers through a [Source],
// and its own result is one.
package solver

// Package search decides positions with more beans than the tables have.
//
// A [Search] answers one kind of question, "is the score of this position at least
// b?", and from such answers it closes in on the score. It goes forward, with the
// tables at the leaves, by depth-first proof-number search (A. Nagai, 2002) with the 1+ε
// rule of J. Pawlewicz and Ł. Lew (2006) and first estimates learnt from the tables
// ([Learn]). Several workers share one transposition table of a fixed size.
//
// Play may go on for ever and is worth 0 then (rule 8). So a position may be reached
// again on the path that led to it, and what is found by way of that holds only where
// the path does. docs/algorithm.md says how such results are kept apart, and why what
// is left is right.
//
// The package knows neither disks nor databases: it reads scores through a [Prober].
package search

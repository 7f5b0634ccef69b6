// Package campaign proves scores in pieces, by many processes and over many runs.
//
// A campaign asks whether the score of a position is at least some bound. Near the
// position it has a tree of such questions. A leaf of the tree is a job: the search above
// the tables gets it, with a limit on the positions that it may visit. A job that is not
// answered by then is split: the questions after its moves become leaves in its place.
// Which leaf is next is told by proof numbers (job-level proof-number search, I.-C. Wu and
// others, 2010).
//
// What is found out is written at once as a line of a text file, see [Line]. Lines may be
// in any order and any number of times, so the union of two files is a file. The tree is
// made of the file alone.
//
// A line says what the score of a position is by the rules, whatever came before.
// docs/algorithm.md says why such pieces may be put together, in spite of play that can
// go in circles.
package campaign

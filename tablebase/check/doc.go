// Package check verifies stored tables, and deletes what is bad.
//
// [Run] goes through layers in ascending order. How much it verifies is a [Level]: blocks and
// their checksums, hash and totals, each score against those of its successors, or the whole
// layer solved anew. Scores and depths are checked alike; bounds that are kept of positions
// above the tables as well. [Repair] deletes the layers that a [Report] finds bad, so that a
// build makes them again. docs/verification.md says what each check cannot detect.
package check

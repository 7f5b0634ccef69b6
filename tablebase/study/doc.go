// Package study reads and writes studies and games, and judges studies by the
// tables.
//
// A [Study] is a composed position with a claim, the [Stipulation], and the
// composer's solution. [Verify] says whether the claim is true, whether the first
// move is the only one that makes it true, and where else the solution falls short;
// [Solve] writes the solution that a composer would have to give. A [Game] is a
// position and the moves that were played from it.
//
// Both are text in the manner of the portable game notation of chess: tags in
// brackets, then moves with comments in braces and variations in parentheses. The
// text is read in three steps: a lexer makes tokens, sections are tags with the
// moves that follow them, and studies or games are made of sections. Each step knows
// its place in the file, so every error names file, line and column. The format,
// with a grammar, and all verdicts are defined in docs/studies.md.
package study

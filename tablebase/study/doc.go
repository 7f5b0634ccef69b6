// Package study reads and writes studies and games.
//
// A [Study] is a composed position with a claim, the [Stipulation], and the
// composer's solution. A [Game] is a position and the moves that were played from it.
//
// Both are text in the manner of the portable game notation of chess: tags in
// brackets, then moves with comments in braces and variations in parentheses. The
// text is read in three steps: a lexer makes tokens, sections are tags with the
// moves that follow them, and studies or games are made of sections. Each step knows
// its place in the file, so every error names file, line and column. The format,
// with a grammar, is defined in docs/studies.md.
package study

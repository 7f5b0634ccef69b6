// Package game holds the rules of Bohnenspiel and of its sister Mangala II.
//
// The board is two rows of pits. A move lifts all beans of one own pit and sows
// them one by one, counter-clockwise, past both stores. When the last bean makes
// its pit hold 2, 4 or 6, those beans are captured, and the capture runs back
// against the sowing direction for as long as the pits hold 2, 4 or 6.
//
// A [Row] packs the pits of one side into one word, so a sowing is one addition.
// A [Position] is two rows, seen by the player to move: the mover's and the
// opponent's. It knows neither stores nor names of the sides; a [Diagram] does,
// and is what people write down. A [Game] is a rule set on a board of a given
// width: it plays moves, lists successors and predecessors, and says when play
// is over. A [Score] is what the mover will still win.
//
// The rules are numbered in docs/rules.md; comments and tests cite the numbers.
package game

// Package reference solves small layers slowly and plainly. It is the oracle of
// the tests of package solver, and no other code uses it.
//
// It shares with the solver the rules on paper and nothing else. Its boards are
// arrays, sown bean by bean. It keeps positions in maps, not in the order of
// package index. And it narrows no intervals: it asks, for each number b, from
// which positions a player can force b beans.
//
// # Method
//
// Layers are solved upwards from the empty board. Within layer n, a move that
// takes beans leads to a layer that is known, so it has a worth: the beans taken
// less what the next position gives the opponent. The other moves, the quiet ones,
// stay in the layer, and they are the edges of a graph that may have circles.
//
// For a number b, two sets of positions are the smallest ones for which
//
//	p is in atLeast(b)  if play is over and gives b or more,
//	                    or some capture is worth b or more,
//	                    or some quiet move leads into atMost(−b);
//	p is in atMost(−b)  if play is over and gives −b or less,
//	                    or every capture is worth −b or less
//	                    and every quiet move leads into atLeast(b).
//
// They are what one player, who wants b from this layer on, can force in finitely
// many plies: atLeast(b) where he moves, atMost(−b) where his opponent does. Both
// are filled backwards from the captures and endings: a position enters when it is
// known that it must, and hands that on to the positions before it; what never
// enters is where the opponent can go round in circles for ever. In the theory of
// games on graphs such a set is the attractor of a reachability game (Grädel,
// Thomas and Wilke, Automata, Logics, and Infinite Games, chapter 2).
//
// # What is read off
//
// The score (rule 8: endless play is worth 0) is the largest b > 0 with p in
// atLeast(b), where the mover forces a gain; or −b for the largest b > 0 with p
// in atMost(−b), where the opponent does; or else 0, since either player can keep
// the other from a gain. Captures are worth what scores of lower layers say.
//
// Low is the largest b with p in atLeast(b), or −n if there is none: then the
// opponent can keep the mover from any finite end, and endless play is as bad for
// the mover as losing all beans on the board. High is the smallest −b with p in
// atMost(−b), or n. Here a capture has two worths, because the position it leads
// to has an interval: its worth is at least the beans taken less the high of that
// position, and at most the beans taken less its low. The first counts for
// atLeast, the second for atMost, so what leans below may lean above.
//
// # Cost
//
// A layer of S positions on a board with w pits a side costs 3n graph walks of at
// most S·w steps each, and about 200 bytes and 8 bytes a quiet move for each
// position. All layers to 8 beans on the traditional board have 125970 positions.
package reference

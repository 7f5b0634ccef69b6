// Package index numbers the positions of a layer without holes.
//
// A layer is all positions with n beans on the board. It is a sum of rectangles:
// for each a from 0 to n, the rows of the mover with a beans times the rows of the
// opponent with n−a beans. A position's number is
//
//	offset(n, a) + rank(mover's row)·R(n−a) + rank(opponent's row)
//
// where R(x) = C(x+w−1, w−1) is the number of rows with x beans on w pits, offset
// is the number of positions in the rectangles before a, and rank numbers the rows
// with the same sum in the combinatorial number system: with s(i) the beans in
// pits 0 to i,
//
//	rank(row) = Σ C(s(i)+i, i+1) for i = 0 to w−2
//
// (Knuth, The Art of Computer Programming 4A, section 7.2.1.3.) For example, the
// rows of 2 pits with 3 beans are 0 3, 1 2, 2 1, 3 0 in this order.
//
// An [Index] ranks and unranks.
package index

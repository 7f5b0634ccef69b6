package solver

import "encoding/binary"

// columnBuffer holds a byte a row for eight columns of a tile, each column in one piece,
// since that is how conversions are found. Cells and scores lie row by row; rows
// transposes bytes eight by eight.
type columnBuffer struct {
	bytes  []byte
	stride int // bytes a column; a multiple of 8
}

// eightColumns is the number of columns in a columnBuffer.
const eightColumns = 8

// reset makes room for the given number of rows. What is in the columns is undefined.
func (b *columnBuffer) reset(rows int) {
	b.stride = (rows + 7) &^ 7
	if len(b.bytes) < eightColumns*b.stride {
		b.bytes = make([]byte, eightColumns*b.stride)
	}
}

// column returns the first rows bytes of column i.
func (b *columnBuffer) column(i, rows int) []byte {
	return b.bytes[i*b.stride:][:rows]
}

// rows sets words to eight rows from a multiple of 8 on: byte i of a word, the lowest
// being 0, is column i. Rows beyond the last are undefined.
func (b *columnBuffer) rows(row int, words *[8]uint64) {
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(b.bytes[i*b.stride+row:])
	}
	transpose(words)
}

// transpose exchanges rows and columns of a square of eight times eight bytes: byte i of
// word k goes to byte k of word i. It exchanges the off-diagonal quarters, then those of
// each quarter, and so on.
func transpose(words *[8]uint64) {
	const by1, by2, by4 = 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff
	a, b, c, d, e, f, g, h := words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7]
	a, b = swapBits(a, b, 8, by1)
	c, d = swapBits(c, d, 8, by1)
	e, f = swapBits(e, f, 8, by1)
	g, h = swapBits(g, h, 8, by1)
	a, c = swapBits(a, c, 16, by2)
	b, d = swapBits(b, d, 16, by2)
	e, g = swapBits(e, g, 16, by2)
	f, h = swapBits(f, h, 16, by2)
	a, e = swapBits(a, e, 32, by4)
	b, f = swapBits(b, f, 32, by4)
	c, g = swapBits(c, g, 32, by4)
	d, h = swapBits(d, h, 32, by4)
	words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7] = a, b, c, d, e, f, g, h
}

// swapBits puts those bits of low that are not in the mask in the place of those of high
// that are, and the other way round.
func swapBits(low, high uint64, shift int, mask uint64) (l, h uint64) {
	different := (low>>shift ^ high) & mask
	return low ^ different<<shift, high ^ different
}

// Words of eight bytes.
const (
	onesInBytes = 0x0101010101010101
	topsOfBytes = 0x8080808080808080
)

// zeroBytes returns a set of the bytes that are 0: bit i for byte i.
func zeroBytes(word uint64) uint64 {
	tops := ^((word&^topsOfBytes + ^uint64(topsOfBytes)) | word) & topsOfBytes
	return tops >> 7 * 0x0102040810204080 >> 56
}

// onesAt is the inverse of zeroBytes: it returns 1 in byte i where bit i is set, of the
// lowest eight.
func onesAt(set uint64) uint64 {
	const bits = 0x8040201008040201 // bit i of byte i
	return (set&255*onesInBytes&bits + (onesInBytes<<7 - onesInBytes)) >> 7 & onesInBytes
}

// maxBytes returns the larger ones of the bytes of two words, without signs.
func maxBytes(a, b uint64) uint64 {
	low := (a | topsOfBytes) - b&^topsOfBytes // top bit: whether the rest of a is not below that of b
	larger := (a&^b | ^(a^b)&low) & topsOfBytes
	mask := larger >> 7 * 0xff
	return a&mask | b&^mask
}

package search

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"

	"bohnenspiel/solver/game"
	"bohnenspiel/solver/memory"
)

// numbers are the proof numbers of a question: how many positions at least have to be
// decided to show that the answer is yes, or no. As estimates they are wrong both
// ways; 0 and infinity are exact: {0, infinity} is yes, {infinity, 0} is no.
type numbers struct {
	yes, no uint32
}

// infinity is above every proof number of a question that is open.
const infinity = 1 << 30

// decided returns the numbers of an answer.
func decided(answer bool) numbers {
	if answer {
		return numbers{0, infinity}
	}
	return numbers{infinity, 0}
}

// open reports whether the answer is not known.
func (n numbers) open() bool { return n.yes != 0 && n.no != 0 }

// entry is what the transposition table knows of a question. The table rounds: see
// pack.
type entry struct {
	question Question
	numbers  numbers
	length   uint32 // see outcome
	work     uint32 // positions visited below it
}

// A bucket is two neighbouring lines of the processor's cache: a word that guards it,
// and entries of three words, the rows of a position and what pack makes of the rest.
const (
	entryWords  = 3
	bucketSize  = 5
	bucketWords = 1 + bucketSize*entryWords
	wordBytes   = 8
	bucketBytes = bucketWords * wordBytes
)

// table is a transposition table of a fixed size. Positions are compared in full, so
// nothing is ever taken for something else. All questions about one position share a
// bucket; when it is full the entry with the least work goes. It is safe for
// concurrent use, and nobody waits in it: the first word of a bucket is odd while
// somebody writes, and even, but another one, afterwards. Who reads meanwhile finds
// nothing, and who wants to write leaves it.
type table struct {
	words   []uint64
	buckets uint64
	filled  atomic.Int64 // entries in use
	block   *memory.Block
	cleanup runtime.Cleanup
}

// newTable returns a table that takes about so many bytes, but at least one bucket.
func newTable(bytes uint64) *table {
	t := &table{buckets: max(1, bytes/bucketBytes), block: new(memory.Block)}
	if mapped, err := t.block.Bytes(int(t.buckets * bucketBytes)); err == nil {
		t.words = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(mapped))), len(mapped)/wordBytes)
		t.cleanup = runtime.AddCleanup(t, func(b *memory.Block) { b.Free() }, t.block)
	} else {
		t.words = make([]uint64, t.buckets*bucketWords)
	}
	return t
}

// free gives the memory back. The table can't be used any more.
func (t *table) free() {
	t.cleanup.Stop()
	t.words = nil
	t.block.Free()
}

// place returns the number of the first word of the bucket of a position.
func (t *table) place(p game.Position) uint64 {
	bucket, _ := bits.Mul64(hash(p), t.buckets)
	return bucket * bucketWords
}

// hash mixes the bits of a position.
func hash(p game.Position) uint64 {
	h := uint64(p.Mover)*0x9E3779B97F4A7C15 ^ bits.RotateLeft64(uint64(p.Opponent)*0xC2B2AE3D27D4EB4F, 31)
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	h ^= h >> 32
	return h * 0xD6E8FEB86659FD93
}

// fetch makes the processor fetch a bucket, both of its lines.
func (t *table) fetch(place uint64) {
	memory.Fetch(unsafe.Pointer(&t.words[place]))
	memory.Fetch(unsafe.Pointer(&t.words[place+bucketWords/2]))
}

// find returns the entry of a question.
func (t *table) find(q Question) (found entry, ok bool) { return t.findAt(t.place(q.Position), q) }

// findAt returns the entry of a question whose position has its bucket at place. Where
// other questions about the position imply the answer, too, it is the one of the
// shortest proof.
func (t *table) findAt(place uint64, q Question) (found entry, ok bool) {
	bucket := (*[bucketWords]uint64)(t.words[place:])
	guard := atomic.LoadUint64(&bucket[0])
	answered := false
	for i := 1; i < bucketWords; i += entryWords {
		if atomic.LoadUint64(&bucket[i]) != uint64(q.Position.Mover) || atomic.LoadUint64(&bucket[i+1]) != uint64(q.Position.Opponent) {
			continue
		}
		packed := atomic.LoadUint64(&bucket[i+2])
		if packed == 0 {
			continue
		}
		e := unpack(q.Position, packed)
		switch {
		case e.answers(q):
			if !answered || e.length < found.length {
				found, ok, answered = e, true, true
			}
		case e.question.Bound == q.Bound && !answered:
			found, ok = e, true
		}
	}
	if ok && (guard%2 != 0 || atomic.LoadUint64(&bucket[0]) != guard) {
		return entry{}, false
	}
	return found, ok
}

// near returns what is known of a question about the same position, with another bound:
// of the twin, if there is one, else of the nearest bound that is open. It is good for
// estimates alone, as it may be out of date by the time it is read.
func (t *table) near(place uint64, q Question, beans int) (found entry, ok bool) {
	bucket := (*[bucketWords]uint64)(t.words[place:])
	for i := 1; i < bucketWords; i += entryWords {
		if atomic.LoadUint64(&bucket[i]) != uint64(q.Position.Mover) || atomic.LoadUint64(&bucket[i+1]) != uint64(q.Position.Opponent) {
			continue
		}
		packed := atomic.LoadUint64(&bucket[i+2])
		if packed == 0 {
			continue
		}
		e := unpack(q.Position, packed)
		switch {
		case q.twin(e.question, beans):
			return e, true
		case e.numbers.open() && (!ok || q.apart(e.question) < q.apart(found.question)):
			found, ok = e, true
		}
	}
	return found, ok
}

// answers reports whether the entry answers a question about the same position: it has
// the answer to that, or it says that the score is at least a larger bound, or not at
// least a smaller one. The forcer must be the same, so that lengths mean the same.
func (e *entry) answers(q Question) bool {
	if (e.question.Bound > 0) != (q.Bound > 0) {
		return false
	}
	return e.numbers.yes == 0 && e.question.Bound >= q.Bound || e.numbers.no == 0 && e.question.Bound <= q.Bound
}

// store keeps what is known of a question, in the place of what is worth least. An
// answer that is there stays as it is: others may have been found by way of it, so its
// length must not grow.
func (t *table) store(e entry) {
	place := t.place(e.question.Position)
	bucket := (*[bucketWords]uint64)(t.words[place:])
	guard := atomic.LoadUint64(&bucket[0])
	if guard%2 != 0 || !atomic.CompareAndSwapUint64(&bucket[0], guard, guard+1) {
		return
	}
	defer atomic.StoreUint64(&bucket[0], guard+2)
	e.work = max(e.work, 1)
	least := -1
	for i := 1; i < bucketWords; i += entryWords {
		packed := bucket[i+2]
		if packed == 0 {
			if least < 0 || bucket[least+2] != 0 {
				least = i
			}
			continue
		}
		if bucket[i] == uint64(e.question.Position.Mover) && bucket[i+1] == uint64(e.question.Position.Opponent) && int8(packed) == e.question.Bound {
			old := unpack(e.question.Position, packed)
			if !old.numbers.open() {
				return
			}
			e.work = max(e.work, old.work)
			least = i
			break
		}
		if least < 0 || packed>>workShift < bucket[least+2]>>workShift {
			least = i
		}
	}
	if bucket[least+2] == 0 {
		t.filled.Add(1)
	}
	atomic.StoreUint64(&bucket[least], uint64(e.question.Position.Mover))
	atomic.StoreUint64(&bucket[least+1], uint64(e.question.Position.Opponent))
	atomic.StoreUint64(&bucket[least+2], pack(&e))
}

// A packed entry has the bound in bits 0 to 7 and in bits 8 and 9 a verdict. Where that
// is Open, bits 10 to 32 are the number for yes, and bits 33 to 55 that for no, the
// largest that fits if they are larger; otherwise bits 10 to 41 are the length. Bits 56
// to 63 are the work, rounded: see roughly. No entry is 0.
const (
	verdictShift = 8
	yesShift     = 10
	noShift      = 33
	numberMask   = 1<<(noShift-yesShift) - 1
	workShift    = 56
)

// pack returns an entry but for its position.
func pack(e *entry) uint64 {
	verdict := verdictOf(e.numbers)
	packed := uint64(uint8(e.question.Bound)) | uint64(verdict)<<verdictShift | roughly(e.work)<<workShift
	if verdict != Open {
		return packed | uint64(e.length)<<yesShift
	}
	return packed | uint64(min(e.numbers.yes, numberMask))<<yesShift | uint64(min(e.numbers.no, numberMask))<<noShift
}

// unpack returns what pack got.
func unpack(p game.Position, packed uint64) entry {
	e := entry{question: Question{Position: p, Bound: int8(packed)}, work: about(packed >> workShift)}
	switch Verdict(packed >> verdictShift & 3) {
	case Open:
		e.numbers = numbers{uint32(packed >> yesShift & numberMask), uint32(packed >> noShift & numberMask)}
	case Yes:
		e.numbers, e.length = decided(true), uint32(packed>>yesShift)
	case No:
		e.numbers, e.length = decided(false), uint32(packed>>yesShift)
	}
	return e
}

// roughly returns a number of at most 32 bits in 8: those up to 15 as they are, of others
// the number of bits and the first four. Larger numbers never give less.
func roughly(n uint32) uint64 {
	more := max(bits.Len32(n), 4) - 4
	return uint64(more)<<3 + uint64(n>>more)
}

// about returns the least number of which roughly gives a code.
func about(code uint64) uint32 {
	if code < 16 {
		return uint32(code)
	}
	more := code>>3 - 1
	return uint32(code-more<<3) << more
}

// fill returns the share of entries in use, from 0 to 1.
func (t *table) fill() float64 {
	return float64(t.filled.Load()) / float64(t.buckets*bucketSize)
}

// all yields every entry in use, in no particular order. Others may change the table
// meanwhile; each entry is whole, and what is being changed may be left out.
func (t *table) all(yield func(entry) bool) {
	for place := uint64(0); place < t.buckets*bucketWords; place += bucketWords {
		bucket := (*[bucketWords]uint64)(t.words[place:])
		guard := atomic.LoadUint64(&bucket[0])
		var copied [bucketWords]uint64
		for i := 1; i < bucketWords; i++ {
			copied[i] = atomic.LoadUint64(&bucket[i])
		}
		if guard%2 != 0 || atomic.LoadUint64(&bucket[0]) != guard {
			continue
		}
		for i := 1; i < bucketWords; i += entryWords {
			if copied[i+2] == 0 {
				continue
			}
			p := game.Position{Mover: game.Row(copied[i]), Opponent: game.Row(copied[i+1])}
			if !yield(unpack(p, copied[i+2])) {
				return
			}
		}
	}
}

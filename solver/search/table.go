package search

import (
	"math/bits"
	"sync"
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

// entry is what the transposition table knows of a question.
type entry struct {
	question Question // 24 bytes
	numbers  numbers
	length   uint32 // see outcome
	work     uint32 // positions visited below it; 0 for an unused entry
}

const (
	entryBytes = 40
	bucketSize = 4
	// stripes is the number of locks of a table.
	stripes = 1 << 12
)

// table is a transposition table of a fixed size. Positions are compared in full, so
// nothing is ever taken for something else. All questions about one position share a
// bucket; when it is full the entry with the least work goes. It is safe for
// concurrent use.
type table struct {
	buckets [][bucketSize]entry
	locks   [stripes]sync.Mutex
	filled  [stripes]uint64 // entries in use, guarded by the lock of the same number
}

// newTable returns a table that takes about so many bytes, but at least one bucket.
func newTable(bytes uint64) *table {
	count := max(1, bytes/(entryBytes*bucketSize))
	return &table{buckets: make([][bucketSize]entry, count)}
}

// place returns the bucket of a question and its stripe.
func (t *table) place(q Question) (bucket, stripe uint64) {
	h := hash(q)
	bucket, _ = bits.Mul64(h, uint64(len(t.buckets)))
	return bucket, bucket % stripes
}

// hash mixes the bits of a position.
func hash(q Question) uint64 {
	h := uint64(q.Position.Mover)*0x9E3779B97F4A7C15 ^ bits.RotateLeft64(uint64(q.Position.Opponent)*0xC2B2AE3D27D4EB4F, 31)
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	h ^= h >> 32
	return h * 0xD6E8FEB86659FD93
}

// find returns the entry of a question. Where other questions about the position imply
// the answer, too, it is the one of the shortest proof.
func (t *table) find(q Question) (found entry, ok bool) {
	bucket, stripe := t.place(q)
	t.locks[stripe].Lock()
	defer t.locks[stripe].Unlock()
	answered := false
	for i := range t.buckets[bucket] {
		e := &t.buckets[bucket][i]
		if e.work == 0 || e.question.Position != q.Position {
			continue
		}
		switch {
		case e.answers(q):
			if !answered || e.length < found.length {
				found, ok, answered = *e, true, true
			}
		case e.question == q && !answered:
			found, ok = *e, true
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
	e.work = max(e.work, 1)
	bucket, stripe := t.place(e.question)
	t.locks[stripe].Lock()
	defer t.locks[stripe].Unlock()
	least := &t.buckets[bucket][0]
	for i := range t.buckets[bucket] {
		old := &t.buckets[bucket][i]
		if old.work > 0 && old.question == e.question {
			if old.numbers.open() {
				e.work = max(e.work, old.work)
				*old = e
			}
			return
		}
		if old.work < least.work {
			least = old
		}
	}
	if least.work == 0 {
		t.filled[stripe]++
	}
	*least = e
}

// fill returns the share of entries in use, from 0 to 1.
func (t *table) fill() float64 {
	filled := uint64(0)
	for i := range t.filled {
		t.locks[i].Lock()
		filled += t.filled[i]
		t.locks[i].Unlock()
	}
	return float64(filled) / float64(len(t.buckets)*bucketSize)
}

// all yields every entry in use, in no particular order. Others may change the table
// meanwhile; each entry is whole.
func (t *table) all(yield func(entry) bool) {
	for bucket := range t.buckets {
		lock := &t.locks[uint64(bucket)%stripes]
		lock.Lock()
		entries := t.buckets[bucket]
		lock.Unlock()
		for _, e := range entries {
			if e.work > 0 && !yield(e) {
				return
			}
		}
	}
}

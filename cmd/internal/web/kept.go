package web

import (
	"sync"

	"bohnenspiel/solver/game"
)

// kept holds the encoded answers that were asked for last, since a table never changes.
// It is safe for concurrent use.
//
// There are two generations. What is asked for moves to the younger one; when that has
// half of the budget it becomes the older one, and what was there goes.
type kept struct {
	budget int // bytes

	mu           sync.Mutex // guards what follows
	young, older map[keptKey][]byte
	bytes        int // of the younger generation
}

// keptKey names an answer.
type keptKey struct {
	rules   game.Rules
	diagram game.Diagram
}

// keptOverhead is what an answer takes besides its bytes, roughly.
const keptOverhead = 200

// newKept returns a store without answers. A budget below 0 keeps none.
func newKept(budget int) *kept {
	return &kept{budget: budget, young: map[keptKey][]byte{}}
}

// get returns an answer, which must not be changed, or nil.
func (k *kept) get(key keptKey) []byte {
	k.mu.Lock()
	defer k.mu.Unlock()
	if text := k.young[key]; text != nil {
		return text
	}
	text := k.older[key]
	if text != nil {
		k.put(key, text)
	}
	return text
}

// add keeps an answer, which must not be changed any more.
func (k *kept) add(key keptKey, text []byte) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.put(key, text)
}

// put keeps an answer in the younger generation. The lock is held.
func (k *kept) put(key keptKey, text []byte) {
	size := len(text) + keptOverhead
	if k.bytes+size > k.budget/2 {
		k.older, k.young, k.bytes = k.young, map[keptKey][]byte{}, 0
	}
	if size > k.budget/2 {
		return
	}
	if _, known := k.young[key]; !known {
		k.bytes += size
	}
	k.young[key] = text
}

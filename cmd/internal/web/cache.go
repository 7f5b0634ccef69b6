package web

import (
	"sync"

	"bohnenspiel/solver/game"
)

// answerCache holds the encoded answers that were asked for last, since a table never changes.
// It is safe for concurrent use.
//
// There are two generations. What is asked for moves to the younger one; when that has
// half of the budget it becomes the older one, and what was there goes.
type answerCache struct {
	budget int // bytes

	mu           sync.Mutex // guards what follows
	young, older map[cacheKey][]byte
	bytes        int // of the younger generation
}

// cacheKey names an answer.
type cacheKey struct {
	rules   game.Rules
	diagram game.Diagram
}

// cacheOverhead is what an answer takes besides its bytes, roughly.
const cacheOverhead = 200

// newAnswerCache returns a store without answers. A budget below 0 keeps none.
func newAnswerCache(budget int) *answerCache {
	return &answerCache{budget: budget, young: map[cacheKey][]byte{}}
}

// get returns an answer, which must not be changed, or nil.
func (c *answerCache) get(key cacheKey) []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if text := c.young[key]; text != nil {
		return text
	}
	text := c.older[key]
	if text != nil {
		c.put(key, text)
	}
	return text
}

// add keeps an answer, which must not be changed any more.
func (c *answerCache) add(key cacheKey, text []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(key, text)
}

// put keeps an answer in the younger generation. The lock is held.
func (c *answerCache) put(key cacheKey, text []byte) {
	size := len(text) + cacheOverhead
	if c.bytes+size > c.budget/2 {
		c.older, c.young, c.bytes = c.young, map[cacheKey][]byte{}, 0
	}
	if size > c.budget/2 {
		return
	}
	if _, known := c.young[key]; !known {
		c.bytes += size
	}
	c.young[key] = text
}

// Package cache remembers for half a second what a credential opens, or another
// record that is read far more often than it changes. A change on another node
// takes effect after [Life].
//
// It imports nothing of this module.
package cache

import (
	"sync"
	"time"
)

const (
	// Life is how long a record is used without reading the store again. It is
	// short enough that a revoked credential stops working within a second on
	// every node.
	Life = 500 * time.Millisecond
	// size limits the memory; a full cache is emptied.
	size = 10000
)

// A Cache stores records by the hash of the credential that opens them, or by
// another key of that length. Its methods may be called by many goroutines.
type Cache[T any] struct {
	now func() time.Time

	mu    sync.RWMutex
	known map[[32]byte]entry[T]
}

type entry[T any] struct {
	value T
	read  time.Time
}

// New returns an empty cache. Times of now are only compared with each other.
// Those of time.Now never jump within a process, even if the system clock does;
// those of another clock may.
func New[T any](now func() time.Time) *Cache[T] { return &Cache[T]{now: now} }

// Get returns a record that was put less than [Life] ago.
func (c *Cache[T]) Get(key [32]byte) (T, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	cached, ok := c.known[key]
	return cached.value, ok && Fresh(c.now(), cached.read)
}

// Fresh reports whether a record that was read at a given time may still be
// used. A time in the future does not count: the clock was set back, and the
// record would be used for longer than Life.
func Fresh(now, read time.Time) bool {
	age := now.Sub(read)
	return age >= 0 && age < Life
}

// Put stores a record that has just been read.
func (c *Cache[T]) Put(key [32]byte, value T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= size {
		c.known = map[[32]byte]entry[T]{}
	}
	c.known[key] = entry[T]{value: value, read: c.now()}
}

// Forget drops everything, so that a change made on this node takes effect at
// once, except for records that another goroutine is reading at this moment.
func (c *Cache[T]) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = nil
}

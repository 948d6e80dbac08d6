// Package cache remembers for a moment what a credential opens, or another
// record that is asked for far more often than it changes. What another node
// changed holds after Life.
//
// It imports nothing of ours.
package cache

import (
	"sync"
	"time"
)

const (
	// Life is how long a record is used without another look into the store. With
	// it, a credential that was revoked stops within a second everywhere.
	Life = 500 * time.Millisecond
	// size bounds the memory; a full cache starts anew.
	size = 10000
)

// A Cache keeps records by the hash of the credential that opens them, or by
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

// New returns an empty cache. The times of now are compared with each other
// alone: those of time.Now do not jump within a process, whatever becomes of the
// system's clock. Those of another clock may.
func New[T any](now func() time.Time) *Cache[T] { return &Cache[T]{now: now} }

// Get returns a record that was put less than Life ago.
func (c *Cache[T]) Get(key [32]byte) (T, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	cached, ok := c.known[key]
	return cached.value, ok && Fresh(c.now(), cached.read)
}

// Fresh reports whether a record that was read at a time may be used without
// another look. One from the future may not: the clock was set back, and Life
// would begin anew.
func Fresh(now, read time.Time) bool {
	age := now.Sub(read)
	return age >= 0 && age < Life
}

// Put keeps a record that was read just now.
func (c *Cache[T]) Put(key [32]byte, value T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= size {
		c.known = map[[32]byte]entry[T]{}
	}
	c.known[key] = entry[T]{value: value, read: c.now()}
}

// Forget drops everything, so that a change made on this node holds at once,
// but for what another goroutine is reading just now.
func (c *Cache[T]) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known = nil
}

package desk

import (
	"sync"
	"time"
)

const (
	// momentTime is how long a credential is used without another look into
	// the store. With it, one that was revoked stops within a second
	// everywhere.
	momentTime = 500 * time.Millisecond
	// momentSize bounds the memory; a full cache starts anew.
	momentSize = 10000
)

// A moments remembers what credentials open, by their hash, or another record by
// its id, for a moment. The
// zero value is empty.
type moments[T any] struct {
	mu    sync.RWMutex
	known map[[32]byte]moment[T]
}

type moment[T any] struct {
	value T
	read  time.Time // of the system's clock, which does not jump within a process
}

func (m *moments[T]) get(hash [32]byte) (T, bool) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	cached, ok := m.known[hash]
	return cached.value, ok && time.Since(cached.read) < momentTime
}

func (m *moments[T]) put(hash [32]byte, value T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) >= momentSize {
		m.known = map[[32]byte]moment[T]{}
	}
	m.known[hash] = moment[T]{value: value, read: time.Now()}
}

// forget drops everything, so that a change made on this node holds at once,
// but for what another goroutine is reading just now.
func (m *moments[T]) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known = nil
}

package desk

import (
	"sync"

	"parley"
)

// turns lets one goroutine at a time work on an id.
type turns struct {
	mu    sync.Mutex
	locks map[parley.ID]*turn
}

type turn struct {
	sync.Mutex
	waiting int // guarded by turns.mu; the turn is dropped when nobody waits
}

// enter waits for the turn and returns how to give it back.
func (t *turns) enter(id parley.ID) (leave func()) {
	t.mu.Lock()
	mine := t.locks[id]
	if mine == nil {
		mine = &turn{}
		t.locks[id] = mine
	}
	mine.waiting++
	t.mu.Unlock()
	mine.Lock()
	return func() {
		mine.Unlock()
		t.mu.Lock()
		defer t.mu.Unlock()
		if mine.waiting--; mine.waiting == 0 {
			delete(t.locks, id)
		}
	}
}

package numbers

import (
	"context"
	"sync"

	"parley"
)

// turns lets one goroutine at a time work on an id.
type turns struct {
	mu    sync.Mutex
	locks map[parley.ID]*turn
}

type turn struct {
	taken   chan struct{} // holds one while somebody has the turn
	waiting int           // guarded by turns.mu; the turn is dropped when nobody waits
}

// enter waits for the turn, until the context ends, and returns how to give it
// back.
func (t *turns) enter(ctx context.Context, id parley.ID) (leave func(), err error) {
	t.mu.Lock()
	mine := t.locks[id]
	if mine == nil {
		mine = &turn{taken: make(chan struct{}, 1)}
		t.locks[id] = mine
	}
	mine.waiting++
	t.mu.Unlock()
	forget := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if mine.waiting--; mine.waiting == 0 {
			delete(t.locks, id)
		}
	}
	select {
	case mine.taken <- struct{}{}:
		return func() {
			<-mine.taken
			forget()
		}, nil
	case <-ctx.Done():
		forget()
		return nil, ctx.Err()
	}
}

package numbers

import (
	"context"
	"sync"

	"parley"
)

// A numberLocks has a lock per number, which one goroutine at a time can hold.
type numberLocks struct {
	mu    sync.Mutex
	locks map[parley.ID]*numberLock
}

type numberLock struct {
	taken   chan struct{} // holds one value while the lock is held
	waiting int           // guarded by numberLocks.mu; the lock is dropped when it reaches 0
}

// lock waits for the lock of a number, until the context ends, and returns the
// function that releases it.
func (t *numberLocks) lock(ctx context.Context, id parley.ID) (leave func(), err error) {
	t.mu.Lock()
	l := t.locks[id]
	if l == nil {
		l = &numberLock{taken: make(chan struct{}, 1)}
		t.locks[id] = l
	}
	l.waiting++
	t.mu.Unlock()
	forget := func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if l.waiting--; l.waiting == 0 {
			delete(t.locks, id)
		}
	}
	select {
	case l.taken <- struct{}{}:
		return func() {
			<-l.taken
			forget()
		}, nil
	case <-ctx.Done():
		forget()
		return nil, ctx.Err()
	}
}

package helpcenter

import (
	"context"
	"errors"
	"sync"
	"time"
)

// flightTime is the longest that work for several readers may take.
const flightTime = 10 * time.Second

// errAbandoned is what those who wait get if the work ended in a panic.
var errAbandoned = errors.New("the work was abandoned")

// flights let one reader do work for all who need it at the same time.
type flights[K comparable, T any] struct {
	mu  sync.Mutex
	all map[K]*flight[T]
}

type flight[T any] struct {
	done   chan struct{} // closed at the end
	result T
	err    error
}

// do returns the result of fn for a key. If somebody is at it, it waits for
// that, until its own context ends. The end of the first one's does not end the
// work.
func (f *flights[K, T]) do(ctx context.Context, key K, fn func(context.Context) (T, error)) (T, error) {
	f.mu.Lock()
	now, runs := f.all[key]
	if !runs {
		if f.all == nil {
			f.all = map[K]*flight[T]{}
		}
		now = &flight[T]{done: make(chan struct{}), err: errAbandoned}
		f.all[key] = now
	}
	f.mu.Unlock()
	if runs {
		select {
		case <-now.done:
			return now.result, now.err
		case <-ctx.Done():
			var none T
			return none, ctx.Err()
		}
	}
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.all, key)
		close(now.done)
	}()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), flightTime)
	defer cancel()
	now.result, now.err = fn(ctx)
	return now.result, now.err
}

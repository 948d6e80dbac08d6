package openid

import (
	"context"
	"time"
)

const (
	// fetchPause is the least time between two requests for the same thing, so
	// that tokens with made-up keys, or browsers that begin again and again, do not
	// become requests to a provider.
	fetchPause = time.Minute
	// longestUse is how long a value is used while no newer one can be fetched.
	longestUse = 24 * time.Hour
)

// A remembered value is fetched once for all who wait for it, again after its life,
// and at most once in fetchPause.
type remembered[T any] struct {
	life time.Duration

	turn    chan struct{} // held by whoever uses what is below
	value   T
	fetched time.Time // zero: there is no value
	tried   time.Time
	failure error // of the last try
}

func remember[T any](life time.Duration) *remembered[T] {
	return &remembered[T]{life: life, turn: make(chan struct{}, 1)}
}

// get returns the value. renew asks for one that is newer than what the caller has
// seen, which it gets unless the last request was a moment ago.
func (r *remembered[T]) get(ctx context.Context, now time.Time, renew bool, fetch func(context.Context) (T, error)) (T, error) {
	select {
	case r.turn <- struct{}{}:
		defer func() { <-r.turn }()
	case <-ctx.Done():
		var none T
		return none, unreachable(ctx.Err())
	}
	fresh := !r.fetched.IsZero() && now.Sub(r.fetched) < r.life
	if fresh && !renew {
		return r.value, nil
	}
	if r.tried.IsZero() || now.Sub(r.tried) >= fetchPause {
		// Others wait for the answer too, so that it is fetched even if this caller leaves.
		value, err := fetch(context.WithoutCancel(ctx))
		r.tried, r.failure = now, err
		if err == nil {
			r.value, r.fetched = value, now
		}
	}
	if !r.fetched.IsZero() && now.Sub(r.fetched) < longestUse {
		return r.value, nil
	}
	return r.value, r.failure
}

package answers

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"parley"
	"parley/internal/knowledge"
	"parley/internal/knowledge/ranking"
)

const (
	// maxIdle is how long an index stays without a question.
	maxIdle = 15 * time.Minute
	// maxBytes is the most that all indexes take, at about 7 KB for a text of 250
	// words, and maxIndex the most that one takes while it is built. Beyond half of
	// that, texts are found by everything but their body; beyond it, not at all.
	maxBytes = 256 << 20
	maxIndex = 192 << 20
	// stay is for how many times the time that it took to build an index it makes
	// no room for another, so that building does not become the main work of a node
	// whose indexes are too large together.
	stay = 20
	// retryDelay is how long nobody builds an index again after it failed, or was too
	// large beside the others.
	retryDelay = 5 * time.Second
	// maxPending is the most indexes that are built or wait for it.
	maxPending = 100
)

// A key names an index.
type key struct {
	ws      parley.WorkspaceID
	product parley.ID // zero: only articles for all products
}

func (k key) filter(language parley.Language) knowledge.PublishedFilter {
	return knowledge.PublishedFilter{ProductID: k.product, Language: language}
}

// An entry is the place of an index.
type entry struct {
	key       key
	state     atomic.Pointer[state] // nil: none
	following chan struct{}         // has a token while the log is read

	// Guarded by the mutex of indexes.
	place    *list.Element // nil: it was dropped
	used     time.Time
	size     int
	stays    time.Time // when it may make room for others
	building *building // nil: nobody builds
	retry    time.Time // when it may be built
}

// A state is an index. It is immutable.
type state struct {
	index *ranking.Index
	at    parley.LogPosition // up to which the log is known
	stale bool               // there are other texts up to there
	built time.Time
	took  time.Duration // to build
}

// has reports whether the log is known up to a position or a later one.
func (s *state) has(head parley.LogPosition) bool {
	return s.at == head || s.at.Epoch == head.Epoch && s.at.Seq > head.Seq
}

// A building is an index that is built, for all who wait for it.
type building struct {
	done chan struct{} // closed at the end
	// Behind done:
	state *state
	err   error
}

// wait returns the index. After a time, the error is Unavailable.
func (b *building) wait(ctx context.Context, most time.Duration) (*state, error) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-b.done:
		return b.state, b.err
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-timer.C:
		return nil, unavailable(time.Second, "the index is not built yet")
	}
}

func unavailable(after time.Duration, cause string) error {
	return &parley.Error{
		Kind: parley.Unavailable, RetryAfter: after, Cause: errors.New(cause),
		Message: "the articles are being prepared for searches; try again",
	}
}

// indexes are the indexes of this node.
type indexes struct {
	most int // bytes

	mu      sync.Mutex
	all     map[key]*entry
	order   list.List // the entry used last is in front
	bytes   int
	pending int // indexes that are built or wait for it
	// sweeping says that a timer will drop idle indexes.
	sweeping bool
}

// entry returns the place of an index.
func (x *indexes) entry(k key, clock parley.Clock) *entry {
	now := clock()
	x.mu.Lock()
	defer x.mu.Unlock()
	e := x.all[k]
	if e == nil {
		e = &entry{key: k, following: make(chan struct{}, 1)}
		e.place = x.order.PushFront(e)
		x.all[k] = e
	}
	e.used = now
	x.order.MoveToFront(e.place)
	if !x.sweeping {
		x.sweeping = true
		time.AfterFunc(maxIdle, func() { x.sweep(clock) })
	}
	return e
}

// sweep drops idle indexes, and returns after a while if any are left.
func (x *indexes) sweep(clock parley.Clock) {
	now := clock()
	x.mu.Lock()
	defer x.mu.Unlock()
	for back := x.order.Back(); back != nil && now.Sub(back.Value.(*entry).used) >= maxIdle; back = x.order.Back() {
		x.remove(back.Value.(*entry))
	}
	x.sweeping = len(x.all) > 0
	if x.sweeping {
		time.AfterFunc(maxIdle, func() { x.sweep(clock) })
	}
}

func (x *indexes) remove(e *entry) {
	if e.place == nil {
		return
	}
	x.order.Remove(e.place)
	delete(x.all, e.key)
	x.bytes -= e.size
	e.place, e.size = nil, 0
}

// begin returns the building of an index, and whether the caller has to do it.
func (x *indexes) begin(e *entry, now time.Time) (b *building, first bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if e.building != nil {
		return e.building, false
	}
	b = &building{done: make(chan struct{})}
	switch wait := e.retry.Sub(now); {
	case wait > 0 && wait <= retryDelay:
		b.err = unavailable(wait, "building the index failed a moment ago")
	case x.pending >= maxPending:
		b.err = unavailable(time.Second, "too many indexes are to be built")
	default:
		e.building = b
		x.pending++
		return b, true
	}
	close(b.done)
	return b, false
}

// end keeps an index that was built, if there is or will be room for it.
func (x *indexes) end(e *entry, b *building, now time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer close(b.done)
	e.building = nil
	x.pending--
	switch {
	case parley.KindOf(b.err) == parley.NotFound:
		x.remove(e)
	case b.err != nil:
		e.retry = now.Add(retryDelay)
	case e.place != nil:
		x.bytes += b.state.index.Size() - e.size
		e.size, e.stays = b.state.index.Size(), now.Add(stay*b.state.took)
		e.state.Store(b.state)
		if x.makeRoom(e, now); x.bytes > x.most {
			x.bytes -= e.size
			e.size, e.retry = 0, now.Add(retryDelay)
			e.state.Store(nil)
		}
	}
}

// makeRoom drops indexes other than one while all are too large together, the
// longest unused first.
func (x *indexes) makeRoom(kept *entry, now time.Time) {
	for at := x.order.Back(); at != nil && x.bytes > x.most; {
		e := at.Value.(*entry)
		at = at.Prev()
		if e != kept && e.size > 0 && e.building == nil && !now.Before(e.stays) {
			x.remove(e)
		}
	}
}

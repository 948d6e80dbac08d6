package httpjson

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"

	"parley"
)

// An Asker is a caller that reads: an API key, or the session of a member or
// customer, in a workspace.
type Asker struct {
	Workspace  parley.WorkspaceID
	Credential parley.ID
}

// TurnLimits limit how many reads run at once, in total, per workspace and per
// asker, and how long a read waits for its turn. The store needs a connection
// for each running read.
type TurnLimits struct {
	All, Workspace, Asker int
	Wait                  time.Duration
}

// Turns distribute the readers of the store fairly. A read beyond the limits
// waits; the next turn goes to the asker with the fewest running reads. A
// caller with many slow reads thus waits for itself, and the first pages of
// others are not delayed. A nil *Turns has no limits.
type Turns struct {
	limits TurnLimits

	mu         sync.Mutex
	running    int
	workspaces map[parley.WorkspaceID]int
	askers     map[Asker]*asker
	waiting    list.List // of *asker that have queued reads, longest without a turn first
}

// An asker is guarded by Turns.mu.
type asker struct {
	who     Asker
	running int
	queue   []chan struct{} // closed for the read whose turn it is
	place   *list.Element   // in waiting; nil if the queue is empty
}

// NewTurns returns Turns.
func NewTurns(limits TurnLimits) *Turns {
	return &Turns{limits: limits, workspaces: map[parley.WorkspaceID]int{}, askers: map[Asker]*asker{}}
}

// InTurn calls a verb that reads once its asker has a turn.
func InTurn[T any](ctx context.Context, t *Turns, who Asker, verb func(context.Context) (T, error)) (T, error) {
	done, err := t.Take(ctx, who)
	if err != nil {
		var none T
		return none, err
	}
	defer done()
	return verb(ctx)
}

// Take waits for a turn. If the wait limit or the context ends first, the error
// is Unavailable. The caller must return the turn with done.
func (t *Turns) Take(ctx context.Context, who Asker) (done func(), err error) {
	if t == nil {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, t.limits.Wait)
	defer cancel()
	turn := t.enter(who)
	select {
	case <-turn:
	default:
		select {
		case <-turn:
		case <-ctx.Done():
			t.leave(who, turn)
			return nil, &parley.Error{
				Kind: parley.Unavailable, RetryAfter: time.Second, Cause: errors.Join(errors.New("no turn to read"), ctx.Err()),
				Message: "too many questions at once; try again",
			}
		}
	}
	return sync.OnceFunc(func() { t.leave(who, turn) }), nil
}

// enter appends a read to the queue of its asker, and hands out free turns.
func (t *Turns) enter(who Asker) chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.askers[who]
	if a == nil {
		a = &asker{who: who}
		t.askers[who] = a
	}
	turn := make(chan struct{})
	a.queue = append(a.queue, turn)
	if a.place == nil {
		a.place = t.waiting.PushBack(a)
	}
	t.give()
	return turn
}

// leave ends a read, whether or not it had a turn, and hands out free turns.
func (t *Turns) leave(who Asker, turn chan struct{}) {
	t.mu.Lock()
	defer t.mu.Unlock()
	a := t.askers[who]
	select {
	case <-turn:
		t.running--
		a.running--
		if t.workspaces[who.Workspace]--; t.workspaces[who.Workspace] == 0 {
			delete(t.workspaces, who.Workspace)
		}
	default:
		for i, other := range a.queue {
			if other == turn {
				a.queue = append(a.queue[:i], a.queue[i+1:]...)
				break
			}
		}
		t.settle(a)
	}
	t.give()
	if a.running == 0 && len(a.queue) == 0 {
		delete(t.askers, who)
	}
}

// give hands out all free turns.
func (t *Turns) give() {
	for t.running < t.limits.All {
		a := t.next()
		if a == nil {
			return
		}
		close(a.queue[0])
		a.queue = a.queue[1:]
		a.running++
		t.running++
		t.workspaces[a.who.Workspace]++
		t.waiting.MoveToBack(a.place)
		t.settle(a)
	}
}

// next returns the asker whose turn it is: among those below their limits the
// one with the fewest running reads, and among these the one that has waited
// longest.
func (t *Turns) next() *asker {
	var best *asker
	for e := t.waiting.Front(); e != nil; e = e.Next() {
		a := e.Value.(*asker)
		free := a.running < t.limits.Asker && t.workspaces[a.who.Workspace] < t.limits.Workspace
		if free && (best == nil || a.running < best.running) {
			best = a
		}
	}
	return best
}

// settle removes an asker with an empty queue from the waiting list.
func (t *Turns) settle(a *asker) {
	if len(a.queue) == 0 && a.place != nil {
		t.waiting.Remove(a.place)
		a.place = nil
	}
}

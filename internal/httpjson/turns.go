package httpjson

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"

	"parley"
)

// An Asker is who reads: a key, a member's or a customer's session, in a
// workspace.
type Asker struct {
	Workspace  parley.WorkspaceID
	Credential parley.ID
}

// TurnLimits say how many questions run at once, in all, for one workspace, and
// for one asker, and how long one waits for its turn. The store has a connection
// for each that runs.
type TurnLimits struct {
	All, Workspace, Asker int
	Wait                  time.Duration
}

// Turns share the store's readers among those who ask. A question beyond the
// limits waits for its turn, which goes to whoever has the fewest: one that asks
// many slow questions waits behind itself, and the others' first pages come as
// ever. A nil *Turns has no limits.
type Turns struct {
	limits TurnLimits

	mu         sync.Mutex
	running    int
	workspaces map[parley.WorkspaceID]int
	askers     map[Asker]*asker
	waiting    list.List // of *asker that have questions waiting, longest without a turn first
}

// An asker is guarded by Turns.mu.
type asker struct {
	who     Asker
	running int
	queue   []chan struct{} // closed for the one whose turn it is
	place   *list.Element   // in waiting; nil without a queue
}

// NewTurns returns Turns.
func NewTurns(limits TurnLimits) *Turns {
	return &Turns{limits: limits, workspaces: map[parley.WorkspaceID]int{}, askers: map[Asker]*asker{}}
}

// InTurn calls a verb that reads when it is its asker's turn.
func InTurn[T any](ctx context.Context, t *Turns, who Asker, verb func(context.Context) (T, error)) (T, error) {
	done, err := t.Take(ctx, who)
	if err != nil {
		var none T
		return none, err
	}
	defer done()
	return verb(ctx)
}

// Take waits for a turn. Where none comes in time, or the context ends before,
// the error is Unavailable. The caller gives the turn back with done.
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

// enter puts a question at the end of its asker's queue, and gives out turns.
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

// leave ends a question, whether it had its turn or not, and gives out turns.
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

// give hands out the turns that there are.
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

// next returns whose turn it is: of those who may have one, the asker with the
// fewest that run, and of these the one who has waited longest.
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

// settle takes an asker without a queue off the list of those who wait.
func (t *Turns) settle(a *asker) {
	if len(a.queue) == 0 && a.place != nil {
		t.waiting.Remove(a.place)
		a.place = nil
	}
}

package erasure

import (
	"fmt"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
)

// stepWork is about how many rows one transaction of an erasure touches.
// conversationWork is how many rows the deletion of one conversation counts as.
const (
	stepWork         = 500
	conversationWork = 10
)

// A step is a part of an erasure. Its name is stored.
type step struct {
	name string
	// run does a bounded part of the step.
	run func(*tx, *Erasure) (progress, error)
}

// A progress is what remains of a step.
type progress int

const (
	more progress = iota // there is more to do
	wait                 // something else has to happen first
	done
)

// filesStep waits until files are deleted, and tracesStep until the events and the
// stored answers are read. Programs before schema 24 read the events in a step of the
// same name, so that an erasure in it can change between such programs and this one,
// and the answers in another.
const filesStep, tracesStep, answersStepBefore = "files", "log", "answers"

// steps returns the steps in their order. A step must not delete what a later one
// reads: the phones of a person are known until the contact is deleted. The step for
// events and answers comes after the records, because it looks for what no longer
// exists.
func steps() []step {
	return []step{
		{"sessions", (*tx).endSessions},
		{"groups", (*tx).leaveGroups},
		{"conversations", (*tx).deleteConversations},
		{"contact", (*tx).deleteContact},
		{tracesStep, (*tx).awaitTraces},
		{filesStep, (*tx).awaitFiles},
	}
}

// A tx is the transaction of a step.
type tx struct {
	*desk.Tx
	batch int // about how many rows it may touch
	work  int // about how many it has touched
}

// do runs the next part of an erasure.
func (svc *Service) do(t *desk.Tx, due desk.Timer) (next time.Time, err error) {
	id, ok := parley.ParseID(due.Name)
	if !ok {
		return next, fmt.Errorf("the timer %q names no erasure", due.Name)
	}
	e, err := selectErasure(t, t.WS, id)
	if parley.KindOf(err) == parley.NotFound || err == nil && !e.FinishedAt.IsZero() {
		return next, nil
	}
	if err != nil {
		return next, err
	}
	state, err := svc.advance(&tx{Tx: t, batch: svc.batch}, &e)
	switch {
	case err != nil || state == done:
		return time.Time{}, err
	case state == wait:
		return t.Now.Add(waitPause), nil
	}
	return t.Now, nil
}

// advance runs steps until the transaction has done enough, and stores the progress.
func (svc *Service) advance(t *tx, e *Erasure) (progress, error) {
	for t.work < t.batch {
		at := slices.IndexFunc(svc.steps, func(s step) bool { return s.name == e.step })
		if at < 0 {
			return done, fmt.Errorf("an erasure has no step %q", e.step)
		}
		t.work++
		state, err := svc.steps[at].run(t, e)
		if err != nil {
			return state, err
		}
		if state == wait {
			return wait, updateErasure(t, t.WS, e)
		}
		if state == more {
			continue
		}
		if at++; at == len(svc.steps) {
			return done, t.finish(e)
		}
		e.step = svc.steps[at].name
	}
	return more, updateErasure(t, t.WS, e)
}

// finish ends an erasure. The row of a rule's erasure stays too, unless it deleted
// nothing: a backup may be older than the rule.
func (t *tx) finish(e *Erasure) error {
	if len(e.Subjects.Contacts)+len(e.Subjects.Conversations) == 0 {
		return deleteErasure(t, t.WS, e.ID)
	}
	e.step, e.working, e.FinishedAt = "", working{}, t.Now
	if err := updateErasure(t, t.WS, e); err != nil {
		return err
	}
	return keepList(t.Tx)
}

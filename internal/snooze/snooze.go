// Package snooze wakes conversations. A change of a conversation says until when it
// sleeps and sets its timer (desk.SnoozeTimer); nothing deletes that timer. When it is
// due, the conversation opens if it still sleeps and its time has come. Otherwise the
// timer is moved to the time that counts now, or ends.
//
// Thousands may be due at nine on a Monday, so they wake in batches.
package snooze

import (
	"fmt"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/timer"
)

// together is the most conversations that wake in one transaction, for which others wait.
const together = 100

// Kinds returns the kind of timer that wakes conversations.
func Kinds() []timer.Kind {
	return []timer.Kind{{Name: desk.SnoozeTimer, DoMany: wake, Many: together, Farthest: desk.MaxSnooze}}
}

func wake(t *desk.Tx, due []desk.Timer) ([]time.Time, error) {
	ids := make([]parley.ID, len(due))
	for i, timer := range due {
		var ok bool
		if ids[i], ok = parley.ParseID(timer.Name); !ok {
			return nil, fmt.Errorf("a timer is named %q", timer.Name)
		}
	}
	found, err := t.ConversationsOf(t.Visibility, ids)
	if err != nil {
		return nil, err
	}
	later, err := t.Wake(found)
	if err != nil {
		return nil, err
	}
	next := make([]time.Time, len(due)) // zero for those that woke, or were erased
	for i, id := range ids {
		next[i] = later[id]
	}
	return next, nil
}

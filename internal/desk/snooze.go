package desk

import (
	"time"

	"parley"
)

const (
	// SnoozeTimer is the kind of the timers that wake conversations. Each is named by the
	// id of its conversation.
	SnoozeTimer = "snooze"
	// MaxSnooze is how far ahead a conversation can be snoozed.
	MaxSnooze = 400 * 24 * time.Hour
)

// changeStatus changes the status of c and until when it sleeps, and returns the names
// of the members that change. A time to sleep until makes it pending. Null opens it if
// it sleeps, unless a status is given. To mark it as spam ends its sleep.
func (t *Tx) changeStatus(c *parley.Conversation, in ConversationChange) (changed []string, err error) {
	if in.SnoozedUntil.Has() {
		return t.snooze(c, in)
	}
	status := in.Status
	if in.SnoozedUntil.Null && !status.Set && !c.Snoozed().IsZero() {
		status = parley.Some(parley.Open)
	}
	if status.Set {
		changed = c.SetStatus(status.Value)
	}
	if (in.SnoozedUntil.Null || in.Spam.Or(false)) && !c.Snoozed().IsZero() {
		c.SnoozedUntil, changed = time.Time{}, append(changed, "snoozedUntil")
	}
	return changed, nil
}

// snooze makes c sleep until a time. The timer of an earlier sleep is moved.
func (t *Tx) snooze(c *parley.Conversation, in ConversationChange) (changed []string, err error) {
	until := in.SnoozedUntil.Value.UTC().Truncate(time.Millisecond)
	switch {
	case in.Status.Set && in.Status.Value != parley.Pending:
		return nil, parley.InvalidField("status", "be pending or absent beside snoozedUntil")
	case !until.After(t.Now) || until.After(t.Now.Add(MaxSnooze)):
		return nil, parley.InvalidField("snoozedUntil", "be in the future, at most 400 days ahead")
	}
	changed = c.SetStatus(parley.Pending)
	if c.SnoozedUntil.Equal(until) {
		return changed, nil
	}
	c.SnoozedUntil = until
	return append(changed, "snoozedUntil"), SetTimer(t, t.WS, SnoozeTimer, c.ID.String(), until)
}

// Wake opens those of the conversations that have slept long enough, and returns when the
// others are to be woken, by their ids. It returns no time for one that does not sleep. A
// conversation that was merged into another does not wake.
func (t *Tx) Wake(all []parley.Conversation) (later map[parley.ID]time.Time, err error) {
	later = make(map[parley.ID]time.Time)
	var woken []*parley.Conversation
	for i := range all {
		c := &all[i]
		switch until := c.Snoozed(); {
		case until.IsZero() || !c.MergedInto.IsZero():
		case until.After(t.Now):
			later[c.ID] = until
		default:
			woken = append(woken, c)
		}
	}
	changed := make([][]string, len(woken))
	for i, c := range woken {
		changed[i] = append(c.SetStatus(parley.Open), "wokeAt")
		c.WokeAt = t.Now
	}
	if err := t.WakeConversations(t.WS, woken, t.Now); err != nil {
		return nil, err
	}
	for i, c := range woken {
		t.AnnounceChange(c, c.Place(), changed[i]...)
	}
	return later, nil
}

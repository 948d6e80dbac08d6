package threads

import (
	"context"
	"slices"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/later"
	"parley/internal/wire"
)

// Unmerge undoes a merge within parley.UndoMerge and returns the conversation that was
// merged, as it was before. What came after the merge stays with the other one, which
// loses what it owed to the merge unless it has changed since.
func (svc *Service) Unmerge(ctx context.Context, by desk.Caller, id parley.ID) (parley.Conversation, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Conversation, error) {
		c, err := t.Conversation(t.Visibility, id)
		if err != nil {
			return c, err
		}
		if c.MergedInto.IsZero() {
			return c, parley.Errorf(parley.Conflict, "the conversation is not merged into another one")
		}
		m, err := selectMerged(t, t.Visibility, id)
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return c, err
		}
		if err != nil || t.Now.After(m.at.Add(parley.UndoMerge)) {
			return c, parley.Errorf(parley.Conflict, "a merge can be undone for 30 days")
		}
		if m.into != c.MergedInto {
			refused := parley.Errorf(parley.Conflict, "%s, which it was merged into, was merged itself; undo that first", m.into)
			refused.IDs = []parley.ID{m.into}
			return c, refused
		}
		erased, err := selectErased(t, t.WS, m.into, c.ID, c.Contact.ID)
		if err != nil {
			return c, err
		}
		if erased {
			return c, parley.Errorf(parley.Conflict, "one of the conversations is being deleted")
		}
		to, err := t.Conversation(t.Visibility, m.into)
		if err != nil {
			return c, err
		}
		return c, unmerge(t, &m, &c, &to)
	})
}

func unmerge(t *desk.Tx, m *merged, c, to *parley.Conversation) error {
	t.AnnounceOf(c, parley.ConversationUnmerged, nil, wire.AppendMerge(nil, c.ID, to.ID))
	defer t.Because(parley.ConversationUnmerged, c.ID)()
	if err := giveBack(t, m, to); err != nil {
		return err
	}
	if err := comeBack(t, c, &m.undo); err != nil {
		return err
	}
	for _, id := range m.undo.Parts {
		part, err := t.Conversation(t.Visibility, id)
		if parley.KindOf(err) == parley.NotFound || err == nil && part.MergedInto != to.ID {
			continue // deleted
		}
		if err != nil {
			return err
		}
		if err := follow(t, id, c); err != nil {
			return err
		}
	}
	if err := moveWorkBack(t, m, c, to); err != nil {
		return err
	}
	if err := deleteMerged(t, t.WS, c.ID); err != nil {
		return err
	}
	return remember(t, to.ID, wire.AppendUnmergedFrom(nil, c.ID))
}

// comeBack makes a conversation one of its own again, as it was. If it would have woken
// meanwhile, it wakes now.
func comeBack(t *desk.Tx, c *parley.Conversation, before *undo) error {
	was := &before.Source
	where, err := standingBefore(t, c, before.Place)
	if err != nil {
		return err
	}
	until := moment(was.SnoozedUntil)
	change := desk.ConversationChange{Status: parley.Some(was.Status)}
	woken := !until.IsZero() && !until.After(t.Now)
	if woken {
		change.Status = parley.Some(parley.Open)
	} else if !until.IsZero() {
		change = desk.ConversationChange{SnoozedUntil: parley.Some(until)}
	}
	return desk.ChangeWith(t, c, change, func() []string {
		changed := append(stand(c, where), "mergedInto")
		c.MergedInto, c.MergedAt = parley.ID{}, time.Time{}
		desk.Set(&changed, "waitingSince", &c.WaitingSince, parley.Some(moment(was.WaitingSince)))
		wokeAt := moment(was.WokeAt)
		if woken {
			wokeAt = t.Now
		}
		desk.Set(&changed, "wokeAt", &c.WokeAt, parley.Some(wokeAt))
		return changed
	})
}

// giveBack takes from a conversation what it owes to a merge. Later merges into it
// remember it without that, too.
func giveBack(t *desk.Tx, m *merged, to *parley.Conversation) error {
	all, err := selectMergedInto(t, t.Visibility, to.ID)
	if err != nil {
		return err
	}
	younger := all[slices.IndexFunc(all, func(other merged) bool { return other.conversation == m.conversation })+1:]
	since, err := selectIncomingSince(t, t.Visibility, to.ID, m.undo.Target.LastID, to.UnreadCount+1)
	if err != nil {
		return err
	}
	last, err := selectOwnLast(t, t.Visibility, to.ID)
	if err != nil {
		return err
	}
	source, before := m.undo.Source, m.undo.Target
	unread, waiting, activity := before.UnreadCount+len(since), before.WaitingSince, before.LastActivity
	quiet := last.ID == before.LastID && len(younger) == 0
	if last.ID != before.LastID {
		activity = max(activity, milli(last.At))
	}
	for i := range younger {
		other := &younger[i]
		unread += other.undo.Source.UnreadCount
		waiting = earliest(waiting, other.undo.Source.WaitingSince)
		activity = max(activity, other.undo.Source.LastActivity)
		if err := rebase(t, other, &source, &before); err != nil {
			return err
		}
	}
	if waiting == 0 && len(since) > 0 {
		waiting = milli(since[0].At)
	}
	var changed []string
	desk.Set(&changed, "unreadCount", &to.UnreadCount, parley.Some(min(to.UnreadCount, unread)))
	if source.WaitingSince != 0 && milli(to.WaitingSince) == source.WaitingSince {
		desk.Set(&changed, "waitingSince", &to.WaitingSince, parley.Some(moment(waiting)))
	}
	if source.LastActivity != 0 && milli(to.LastActivityAt) == source.LastActivity {
		desk.Set(&changed, "lastActivityAt", &to.LastActivityAt, parley.Some(moment(activity)))
	}
	if len(changed) > 0 {
		if err := t.UpdateConversationActivity(t.WS, to, t.Now); err != nil {
			return err
		}
	}
	return desk.ChangeWith(t, to, statusBefore(t, to, m, quiet), func() []string { return changed })
}

// statusBefore returns the change that gives a conversation the status that it had before
// a merge, if the merge changed it and nothing has happened since.
func statusBefore(t *desk.Tx, to *parley.Conversation, m *merged, quiet bool) desk.ConversationChange {
	source, before := m.undo.Source, m.undo.Target
	if !quiet || to.Status != source.Status || urgency(source.Status) <= urgency(before.Status) {
		return desk.ConversationChange{}
	}
	if until := moment(before.SnoozedUntil); until.After(t.Now) {
		return desk.ConversationChange{SnoozedUntil: parley.Some(until)}
	} else if !until.IsZero() {
		return desk.ConversationChange{} // it would have woken meanwhile
	}
	return desk.ConversationChange{Status: parley.Some(before.Status)}
}

// rebase takes what a conversation owes to an undone merge from what a later merge into it
// remembers.
func rebase(t *desk.Tx, younger *merged, source, before *state) error {
	base := &younger.undo.Target
	base.UnreadCount = max(0, base.UnreadCount-source.UnreadCount)
	if base.WaitingSince == source.WaitingSince {
		base.WaitingSince = before.WaitingSince
	}
	if base.LastActivity == source.LastActivity {
		base.LastActivity = before.LastActivity
	}
	return putMerged(t, t.WS, younger)
}

// moveWorkBack moves back what a merge moved, unless it has changed since.
func moveWorkBack(t *desk.Tx, m *merged, source, target *parley.Conversation) error {
	c, to := source.ID, target.ID
	for _, chat := range m.undo.Chats {
		if err := moveChat(t, t.WS, chat, to, c); err != nil {
			return err
		}
	}
	for _, d := range m.undo.Drafts {
		if err := moveDraft(t, t.WS, d, to, c); err != nil {
			return err
		}
	}
	if len(m.undo.Scheduled) > 0 {
		if _, err := later.Move(t, target, source, m.undo.Scheduled); err != nil {
			return err
		}
	}
	if len(m.undo.Followers) > 0 {
		if err := deleteFollows(t, t.WS, to, m.undo.Followers, m.at); err != nil {
			return err
		}
	}
	// Nobody knows which of the two a mail led to.
	ended, err := deleteReturns(t, t.WS, to)
	if err != nil || !ended {
		return err
	}
	return t.UpdateAccess(t.WS)
}

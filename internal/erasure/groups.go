package erasure

import (
	"parley"
	"parley/internal/desk"
	"parley/internal/wire"
)

// endSessions ends the person's sessions in the widget, so that nobody writes while
// the rest is deleted.
func (t *tx) endSessions(e *Erasure) (progress, error) {
	return done, t.signOut(e.Subjects.Contacts)
}

func (t *tx) signOut(contacts []parley.ID) error {
	if len(contacts) == 0 {
		return nil
	}
	ended, err := deleteSessions(t, t.WS, contacts)
	if err != nil || !ended {
		return err
	}
	return t.UpdateAccess(t.WS)
}

// leaveGroups deletes what the person wrote in groups, and the notes of these groups
// about who joined and left, because they contain names, perhaps former ones. What
// others wrote stays.
func (t *tx) leaveGroups(e *Erasure) (progress, error) {
	if len(e.Subjects.Contacts) == 0 {
		return done, nil
	}
	if _, err := desk.SelectTimer(t, t.WS, surveyTimer, e.ID.String()); parley.KindOf(err) != parley.NotFound {
		return wait, err
	}
	w := &e.working
	if w.Group >= len(w.Groups) {
		return done, nil
	}
	group := w.Groups[w.Group]
	messages, err := selectMessagesOf(t, t.WS, group, place{w.After, t.batch}, e.Subjects.Contacts)
	if err != nil {
		return more, err
	}
	if len(messages) == 0 {
		w.Group, w.After = w.Group+1, parley.ID{}
		return more, t.leaveGroup(group, e.Subjects.Contacts)
	}
	w.After = messages[len(messages)-1].ID
	return more, t.deleteGroupMessages(e, group, messages)
}

// leaveGroup removes contacts from the history of a group, and announces a change of
// the group: otherwise a program that polls by updatedSince would keep the messages.
func (t *tx) leaveGroup(group parley.ID, contacts []parley.ID) error {
	if err := clearHistory(t, t.WS, group, texts(contacts)); err != nil {
		return err
	}
	c, err := t.Conversation(t.Visibility, group)
	if parley.KindOf(err) == parley.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if err := t.UpdateConversation(t.WS, &c, t.Now); err != nil {
		return err
	}
	t.AnnounceChange(&c, c.Place(), "updatedAt")
	return nil
}

func (t *tx) deleteGroupMessages(e *Erasure, group parley.ID, messages []parley.Message) error {
	e.Counts.GroupMessages += len(messages)
	if err := t.deleteMessages(e, group, messages); err != nil {
		return err
	}
	t.tellDeleted(group, messages)
	return nil
}

// tellDeleted announces that messages were deleted from a conversation that may stay.
func (t *tx) tellDeleted(conversation parley.ID, messages []parley.Message) {
	for i := range messages {
		t.Announce(parley.MessageDeleted, conversation, nil, wire.AppendID(nil, messages[i].ID))
	}
}

func texts(ids []parley.ID) []string {
	written := make([]string, len(ids))
	for i, id := range ids {
		written[i] = id.String()
	}
	return written
}

package threads

import (
	"cmp"
	"context"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/later"
	"parley/internal/wire"
)

// An undo is what the undo of a merge needs, as JSON in its row.
type undo struct {
	Source    state       `json:"source"`
	Target    state       `json:"target"`
	Place     *place      `json:"place,omitempty"` // of the source
	Parts     []parley.ID `json:"parts,omitempty"` // that had been merged into the source before
	Chats     []chat      `json:"chats,omitempty"`
	Scheduled []parley.ID `json:"scheduled,omitempty"`
	Drafts    []draft     `json:"drafts,omitempty"`
	Followers []string    `json:"followers,omitempty"` // members who follow the target because of the merge
}

// A state is what a merge may change of a conversation, as it was before. Times are
// milliseconds since 1970, 0 for none.
type state struct {
	Status       parley.Status `json:"status"`
	SnoozedUntil int64         `json:"snoozedUntil"`
	WokeAt       int64         `json:"wokeAt"`
	UnreadCount  int           `json:"unreadCount"`
	WaitingSince int64         `json:"waitingSince"`
	LastActivity int64         `json:"lastActivity"`
	LastID       parley.ID     `json:"lastId"` // the newest message written in it; zero for none
}

func stateOf(t *desk.Tx, c *parley.Conversation) (state, error) {
	last, err := selectOwnLast(t, t.Visibility, c.ID)
	return state{
		Status: c.Status, SnoozedUntil: milli(c.Snoozed()), WokeAt: milli(c.WokeAt), UnreadCount: c.UnreadCount,
		WaitingSince: milli(c.WaitingSince), LastActivity: milli(c.LastActivityAt), LastID: last.ID,
	}, err
}

func milli(at time.Time) int64 {
	if at.IsZero() {
		return 0
	}
	return at.UnixMilli()
}

func moment(milli int64) time.Time {
	if milli == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milli).UTC()
}

// Merge merges a conversation into another one of the same contact and inbox, and returns
// the latter. It shows the messages of both from then on, and the id of the former leads
// to it. See docs/adr/0095-merged-conversations.md for what becomes of the rest.
func (svc *Service) Merge(ctx context.Context, by desk.Caller, id, into parley.ID) (parley.Conversation, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.Conversation, error) {
		from, err := t.Conversation(t.Visibility, id)
		if err != nil {
			return from, err
		}
		to, err := desk.ConversationNow(&t.View, t.Visibility, into)
		if err != nil {
			return to, desk.Reference("intoId", err)
		}
		m := merged{conversation: from.ID, into: to.ID, member: by.Member, at: t.Now}
		if m.undo.Parts, err = mayMerge(t, &from, &to); err != nil {
			return to, err
		}
		return to, merge(t, &m, &from, &to)
	})
}

// mayMerge refuses a merge that must not be, and returns the parts of from.
func mayMerge(t *desk.Tx, from, to *parley.Conversation) ([]parley.ID, error) {
	if !from.MergedInto.IsZero() {
		refused := parley.Errorf(parley.Conflict, "the conversation was merged into %s already; undo that first", from.MergedInto)
		refused.IDs = []parley.ID{from.MergedInto}
		return nil, refused
	}
	switch {
	case from.ID == to.ID:
		return nil, parley.InvalidField("intoId", "be another conversation")
	case from.Contact.ID != to.Contact.ID:
		return nil, parley.FieldErrorf(parley.Conflict, "intoId", "must be a conversation of the same contact; if both are one person, merge the contacts first")
	case from.Inbox.ID != to.Inbox.ID:
		return nil, parley.FieldErrorf(parley.Conflict, "intoId", "must be a conversation in the same inbox, because answers leave through it; link the two instead")
	case from.Spam || to.Spam:
		return nil, parley.Errorf(parley.Conflict, "a conversation that is marked as spam cannot be merged")
	}
	for _, c := range []parley.ID{from.ID, to.ID} {
		if _, err := t.Group(t.WS, c); err == nil {
			return nil, parley.Errorf(parley.Conflict, "a group cannot be merged")
		} else if parley.KindOf(err) != parley.NotFound {
			return nil, err
		}
	}
	erased, err := selectErased(t, t.WS, from.ID, to.ID, from.Contact.ID)
	if err != nil {
		return nil, err
	}
	if erased {
		return nil, parley.Errorf(parley.Conflict, "one of the conversations is being deleted")
	}
	parts, err := t.Parts(t.Visibility, from.ID)
	if err != nil {
		return nil, err
	}
	others, err := t.Parts(t.Visibility, to.ID)
	if err == nil && len(parts)+1+len(others) > parley.MaxParts {
		err = parley.Errorf(parley.Conflict, "at most %d conversations can be merged into one", parley.MaxParts)
	}
	return parts, err
}

// merge merges from into to. Its statements are as many whatever the conversations'
// length.
func merge(t *desk.Tx, m *merged, from, to *parley.Conversation) error {
	var err error
	if m.undo.Source, err = stateOf(t, from); err != nil {
		return err
	}
	if m.undo.Target, err = stateOf(t, to); err != nil {
		return err
	}
	m.undo.Place = placeOf(from)
	t.AnnounceOf(standing(from, to), parley.ConversationMerged, nil, wire.AppendMerge(nil, from.ID, to.ID))
	defer t.Because(parley.ConversationMerged, from.ID)()
	if err := leave(t, from, to); err != nil {
		return err
	}
	for _, id := range m.undo.Parts {
		if err := follow(t, id, to); err != nil {
			return err
		}
	}
	if err := takeOver(t, to, &m.undo.Source); err != nil {
		return err
	}
	if err := moveWork(t, m, from, to); err != nil {
		return err
	}
	if err := putMerged(t, t.WS, m); err != nil {
		return err
	}
	return remember(t, to.ID, wire.AppendMergedFrom(nil, from.ID))
}

// remember adds a line to the history of a conversation.
func remember(t *desk.Tx, conversation parley.ID, changes []byte) error {
	return t.InsertHistoryEntry(t.WS, &parley.HistoryEntry{
		ID: t.IDs.New(t.Now), ConversationID: conversation, Type: parley.ConversationUpdated, CreatedAt: t.Now, Origin: t.Origin, Changes: changes,
	})
}

// leave resolves a conversation and makes it a part of another one.
func leave(t *desk.Tx, c, into *parley.Conversation) error {
	return desk.ChangeWith(t, c, desk.ConversationChange{Status: parley.Some(parley.Resolved), SnoozedUntil: parley.Optional[time.Time]{Set: true, Null: true}}, func() []string {
		c.MergedInto, c.MergedAt = into.ID, t.Now
		return append(stand(c, into), "mergedInto")
	})
}

// follow makes a part of a conversation one of another.
func follow(t *desk.Tx, part parley.ID, into *parley.Conversation) error {
	c, err := t.Conversation(t.Visibility, part)
	if err != nil {
		return err
	}
	return desk.ChangeWith(t, &c, desk.ConversationChange{}, func() []string {
		c.MergedInto = into.ID
		return append(stand(&c, into), "mergedInto")
	})
}

// urgency orders the statuses: a conversation is as urgent as what was merged into it.
func urgency(s parley.Status) int {
	switch s {
	case parley.Open:
		return 2
	case parley.Pending:
		return 1
	}
	return 0
}

// takeOver gives a conversation what the messages of another one mean for it.
func takeOver(t *desk.Tx, to *parley.Conversation, source *state) error {
	var changed []string
	desk.Set(&changed, "unreadCount", &to.UnreadCount, parley.Some(to.UnreadCount+source.UnreadCount))
	if since := moment(source.WaitingSince); !since.IsZero() && (to.WaitingSince.IsZero() || since.Before(to.WaitingSince)) {
		to.WaitingSince, changed = since, append(changed, "waitingSince")
	}
	if last := moment(source.LastActivity); last.After(to.LastActivityAt) {
		to.LastActivityAt, changed = last, append(changed, "lastActivityAt")
	}
	if len(changed) > 0 {
		if err := t.UpdateConversationActivity(t.WS, to, t.Now); err != nil {
			return err
		}
	}
	if source.UnreadCount > 0 || source.WaitingSince > 0 {
		if err := desk.ForgetRead(t, t.WS, to.ID); err != nil { // marks compare positions, and those of the source may come before
			return err
		}
	}
	var change desk.ConversationChange
	if urgency(source.Status) > urgency(to.Status) {
		change.Status = parley.Some(source.Status)
	}
	return desk.ChangeWith(t, to, change, func() []string { return changed })
}

// moveWork moves what belongs to the present of a conversation, and records it in m.
func moveWork(t *desk.Tx, m *merged, source, target *parley.Conversation) error {
	var err error
	from, to := source.ID, target.ID
	if m.undo.Chats, err = moveChats(t, t.WS, from, to); err != nil {
		return err
	}
	if m.undo.Scheduled, err = later.Move(t, source, target, nil); err != nil {
		return err
	}
	if err := joinDrafts(t, t.WS, from, to, t.Now); err != nil {
		return err
	}
	if m.undo.Drafts, err = moveDrafts(t, t.WS, from, to); err != nil {
		return err
	}
	if m.undo.Followers, err = copyFollows(t, t.WS, from, to, t.Now); err != nil {
		return err
	}
	if err := copyUnreadMarks(t, t.WS, from, to); err != nil {
		return err
	}
	moved, err := moveReturns(t, t.WS, from, to)
	if err != nil || !moved {
		return err
	}
	return t.UpdateAccess(t.WS)
}

// earliest returns the earlier of two times, of which 0 is none.
func earliest(a, b int64) int64 {
	if a == 0 || b == 0 {
		return cmp.Or(a, b)
	}
	return min(a, b)
}

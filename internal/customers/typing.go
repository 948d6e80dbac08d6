package customers

import (
	"context"
	"sync"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// A TypingTarget is a conversation in which a member is typing a message to its
// customer.
type TypingTarget struct {
	ConversationID parley.ID
	Audience       parley.Audience // the customer to tell
}

// maxTyping limits the memory; a full map is emptied.
const maxTyping = 10_000

// typingTargets remembers where members are typing, so that exactly the customer
// who was told about it is told when it stops. The zero value is empty.
type typingTargets struct {
	mu    sync.Mutex
	where map[typingMember]TypingTarget
}

type typingMember struct {
	ws     parley.WorkspaceID
	member parley.UserID
}

// move records where a member is typing now, and returns the previous place.
// The zero TypingTarget means nowhere.
func (t *typingTargets) move(who typingMember, to TypingTarget) (before TypingTarget) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before = t.where[who]
	delete(t.where, who)
	if to == (TypingTarget{}) {
		return before
	}
	if t.where == nil || len(t.where) >= maxTyping {
		t.where = map[typingMember]TypingTarget{}
	}
	t.where[who] = to
	return before
}

// Typing records that the caller is typing in a conversation, zero for none. It
// returns the conversation with its audience, and where the caller was typing
// before. A conversation that the caller may not see counts
// as none.
func (svc *Service) Typing(ctx context.Context, by desk.Caller, conversation parley.ID) (now, before TypingTarget, err error) {
	who := typingMember{by.Workspace, by.Member}
	if conversation.IsZero() {
		return now, svc.typing.move(who, now), nil
	}
	c, err := desk.View(svc.desk, func(v *store.View) (parley.Conversation, error) {
		return desk.ConversationNow(v, by.Visibility(), conversation)
	}).Now(ctx)
	switch {
	case err == nil:
		now = TypingTarget{ConversationID: c.ID, Audience: parley.Audience{ContactID: c.Contact.ID, InboxID: c.Inbox.ID}}
	case parley.KindOf(err) != parley.NotFound:
		return now, before, err
	}
	return now, svc.typing.move(who, now), nil
}

package customers

import (
	"context"
	"sync"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// Typed is a conversation in which a member types a message to its customer.
type Typed struct {
	ConversationID parley.ID
	Audience       parley.Audience // who is to be told
}

// maxTypists bounds the memory; a full one starts anew.
const maxTypists = 10_000

// A typists remembers where members type, so that whoever was told that one
// types is told that they stopped, and nobody else. The zero value is empty.
type typists struct {
	mu    sync.Mutex
	where map[typist]Typed
}

type typist struct {
	ws     parley.WorkspaceID
	member parley.UserID
}

// move notes where a member types now, and returns where that was before. The
// zero Typed is nowhere.
func (t *typists) move(who typist, to Typed) (before Typed) {
	t.mu.Lock()
	defer t.mu.Unlock()
	before = t.where[who]
	delete(t.where, who)
	if to == (Typed{}) {
		return before
	}
	if t.where == nil || len(t.where) >= maxTypists {
		t.where = map[typist]Typed{}
	}
	t.where[who] = to
	return before
}

// Typing notes that the caller types in a conversation, zero for none, and
// returns it with who is in front of it, and where the caller typed before. A
// conversation that there is not is none.
func (svc *Service) Typing(ctx context.Context, by desk.Caller, conversation parley.ID) (now, before Typed, err error) {
	who := typist{by.Workspace, by.Member}
	if conversation.IsZero() {
		return now, svc.typists.move(who, now), nil
	}
	owners, err := desk.View(ctx, svc.desk, func(v *store.View) ([]parley.CustomerConversation, error) {
		return SelectConversationOwners(v, by.Workspace, []parley.ID{conversation})
	})
	if err != nil {
		return now, before, err
	}
	if len(owners) > 0 {
		now = Typed{ConversationID: conversation, Audience: parley.Audience{ContactID: owners[0].ContactID, InboxID: owners[0].InboxID}}
	}
	return now, svc.typists.move(who, now), nil
}

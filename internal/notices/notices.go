// Package notices tells members what concerns them: that a note names them, that a
// conversation was assigned to them or is back, and what is written in those that they
// have or follow.
//
// Nothing that members or customers do waits for it. A follower of the log stores the
// notices in the transaction that moves its position, so each fact is told exactly once,
// or superseded by a later one of the same kind. It looks once a second: a turn is a
// transaction, and one for each message would cost the writers more. Nobody is told of what they did
// themselves, of imported history, of spam, or of messages that they have read already.
//
// What leaves the dashboard, and when, is each member's choice ([When]).
//
// The package stands over the desk. It may import the vocabulary, the store, the desk,
// followers and the calendar.
package notices

import (
	"context"
	"errors"

	"parley"
	"parley/internal/desk"
	"parley/internal/follow"
	"parley/internal/store"
)

// Options configure a Service.
type Options struct {
	Desk *desk.Desk
	// Tell says that a member's notices have changed. A member who misses it lists
	// them again.
	Tell func(ctx context.Context, ws parley.WorkspaceID, member parley.UserID)
	// Told get each notice as it is stored, in the transaction that stores it.
	// What must go out of the store for it is a row or a timer of this transaction, which
	// looks again when it is due: the notice may be read by then. A notice that takes the
	// place of an unread one has its id and a higher Count. An error stops the follower
	// until it succeeds.
	Told []Told
}

// A Told gets a notice that was stored; see [Options].
type Told = func(t *desk.Tx, n *parley.MemberNotice) error

// A Service has the verbs of notices. Its methods may be called by many goroutines.
type Service struct {
	desk     *desk.Desk
	tell     func(ctx context.Context, ws parley.WorkspaceID, member parley.UserID)
	told     []Told
	follower *follow.Runner
}

// New returns a Service over a desk.
func New(o Options) *Service {
	svc := &Service{desk: o.Desk, tell: o.Tell, told: o.Told}
	svc.follower = follow.New(o.Desk, svc.ofLog(), nil)
	return svc
}

// Stats returns the counts of the follower.
func (svc *Service) Stats() follow.Stats { return svc.follower.Stats() }

// Run writes notices until the context ends.
func (svc *Service) Run(ctx context.Context) { svc.follower.Run(ctx) }

// CatchUp writes the notices of everything that has happened.
func (svc *Service) CatchUp(ctx context.Context) error { return svc.follower.CatchUp(ctx) }

// A List is what a member is told.
type List struct {
	Items     []parley.ShownNotice // at most parley.MaxNotices, the latest first
	Unread    int                  // up to parley.MaxCount
	Following []parley.ID          // the conversations followed last, at most parley.MaxFollowing
}

// Notices returns a member's notices in conversations that the member may see, and
// which of these the member follows.
func (svc *Service) Notices(vis parley.Visibility, member parley.UserID) desk.Read[List] {
	return desk.Snapshot(svc.desk, func(v *store.View) (l List, err error) {
		if l.Items, err = SelectNotices(v, vis, member); err != nil {
			return l, err
		}
		if l.Unread, err = SelectUnreadNotices(v, vis, member); err != nil {
			return l, err
		}
		l.Following, err = SelectFollowing(v, vis, member)
		return l, err
	})
}

// A Reading says which notices were read: some or all.
type Reading struct {
	IDs []parley.ID
	All bool
}

// ReadNotices marks notices of the caller as read, and returns how many are unread.
// Those of other members count as unknown, and are left as they are.
func (svc *Service) ReadNotices(ctx context.Context, by desk.Caller, which Reading) (int, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (int, error) {
		var err error
		switch reader := (readBy{by.Member, t.Now}); {
		case which.All:
			err = ReadAllNotices(t, t.WS, reader)
		case len(which.IDs) > 0:
			err = ReadNoticesByID(t, t.WS, reader, which.IDs)
		}
		if err != nil {
			return 0, err
		}
		return SelectUnreadNotices(t, t.Visibility, by.Member)
	})
}

// Followers returns the members who follow a conversation.
func (svc *Service) Followers(vis parley.Visibility, conversation parley.ID) desk.Read[[]parley.UserID] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.UserID, error) {
		c, err := desk.ConversationNow(v, vis, conversation)
		if err != nil {
			return nil, err
		}
		return SelectFollowers(v, vis, c.ID)
	})
}

// Follow makes the caller follow a conversation, or leave it, and returns who follows
// it then. Whoever leaves a conversation follows it again only by their own wish.
func (svc *Service) Follow(ctx context.Context, by desk.Caller, conversation parley.ID, on bool) ([]parley.UserID, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) ([]parley.UserID, error) {
		c, err := desk.ConversationNow(&t.View, t.Visibility, conversation)
		if err != nil {
			return nil, err
		}
		if err := PutFollow(t, t.WS, Follow{Conversation: c.ID, Member: by.Member, On: on, Since: t.Now}); err != nil {
			return nil, err
		}
		return SelectFollowers(t, t.Visibility, c.ID)
	})
}

// Expire deletes old notices, and what nobody can see or use any more.
func Expire(t *desk.Tx) error {
	if err := DeleteOldNotices(t, t.WS, t.Now.Add(-parley.NoticeRetention)); err != nil {
		return err
	}
	return errors.Join(DeleteForsakenFollows(t, t.WS), DeleteForsakenPreferences(t, t.WS))
}

// VisibilityOf returns what a member may see now, for whom something leaves the server.
func VisibilityOf(t *desk.Tx, m *parley.Member) (parley.Visibility, error) {
	sight, err := t.SightOf(t.WS, m)
	return sight.Visibility(t.WS), err
}

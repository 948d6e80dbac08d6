package desk

import (
	"context"

	"parley"
	"parley/internal/store"
)

// SessionPrefix begins every token of a session.
const SessionPrefix = "ps"

// A SignedIn is a session with its member.
type SignedIn struct {
	Session parley.Session
	Member  parley.Member
}

// StartSession signs a member in and returns the token that is told this once.
func (d *Desk) StartSession(ctx context.Context, by Caller, member parley.UserID, userAgent string) (SignedIn, parley.Token, error) {
	token, err := parley.NewToken(SessionPrefix)
	if err != nil {
		return SignedIn{}, "", err
	}
	in, err := write(ctx, d, by, func(t *tx) (in SignedIn, err error) {
		if in.Member, err = t.Member(t.ws, member); err != nil {
			return in, err
		}
		in.Session = parley.Session{
			ID: t.ids.New(t.now), Workspace: t.ws, MemberID: member, UserAgent: userAgent,
			CreatedAt: t.now, SeenAt: t.now, ExpiresAt: t.now.Add(parley.SessionIdle),
		}
		return in, t.InsertSession(t.ws, &in.Session, token.Hash())
	})
	return in, token, err
}

// AuthenticateSession returns the session of a token. A token that is
// malformed or unknown, a session that has ended, and one whose member was
// removed are Unauthenticated.
func (d *Desk) AuthenticateSession(ctx context.Context, token parley.Token) (SignedIn, error) {
	refused := parley.Errorf(parley.Unauthenticated, "you are signed out; sign in again")
	if !token.WellFormed(SessionPrefix) {
		return SignedIn{}, refused
	}
	in, err := view(ctx, d, func(v *store.View) (in SignedIn, err error) {
		if in.Session, err = v.SessionByHash(token.Hash()); err != nil {
			return in, err
		}
		in.Member, err = v.Member(in.Session.Workspace, in.Session.MemberID)
		return in, err
	})
	if parley.KindOf(err) == parley.NotFound || err == nil && !d.clock.Now().Before(in.Session.ExpiresAt) {
		err = refused
	}
	return in, err
}

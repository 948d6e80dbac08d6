package desk

import (
	"parley"
	"parley/internal/audit/entry"
	"parley/internal/store"
)

// A Caller is on whose behalf a verb makes changes.
type Caller struct {
	Workspace parley.WorkspaceID
	// Actor is named in the events; zero: the member, else the system.
	Actor    parley.Actor
	Imported bool          // the changes belong to the past; see parley.Origin
	Member   parley.UserID // the signed-in member; "" for an API key
	Role     parley.Role   // the lowest role with which the member may make the change; "" for none
	Sight    parley.Sight  // what the member saw when the request was admitted; zero: everything
	Once     *Once         // nil if the request has no Idempotency-Key
	Client   entry.Client  // from where the request came, for the logs; zero: unknown
	// Proof checks what a change demands of the session that makes it; nil demands nothing.
	Proof func(*store.View) error
}

// Visibility returns which conversations the caller may see.
func (c Caller) Visibility() parley.Visibility { return c.Sight.Visibility(c.Workspace) }

// Origin returns the origin of the verb's changes.
func (c Caller) Origin() parley.Origin {
	actor := c.Actor
	switch {
	case actor.Type != "":
	case c.Member != "":
		actor = parley.Actor{Type: parley.ActorMember, ID: string(c.Member)}
	default:
		actor.Type = parley.ActorSystem
	}
	return parley.Origin{Actor: actor, Imported: c.Imported}
}

// Actor returns the member on whose behalf a verb runs. The command line counts
// as an owner.
func (t *Tx) Actor(by Caller) (parley.Member, error) { return Actor(&t.View, by) }

// Actor returns the member on whose behalf a caller acts. If the member has
// been removed, the error is Unauthenticated.
func Actor(v *store.View, by Caller) (parley.Member, error) {
	if by.Member == "" {
		return parley.Member{Role: parley.Owner}, nil
	}
	m, err := v.Member(by.Workspace, by.Member)
	if parley.KindOf(err) == parley.NotFound {
		err = ErrSignedOut() // removed in the meantime
	}
	return m, err
}

// admit checks again, in the transaction of a change, that the member may make it, and what
// the member sees. The request may have waited, and both may have changed.
func (t *Tx) admit(by Caller) error {
	m, err := May(&t.View, by)
	if err != nil || m.ID == "" || m.SightSince == by.Sight.Since {
		return err
	}
	now, err := t.SightOf(by.Workspace, &m)
	t.Visibility = now.Visibility(by.Workspace)
	return err
}

// May returns Forbidden if the member no longer has the caller's role, or the error of the
// caller's proof. It returns the member if it has read one.
func May(v *store.View, by Caller) (m parley.Member, err error) {
	if by.Member == "" || by.Role == "" {
		return m, nil
	}
	m, err = Actor(v, by)
	if err == nil && !m.Role.Includes(by.Role) {
		err = parley.Errorf(parley.Forbidden, "your role is %s; this needs %s", m.Role, by.Role)
	}
	if err == nil && by.Proof != nil {
		err = by.Proof(v)
	}
	return m, err
}

// ErrSignedOut is the error for a missing session, whatever the reason.
func ErrSignedOut() *parley.Error {
	return parley.Errorf(parley.Unauthenticated, "you are signed out; sign in again")
}

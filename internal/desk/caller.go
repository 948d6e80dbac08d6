package desk

import (
	"parley"
	"parley/internal/store"
)

// A Caller is on whose behalf a verb changes something.
type Caller struct {
	Workspace parley.WorkspaceID
	// Actor is whom the events name; zero: the member, else the system.
	Actor    parley.Actor
	Imported bool          // the changes tell of the past; see parley.Origin
	Member   parley.UserID // who is signed in; "" for an API key
	Role     parley.Role   // the least that the member needs when the change is made; "" for none
	Once     *Once         // nil unless the request named an Idempotency-Key
	// Address is the client's on the network, for the log; "" if it is not known.
	Address string
}

// Origin is where a verb's changes come from.
func (c *Caller) Origin() parley.Origin {
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

// Actor returns the member on whose behalf a verb runs. The command line may
// do what an owner may.
func (t *Tx) Actor(by Caller) (parley.Member, error) { return Actor(&t.View, by) }

// Actor returns the member on whose behalf a caller acts. Where the member was
// removed meanwhile, the error is Unauthenticated.
func Actor(v *store.View, by Caller) (parley.Member, error) {
	if by.Member == "" {
		return parley.Member{Role: parley.Owner}, nil
	}
	m, err := v.Member(by.Workspace, by.Member)
	if parley.KindOf(err) == parley.NotFound {
		err = ErrSignedOut() // removed meanwhile
	}
	return m, err
}

// may checks once more that a member may make a change, in its transaction: the
// request may have waited, and the member lost the role or the place meanwhile.
func (t *Tx) may(by Caller) error { return May(&t.View, by) }

// May is Forbidden where the member does not have the caller's role any more.
func May(v *store.View, by Caller) error {
	if by.Member == "" || by.Role == "" {
		return nil
	}
	m, err := Actor(v, by)
	if err == nil && !m.Role.Includes(by.Role) {
		err = parley.Errorf(parley.Forbidden, "your role is %s; this needs %s", m.Role, by.Role)
	}
	return err
}

// ErrSignedOut is told where there is no session, whatever the reason.
func ErrSignedOut() *parley.Error {
	return parley.Errorf(parley.Unauthenticated, "you are signed out; sign in again")
}

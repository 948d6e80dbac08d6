package access

import (
	"parley"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

// A Proof checks what a change demands of the session that makes it; see desk.Caller.
type Proof = func(*store.View) error

// StillOpen returns a check that a session has not ended, for the transaction of a
// change: a request that was admitted may have waited since. The error is
// Unauthenticated.
func StillOpen(svc *Service, s *parley.Session) Proof {
	ws, id := s.Workspace, s.ID
	return func(v *store.View) error {
		now, err := SelectSession(v, ws, id)
		if parley.KindOf(err) == parley.NotFound || err == nil && !svc.clock.Now().Before(now.ExpiresAt) {
			err = desk.ErrSignedOut()
		}
		return err
	}
}

// signedInAs names a signed-in member in the throttle.
func signedInAs(by desk.Caller) string { return "member " + by.Workspace.String() + string(by.Member) }

// refuseConfirmation counts, logs and records that a signed-in member did not give the
// right password.
func refuseConfirmation(svc *Service, by desk.Caller, why Refusal) {
	svc.refusals.add(why)
	of := refused{ws: by.Workspace, member: by.Member, client: by.Client, why: why, signedIn: true}
	if why == Throttled {
		of.client, of.waiting = entry.Client{}, true
	}
	svc.refusals.signIn(of, svc.clock.Now())
	svc.logAccess("confirmation refused", by, by.Member, "reason", string(why))
}

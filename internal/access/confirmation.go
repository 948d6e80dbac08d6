package access

import (
	"context"
	"errors"
	"time"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/access/factor"
	"parley/internal/access/provider"
	"parley/internal/access/throttle"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

// ConfirmedFor is for how long a session counts as confirmed after its member
// proved who they are.
const ConfirmedFor = 15 * time.Minute

// Confirmations has the verbs of confirmations.
type Confirmations struct{ *Service }

// A Demand is what an operation demands of the session that asks for it, besides
// the role of its member.
type Demand int

// The demands.
const (
	NoDemand     Demand = iota
	OpenSession         // the session has not ended
	ProvenFactor        // as OpenSession, and of members with a second factor as Confirmation
	Confirmation        // the member proved who they are within ConfirmedFor
)

// A Proof checks what a change demands of the session that makes it; see desk.Caller.
type Proof = func(*store.View) error

// Proof returns the check of a demand on a session, for the transaction of a change: a
// request that was admitted may have waited since. An ended session is Unauthenticated,
// and one that must be confirmed first Forbidden, with parley.CodeUnconfirmed.
func (svc Confirmations) Proof(s *parley.Session, demand Demand) Proof {
	if demand == NoDemand {
		return nil
	}
	ws, id := s.Workspace, s.ID
	return func(v *store.View) error {
		s, err := svc.openSession(v, ws, id)
		if err != nil || demand == OpenSession || svc.isConfirmed(&s) {
			return err
		}
		if demand == ProvenFactor {
			if has, err := hasFactor(v, &s); err != nil || !has {
				return err
			}
		}
		return errUnconfirmed()
	}
}

func errUnconfirmed() error {
	return &parley.Error{
		Kind: parley.Forbidden, Code: parley.CodeUnconfirmed,
		Message: "confirm first that it is you, by POST /v1/dashboard/session/confirm; this lasts 15 minutes",
	}
}

// Prove checks the demand of an operation before its inputs are read. The session has
// just been admitted.
func (svc Confirmations) Prove(ctx context.Context, s *parley.Session, demand Demand) error {
	if demand == NoDemand || demand == OpenSession {
		return nil
	}
	check := svc.Proof(s, demand)
	_, err := desk.Snapshot(svc.desk, func(v *store.View) (struct{}, error) { return struct{}{}, check(v) }).Now(ctx)
	return err
}

// openSession returns a session that has not ended; otherwise the error is
// Unauthenticated.
func (svc Confirmations) openSession(v store.Reader, ws parley.WorkspaceID, id parley.ID) (parley.Session, error) {
	s, err := credential.SelectSession(v, ws, id)
	if parley.KindOf(err) == parley.NotFound || err == nil && !svc.clock.Now().Before(s.ExpiresAt) {
		err = desk.ErrSignedOut()
	}
	return s, err
}

// isConfirmed reports whether a session was confirmed within ConfirmedFor. The clock of
// the node that stored it may be ahead, but a time far in the future does not count.
func (svc Confirmations) isConfirmed(s *parley.Session) bool {
	return svc.clock.Now().Sub(s.ConfirmedAt).Abs() < ConfirmedFor
}

// hasFactor reports whether the member of a session has a second factor.
func hasFactor(v store.Reader, s *parley.Session) (bool, error) {
	_, err := factor.SelectFactor(v, s.Workspace, s.MemberID)
	if parley.KindOf(err) == parley.NotFound {
		return false, nil
	}
	return err == nil, err
}

// Confirming says whether a session is confirmed, and how its member confirms it.
type Confirming struct {
	Until    time.Time // until when the session counts as confirmed; zero if it does not
	Password bool      // whether the member has a password that opens sessions
	Code     bool      // whether the member gives a code of the second factor as well
	// ByProvider says that the provider opened the session, so that its member may sign in
	// there again.
	ByProvider bool
}

// Read returns how the member of a session confirms it. A session that begins counts as
// confirmed, so a member without a password signs in anew.
func (svc Confirmations) Read(s *parley.Session) desk.Read[Confirming] {
	ws, id := s.Workspace, s.ID
	return desk.Snapshot(svc.desk, func(v *store.View) (Confirming, error) {
		s, err := svc.openSession(v, ws, id)
		if err != nil {
			return Confirming{}, err
		}
		return svc.confirming(v, &s)
	})
}

func (svc Confirmations) confirming(v *store.View, s *parley.Session) (how Confirming, err error) {
	if svc.isConfirmed(s) {
		how.Until = s.ConfirmedAt.Add(ConfirmedFor)
	}
	m, err := v.Member(s.Workspace, s.MemberID)
	if err != nil {
		return how, err
	}
	p, err := provider.SettingsOf(v, s.Workspace)
	if err != nil {
		return how, err
	}
	how.Password = m.PasswordHash != "" && !p.Excludes(&m)
	if how.ByProvider, _, err = credential.SelectSessionProvider(v, s.Workspace, s.ID); err != nil {
		return how, err
	}
	how.Code, err = hasFactor(v, s)
	return how, err
}

// A SecondQuestion confirms a session.
type SecondQuestion struct {
	Session  parley.ID
	Password string
	Code     string // of the app, or a recovery code; "" without a second factor
}

// Confirm confirms a session of the caller for ConfirmedFor. A wrong password, and a
// wrong code of a member with a second factor, are Invalid and count as failed
// sign-ins; after too many the error is Limited. A member without a password, or whose
// password opens nothing because the provider is required, is a Conflict, and a session that
// has ended Unauthenticated.
func (svc Confirmations) Confirm(ctx context.Context, by desk.Caller, in SecondQuestion) (Confirming, error) {
	m, _, err := svc.account(ctx, by)
	if err != nil {
		return Confirming{}, err
	}
	first, err := svc.Read(&parley.Session{Workspace: by.Workspace, ID: in.Session}).Now(ctx)
	if err == nil && !first.Password {
		err = errNoPassword()
	}
	if err != nil {
		return Confirming{}, err
	}
	wrong := errNotOwnPassword()
	if err := svc.confirm(ctx, by, &m, in.Password, wrong); err != nil {
		return Confirming{}, err
	}
	// Wrong codes count apart: a right password must not clear the count of them.
	attempt, err := svc.failures.Begin(throttle.Source{Email: "second factor " + by.Workspace.String() + " " + string(m.ID), Device: signedInAs(by)})
	if err != nil {
		refuseConfirmation(svc.Service, by, Throttled)
		return Confirming{}, err
	}
	how, err := write(ctx, svc.Service, by, func(t *tx) (Confirming, error) {
		if _, err := t.unchanged(&m, wrong); err != nil {
			return Confirming{}, err
		}
		return t.confirm(svc, in)
	})
	switch {
	case err == nil:
		attempt.Succeed()
		svc.logAccess("session confirmed", by, by.Member)
	case parley.KindOf(err) == parley.Invalid && !errors.Is(err, wrong):
		refuseConfirmation(svc.Service, by, BadCode)
	default:
		attempt.Cancel()
	}
	return how, err
}

// errNoPassword is the error for a member who has no password that opens sessions.
func errNoPassword() error {
	return parley.Errorf(parley.Conflict, "you have no password; sign in again instead, which confirms the new session")
}

// confirm confirms a session whose member gave the right password. A wrong code is
// Invalid.
func (t *tx) confirm(svc Confirmations, in SecondQuestion) (Confirming, error) {
	s, err := svc.openSession(t, t.WS, in.Session)
	if err != nil {
		return Confirming{}, err
	}
	how, err := svc.confirming(&t.View, &s)
	if err == nil && !how.Password {
		err = errNoPassword() // the provider has been required in the meantime
	}
	if err != nil {
		return how, err
	}
	done := entry.Entry{Action: entry.Confirmed, SubjectType: entry.SubjectMember, SubjectID: string(s.MemberID)}
	if how.Code {
		typed := factor.Typed(in.Code)
		fits, err := t.useCode(svc.vault, s.MemberID, typed)
		if err == nil && !fits {
			err = parley.InvalidField("code", "be the code that your app shows now, or a recovery code that was not used")
		}
		if err != nil {
			return how, err
		}
		done.Changes = []entry.Change{kindOfCode(typed)}
	}
	how.Until = t.Now.Add(ConfirmedFor)
	if err := credential.UpdateSessionConfirmed(t, t.WS, s.ID, t.Now); err != nil {
		return how, err
	}
	return how, t.Audit.Record(done)
}

// signedInAs names a signed-in member in the throttle.
func signedInAs(by desk.Caller) string { return "member " + by.Workspace.String() + string(by.Member) }

// refuseConfirmation counts, logs and records that a signed-in member did not give the
// right password or code.
func refuseConfirmation(svc *Service, by desk.Caller, why Refusal) {
	svc.refusals.add(why)
	of := refused{ws: by.Workspace, member: by.Member, client: by.Client, why: why, signedIn: true}
	if why == Throttled {
		of.client, of.waiting = entry.Client{}, true
	}
	svc.refusals.signIn(of, svc.clock.Now())
	svc.logAccess("confirmation refused", by, by.Member, "reason", string(why))
}

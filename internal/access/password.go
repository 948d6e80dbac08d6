package access

import (
	"context"
	"strings"
	"unicode/utf8"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/access/guessable"
	"parley/internal/access/throttle"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/vault"
)

// Limits of a chosen password, in characters.
const (
	minPassword = 12
	maxPassword = 128
)

// checkPassword refuses a password that a member chose if it is too short, or
// if somebody who knows these texts of the member would guess it early. The
// program's own passwords are random, and need no check.
func checkPassword(field, password string, known ...string) error {
	if n := utf8.RuneCountInString(password); n < minPassword || n > maxPassword || strings.TrimSpace(password) == "" {
		return parley.InvalidField(field, "be 12 to 128 characters, not blank")
	}
	switch guessable.Find(password, known...) {
	case guessable.Common:
		return parley.InvalidField(field, "not be a common password, also doubled or with digits or other characters around it")
	case guessable.Pattern:
		return parley.InvalidField(field, "not be a sequence or a repetition of a few characters")
	case guessable.Personal:
		return parley.InvalidField(field, "not be mostly your name, your e-mail address or the name of the workspace")
	default:
		return nil
	}
}

// A PasswordChange is a member's new password.
type PasswordChange struct {
	Session       parley.ID // the caller's, whose place the new one takes; zero for none
	Current, Next string
	Tickets       Tickets
}

// account returns the caller's account and its workspace.
func (svc *Service) account(ctx context.Context, by desk.Caller) (m parley.Member, w parley.Workspace, err error) {
	m, err = desk.View(svc.desk, func(v *store.View) (parley.Member, error) {
		if w, err = v.Workspace(by.Workspace); err != nil {
			return m, err
		}
		return v.Member(by.Workspace, by.Member)
	}).Now(ctx)
	if parley.KindOf(err) == parley.NotFound {
		err = desk.ErrSignedOut()
	}
	return m, w, err
}

// ChangePassword sets the caller's password, ends all of the caller's sessions,
// and starts a new one in place of the caller's. A wrong current password is Invalid and counts as a
// failed sign-in.
func (svc *Service) ChangePassword(ctx context.Context, by desk.Caller, in PasswordChange) (Entry, error) {
	wrong := parley.InvalidField("current", "be your password")
	m, w, err := svc.account(ctx, by)
	if err == nil {
		err = checkPassword("next", in.Next, m.Email, m.Name, w.Name)
	}
	if err != nil {
		return Entry{}, err
	}
	if err := svc.confirm(ctx, by, &m, in.Current, wrong); err != nil {
		return Entry{}, err
	}
	hash, err := svc.passwords.Hash(ctx, in.Next)
	if err != nil {
		return Entry{}, waited(err)
	}
	defer svc.sessions.Forget()
	entry, err := svc.startSession(ctx, by, start{replaces: in.Session}, func(t *tx) (parley.Member, error) {
		now, err := t.Member(t.WS, by.Member)
		if parley.KindOf(err) == parley.NotFound {
			err = desk.ErrSignedOut()
		}
		if err == nil && now.PasswordHash != m.PasswordHash {
			err = wrong // it has been changed since
		}
		if err != nil {
			return now, err
		}
		if err := t.Audit.Of(entry.PasswordChanged, entry.SubjectMember, string(now.ID)); err != nil {
			return now, err
		}
		err = t.setPassword(&now, hash)
		return now, err
	})
	if err != nil {
		return entry, err
	}
	svc.logAccess("password changed", by, by.Member)
	return svc.known(in.Tickets, entry, nil)
}

// confirm checks the password of a signed-in member before a change of the
// account. A wrong one gets the given error, is logged and recorded, and counts as a
// failed sign-in.
func (svc *Service) confirm(ctx context.Context, by desk.Caller, m *parley.Member, password string, wrong error) error {
	// Only the signed-in member can fail here, so the failures count
	// separately, and nobody else can prevent the member from changing the
	// account.
	attempt, err := svc.failures.Begin(throttle.Source{Email: m.Email, Device: signedInAs(by)})
	if err != nil {
		refuseConfirmation(svc, by, Throttled)
		return err
	}
	fits, err := svc.passwords.Verify(ctx, password, m.PasswordHash)
	switch {
	case err != nil:
		attempt.Cancel()
		return waited(err)
	case !fits:
		refuseConfirmation(svc, by, BadPassword)
		return wrong
	}
	attempt.Succeed()
	return nil
}

// SetRandomPassword gives a member a new password, which is returned only this
// once, and ends the member's sessions.
func (svc *Service) SetRandomPassword(ctx context.Context, by desk.Caller, member parley.UserID) (parley.Member, string, error) {
	password, err := vault.RandomPassword()
	if err != nil {
		return parley.Member{}, "", err
	}
	hash, err := svc.passwords.Hash(ctx, password)
	if err != nil {
		return parley.Member{}, "", waited(err)
	}
	defer svc.sessions.Forget()
	m, err := write(ctx, svc, by, func(t *tx) (parley.Member, error) {
		m, err := t.Member(t.WS, member)
		if parley.KindOf(err) == parley.NotFound {
			err = desk.Reference("id", err)
		}
		if err != nil {
			return m, err
		}
		if err := t.setPassword(&m, hash); err != nil {
			return m, err
		}
		if err := t.Audit.Of(entry.PasswordReset, entry.SubjectMember, string(m.ID)); err != nil {
			return m, err
		}
		return m, credential.UpdatePasswordReset(t, t.WS, m.ID, t.Now, t.MemberID)
	})
	if err == nil {
		svc.logAccess("password reset", by, member)
	}
	return m, password, err
}

// setPassword stores a member's new password and ends what the old one opened.
// Others do not see the change, so it has no event.
func (t *tx) setPassword(m *parley.Member, hash string) error {
	m.PasswordHash = hash
	if err := t.UpdateMember(t.WS, m); err != nil {
		return err
	}
	if err := credential.DeleteResetsOf(t, t.WS, m.ID); err != nil {
		return err
	}
	_, err := t.endSessions(m.ID)
	return err
}

package access

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"time"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/access/factor"
	"parley/internal/audit/entry"
	"parley/internal/audit/recording"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	// setUpLife is how long a member has to set up what Begin returned.
	setUpLife = 10 * time.Minute
	// maxSetUp is the most characters of a set-up.
	maxSetUp = 300
	// maxIssuer is how many characters of a workspace's name an app gets.
	maxIssuer = 30
)

// SecondFactors has the verbs of second factors.
type SecondFactors struct{ *Service }

// SecondFactors returns the verbs of second factors.
func (svc *Service) SecondFactors() SecondFactors { return SecondFactors{svc} }

// An OwnFactor is the second factor of the signed-in member.
type OwnFactor struct {
	Since         time.Time // zero if there is none
	RecoveryCodes int       // those that were not used
	Required      bool      // whether every member of the workspace needs one
}

// AllFactors says who in a workspace has a second factor.
type AllFactors struct {
	Required bool // whether every member needs one
	Members  []parley.UserID
}

// A FactorSetUp is a second factor that a member can set up: the secret for the
// app, shown only this once, and what the member sends back with the first code.
// Nothing of it is stored.
type FactorSetUp struct {
	Secret  string // as a person types it
	Address string // for a QR code
	SetUp   string // the sealed secret with its end
}

// A FactorChange completes a set-up.
type FactorChange struct {
	Session parley.ID // the caller's, whose place the new one takes; zero for none
	SetUp   string
	Code    string // the one that the app shows
	Tickets Tickets
}

// NewFactor is a second factor that was set up.
type NewFactor struct {
	Entry         Entry    // of a new session
	RecoveryCodes []string // shown only this once
}

// Own returns the caller's second factor.
func (svc SecondFactors) Own(ws parley.WorkspaceID, member parley.UserID) desk.Read[OwnFactor] {
	return desk.Snapshot(svc.desk, func(v *store.View) (OwnFactor, error) { return ownFactor(v, ws, member) })
}

func ownFactor(v store.Reader, ws parley.WorkspaceID, member parley.UserID) (own OwnFactor, err error) {
	f, err := factor.SelectFactor(v, ws, member)
	if err != nil && parley.KindOf(err) != parley.NotFound {
		return own, err
	}
	own.Since = f.Since
	if own.RecoveryCodes, err = factor.CountRecoveryCodes(v, ws, member); err != nil {
		return own, err
	}
	own.Required, err = factor.SelectRequired(v, ws)
	return own, err
}

// Begin returns a second factor for the caller to set up, also in place of
// the present one. A wrong password is Invalid and counts as a failed sign-in.
func (svc SecondFactors) Begin(ctx context.Context, by desk.Caller, password string) (FactorSetUp, error) {
	m, w, err := svc.confirmed(ctx, by, password)
	if err != nil {
		return FactorSetUp{}, err
	}
	return svc.newSetUp(&w, &m)
}

// confirmed returns the caller's account if the password is right.
func (svc SecondFactors) confirmed(ctx context.Context, by desk.Caller, password string) (parley.Member, parley.Workspace, error) {
	m, w, err := svc.account(ctx, by)
	if err == nil {
		err = svc.confirm(ctx, by, &m, password, errNotOwnPassword())
	}
	return m, w, err
}

func errNotOwnPassword() error { return parley.InvalidField("current", "be your password") }

// newSetUp returns a new secret for a member. The sealed part is bound to the
// member, and has its end in front of the secret.
func (svc SecondFactors) newSetUp(w *parley.Workspace, m *parley.Member) (FactorSetUp, error) {
	secret, err := factor.NewSecret()
	if err != nil {
		return FactorSetUp{}, err
	}
	end := binary.BigEndian.AppendUint64(nil, uint64(svc.clock.Now().Add(setUpLife).Unix()))
	sealed, err := svc.vault.Seal(append(end, secret...), w.ID.String(), setUpRecord(m))
	return FactorSetUp{
		Secret: secret.Text(), Address: secret.Address("Parley "+shortened(w.Name), m.Email), SetUp: base64.RawURLEncoding.EncodeToString(sealed),
	}, err
}

// shortened returns the beginning of a name: an app shows no more, and each character
// makes the squares of the QR code smaller.
func shortened(name string) string {
	if letters := []rune(name); len(letters) > maxIssuer {
		return string(letters[:maxIssuer])
	}
	return name
}

// setUpRecord is what the sealed part is bound to: another password ends a set-up.
func setUpRecord(m *parley.Member) string {
	password := sha256.Sum256([]byte(m.PasswordHash))
	return "set-up of " + factor.Record(m.ID) + " by password " + hex.EncodeToString(password[:])
}

// errSetUpOver is the error for a set-up that cannot be completed any more.
func errSetUpOver() error {
	return parley.InvalidField("setUp", "be from a set-up of your own that began at most 10 minutes ago")
}

// openSetUp returns the secret of a set-up of a member, and the step of its
// first code, which is thereby used.
func (svc SecondFactors) openSetUp(in FactorChange, ws parley.WorkspaceID, m *parley.Member) (factor.Secret, int64, error) {
	if len(in.SetUp) > maxSetUp {
		return nil, 0, errSetUpOver()
	}
	sealed, err := base64.RawURLEncoding.Strict().DecodeString(in.SetUp)
	if err != nil {
		return nil, 0, errSetUpOver()
	}
	plain, err := svc.vault.Open(sealed, ws.String(), setUpRecord(m))
	now := svc.clock.Now()
	if err != nil || len(plain) < 8 || !now.Before(time.Unix(int64(binary.BigEndian.Uint64(plain)), 0)) {
		return nil, 0, errSetUpOver()
	}
	secret := factor.Secret(plain[8:])
	step, ok := secret.Match(factor.Typed(in.Code), now, 0)
	if !ok {
		return nil, 0, parley.InvalidField("code", "be the code that your app shows now; if it is, check the clock of the phone")
	}
	return secret, step, nil
}

// Set sets up what Begin returned, in place of the caller's present
// second factor, and returns new recovery codes. It ends all of the caller's
// sessions, and starts a new one in place of the caller's. A set-up that is over, or of before another
// password, and a wrong code, are Invalid.
func (svc SecondFactors) Set(ctx context.Context, by desk.Caller, in FactorChange) (NewFactor, error) {
	m, _, err := svc.account(ctx, by)
	if err != nil {
		return NewFactor{}, err
	}
	return svc.set(ctx, by, in, &m, start{replaces: in.Session}, func(t *tx) (parley.Member, error) { return t.unchanged(&m, errSetUpOver()) })
}

// unchanged returns the caller's account, unless its password has changed since it was
// read, which is otherwise.
func (t *tx) unchanged(m *parley.Member, otherwise error) (parley.Member, error) {
	now, err := t.Member(t.WS, m.ID)
	if parley.KindOf(err) == parley.NotFound {
		err = desk.ErrSignedOut()
	}
	if err == nil && now.PasswordHash != m.PasswordHash {
		err = otherwise
	}
	return now, err
}

// set sets up a second factor for a member, whom a closure reads again.
func (svc SecondFactors) set(ctx context.Context, by desk.Caller, in FactorChange, of *parley.Member, first start, member func(*tx) (parley.Member, error)) (NewFactor, error) {
	secret, step, err := svc.openSetUp(in, by.Workspace, of)
	if err != nil {
		return NewFactor{}, err
	}
	sealed, err := svc.vault.Seal(secret, by.Workspace.String(), factor.Record(by.Member))
	if err != nil {
		return NewFactor{}, err
	}
	codes, err := factor.NewRecoveryCodes()
	if err != nil {
		return NewFactor{}, err
	}
	defer svc.sessions.Forget()
	entry, err := svc.startSession(ctx, by, first, func(t *tx) (parley.Member, error) {
		m, err := member(t)
		if err != nil {
			return m, err
		}
		if _, err := factor.DeleteFactor(t, t.WS, m.ID); err != nil {
			return m, err
		}
		if err := factor.InsertFactor(t, t.WS, &factor.Factor{Member: m.ID, Sealed: sealed, Used: step, Since: t.Now}); err != nil {
			return m, err
		}
		if err := t.insertRecoveryCodes(m.ID, codes); err != nil {
			return m, err
		}
		if _, err := t.endSessions(m.ID); err != nil {
			return m, err
		}
		return m, t.Audit.Of(entry.FactorSet, entry.SubjectMember, string(m.ID))
	})
	if err != nil {
		return NewFactor{}, err
	}
	svc.logAccess("second factor set up", by, by.Member)
	entry, err = svc.known(in.Tickets, entry, nil)
	return NewFactor{Entry: entry, RecoveryCodes: codes}, err
}

// insertRecoveryCodes stores the hashes of a member's recovery codes.
func (t *tx) insertRecoveryCodes(member parley.UserID, codes []string) error {
	for _, code := range codes {
		if err := factor.InsertRecoveryCode(t, t.WS, member, factor.Hash(t.WS, member, code)); err != nil {
			return err
		}
	}
	return nil
}

// errNoFactor is the error for a change of a second factor that a member does
// not have.
func errNoFactor() error { return parley.Errorf(parley.Conflict, "there is no second factor") }

// RenewRecoveryCodes gives the caller new recovery codes, which are returned
// only this once; the earlier ones stop working. A wrong password is Invalid,
// and a caller without a second factor a Conflict.
func (svc SecondFactors) RenewRecoveryCodes(ctx context.Context, by desk.Caller, password string) ([]string, error) {
	m, _, err := svc.confirmed(ctx, by, password)
	if err != nil {
		return nil, err
	}
	codes, err := factor.NewRecoveryCodes()
	if err != nil {
		return nil, err
	}
	codes, err = write(ctx, svc.Service, by, func(t *tx) ([]string, error) {
		if _, err := t.unchanged(&m, errNotOwnPassword()); err != nil {
			return nil, err
		}
		_, err := factor.SelectFactor(t, t.WS, by.Member)
		if parley.KindOf(err) == parley.NotFound {
			err = errNoFactor()
		}
		if err == nil {
			err = factor.DeleteRecoveryCodes(t, t.WS, by.Member)
		}
		if err == nil {
			err = t.insertRecoveryCodes(by.Member, codes)
		}
		if err == nil {
			err = t.Audit.Of(entry.CodesRenewed, entry.SubjectMember, string(by.Member))
		}
		return codes, err
	})
	if err == nil {
		svc.logAccess("recovery codes renewed", by, by.Member)
	}
	return codes, err
}

// A FactorEnd turns the caller's second factor off.
type FactorEnd struct {
	Session  parley.ID // as in FactorChange
	Password string
	Tickets  Tickets
}

// TurnOff deletes the caller's second factor, ends all of the caller's
// sessions, and starts a new one in place of the caller's. A wrong password is Invalid. A caller without
// a second factor, and a workspace that requires one, are a Conflict.
func (svc SecondFactors) TurnOff(ctx context.Context, by desk.Caller, in FactorEnd) (Entry, error) {
	confirmed, _, err := svc.confirmed(ctx, by, in.Password)
	if err != nil {
		return Entry{}, err
	}
	defer svc.sessions.Forget()
	entry, err := svc.startSession(ctx, by, start{replaces: in.Session}, func(t *tx) (parley.Member, error) {
		required, err := factor.SelectRequired(t, t.WS)
		if err == nil && required {
			err = parley.Errorf(parley.Conflict, "the workspace requires a second factor; set up another one instead")
		}
		if err != nil {
			return parley.Member{}, err
		}
		m, err := t.unchanged(&confirmed, errNotOwnPassword())
		if err != nil {
			return m, err
		}
		there, err := t.deleteFactor(m.ID)
		if err == nil && !there {
			err = errNoFactor()
		}
		if err == nil {
			err = t.Audit.Of(entry.FactorTurnedOff, entry.SubjectMember, string(m.ID))
		}
		return m, err
	})
	if err != nil {
		return entry, err
	}
	svc.logAccess("second factor turned off", by, by.Member)
	return svc.known(in.Tickets, entry, nil)
}

// deleteFactor deletes a member's second factor, ends the sessions that it
// opened, and reports whether there was one.
func (t *tx) deleteFactor(member parley.UserID) (bool, error) {
	there, err := factor.DeleteFactor(t, t.WS, member)
	if err == nil && there {
		_, err = t.endSessions(member)
	}
	return there, err
}

// Reset deletes another member's second factor and ends that member's
// sessions, because phone and recovery codes are lost. Only owners may do it for
// admins and owners (Forbidden). One's own is turned off with the password
// (Conflict). It has no effect on a member without a second factor.
func (svc SecondFactors) Reset(ctx context.Context, by desk.Caller, member parley.UserID) (parley.Member, error) {
	defer svc.sessions.Forget()
	m, err := write(ctx, svc.Service, by, func(t *tx) (parley.Member, error) {
		actor, err := t.Actor(by)
		if err != nil {
			return parley.Member{}, err
		}
		m, err := t.Member(t.WS, member)
		switch {
		case err != nil:
			return m, err
		case m.ID == actor.ID:
			return m, parley.Errorf(parley.Conflict, "turn off your own second factor in your settings")
		}
		if err := manages(actor.Role, m.Role); err != nil {
			return m, err
		}
		there, err := t.deleteFactor(m.ID)
		if err == nil && there {
			err = t.Audit.Of(entry.FactorReset, entry.SubjectMember, string(m.ID))
		}
		return m, err
	})
	if err == nil {
		svc.logAccess("second factor reset", by, member)
	}
	return m, err
}

// All returns which members have a second factor, and whether all need one.
func (svc SecondFactors) All(ws parley.WorkspaceID) desk.Read[AllFactors] {
	return desk.Snapshot(svc.desk, func(v *store.View) (AllFactors, error) { return factorsOf(v, ws) })
}

func factorsOf(v store.Reader, ws parley.WorkspaceID) (all AllFactors, err error) {
	if all.Required, err = factor.SelectRequired(v, ws); err != nil {
		return all, err
	}
	all.Members, err = factor.SelectMembers(v, ws)
	return all, err
}

// Require sets whether every member needs a second factor. If so, the
// sessions of members without one end; they can then only sign in to set one
// up. An owner without one is a Conflict.
func (svc SecondFactors) Require(ctx context.Context, by desk.Caller, required bool) (AllFactors, error) {
	defer svc.sessions.Forget()
	all, err := write(ctx, svc.Service, by, func(t *tx) (AllFactors, error) {
		if required {
			_, err := factor.SelectFactor(t, t.WS, by.Member)
			if parley.KindOf(err) == parley.NotFound {
				err = parley.Errorf(parley.Conflict, "set up your own second factor first")
			}
			if err == nil {
				err = credential.DeleteSessionsWithoutFactor(t, t.WS)
			}
			if err == nil {
				err = t.UpdateAccess(t.WS)
			}
			if err != nil {
				return AllFactors{}, err
			}
		}
		if err := t.updateRequired(required); err != nil {
			return AllFactors{}, err
		}
		return factorsOf(t, t.WS)
	})
	if err == nil {
		svc.logAccess("second factor required", by, by.Member, "required", required)
	}
	return all, err
}

// updateRequired stores whether every member needs a second factor, and records
// a change.
func (t *tx) updateRequired(required bool) error {
	before, err := factor.SelectRequired(t, t.WS)
	if err != nil || before == required {
		return err
	}
	if err := factor.UpdateRequired(t, t.WS, required); err != nil {
		return err
	}
	const field = "requireSecondFactor"
	return t.Audit.Record(entry.Entry{
		Action: entry.WorkspaceUpdated, SubjectType: entry.SubjectWorkspace, SubjectID: t.WS.String(),
		Changes: recording.WithValues(recording.Fields(field), field, strconv.FormatBool(before), strconv.FormatBool(required)),
	})
}

package access

import (
	"context"

	"parley"
	"parley/internal/access/factor"
	"parley/internal/access/throttle"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/vault"
)

// A SecondStep completes a half session by a code.
type SecondStep struct {
	Half      Half
	Code      string // of the app, or a recovery code
	UserAgent string
	Address   string // as in SignIn
	Tickets   Tickets
}

// SignInByCode starts a session for the member of a half session. Each code is
// accepted once. A wrong one is Invalid, and after too many the error is
// Limited; a half session that has ended is Unauthenticated.
func (svc *Service) SignInByCode(ctx context.Context, in SecondStep) (Entry, error) {
	h, err := svc.openHalf(ctx, in.Half)
	if err != nil {
		return Entry{}, err
	}
	// Whoever gets here knows the password, so that strangers count nothing.
	// The account is another one than for passwords: a right password must not
	// clear the count of wrong codes.
	ws, member := h.workspace.ID, &h.member
	logins, tried := []Login{{Workspace: ws, Member: *member}}, SignIn{Address: in.Address, UserAgent: in.UserAgent}
	attempt, err := svc.failures.Begin(throttle.Source{
		Email: "second factor " + ws.String() + " " + string(member.ID), Address: in.Address,
		Device: svc.browsers.Known(in.Tickets, accounts(logins), svc.clock.Now()),
	})
	if err != nil {
		svc.refuseSignIn(tried, logins, Throttled, false)
		return Entry{}, err
	}
	by, typed := h.caller(entry.Client{Address: in.Address, UserAgent: in.UserAgent}), factor.Typed(in.Code)
	wrong := parley.InvalidField("code", "be the code that your app shows now, or a recovery code that was not used")
	first := start{way: h.way}
	first.proven = svc.clock.Now() // by the code, also if the provider asked nobody
	entry, err := svc.startSession(ctx, by, first, func(t *tx) (parley.Member, error) {
		m, err := t.member(&h)
		if err != nil {
			return m, err
		}
		fits, err := t.useCode(svc.vault, m.ID, typed)
		if err == nil && !fits {
			err = wrong
		}
		if err == nil {
			err = t.recordCode(m.ID, typed, unseen(svc, in.Tickets, logins[0])...)
		}
		return m, err
	})
	switch {
	case parley.KindOf(err) == parley.Invalid:
		svc.refuseSignIn(tried, logins, BadCode, attempt.Last)
		return Entry{}, err
	case err != nil:
		attempt.Cancel()
		return Entry{}, err
	}
	attempt.Succeed()
	if factor.IsRecovery(typed) {
		svc.logAccess("recovery code used", by, member.ID)
	}
	return svc.known(in.Tickets, entry, nil)
}

// recordCode records that a member signed in by a code, and which kind: that of a
// recovery code may be the first sign that somebody has found them.
func (t *tx) recordCode(member parley.UserID, typed string, more ...entry.Change) error {
	return t.recordOwn(entry.SignedIn, member, append([]entry.Change{kindOfCode(typed)}, more...)...)
}

// kindOfCode says for the audit log which kind of code a member gave.
func kindOfCode(typed string) entry.Change {
	if factor.IsRecovery(typed) {
		return entry.Change{Field: "code", To: "recovery"}
	}
	return entry.Change{Field: "code", To: "app"}
}

// member returns the member of a half session, unless that has ended since it was read.
func (t *tx) member(h *halfSession) (parley.Member, error) {
	now, err := halfOf(&t.View, t.WS, h.member.ID, h.way)
	if parley.KindOf(err) == parley.NotFound ||
		err == nil && (now.member.PasswordHash != h.member.PasswordHash || now.ended != h.ended || now.issuer != h.issuer) {
		err = errNoHalf()
	}
	return now.member, err
}

// useCode uses up a code of a member, and reports whether it was right. A member
// without a second factor is Unauthenticated: it was reset in the meantime.
func (t *tx) useCode(v *vault.Vault, member parley.UserID, typed string) (bool, error) {
	f, err := factor.SelectFactor(t, t.WS, member)
	if parley.KindOf(err) == parley.NotFound {
		err = errNoHalf()
	}
	if err != nil {
		return false, err
	}
	if factor.IsRecovery(typed) {
		return factor.DeleteRecoveryCode(t, t.WS, member, factor.Hash(t.WS, member, typed))
	}
	secret, err := v.Open(f.Sealed, t.WS.String(), factor.Record(member))
	if err != nil {
		return false, err
	}
	step, ok := factor.Secret(secret).Match(typed, t.Now, f.Used)
	if !ok {
		return false, nil
	}
	return factor.UpdateUsed(t, t.WS, member, step)
}

// BeginRequired is Begin for a half session whose member has to set
// up a second factor. One whose member has one is Unauthenticated.
func (svc SecondFactors) BeginRequired(ctx context.Context, half Half) (FactorSetUp, error) {
	h, err := svc.openHalf(ctx, half)
	if err != nil {
		return FactorSetUp{}, err
	}
	step, err := desk.View(svc.desk, func(v *store.View) (Step, error) { return nextStep(v, h.workspace.ID, h.member.ID) }).Now(ctx)
	if err == nil && step == StepCode {
		err = errNoHalf()
	}
	if err != nil {
		return FactorSetUp{}, err
	}
	return svc.newSetUp(&h.workspace, &h.member)
}

// SetRequired is Set for such a half session, and starts the session.
func (svc SecondFactors) SetRequired(ctx context.Context, half Half, client entry.Client, in FactorChange) (NewFactor, error) {
	h, err := svc.openHalf(ctx, half)
	if err != nil {
		return NewFactor{}, err
	}
	return svc.set(ctx, h.caller(client), in, &h.member, start{way: h.way}, func(t *tx) (parley.Member, error) {
		m, err := t.member(&h)
		if err != nil {
			return m, err
		}
		step, err := nextStep(t, t.WS, m.ID)
		if err == nil && step == StepCode {
			err = errNoHalf() // another one must not replace the second factor
		}
		if err == nil {
			err = t.Audit.Of(entry.SignedIn, entry.SubjectMember, string(m.ID))
		}
		return m, err
	})
}

package access

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/access/factor"
	"parley/internal/access/openid"
	"parley/internal/access/provider"
	"parley/internal/audit/entry"
	"parley/internal/audit/recording"
	"parley/internal/desk"
	"parley/internal/store"
)

// SignInProviders has the verbs of the OpenID Connect providers of workspaces.
type SignInProviders struct {
	*Service

	network  *openid.Network
	redirect string // the address to which providers send browsers back, before the workspace; "" if it is unknown
}

// NewSignInProviders returns the verbs of providers, which are reached over a network. That
// of a workspace sends browsers back to redirect, a whole address, with the workspace's id
// at its end; without an address there are no providers.
func NewSignInProviders(svc *Service, network *openid.Network, redirect string) SignInProviders {
	return SignInProviders{svc, network, redirect}
}

// A ProviderState is the provider of a workspace, and who is a person of it.
type ProviderState struct {
	Settings   provider.Settings // the zero value if there is none; without the secret
	Redirect   string            // what the provider must know; "" if this server does not
	Identities []provider.Identity
}

// Settings returns the provider of a workspace.
func (svc SignInProviders) Settings(ws parley.WorkspaceID) desk.Read[ProviderState] {
	return desk.Snapshot(svc.desk, func(v *store.View) (ProviderState, error) { return svc.state(v, ws) })
}

func (svc SignInProviders) state(v store.Reader, ws parley.WorkspaceID) (ProviderState, error) {
	now := ProviderState{Redirect: svc.redirectOf(ws)}
	s, err := provider.SettingsOf(v, ws)
	if err != nil {
		return now, err
	}
	s.Sealed = nil
	now.Settings = s
	now.Identities, err = provider.SelectIdentities(v, ws)
	return now, err
}

// An OwnPerson is the person of the provider who a member is.
type OwnPerson struct {
	Issuer string    // of the workspace's provider; "" for none
	Since  time.Time // zero for nobody of that provider
}

// Own returns the person who the caller is.
func (svc SignInProviders) Own(ws parley.WorkspaceID, member parley.UserID) desk.Read[OwnPerson] {
	return desk.Snapshot(svc.desk, func(v *store.View) (own OwnPerson, err error) {
		s, err := provider.SettingsOf(v, ws)
		if err != nil {
			return own, err
		}
		own.Issuer = s.Issuer
		bound, err := provider.SelectIdentityOf(v, ws, member)
		if parley.KindOf(err) == parley.NotFound {
			return own, nil
		}
		if bound.Issuer == s.Issuer {
			own.Since = bound.Since
		}
		return own, err
	})
}

// A ProviderChange is an update of the provider.
type ProviderChange = provider.Change

// Save sets or changes the provider of the caller's workspace; only an owner may
// (Forbidden). A new issuer is asked first. Another issuer or client ends the sessions that
// the provider opened, and so does no longer trusting its second factor, where ours is
// demanded; requiring the provider ends those that a password opened, but for
// the exempt owners. At least one owner with a password stays exempt (Invalid). A server
// that does not know its own address is a Conflict.
func (svc SignInProviders) Save(ctx context.Context, by desk.Caller, in ProviderChange) (ProviderState, error) {
	if err := svc.hasAddress(); err != nil {
		return ProviderState{}, err
	}
	if in.Issuer.Set {
		if _, err := svc.network.Test(ctx, in.Issuer.Value); err != nil {
			return ProviderState{}, svc.settingError(err)
		}
	}
	defer svc.sessions.Forget()
	now, err := write(ctx, svc.Service, by, func(t *tx) (ProviderState, error) {
		if err := t.onlyOwner(by); err != nil {
			return ProviderState{}, err
		}
		s, err := provider.SettingsOf(t, t.WS)
		if err != nil {
			return ProviderState{}, err
		}
		before := s
		changed := in.Apply(&s)
		if len(changed) == 0 {
			return svc.state(t, t.WS)
		}
		if err := svc.check(t, by, &before, &s, in.ClientSecret.Value); err != nil {
			return ProviderState{}, err
		}
		if err := svc.put(t, &s, in.ClientSecret.Value); err != nil {
			return ProviderState{}, err
		}
		if err := t.endByProviderChange(&before, &s); err != nil {
			return ProviderState{}, err
		}
		if err := t.recordProvider(changed, &before, &s); err != nil {
			return ProviderState{}, err
		}
		return svc.state(t, t.WS)
	})
	if err == nil {
		svc.logAccess("sign-in provider set", by, by.Member, "required", now.Settings.Required)
	}
	return now, err
}

// onlyOwner refuses everybody but owners.
func (t *tx) onlyOwner(by desk.Caller) error {
	actor, err := t.Actor(by)
	if err == nil && actor.Role != parley.Owner {
		err = parley.Errorf(parley.Forbidden, "your role is %s; this needs %s", actor.Role, parley.Owner)
	}
	return err
}

// settingError turns a failure of a provider into an error that names the setting.
func (svc SignInProviders) settingError(err error) error {
	var f *openid.Failure
	if !errors.As(err, &f) {
		return err
	}
	if cause := errors.Unwrap(f); cause != nil {
		svc.log.Warn("access: sign-in provider not reached", "error", cause)
	}
	return parley.FieldErrorf(parley.Invalid, cmp.Or(f.Field, "issuer"), "must be of a provider that can be used: %s", f.Text)
}

// check refuses settings that are wrong, or that would leave no owner a way in.
func (svc SignInProviders) check(t *tx, by desk.Caller, before, s *provider.Settings, secret string) error {
	faults := s.Check(secret)
	fault := func(wrong bool, field, rule string) {
		if wrong {
			faults = append(faults, parley.Fault{Field: field, Rule: rule})
		}
	}
	fault(s.Issuer == "", "issuer", "be the address of the provider")
	// The old secret must not go to another server.
	fault(secret == "" && (len(s.Sealed) == 0 || s.Issuer != before.Issuer), "clientSecret", "be given with a new issuer")
	owners, err := provider.SelectPasswordOwners(t, t.WS)
	if err != nil {
		return err
	}
	fault(slices.ContainsFunc(s.Exempt, func(m parley.UserID) bool { return !slices.Contains(owners, m) }), "exempt", "have only owners who have a password")
	fault(s.Required && len(s.Exempt) == 0, "exempt", "have an owner with a password, who gets in when the provider does not answer")
	if len(faults) > 0 {
		return parley.InvalidFields(slices.CompactFunc(faults, func(x, y parley.Fault) bool { return x.Field == y.Field }))
	}
	if !s.Required || by.Member == "" || slices.Contains(s.Exempt, by.Member) {
		return nil
	}
	bound, err := provider.SelectIdentityOf(t, t.WS, by.Member)
	if parley.KindOf(err) == parley.NotFound || err == nil && bound.Issuer != s.Issuer {
		return parley.Errorf(parley.Conflict, "connect your own account with the provider first, or exempt it")
	}
	return err
}

// put stores settings, with a new secret unless it is "".
func (svc SignInProviders) put(t *tx, s *provider.Settings, secret string) (err error) {
	if secret != "" {
		if s.Sealed, err = svc.vault.Seal([]byte(secret), t.WS.String(), provider.Record); err != nil {
			return err
		}
	}
	if s.CreatedAt.IsZero() {
		s.CreatedAt = t.Now
	}
	s.UpdatedAt = t.Now
	return provider.PutSettings(t, t.WS, s)
}

// endByProviderChange ends the sessions that the new settings would not open.
func (t *tx) endByProviderChange(before, s *provider.Settings) error {
	if before.Issuer != "" && (before.Issuer != s.Issuer || before.ClientID != s.ClientID) {
		if err := credential.DeleteSessionsByProvider(t, t.WS); err != nil {
			return err
		}
	}
	if before.TrustsFactor && !s.TrustsFactor {
		required, err := factor.SelectRequired(t, t.WS)
		if err == nil {
			err = credential.DeleteUntrustedSessions(t, t.WS, required)
		}
		if err != nil {
			return err
		}
	}
	if !s.Required {
		return t.UpdateAccess(t.WS)
	}
	members, err := credential.SelectPasswordSessionMembers(t, t.WS)
	if err != nil {
		return err
	}
	for _, id := range members {
		m, err := t.Member(t.WS, id)
		if err == nil && s.Excludes(&m) {
			err = credential.DeletePasswordSessionsOf(t, t.WS, id)
		}
		if err != nil {
			return err
		}
	}
	return t.UpdateAccess(t.WS)
}

// recordProvider records which settings changed, with the values of those that say who gets
// in by whom, of which none is a secret.
func (t *tx) recordProvider(changed []string, before, s *provider.Settings) error {
	changes := recording.Fields(changed...)
	for _, v := range []struct{ field, from, to string }{
		{"issuer", before.Issuer, s.Issuer},
		{"clientId", before.ClientID, s.ClientID},
		{"required", strconv.FormatBool(before.Required), strconv.FormatBool(s.Required)},
		{"trustsFactor", strconv.FormatBool(before.TrustsFactor), strconv.FormatBool(s.TrustsFactor)},
		{"joinRole", string(before.Policy.JoinRole), string(s.Policy.JoinRole)},
		{"exempt", before.ExemptText(), s.ExemptText()},
	} {
		changes = recording.WithValues(changes, v.field, v.from, v.to)
	}
	return t.Audit.Record(entry.Entry{
		Action: entry.OpenIDUpdated, SubjectType: entry.SubjectWorkspace, SubjectID: t.WS.String(), Changes: changes,
	})
}

// Delete removes the provider of the caller's workspace, and ends the sessions that it
// opened; only an owner may (Forbidden). Who was which person is kept, for the same issuer.
// None is NotFound.
func (svc SignInProviders) Delete(ctx context.Context, by desk.Caller) (ProviderState, error) {
	defer svc.sessions.Forget()
	now, err := write(ctx, svc.Service, by, func(t *tx) (ProviderState, error) {
		if err := t.onlyOwner(by); err != nil {
			return ProviderState{}, err
		}
		there, err := provider.DeleteSettings(t, t.WS)
		if err == nil && !there {
			err = parley.NotFoundf("the workspace has no sign-in provider")
		}
		if err == nil {
			err = credential.DeleteSessionsByProvider(t, t.WS)
		}
		if err == nil {
			err = t.UpdateAccess(t.WS)
		}
		if err == nil {
			err = t.Audit.Of(entry.OpenIDDeleted, entry.SubjectWorkspace, t.WS.String())
		}
		if err != nil {
			return ProviderState{}, err
		}
		return svc.state(t, t.WS)
	})
	if err == nil {
		svc.logAccess("sign-in provider deleted", by, by.Member)
	}
	return now, err
}

// Unbind makes a member nobody of a provider, and ends that member's sessions, so that the
// next person with the member's verified address is the member. Only owners may do it for
// admins and owners (Forbidden). It has no effect on a member who is none.
func (svc SignInProviders) Unbind(ctx context.Context, by desk.Caller, member parley.UserID) (parley.Member, error) {
	defer svc.sessions.Forget()
	m, err := write(ctx, svc.Service, by, func(t *tx) (parley.Member, error) {
		m, err := managed(&t.View, by, member)
		if err != nil {
			return m, err
		}
		there, err := provider.DeleteIdentityOf(t, t.WS, m.ID)
		if err == nil && there {
			_, err = t.endSessions(m.ID)
		}
		if err == nil && there {
			err = t.Audit.Of(entry.PersonUnbound, entry.SubjectMember, string(m.ID))
		}
		return m, err
	})
	if err == nil {
		svc.logAccess("person of the provider removed", by, member)
	}
	return m, err
}

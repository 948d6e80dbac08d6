package access

import (
	"context"
	"slices"
	"time"

	"parley"
	"parley/internal/access/credential"
	"parley/internal/access/openid"
	"parley/internal/access/provider"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

// Logout ends what a logout token of the provider says: the sessions of its own session, or
// all of a person. If the token names a session of the person that opened none here, all of
// the person end. A token counts once. One that is not valid, or was used before, is Invalid; a provider that does
// not answer is Unavailable, and one that does not exist NotFound.
func (svc SignInProviders) Logout(ctx context.Context, ws parley.WorkspaceID, raw string, client entry.Client) error {
	s, err := svc.opened(ctx, ws)
	if err != nil {
		return err
	}
	said, err := svc.network.Logout(ctx, s.forNetwork, raw)
	if err != nil {
		err = svc.refuseProvider(ws, "", client, err)
		if parley.KindOf(err) == parley.Unauthenticated {
			err = errNoLogout()
		}
		return err
	}
	defer svc.sessions.Forget()
	first, err := write(ctx, svc.Service, desk.Caller{Workspace: ws, Client: client}, func(t *tx) (bool, error) {
		first, err := provider.InsertUse(t, t.WS, provider.Use("logout", said.ID), said.Until)
		if err != nil || !first {
			return false, err
		}
		members, err := t.loggedOut(s.Issuer, said.Subject, said.Session)
		if err != nil {
			return true, err
		}
		for _, m := range members {
			if err := t.Audit.Of(entry.SessionsEnded, entry.SubjectMember, string(m)); err != nil {
				return true, err
			}
		}
		return true, t.UpdateAccess(t.WS)
	})
	if err == nil && !first {
		svc.refused(ws, "", client, Refusal(openid.BadAnswer))
		err = errNoLogout()
	}
	return err
}

func errNoLogout() error {
	return parley.InvalidField("logout_token", "be a logout token of the workspace's provider that was not used before")
}

// endedSession is what is used up when a session of the provider ends, so that a sign-in
// that is on its way opens none.
func endedSession(by way) [32]byte { return provider.Use("ended session", by.stored()) }

// clocksDiffer is how far the clocks of nodes may differ for a logout of a person to stop a
// sign-in of the same moment.
const clocksDiffer = 2 * time.Second

// endedPerson is what is used when all sessions of a person of the provider end.
func endedPerson(issuer, subject string) [32]byte {
	return provider.Use("ended person", issuer+"\x00"+subject)
}

// endedSince refuses a person whom the provider has logged out since an exchange began: its
// answer may be from before.
func (t *tx) endedSince(who openid.Identity, began time.Time) error {
	until, err := provider.SelectUsedUntil(t, t.WS, endedPerson(who.Issuer, who.Subject))
	if err == nil && !until.IsZero() && began.Before(until.Add(clocksDiffer-useLife)) {
		err = errAttemptOver()
	}
	return err
}

// loggedOut ends sessions, and returns whose.
func (t *tx) loggedOut(issuer, subject, session string) (members []parley.UserID, err error) {
	if session != "" {
		by := way{provider: true, session: sessionOf(issuer, session)}
		if _, err := provider.InsertUse(t, t.WS, endedSession(by), t.Now.Add(useLife)); err != nil {
			return nil, err
		}
		if members, err = credential.DeleteSessionsOfProvider(t, t.WS, by.stored()); err != nil {
			return nil, err
		}
	}
	if subject == "" || len(members) > 0 {
		slices.Sort(members)
		return slices.Compact(members), nil
	}
	if err := provider.PutUse(t, t.WS, endedPerson(issuer, subject), t.Now.Add(useLife)); err != nil {
		return nil, err
	}
	bound, err := provider.SelectIdentity(t, t.WS, issuer, subject)
	if parley.KindOf(err) == parley.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	_, err = t.endSessions(bound.Member)
	return []parley.UserID{bound.Member}, err
}

// stillThere refuses a member whose session of the provider has ended.
func stillThere(v store.Reader, ws parley.WorkspaceID, by way) error {
	if by.stored() == "" {
		return nil
	}
	over, err := provider.SelectUsed(v, ws, endedSession(by))
	if err == nil && over {
		err = errNoHalf()
	}
	return err
}

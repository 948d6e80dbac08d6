package access

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"parley"
	"parley/internal/access/admission"
	"parley/internal/access/openid"
	"parley/internal/access/provider"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

const (
	attemptRecord = "attempt to sign in with a provider"
	// maxAttempt is the most characters of a sealed attempt.
	maxAttempt = 4000
	// useLife is for how long what is used up is remembered: the life of an attempt, and the
	// skew between the clocks of nodes.
	useLife = openid.AttemptLife + 2*time.Minute
)

// An Attempt is a sign-in with a provider that a browser has begun, sealed. The browser
// keeps it in a cookie, so that strangers who begin many cost the store nothing; that it was
// used is stored.
type Attempt string

// begun is what is sealed.
type begun struct {
	openid.Attempt

	Member parley.UserID // who connects the own account; "" for a sign-in
	Next   string        // see Arrival
}

// Begun is an attempt with the address of the provider to which its browser goes.
type Begun struct {
	Attempt Attempt
	Address string
}

// errNoProvider is the error for a workspace that has none, or that does not exist.
func errNoProvider() error {
	return parley.NotFoundf("the workspace has no sign-in provider")
}

// A ProviderRefusal is the error of a person who did not get in by a provider, and says why.
type ProviderRefusal struct {
	Why Refusal
	err error
}

func (r *ProviderRefusal) Error() string { return r.err.Error() }

// Unwrap returns the error for the person.
func (r *ProviderRefusal) Unwrap() error { return r.err }

// Offered returns the provider with which members of a workspace may sign in, and that
// workspace: the one that is named, or the only one with a provider if none is. The zero
// values are for none.
func (svc SignInProviders) Offered(ws parley.WorkspaceID) desk.Read[Offer] {
	return desk.Snapshot(svc.desk, func(v *store.View) (Offer, error) {
		if ws.IsZero() {
			all, err := provider.SelectWorkspaces(v)
			if err != nil || len(all) != 1 {
				return Offer{}, err
			}
			ws = all[0]
		}
		s, err := provider.SettingsOf(v, ws)
		if err != nil || s.Issuer == "" {
			return Offer{}, err
		}
		return Offer{Workspace: ws, Issuer: s.Issuer}, nil
	})
}

// An Offer is what strangers see of a provider.
type Offer struct {
	Workspace parley.WorkspaceID
	Issuer    string
}

// Begin begins a sign-in with the provider of a workspace; one without a provider is
// NotFound, and a provider that does not answer Unavailable. The browser is to go to next
// afterwards. To confirm who they are, the provider must ask a member whom it knows as well.
func (svc SignInProviders) Begin(ctx context.Context, ws parley.WorkspaceID, next string, confirm bool) (Begun, error) {
	return svc.begin(ctx, ws, begun{Next: next, Attempt: openid.Attempt{Anew: confirm}})
}

// BeginBinding is Begin for the signed-in caller, who connects the own account with a person
// of the provider. A wrong password is Invalid and counts as a failed sign-in.
func (svc SignInProviders) BeginBinding(ctx context.Context, by desk.Caller, password string) (Begun, error) {
	if _, _, err := svc.SecondFactors().confirmed(ctx, by, password); err != nil {
		return Begun{}, err
	}
	return svc.begin(ctx, by.Workspace, begun{Member: by.Member})
}

func (svc SignInProviders) begin(ctx context.Context, ws parley.WorkspaceID, a begun) (Begun, error) {
	s, err := svc.opened(ctx, ws)
	if err == nil {
		err = svc.hasAddress()
	}
	if err != nil {
		return Begun{}, err
	}
	var address string
	if a.Attempt, address, err = svc.network.Begin(ctx, s.forNetwork, a.Anew); err != nil {
		return Begun{}, svc.refuseProvider(ws, "", entry.Client{}, err)
	}
	text, err := json.Marshal(a)
	if err != nil {
		return Begun{}, err
	}
	sealed, err := svc.vault.Seal(text, ws.String(), attemptRecord)
	return Begun{Attempt(ws.String() + "." + base64.RawURLEncoding.EncodeToString(sealed)), address}, err
}

// hasAddress refuses a server that does not know its own address, to which a provider sends
// browsers back.
func (svc SignInProviders) hasAddress() error {
	if svc.redirect == "" {
		return parley.Errorf(parley.Conflict, "this server does not know its own address, to which the provider sends members back; its operator sets --public-url")
	}
	return nil
}

// redirectOf is the address to which the provider of a workspace sends browsers back; "" if
// it is unknown. Each workspace has its own: with a shared one, whoever rules a workspace
// could lead a browser that signs in there through another workspace's provider, and would
// be given the code of that (RFC 9700, section 4.4).
func (svc SignInProviders) redirectOf(ws parley.WorkspaceID) string {
	if svc.redirect == "" {
		return ""
	}
	return svc.redirect + ws.String()
}

// openedSettings are those of a provider, in the form for the network too.
type openedSettings struct {
	provider.Settings

	forNetwork openid.Settings
}

func (svc SignInProviders) opened(ctx context.Context, ws parley.WorkspaceID) (o openedSettings, err error) {
	o.Settings, err = desk.View(svc.desk, func(v *store.View) (provider.Settings, error) { return provider.SelectSettings(v, ws) }).Now(ctx)
	if parley.KindOf(err) == parley.NotFound {
		err = errNoProvider()
	}
	if err != nil {
		return o, err
	}
	secret, err := svc.vault.Open(o.Sealed, ws.String(), provider.Record)
	o.forNetwork = openid.Settings{
		Issuer: o.Issuer, ClientID: o.ClientID, ClientSecret: string(secret), RedirectURL: svc.redirectOf(ws), GroupsClaim: o.GroupsClaim,
	}
	return o, err
}

// openAttempt returns what a browser began, and in which workspace.
func (svc SignInProviders) openAttempt(sealed Attempt) (a begun, ws parley.WorkspaceID, ok bool) {
	if len(sealed) > maxAttempt {
		return a, ws, false
	}
	name, text, _ := strings.Cut(string(sealed), ".")
	id, ok := parley.ParseID(name)
	if !ok {
		return a, ws, false
	}
	ws = parley.WorkspaceID(id)
	body, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err == nil {
		body, err = svc.vault.Open(body, ws.String(), attemptRecord)
	}
	return a, ws, err == nil && json.Unmarshal(body, &a) == nil
}

// A Return is with what a browser comes back from the provider.
type Return struct {
	Workspace parley.WorkspaceID // to whose address
	Attempt   Attempt            // from the cookie
	Answer    openid.Answer
	In        *SignedIn // whose session the browser has; nil for none
	UserAgent string
	Address   string // as in SignIn
	Tickets   Tickets
}

// An Arrival is what becomes of somebody who comes back from the provider.
type Arrival struct {
	Entry

	Connecting bool   // the attempt was begun to connect the caller's account
	Next       string // where the browser was to go afterwards; "" for nowhere in particular
}

// Finish ends an attempt, which works once: the member gets a session, or a half session if
// the second step is missing, or, if the attempt was begun to connect the caller's account,
// is connected and keeps the session. A person who does not get in is a ProviderRefusal, which is
// counted: Unauthenticated, Forbidden, Conflict, or, if the provider failed, Unavailable. Also
// then the arrival says what was begun, if that is known. An answer to another workspace's
// attempt leaves the attempt as it is, and so does the error Limited, after too many of a
// network address, or while too many of the workspace are under way.
func (svc SignInProviders) Finish(ctx context.Context, in Return) (Arrival, error) {
	a, ws, ok := svc.openAttempt(in.Attempt)
	if !ok || ws != in.Workspace || subtle.ConstantTimeCompare([]byte(a.State), []byte(in.Answer.State)) != 1 {
		svc.refusals.add(Refusal(openid.BadAnswer))
		return Arrival{}, errAttemptOver()
	}
	to := Arrival{Connecting: a.Member != "", Next: a.Next}
	var err error
	to.Entry, err = svc.finish(ctx, in, ws, &a)
	return to, err
}

func (svc SignInProviders) finish(ctx context.Context, in Return, ws parley.WorkspaceID, a *begun) (Entry, error) {
	if a.Member != "" && (in.In == nil || in.In.Workspace.ID != ws || in.In.Member.ID != a.Member) {
		svc.refusals.add(Refusal(openid.BadAnswer))
		return Entry{}, errAttemptOver()
	}
	client := entry.Client{Address: in.Address, UserAgent: in.UserAgent}
	began := svc.clock.Now()
	who, err := svc.exchange(ctx, in.Answer, client, ws, a)
	if err != nil {
		return Entry{}, err
	}
	if a.Member != "" {
		return Entry{SignedIn: *in.In}, svc.bind(ctx, desk.Caller{Workspace: ws, Member: a.Member, Client: client, Proof: Confirmations{svc.Service}.Proof(&in.In.Session, OpenSession), Role: parley.Agent}, who)
	}
	return svc.admit(ctx, desk.Caller{Workspace: ws, Client: client}, who, began, in.Tickets)
}

// exchange uses up an attempt, and asks the provider who the person is.
func (svc SignInProviders) exchange(ctx context.Context, in openid.Answer, client entry.Client, ws parley.WorkspaceID, a *begun) (who openid.Identity, err error) {
	s, err := svc.opened(ctx, ws)
	if parley.KindOf(err) == parley.NotFound {
		err = errAttemptOver() // the provider was removed in the meantime
	}
	if err != nil {
		return who, err
	}
	end, err := svc.exchanges.Begin(ws, client.Address, svc.clock.Now())
	if err != nil {
		svc.refusals.add(Throttled)
		return who, err
	}
	defer end()
	if err := svc.useUp(ctx, desk.Caller{Workspace: ws, Client: client}, a); err != nil {
		return who, err
	}
	if who, err = svc.network.Finish(ctx, s.forNetwork, a.Attempt, in); err != nil {
		err = svc.refuseProvider(ws, a.Member, client, err)
	}
	return who, err
}

func errAttemptOver() error {
	return &ProviderRefusal{
		Refusal(openid.BadAnswer), parley.Errorf(parley.Unauthenticated, "this sign-in has expired, or began in another browser; start again"),
	}
}

// useUp stores that an attempt was used. One that was used before is Unauthenticated.
func (svc SignInProviders) useUp(ctx context.Context, by desk.Caller, a *begun) error {
	first, err := write(ctx, svc.Service, by, func(t *tx) (bool, error) {
		return provider.InsertUse(t, t.WS, provider.Use("state", a.State), t.Now.Add(useLife))
	})
	if err == nil && !first {
		svc.refused(by.Workspace, a.Member, by.Client, Refusal(openid.BadAnswer))
		err = errAttemptOver()
	}
	return err
}

// refuseProvider counts a failure of a provider, and returns the error for it.
func (svc SignInProviders) refuseProvider(ws parley.WorkspaceID, member parley.UserID, client entry.Client, err error) error {
	var f *openid.Failure
	if !errors.As(err, &f) {
		return err
	}
	if cause := errors.Unwrap(f); cause != nil {
		svc.log.Warn("access: sign-in provider not reached", "workspace", ws, "error", cause)
	}
	svc.refused(ws, member, client, Refusal(f.Why))
	text := parley.Errorf(parley.Unauthenticated, "%s", f.Text)
	if f.Why == openid.Unreachable || f.Why == openid.BadCode {
		text = &parley.Error{Kind: parley.Unavailable, Message: "signing in with the provider does not work now; try again", Cause: err}
	}
	return &ProviderRefusal{Refusal(f.Why), text}
}

// refused counts and logs a refused person. Strangers can cause it, so that the audit log
// has it once in a window.
func (svc SignInProviders) refused(ws parley.WorkspaceID, member parley.UserID, client entry.Client, why Refusal) {
	svc.refusals.add(why)
	svc.refusals.signIn(refused{ws: ws, member: member, why: why, waiting: true}, svc.clock.Now())
	svc.logAccess("sign-in refused", desk.Caller{Workspace: ws, Client: client}, member, "reason", string(why))
}

// bind makes the caller the person who signed in.
func (svc SignInProviders) bind(ctx context.Context, by desk.Caller, who openid.Identity) error {
	_, err := write(ctx, svc.Service, by, func(t *tx) (struct{}, error) {
		i := provider.Identity{Issuer: who.Issuer, Subject: who.Subject, Member: by.Member, Since: t.Now}
		had, err := provider.SelectIdentity(t, t.WS, i.Issuer, i.Subject)
		if err == nil && had.Member == i.Member {
			return struct{}{}, nil
		}
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return struct{}{}, err
		}
		return struct{}{}, t.bind(&i)
	})
	switch parley.KindOf(err) {
	case parley.Conflict:
		err = &ProviderRefusal{Refusal(admission.Taken), err}
	case parley.Unauthenticated: // the session has ended in the meantime
		err = errAttemptOver()
	}
	if err == nil {
		svc.logAccess("person of the provider connected", by, by.Member)
	}
	return err
}

// bind stores which person a member is. If either has another already, it is a Conflict.
func (t *tx) bind(i *provider.Identity) error {
	free, err := provider.InsertIdentity(t, t.WS, i)
	if err == nil && !free {
		err = parley.Errorf(parley.Conflict, "this account, or that of the provider, is connected with another one; an owner can end that")
	}
	if err != nil {
		return err
	}
	return t.recordOwn(entry.PersonBound, i.Member)
}

// admit starts a session for a person whom the rules let in, by an exchange that began at a
// time.
func (svc SignInProviders) admit(ctx context.Context, by desk.Caller, who openid.Identity, began time.Time, tickets Tickets) (Entry, error) {
	token, err := parley.NewToken(SessionPrefix)
	if err != nil {
		return Entry{}, err
	}
	first := way{provider: true, proven: who.SignedInAt}
	if who.Session != "" {
		first.session = sessionOf(who.Issuer, who.Session)
	}
	defer svc.sessions.Forget()
	type result struct {
		entry   Entry
		outcome admission.Outcome
	}
	done, err := write(ctx, svc.Service, by, func(t *tx) (r result, err error) {
		s, err := t.settingsFor(who, began)
		if err != nil {
			return r, err
		}
		if r.outcome, err = t.decide(&s, who); err != nil {
			return r, err
		}
		if r.outcome.Refused != "" {
			if r.outcome.EndSessions {
				err = t.lostGroup(r.outcome.Member.ID)
			}
			return r, err
		}
		m, err := t.becomes(r.outcome, who)
		if err == nil {
			err = t.recordEntered(&m, first)
		}
		if err == nil {
			r.entry, err = enterAs(svc.Service, t, &m, by.Client, token, first)
		}
		return r, err
	})
	switch parley.KindOf(err) {
	case parley.Invalid: // such as an address that no member can have
		err = &ProviderRefusal{Refusal(admission.NotMember), err}
	case parley.Conflict:
		err = &ProviderRefusal{Refusal(admission.Taken), err}
	}
	if err != nil {
		return Entry{}, err
	}
	if o := done.outcome; o.Refused != "" {
		member := parley.UserID("")
		if o.Member != nil {
			member = o.Member.ID
		}
		svc.refused(by.Workspace, member, by.Client, Refusal(o.Refused))
		return Entry{}, &ProviderRefusal{Refusal(o.Refused), parley.Errorf(parley.Forbidden, "%s", o.Refused.Text())}
	}
	return svc.known(tickets, done.entry, nil)
}

// settingsFor returns the settings by which a person is admitted who signed in by an exchange
// that began at a time, unless the provider has been changed or logged the person out since.
func (t *tx) settingsFor(who openid.Identity, began time.Time) (provider.Settings, error) {
	s, err := provider.SelectSettings(t, t.WS)
	if parley.KindOf(err) == parley.NotFound || err == nil && s.Issuer != who.Issuer {
		err = errAttemptOver()
	}
	if err == nil {
		err = t.endedSince(who, began)
	}
	return s, err
}

// lostGroup ends the sessions of a member who may sign in no more.
func (t *tx) lostGroup(member parley.UserID) error {
	n, err := t.endSessions(member)
	if err == nil && n > 0 {
		err = t.Audit.Of(entry.SessionsEnded, entry.SubjectMember, string(member))
	}
	return err
}

// sessionOf is the hash of a provider's name for its session.
func sessionOf(issuer, session string) [32]byte {
	return sha256.Sum256([]byte(issuer + "\x00" + session))
}

// decide reads what the rules need, and returns what they say.
func (t *tx) decide(s *provider.Settings, who openid.Identity) (admission.Outcome, error) {
	var known admission.Known
	bound, err := provider.SelectIdentity(t, t.WS, who.Issuer, who.Subject)
	switch {
	case err == nil:
		m, err := SelectMemberEver(t, t.WS, bound.Member)
		if err != nil {
			return admission.Outcome{}, err
		}
		known.Bound = &m
	case parley.KindOf(err) != parley.NotFound:
		return admission.Outcome{}, err
	case who.Email != "":
		if err := t.knownByEmail(&known, who.Email); err != nil {
			return admission.Outcome{}, err
		}
	}
	return s.Policy.Decide(admission.Person{Email: who.Email, EmailVerified: who.EmailVerified, Groups: who.Groups}, known), nil
}

func (t *tx) knownByEmail(known *admission.Known, email string) error {
	m, err := SelectMemberByEmail(t, t.WS, email)
	if parley.KindOf(err) == parley.NotFound {
		return nil
	}
	if err != nil {
		return err
	}
	known.ByEmail = &m
	_, err = provider.SelectIdentityOf(t, t.WS, m.ID)
	known.Taken = err == nil
	if parley.KindOf(err) == parley.NotFound {
		err = nil
	}
	return err
}

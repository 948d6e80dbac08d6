package access

import (
	"context"
	"encoding/hex"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"parley"
	"parley/internal/access/browser"
	"parley/internal/access/credential"
	"parley/internal/access/throttle"
	"parley/internal/audit/entry"
	"parley/internal/desk"
	"parley/internal/store"
)

// SessionPrefix begins every token of a session.
const SessionPrefix = "ps"

const (
	// SeenPause is the least time between two updates of a session's last use.
	SeenPause = 5 * time.Minute
	// maxUserAgent is how many characters of a browser's User-Agent are stored.
	maxUserAgent = 300
	// hashesAtOnce limits the memory for hashing passwords: 19 MiB each.
	hashesAtOnce = 4
	// maxLogins is the most workspaces of an e-mail address for which a
	// password is tried, unless one is named.
	maxLogins = 20
)

// A SignedIn is a session with its member and workspace.
type SignedIn struct {
	Session   parley.Session
	Member    parley.Member
	Workspace parley.Workspace
	Reset     parley.PasswordReset // of the member
	Sight     parley.Sight         // what the member may see
}

// Credential returns the session as the credential of a stream.
func (in *SignedIn) Credential() parley.Credential {
	return parley.Credential{Kind: parley.CredentialMember, ID: in.Session.ID, Sight: in.Sight.Since}
}

// Viewer returns the member for whom reads are made.
func (in *SignedIn) Viewer() desk.Viewer {
	return desk.Viewer{Workspace: in.Session.Workspace, Member: in.Member.ID, Since: in.Sight.Since}
}

// ForgetSessions makes the next request of each session read it from the store.
func (svc *Service) ForgetSessions() { svc.sessions.Forget() }

// Tickets are what a browser keeps of the members who signed in with it.
type Tickets = browser.Tickets

// accounts are those of logins, for the register of browsers.
func accounts(logins []Login) []browser.Account {
	all := make([]browser.Account, len(logins))
	for i, login := range logins {
		all[i] = browser.Account{Workspace: login.Workspace, Member: login.Member.ID}
	}
	return all
}

// A SignIn has the inputs for signing in.
type SignIn struct {
	Email     string
	Password  string
	Workspace parley.WorkspaceID // zero: the one for which the password is right
	UserAgent string
	Address   string // the client's, in the form in which failures are counted; "" if unknown
	Tickets   Tickets
}

// An Entry is the result of signing in: a session with its token, which is
// shown only this once; or the second step, if it is missing, with the token of
// a half session, the member and the workspace; or several workspaces to choose
// from, if the password is right for all of them and none was named.
type Entry struct {
	SignedIn SignedIn
	Token    parley.Token
	Tickets  Tickets // for the browser to store
	Step     Step
	Half     Half
	Choices  []parley.Workspace
}

// SignIn starts a session for the member with an e-mail address and password,
// or a half session, if the second step is missing.
// If these are wrong, the error is Unauthenticated, which takes equally long
// for an unknown address; after too many failures it is Limited.
func (svc *Service) SignIn(ctx context.Context, in SignIn) (Entry, error) {
	refused := parley.Errorf(parley.Unauthenticated, "email or password is wrong")
	logins, all, err := svc.logins(ctx, in)
	if err != nil {
		return Entry{}, err
	}
	attempt, err := svc.failures.Begin(throttle.Source{
		Email: in.Email, Address: in.Address, Device: svc.browsers.Known(in.Tickets, accounts(logins), svc.clock.Now()),
	})
	if err != nil {
		svc.refuseSignIn(in, logins, Throttled, false)
		return Entry{}, err
	}
	matching, err := svc.matching(ctx, in.Password, logins)
	switch {
	case err != nil:
		attempt.Cancel()
		return Entry{}, err
	case len(matching) == 0:
		svc.refuseSignIn(in, logins, BadPassword, attempt.Last)
		return Entry{}, refused
	case len(matching) == all:
		attempt.Succeed()
	default:
		attempt.Cancel() // guesses may still be aimed at the other accounts
	}
	if len(matching) > 1 {
		choices, err := svc.choices(ctx, matching)
		return Entry{Choices: choices}, err
	}
	login := matching[0]
	by := desk.Caller{
		Workspace: login.Workspace, Member: login.Member.ID, Client: entry.Client{Address: in.Address, UserAgent: in.UserAgent},
	}
	entry, err := svc.enter(ctx, by, way{}, func(t *tx) (parley.Member, error) {
		m, err := t.Member(t.WS, login.Member.ID)
		if parley.KindOf(err) == parley.NotFound || err == nil && m.PasswordHash != login.Member.PasswordHash {
			err = refused // it has been changed since
		}
		if err != nil {
			return m, err
		}
		return m, t.recordEntered(&m, way{}, unseen(svc, in.Tickets, login)...)
	})
	return svc.known(in.Tickets, entry, err)
}

// recordEntered records that a member signed in, unless the second step is
// missing.
func (t *tx) recordEntered(m *parley.Member, by way, changes ...entry.Change) error {
	step, err := missing(t, t.WS, m, by)
	if err != nil || step != "" {
		return err
	}
	return t.recordOwn(entry.SignedIn, m.ID, changes...)
}

// unseen says for the audit log that a browser has never signed in to an account.
func unseen(svc *Service, tickets Tickets, login Login) []entry.Change {
	if svc.browsers.Known(tickets, accounts([]Login{login}), svc.clock.Now()) != "" {
		return nil
	}
	return []entry.Change{{Field: entry.BrowserField, To: entry.NewBrowser}}
}

// known adds the tickets of a browser that has signed in to an entry.
func (svc *Service) known(tickets Tickets, entry Entry, err error) (Entry, error) {
	if err == nil && entry.Step == "" {
		entry.Tickets, err = svc.browsers.Issue(tickets, browser.Account{Workspace: entry.SignedIn.Session.Workspace, Member: entry.SignedIn.Member.ID}, svc.clock.Now())
	}
	return entry, err
}

// logins returns the accounts for which to try the password, and the number of
// accounts with the e-mail address in all workspaces.
func (svc *Service) logins(ctx context.Context, in SignIn) (logins []Login, all int, err error) {
	everywhere, err := desk.View(svc.desk, func(v *store.View) ([]Login, error) { return SelectLoginsByEmail(v, in.Email, maxLogins) }).Now(ctx)
	if err != nil || in.Workspace.IsZero() {
		return everywhere, len(everywhere), err
	}
	m, err := desk.View(svc.desk, func(v *store.View) (parley.Member, error) { return SelectMemberByEmail(v, in.Workspace, in.Email) }).Now(ctx)
	switch {
	case parley.KindOf(err) == parley.NotFound || err == nil && !m.RemovedAt.IsZero():
		return nil, len(everywhere), nil
	case err != nil:
		return nil, 0, err
	}
	return []Login{{Workspace: in.Workspace, Member: m}}, len(everywhere), nil
}

// matching returns the accounts for which the password is right.
func (svc *Service) matching(ctx context.Context, password string, logins []Login) (matching []Login, err error) {
	if len(logins) == 0 {
		return nil, waited(svc.passwords.VerifyNone(ctx, password))
	}
	for _, login := range logins {
		fits, err := svc.passwords.Verify(ctx, password, login.Member.PasswordHash)
		if err != nil {
			return nil, waited(err)
		}
		if fits {
			matching = append(matching, login)
		}
	}
	return matching, nil
}

// waited turns the error of waiting too long for a password hash into one that
// the caller can act on.
func waited(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return &parley.Error{
			Kind: parley.Unavailable, Message: "too many are signing in now; try again", RetryAfter: time.Second, Cause: err,
		}
	}
	return err
}

func (svc *Service) choices(ctx context.Context, matching []Login) ([]parley.Workspace, error) {
	return desk.View(svc.desk, func(v *store.View) ([]parley.Workspace, error) {
		var choices []parley.Workspace
		for _, login := range matching {
			w, err := v.Workspace(login.Workspace)
			if err != nil {
				return nil, err
			}
			choices = append(choices, w)
		}
		return choices, nil
	}).Now(ctx)
}

// StartSession signs a member in without a password and returns the token, which
// is shown only this once. Tests begin with it, because hashing a password is
// slow.
func (svc *Service) StartSession(ctx context.Context, by desk.Caller, member parley.UserID, userAgent string) (SignedIn, parley.Token, error) {
	by.Client.UserAgent = userAgent
	entry, err := svc.startSession(ctx, by, start{}, func(t *tx) (parley.Member, error) { return t.Member(t.WS, member) })
	return entry.SignedIn, entry.Token, err
}

// A start is how a session starts: in a way, now, or in place of another one, of which it
// keeps how and when that was opened and confirmed.
type start struct {
	way

	replaces         parley.ID // a session of the caller; zero for none
	since, confirmed time.Time // with a zero since, it starts now and is confirmed as its way says
}

// inPlace completes a start in place of a session. One that has ended is Unauthenticated.
func (t *tx) inPlace(by desk.Caller, first start) (start, error) {
	if first.replaces.IsZero() {
		return first, nil
	}
	s, err := credential.SelectSession(t, t.WS, first.replaces)
	if parley.KindOf(err) == parley.NotFound || err == nil && (s.MemberID != by.Member || !t.Now.Before(s.ExpiresAt)) {
		err = desk.ErrSignedOut()
	}
	if err != nil {
		return first, err
	}
	first.since, first.confirmed = s.CreatedAt, s.ConfirmedAt
	var stored string
	if first.provider, stored, err = credential.SelectSessionProvider(t, t.WS, s.ID); err != nil {
		return first, err
	}
	session, err := hex.DecodeString(stored)
	copy(first.session[:], session)
	return first, err
}

// startSession starts a session for the member that a closure returns, in the
// transaction of the closure. The caller has made sure that no second step is
// missing.
func (svc *Service) startSession(ctx context.Context, by desk.Caller, first start, member func(*tx) (parley.Member, error)) (Entry, error) {
	token, err := parley.NewToken(SessionPrefix)
	if err != nil {
		return Entry{}, err
	}
	return write(ctx, svc, by, func(t *tx) (Entry, error) {
		first, err := t.inPlace(by, first) // before the closure ends sessions
		if err != nil {
			return Entry{}, err
		}
		m, err := member(t)
		if err != nil {
			return Entry{}, err
		}
		return t.insertSession(m, by.Client, token, first)
	})
}

// enter is [Service.startSession] for a member who has shown one factor alone.
// If the second step is missing, the entry has the token of a half session.
func (svc *Service) enter(ctx context.Context, by desk.Caller, first way, member func(*tx) (parley.Member, error)) (Entry, error) {
	token, err := parley.NewToken(SessionPrefix)
	if err != nil {
		return Entry{}, err
	}
	return write(ctx, svc, by, func(t *tx) (Entry, error) {
		m, err := member(t)
		if err != nil {
			return Entry{}, err
		}
		return enterAs(svc, t, &m, by.Client, token, first)
	})
}

// enterAs starts a session for a member, or a half session, if the second step is missing.
func enterAs(svc *Service, t *tx, m *parley.Member, client entry.Client, token parley.Token, first way) (Entry, error) {
	step, err := missing(t, t.WS, m, first)
	if err == nil {
		err = stillThere(t, t.WS, first)
	}
	if err != nil {
		return Entry{}, err
	}
	if step == "" {
		return t.insertSession(*m, client, token, start{way: first})
	}
	w, err := t.Workspace(t.WS)
	made := Entry{SignedIn: SignedIn{Member: *m, Workspace: w}, Step: step}
	if err != nil || step == StepProvider {
		return made, err
	}
	h, err := halfOf(&t.View, t.WS, m.ID, first)
	if err == nil {
		made.Half = svc.newHalf(&h)
	}
	return made, err
}

// insertSession stores a new session of a member.
func (t *tx) insertSession(m parley.Member, client entry.Client, token parley.Token, first start) (Entry, error) {
	since, confirmed := first.since, first.confirmed
	if since.IsZero() {
		since, confirmed = t.Now, first.confirmedAt(t.Now)
	}
	in := SignedIn{Member: m, Session: parley.Session{
		ID: t.IDs.New(t.Now), Workspace: t.WS, MemberID: m.ID, UserAgent: shorten(client.UserAgent), Address: client.Address,
		CreatedAt: since, SeenAt: t.Now, ExpiresAt: expiry(since, t.Now), ConfirmedAt: confirmed,
	}}
	var err error
	if in.Workspace, err = t.Workspace(t.WS); err != nil {
		return Entry{}, err
	}
	if in.Reset, err = credential.SelectPasswordReset(t, t.WS, m.ID); err != nil {
		return Entry{}, err
	}
	if err = credential.InsertSession(t, t.WS, &in.Session, token.Hash()); err == nil && first.provider {
		err = credential.UpdateSessionProvider(t, t.WS, in.Session.ID, first.stored())
	}
	return Entry{SignedIn: in, Token: token}, err
}

// expiry is when a session expires that was opened and is seen at these times.
func expiry(opened, seen time.Time) time.Time {
	last, idle := opened.Add(parley.SessionLife), seen.Add(parley.SessionIdle)
	if idle.After(last) {
		return last
	}
	return idle
}

// shorten turns a header into a text that can be stored.
func shorten(userAgent string) string {
	text := strings.ToValidUTF8(strings.ReplaceAll(userAgent, "\x00", ""), "")
	if utf8.RuneCountInString(text) > maxUserAgent {
		text = string([]rune(text)[:maxUserAgent])
	}
	return text
}

// AuthenticateSession returns the session of a token, and from time to time
// records its use. A malformed or unknown token, an ended session, and the
// session of a removed member are Unauthenticated.
func (svc *Service) AuthenticateSession(ctx context.Context, token parley.Token) (SignedIn, error) {
	if !token.WellFormed(SessionPrefix) {
		if token != "" {
			svc.refusals.add(EndedSession)
		}
		return SignedIn{}, desk.ErrSignedOut()
	}
	hash, now := token.Hash(), svc.clock.Now()
	in, known := svc.sessions.Get(hash)
	if !known || now.Sub(in.Session.SeenAt) >= SeenPause {
		var err error
		in, err = desk.Snapshot(svc.desk, func(v *store.View) (SignedIn, error) {
			s, err := credential.SelectSessionByHash(v, hash)
			if err != nil {
				return SignedIn{}, err
			}
			return signedIn(v, s)
		}).Now(ctx)
		if parley.KindOf(err) == parley.NotFound {
			err = svc.refuse(EndedSession, desk.ErrSignedOut())
		}
		if err != nil {
			return SignedIn{}, err
		}
		if now.Before(in.Session.ExpiresAt) && now.Sub(in.Session.SeenAt) >= SeenPause {
			if in.Session, err = svc.seen(ctx, in.Session); err != nil {
				return SignedIn{}, err
			}
		}
		svc.sessions.Put(hash, in)
	}
	if !now.Before(in.Session.ExpiresAt) {
		return SignedIn{}, svc.refuse(ExpiredSession, desk.ErrSignedOut())
	}
	return in, nil
}

func signedIn(v *store.View, s parley.Session) (in SignedIn, err error) {
	in.Session = s
	if in.Member, err = v.Member(s.Workspace, s.MemberID); err != nil {
		return in, err
	}
	if in.Reset, err = credential.SelectPasswordReset(v, s.Workspace, s.MemberID); err != nil {
		return in, err
	}
	if in.Sight, err = v.SightOf(s.Workspace, &in.Member); err != nil {
		return in, err
	}
	in.Workspace, err = v.Workspace(s.Workspace)
	return in, err
}

// seen records the use of a session, which extends it. If the store cannot be
// written to, the session stays as it was.
func (svc *Service) seen(ctx context.Context, s parley.Session) (parley.Session, error) {
	moved, err := write(ctx, svc, desk.Caller{Workspace: s.Workspace}, func(t *tx) (parley.Session, error) {
		moved, err := credential.SelectSession(t, t.WS, s.ID)
		if err != nil || t.Now.Sub(moved.SeenAt) < SeenPause {
			return moved, err
		}
		moved.SeenAt, moved.ExpiresAt = t.Now, expiry(moved.CreatedAt, t.Now)
		return moved, credential.UpdateSessionSeen(t, t.WS, &moved)
	})
	switch {
	case err == nil:
		return moved, nil
	case parley.KindOf(err) == parley.NotFound:
		return s, desk.ErrSignedOut() // it has ended in the meantime
	}
	svc.log.Warn("access: use of session not stored", "error", err)
	return s, nil
}

// Me returns the session, its member and its workspace in their present state.
func (svc *Service) Me(ws parley.WorkspaceID, session parley.ID) desk.Read[SignedIn] {
	return desk.Snapshot(svc.desk, func(v *store.View) (SignedIn, error) {
		s, err := credential.SelectSession(v, ws, session)
		if err != nil {
			return SignedIn{}, err
		}
		return signedIn(v, s)
	})
}

package access_test

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/access/admission"
	"parley/internal/access/credential"
	"parley/internal/access/openid"
	"parley/internal/access/provider"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/store"
)

const overAttempt = "this sign-in has expired, or began in another browser; start again"

// answer is what a browser brings back.
func (h *house) answer(begun access.Begun) access.Return {
	h.T.Helper()
	q := h.issuer.Authorize(h.T, begun.Address)
	return access.Return{
		Workspace: h.Home.Workspace.ID, Attempt: begun.Attempt, UserAgent: "Browser", Address: "192.0.2.1",
		Answer: openid.Answer{State: q.Get("state"), Code: q.Get("code"), Issuer: q.Get("iss")},
	}
}

// arrive signs a person in.
func (h *house) arrive(claims map[string]any) (access.Entry, error) {
	h.T.Helper()
	h.issuer.Claims = claims
	begun, err := h.Begin(h.T.Context(), h.Home.Workspace.ID, "", false)
	h.Must(err)
	arrived, err := h.Finish(h.T.Context(), h.answer(begun))
	return arrived.Entry, err
}

// ann is a person of the provider with a verified address.
func ann(more map[string]any) map[string]any {
	claims := map[string]any{"sub": "ann", "email": "ann@new.example", "email_verified": true, "name": "Ann"}
	maps.Copy(claims, more)
	return claims
}

func (h *house) open(entry access.Entry) bool {
	h.T.Helper()
	_, err := h.Access.AuthenticateSession(h.T.Context(), entry.Token)
	return err == nil
}

// joining is a house whose persons become agents.
func joining(t *testing.T, w *desktest.World) *house {
	t.Helper()
	h := newHouse(t, w)
	in := h.whole()
	in.JoinRole, in.JoinDomains = parley.Some(parley.Agent), parley.Some([]string{"new.example"})
	h.save(in)
	return h
}

// TestSignInWithProvider makes a member of a person, once, knows the member again under
// another address, and gives the role of the group.
func TestSignInWithProvider(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := joining(t, w)
		first, err := h.arrive(ann(nil))
		w.Must(err)
		m := first.SignedIn.Member
		if !h.open(first) || m.Role != parley.Agent || m.Name != "Ann" || m.PasswordHash != "" || first.Tickets == "" {
			t.Errorf("the new member is %+v", first)
		}
		_, err = w.Access.SignIn(t.Context(), access.SignIn{Email: "ann@new.example", Password: ""})
		w.Refused(err, parley.Unauthenticated, "email or password is wrong")
		again, err := h.arrive(ann(map[string]any{"email": "ann@other.example", "email_verified": false}))
		w.Must(err)
		if again.SignedIn.Member.ID != m.ID || again.SignedIn.Member.Email != m.Email {
			t.Errorf("the person came back as %+v", again.SignedIn.Member)
		}
		_, err = h.arrive(ann(map[string]any{"sub": "eve"}))
		w.Refused(err, parley.Forbidden, "a member with your e-mail address is connected with another account of the provider; ask an owner")
		h.save(access.ProviderChange{GroupsClaim: parley.Some("groups"), Groups: parley.Some(map[string]parley.Role{"leads": parley.Admin})})
		raised, err := h.arrive(ann(map[string]any{"groups": []string{"leads"}}))
		w.Must(err)
		if raised.SignedIn.Member.Role != parley.Admin {
			t.Errorf("the group gives %+v", raised.SignedIn.Member)
		}
		_, err = h.arrive(ann(nil))
		w.Refused(err, parley.Forbidden, "you are in none of the provider's groups that may sign in here; ask an admin")
		if h.open(first) || h.open(raised) {
			t.Error("a person who lost the group keeps sessions")
		}
		if n := w.Access.Refused()[access.Refusal(admission.NoGroup)]; n != 1 {
			t.Errorf("%d refusals are counted", n)
		}
		w.Access.FlushRefusals(t.Context(), true)
		w.Must(w.Store.View(t.Context(), func(v *store.View) error {
			refused, err := store.Many(v, w.Home.Workspace.ID, store.Only[string],
				"SELECT changes FROM audit WHERE workspace_id = $1 AND action = 'session.refused' AND subject_id = $2", string(m.ID))
			for _, why := range []admission.Refusal{admission.NoGroup, admission.Taken} {
				if !slices.ContainsFunc(refused, func(changes string) bool { return strings.Contains(changes, string(why)) }) {
					t.Errorf("the audit log has %q, and not %s", refused, why)
				}
			}
			return err
		}))
	})
}

// TestOwnerConnects lets an owner in by the provider only after the own account was
// connected while signed in.
func TestOwnerConnects(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := joining(t, w)
		owner := map[string]any{"sub": "boss", "email": w.Home.Owner.Email, "email_verified": true}
		_, err := h.arrive(owner)
		w.Refused(err, parley.Forbidden, "sign in with your password first, and connect your account with the provider in your settings")
		session, _, err := w.Access.StartSession(t.Context(), w.By(), w.Home.Owner.ID, "")
		w.Must(err)
		other, _, err := w.Access.StartSession(t.Context(), w.By(), member(w, parley.Agent).Member, "")
		w.Must(err)
		for what, in := range map[string]*access.SignedIn{"nobody": nil, "another member": &other} {
			begun, err := h.BeginBinding(t.Context(), w.By(), w.Home.OwnerPassword)
			w.Must(err)
			back := h.answer(begun)
			back.In = in
			_, err = h.Finish(t.Context(), back)
			if err == nil || err.Error() != overAttempt {
				t.Errorf("%s connects the owner: %v", what, err)
			}
		}
		begun, err := h.BeginBinding(t.Context(), w.By(), w.Home.OwnerPassword)
		w.Must(err)
		back := h.answer(begun)
		back.In = &session
		_, err = h.Finish(t.Context(), back)
		w.Must(err)
		begun, err = h.BeginBinding(t.Context(), w.By(), w.Home.OwnerPassword)
		w.Must(err)
		late := h.answer(begun)
		late.In = &session
		_, err = w.Access.EndSession(t.Context(), w.By(), session.Session.ID)
		w.Must(err)
		if _, err := h.Finish(t.Context(), late); parley.KindOf(err) != parley.Unauthenticated {
			t.Errorf("a session that has ended connects an account: %v", err)
		}
		entry, err := h.arrive(owner)
		w.Must(err)
		if entry.SignedIn.Member.ID != w.Home.Owner.ID || !h.open(entry) {
			t.Errorf("the owner came as %+v", entry)
		}
		_, err = h.Unbind(t.Context(), w.By(), w.Home.Owner.ID)
		w.Must(err)
		if h.open(entry) {
			t.Error("a session outlives its person")
		}
		_, err = h.arrive(owner)
		w.Refused(err, parley.Forbidden, "sign in with your password first, and connect your account with the provider in your settings")
	})
}

// turned returns a text with another letter at a place.
func turned(text string, at int) string {
	letter := "A"
	if text[at] == 'A' {
		letter = "B"
	}
	return text[:at] + letter + text[at+1:]
}

// TestAttemptsWorkOnce takes an attempt once, from its own browser, with its own answer, in
// its time.
func TestAttemptsWorkOnce(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := joining(t, w)
		h.issuer.Claims = ann(nil)
		begin := func() access.Return {
			begun, err := h.Begin(t.Context(), w.Home.Workspace.ID, "", false)
			w.Must(err)
			return h.answer(begun)
		}
		for what, change := range map[string]func(*access.Return){
			"no attempt":        func(r *access.Return) { r.Attempt = "" },
			"another browser's": func(r *access.Return) { r.Attempt = begin().Attempt },
			"another state":     func(r *access.Return) { r.Answer.State += "x" },
			"no state":          func(r *access.Return) { r.Answer.State = "" },
			"a forged attempt":  func(r *access.Return) { r.Attempt = access.Attempt(turned(string(r.Attempt), 60)) },
			"another workspace's": func(r *access.Return) {
				r.Attempt = access.Attempt(w.Found("Other").Workspace.ID.String()) + r.Attempt[36:]
			},
			"no workspace":   func(r *access.Return) { r.Attempt = r.Attempt[37:] },
			"a long attempt": func(r *access.Return) { r.Attempt += access.Attempt(strings.Repeat("A", 4000)) },
		} {
			back := begin()
			change(&back)
			if _, err := h.Finish(t.Context(), back); err == nil || err.Error() != overAttempt {
				t.Errorf("%s: %v", what, err)
			}
		}
		back := begin()
		elsewhere := back
		elsewhere.Workspace = w.Found("Another").Workspace.ID
		_, err := h.Finish(t.Context(), elsewhere)
		w.Refused(err, parley.Unauthenticated, overAttempt)
		_, err = h.Finish(t.Context(), back)
		w.Must(err)
		asked := h.issuer.Asked("/token")
		_, err = h.Finish(t.Context(), back)
		w.Refused(err, parley.Unauthenticated, overAttempt)
		if h.issuer.Asked("/token") != asked {
			t.Error("a used attempt asks the provider again")
		}
		late := begin()
		w.Advance(openid.AttemptLife)
		_, err = h.Finish(t.Context(), late)
		w.Refused(err, parley.Unauthenticated, overAttempt)
	})
}

// TestExchangesAreBounded sends no code to the provider after too many from a network address,
// or while too many are under way, and leaves the attempt for later.
func TestExchangesAreBounded(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := joining(t, w)
		h.issuer.Claims = ann(nil)
		begin := func(address string) access.Return {
			begun, err := h.Begin(t.Context(), w.Home.Workspace.ID, "", false)
			w.Must(err)
			back := h.answer(begun)
			back.Address = address
			return back
		}
		for range 30 {
			back := begin("192.0.2.1")
			back.Answer.Code = "invented"
			if _, err := h.Finish(t.Context(), back); parley.KindOf(err) != parley.Unavailable {
				t.Fatalf("an invented code gives %v", err)
			}
		}
		w.Advance(20 * time.Second)
		asked, back := h.issuer.Asked("/token"), begin("192.0.2.1")
		_, err := h.Finish(t.Context(), back)
		limited(t, "the 31st code of an address", err, 40*time.Second)
		if n := h.issuer.Asked("/token") - asked; n != 0 || w.Access.Refused()[access.Throttled] != 1 {
			t.Errorf("the provider gets %d codes too many; the refusals are %v", n, w.Access.Refused())
		}
		_, err = h.Finish(t.Context(), begin("192.0.2.2"))
		w.Must(err)
		w.Advance(40 * time.Second)
		_, err = h.Finish(t.Context(), back)
		w.Must(err)

		const most = 20
		arrived, answer, done := make(chan struct{}, most), make(chan struct{}), make(chan struct{}, most)
		h.issuer.Answer["/token"] = func(rw http.ResponseWriter, _ *http.Request) {
			arrived <- struct{}{}
			<-answer
			rw.WriteHeader(http.StatusServiceUnavailable)
		}
		for range most {
			held := begin("192.0.2.3")
			go func() {
				_, _ = h.Finish(t.Context(), held) // the provider fails
				done <- struct{}{}
			}()
			<-arrived
		}
		back = begin("192.0.2.4")
		_, err = h.Finish(t.Context(), back)
		limited(t, "one beside too many", err, time.Second)
		close(answer)
		for range most {
			<-done
		}
		delete(h.issuer.Answer, "/token")
		_, err = h.Finish(t.Context(), back)
		w.Must(err)
	})
}

// TestProviderAndSecondFactor asks a member who came by the provider for the workspace's
// second factor, unless the provider's counts; whatever ends sessions ends the half one too.
func TestProviderAndSecondFactor(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := joining(t, w)
		w.Must(w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
			return store.Exec(tx, w.Home.Workspace.ID, "UPDATE workspaces SET require_second_factor = TRUE WHERE workspace_id = $1")
		}))
		half, err := h.arrive(ann(map[string]any{"sid": "s-1"}))
		w.Must(err)
		if half.Step != access.StepSetUp || half.Token != "" {
			t.Fatalf("the entry is %+v", half)
		}
		made, err := w.Access.SecondFactors().BeginRequired(t.Context(), half.Half)
		w.Must(err)
		p := phone{w: w, secret: secretOf(w, made)}
		done, err := w.Access.SecondFactors().SetRequired(t.Context(), half.Half, nowhere, access.FactorChange{SetUp: made.SetUp, Code: p.code()})
		w.Must(err)
		if !h.open(done.Entry) {
			t.Error("the second step opens no session")
		}
		coded, err := h.arrive(ann(nil))
		w.Must(err)
		if coded.Step != access.StepCode {
			t.Errorf("the entry is %+v", coded)
		}
		_, err = w.Access.EndSessionsOf(t.Context(), w.By(), coded.SignedIn.Member.ID)
		w.Must(err)
		w.Advance(time.Minute)
		_, err = w.Access.SignInByCode(t.Context(), access.SecondStep{Half: coded.Half, Code: p.code()})
		w.Refused(err, parley.Unauthenticated, noHalf)
		h.save(access.ProviderChange{TrustsFactor: parley.Some(true)})
		trusted, err := h.arrive(ann(nil))
		w.Must(err)
		if trusted.Step != "" || !h.open(trusted) {
			t.Errorf("the provider's second factor gives %+v", trusted)
		}
	})
}

// TestRequiredProviderRefusesPasswords gives no session for a right password, but for the
// exempt owner, nor for a half session from before.
func TestRequiredProviderRefusesPasswords(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := joining(t, w)
		m, password, err := w.Access.CreateMember(t.Context(), w.By(), access.NewMember{Email: newcomer(), Name: "Bo", Role: parley.Agent})
		w.Must(err)
		p := setUp(w, desk.Caller{Workspace: w.Home.Workspace.ID, Member: m.ID}, password)
		half, err := w.Access.SignIn(t.Context(), access.SignIn{Email: m.Email, Password: password})
		w.Must(err)
		h.save(access.ProviderChange{Required: parley.Some(true), Exempt: parley.Some([]parley.UserID{w.Home.Owner.ID})})
		w.Advance(time.Minute)
		_, err = w.Access.SignInByCode(t.Context(), access.SecondStep{Half: half.Half, Code: p.code()})
		w.Refused(err, parley.Unauthenticated, noHalf)
		entry, err := w.Access.SignIn(t.Context(), access.SignIn{Email: m.Email, Password: password})
		w.Must(err)
		if entry.Step != access.StepProvider || entry.Token != "" || entry.Half != "" {
			t.Errorf("a password gives %+v", entry)
		}
		owner, err := w.Access.SignIn(t.Context(), access.SignIn{Email: w.Home.Owner.Email, Password: w.Home.OwnerPassword})
		w.Must(err)
		if !h.open(owner) {
			t.Error("the exempt owner has no session")
		}
	})
}

// TestProviderLogout ends the sessions that a token names, once, also those on their way.
func TestProviderLogout(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := joining(t, w)
		token := h.logoutToken
		out := func(raw string) error { return h.Logout(t.Context(), w.Home.Workspace.ID, raw, nowhere) }
		come := func(sid string) access.Entry {
			entry, err := h.arrive(ann(map[string]any{"sid": sid}))
			w.Must(err)
			return entry
		}
		one, two := come("s-1"), come("s-2")
		first := token("1", map[string]any{"sid": "s-1"})
		w.Must(out(first))
		if h.open(one) || !h.open(two) {
			t.Error("another session than the named one ended")
		}
		const refused = "logout_token: must be a logout token of the workspace's provider that was not used before"
		w.Refused(out(first), parley.Invalid, refused)
		w.Refused(out("x"), parley.Invalid, refused)
		w.Refused(h.Logout(t.Context(), w.Found("Empty").Workspace.ID, first, nowhere), parley.NotFound, "the workspace has no sign-in provider")
		if _, err := h.arrive(ann(map[string]any{"sid": "s-1"})); parley.KindOf(err) != parley.Unauthenticated {
			t.Errorf("a session that ended at the provider opens one here: %v", err)
		}
		three := come("s-3")
		w.Must(out(token("2", map[string]any{"sub": "ann"})))
		if h.open(two) || h.open(three) {
			t.Error("a session of the person did not end")
		}
		w.Advance(2 * time.Second)
		four := come("s-4")
		w.Must(out(token("3", map[string]any{"sub": "nobody"})))
		if !h.open(four) {
			t.Error("a session of another person ended")
		}
		w.Must(out(token("4", map[string]any{"sub": "ann", "sid": "s-unknown"})))
		if h.open(four) {
			t.Error("a person whose session is unknown keeps sessions")
		}
	})
}

// TestProviderLogoutOfPerson logs a person out while an exchange of theirs is under way: the
// first one, that of a member, and the half session of one. Later ones start sessions.
func TestProviderLogoutOfPerson(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h, id := joining(t, w), 0
		come := func(meanwhile map[string]any) (access.Entry, error) {
			id++
			h.issuer.Token = func(claims map[string]any) string {
				if meanwhile != nil {
					w.Must(h.Logout(t.Context(), w.Home.Workspace.ID, h.logoutToken(strconv.Itoa(id), meanwhile), nowhere))
				}
				return h.issuer.Sign(claims, nil)
			}
			return h.arrive(ann(nil))
		}
		refused := func(what string) {
			t.Helper()
			if _, err := come(map[string]any{"sub": "ann"}); parley.KindOf(err) != parley.Unauthenticated {
				t.Errorf("%s comes in after the logout: %v", what, err)
			}
		}
		refused("a new person")
		_, err := come(nil)
		w.Refused(err, parley.Unauthenticated, overAttempt) // in the same moment
		w.Advance(2 * time.Second)
		first, err := come(map[string]any{"sub": "eve"})
		w.Must(err)
		refused("a member")
		if h.open(first) {
			t.Error("an earlier session of the member did not end")
		}
		w.Advance(2 * time.Second)
		again, err := come(nil)
		if w.Must(err); !h.open(again) || again.SignedIn.Member.ID != first.SignedIn.Member.ID {
			t.Errorf("after the logout, the member comes in as %+v", again)
		}
	})
}

// TestReplacedSession keeps how and when a session was opened and confirmed in the one that
// takes its place when a password or a second factor changes.
func TestReplacedSession(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := joining(t, w)
		first, err := h.arrive(ann(nil))
		w.Must(err)
		by := desk.Caller{Workspace: w.Home.Workspace.ID, Member: first.SignedIn.Member.ID}
		_, password, err := w.Access.SetRandomPassword(t.Context(), w.By(), by.Member)
		w.Must(err)
		h.save(access.ProviderChange{Required: parley.Some(true), Exempt: parley.Some([]parley.UserID{w.Home.Owner.ID})})
		first, err = h.arrive(ann(map[string]any{"sid": "s-1"}))
		w.Must(err)
		now, opened := first, first.SignedIn.Session
		change := func(next string) {
			was := now.SignedIn.Session.ID
			now, err = w.Access.ChangePassword(t.Context(), by, access.PasswordChange{Session: was, Current: password, Next: next})
			w.Must(err)
			password = next
			_, err = w.Access.ChangePassword(t.Context(), by, access.PasswordChange{Session: was, Current: password, Next: "another battery staple 8"})
			w.Refused(err, parley.Unauthenticated, "you are signed out; sign in again")
		}
		for what, replace := range map[string]func(){
			"a password": func() { change("correct horse battery staple 7") },
			"a second factor, and none": func() {
				made, err := w.Access.SecondFactors().Begin(t.Context(), by, password)
				w.Must(err)
				set, err := w.Access.SecondFactors().Set(t.Context(), by, access.FactorChange{
					Session: now.SignedIn.Session.ID, SetUp: made.SetUp, Code: phone{w: w, secret: secretOf(w, made)}.code(),
				})
				w.Must(err)
				if !h.stillOpened(set.Entry, opened) {
					t.Errorf("a second factor makes %+v of %+v", set.Entry.SignedIn.Session, opened)
				}
				now, err = w.Access.SecondFactors().TurnOff(t.Context(), by, access.FactorEnd{Session: set.Entry.SignedIn.Session.ID, Password: password})
				w.Must(err)
			},
		} {
			w.Advance(time.Hour)
			replace()
			if !h.stillOpened(now, opened) {
				t.Errorf("%s makes %+v of %+v", what, now.SignedIn.Session, opened)
			}
		}
		for range 8 {
			w.Advance(10 * 24 * time.Hour)
			h.open(now)
		}
		change("correct horse battery staple 9")
		if end := opened.CreatedAt.Add(parley.SessionLife); !now.SignedIn.Session.ExpiresAt.Equal(end) {
			t.Errorf("a new password makes the session last until %v, want %v", now.SignedIn.Session.ExpiresAt, end)
		}
		second, err := h.arrive(ann(map[string]any{"sid": "s-1"}))
		w.Must(err)
		w.Must(h.Logout(t.Context(), by.Workspace, h.logoutToken("1", map[string]any{"sid": "s-1"}), nowhere))
		if h.open(now) || h.open(second) {
			t.Error("a session outlives that of the provider")
		}
	})
}

// stillOpened reports whether a session was opened by the provider's one, when another was.
func (h *house) stillOpened(entry access.Entry, when parley.Session) bool {
	h.T.Helper()
	s := entry.SignedIn.Session
	var by bool
	var of string
	h.Must(h.Store.View(h.T.Context(), func(v *store.View) (err error) {
		by, of, err = credential.SelectSessionProvider(v, s.Workspace, s.ID)
		return err
	}))
	return by && of != "" && h.open(entry) && s.CreatedAt.Equal(when.CreatedAt) && s.ConfirmedAt.Equal(when.ConfirmedAt)
}

// logoutToken is one of the provider.
func (h *house) logoutToken(id string, more map[string]any) string {
	now := h.Now().Unix()
	claims := map[string]any{
		"iss": h.issuer.URL, "aud": "parley", "iat": now, "exp": now + 100, "jti": id,
		"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}},
	}
	maps.Copy(claims, more)
	return h.issuer.Sign(claims, map[string]any{"typ": "logout+jwt"})
}

// TestProviderPersonOfRemoved lets nobody back who was removed, and makes whoever is invited
// again show who they are.
func TestProviderPersonOfRemoved(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		h := joining(t, w)
		entry, err := h.arrive(ann(nil))
		w.Must(err)
		_, err = w.Access.RemoveMember(t.Context(), w.By(), entry.SignedIn.Member.ID)
		w.Must(err)
		for _, sub := range []string{"ann", "eve"} {
			_, err = h.arrive(ann(map[string]any{"sub": sub}))
			w.Refused(err, parley.Forbidden, "you are no member of this workspace; ask an admin for an invitation")
		}
		_, _, err = w.Access.CreateMember(t.Context(), w.By(), access.NewMember{Email: "ann@new.example", Name: "Ann", Role: parley.Agent})
		w.Must(err)
		w.Must(w.Store.View(t.Context(), func(v *store.View) error {
			all, err := provider.SelectIdentities(v, w.Home.Workspace.ID)
			if slices.ContainsFunc(all, func(i provider.Identity) bool { return i.Subject == "ann" }) {
				t.Error("the person of before the removal is the member again")
			}
			return err
		}))
	})
}

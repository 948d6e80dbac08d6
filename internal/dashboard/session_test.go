package dashboard_test

import (
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/store/storetest"
	"parley/internal/vault"
)

// login is the body that signs in.
func login(email, password string) string {
	return `{"email":"` + email + `","password":"` + password + `"}`
}

// enter signs in over HTTP from a network address.
func (w *world) enter(address, body string) apitest.Answer {
	w.T.Helper()
	return w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/session", Body: body, Session: apitest.None, Address: address})
}

// as sends a GET with a session and returns the status.
func (w *world) as(token parley.Token) int {
	w.T.Helper()
	return w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/session", Session: token}).Status
}

func TestSignIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		in := w.enter("", login(" OWNER@home.Example ", w.Home.OwnerPassword)).Want(201)
		in.Is("member.id", quote(string(w.Home.Owner.ID)), "member.role", `"owner"`, "workspace.id", quote(w.Home.Workspace.ID.String()),
			"workspace.name", `"Home"`, "session.current", "true", "session.createdAt", `"2026-11-21T10:00:00.000Z"`,
			"session.expiresAt", `"2026-12-05T10:00:00.000Z"`)
		token := in.Cookie()
		if me := w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/session", Session: token}).Want(200); string(me.Body) != string(in.Body) {
			t.Errorf("who is signed in is %s, was %s", me.Body, in.Body)
		}
		w.enter("", login("owner@home.example", "wrong")).Refused(401, "email or password is wrong")
		w.enter("", login("nobody@home.example", w.Home.OwnerPassword)).Refused(401, "email or password is wrong")
		w.enter("", login("", "")).Refused(401, "email or password is wrong")
		w.enter("", `{"email":"owner@home.example"}`).Refused(400, "password: must be given")
		w.enter("", `{"email":1,"password":"x","workspaceId":"y"}`).
			Refused(400, "email: must be a string of at most 320 characters; workspaceId: must be a UUID")
		for _, odd := range []parley.Token{"none", "ps_", "ps_" + parley.Token(strings.Repeat("a", 43)), token + "a", token[:len(token)-1], "pi" + token[2:]} {
			got := w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/session", Session: odd})
			got.Refused(401, "you are signed out; sign in again")
		}
	})
}

func quote(s string) string { return `"` + s + `"` }

// TestSignInChooses signs in with a password that fits several workspaces.
func TestSignInChooses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const email, password = "ann@both.example", "correct horse battery"
		other, err := w.Access.CreateWorkspace(t.Context(), "Other", "owner@other.example")
		if err != nil {
			t.Fatal(err)
		}
		third, err := w.Access.CreateWorkspace(t.Context(), "Third", email) // with a password of its own
		if err != nil {
			t.Fatal(err)
		}
		w.join(w.By(), email, password)
		w.enter("", login(email, password)).Want(201).Is("workspace.name", `"Home"`)
		w.join(desk.Caller{Workspace: other.Workspace.ID}, email, password)

		both := w.enter("", login(email, password)).Want(200)
		both.Is("workspaces.0.name", `"Home"`, "workspaces.1.name", `"Other"`)
		if both.Count("workspaces") != 2 || both.Header.Get("Set-Cookie") != "" {
			t.Errorf("the choice is %s with the cookie %q", both.Body, both.Header.Get("Set-Cookie"))
		}
		in := func(ws parley.WorkspaceID) apitest.Answer {
			return w.enter("", strings.Replace(login(email, password), "{", `{"workspaceId":"`+ws.String()+`",`, 1))
		}
		in(other.Workspace.ID).Want(201).Is("workspace.name", `"Other"`)
		in(w.Home.Workspace.ID).Want(201).Is("workspace.name", `"Home"`)
		in(third.Workspace.ID).Want(401)
		in(parley.WorkspaceID{1}).Want(401)
		w.enter("", login(email, third.OwnerPassword)).Want(201).Is("workspace.name", `"Third"`)
	})
}

// join creates a member with a password through an invitation.
func (w *world) join(by desk.Caller, email, password string) access.Entry {
	w.T.Helper()
	made, err := w.Access.Invite(w.T.Context(), by, access.Invitee{Email: email, Role: parley.Agent})
	if err != nil {
		w.T.Fatal(err)
	}
	entry, err := w.Access.AcceptInvitation(w.T.Context(), access.Acceptance{Token: made.Token, Name: "Ann", Password: password})
	if err != nil {
		w.T.Fatal(err)
	}
	w.people[entry.Token], w.passwords[entry.SignedIn.Member.ID] = entry.SignedIn.Member.ID, password
	return entry
}

// TestTimeTellsNothing refuses an unknown address and a wrong password: both
// cost a password hash, which dominates the time.
func TestTimeTellsNothing(t *testing.T) {
	const hashed = 8 << 10 // KiB, far more than the rest of a request
	w := newWorldOf(t, apitest.Options{Store: storetest.MigratedSQLite(t), PasswordCost: vault.Cost{Memory: hashed, Passes: 1}})
	for _, email := range []string{"owner@home.example", "nobody@home.example"} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w.enter("", login(email, "wrong")).Want(401)
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) >> 10; took < hashed || took > 3*hashed/2 {
			t.Errorf("the refusal of %s takes %d KiB, a hash %d", email, took, hashed)
		}
	}
}

// TestSessionTimes lets a session lie idle, and uses another for as long as it
// lives.
func TestSessionTimes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		idle, used := w.signIn(w.Home.Owner.ID), w.signIn(w.Home.Owner.ID)
		seen := func() string {
			return w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/session", Session: used}).Want(200).Text("session.seenAt")
		}
		w.Advance(5*time.Minute - time.Millisecond)
		if at := seen(); at != "2026-11-21T10:00:00.000Z" {
			t.Errorf("the session was seen at %s, before five minutes", at)
		}
		w.Advance(time.Millisecond)
		if at := seen(); at != "2026-11-21T10:05:00.000Z" {
			t.Errorf("the session was seen at %s, after five minutes", at)
		}
		w.MoveTo(apitest.Start().Add(14*24*time.Hour - time.Millisecond))
		if w.as(used) != 200 {
			t.Error("a used session ended")
		}
		w.Advance(time.Millisecond)
		if w.as(idle) != 401 {
			t.Error("an idle session opens after 14 days")
		}
		for range 5 {
			w.Advance(13 * 24 * time.Hour)
			if w.as(used) != 200 {
				t.Fatalf("a used session ended at %s", w.Now())
			}
		}
		w.MoveTo(apitest.Start().Add(90*24*time.Hour - time.Millisecond))
		w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/session", Session: used}).Want(200).
			Is("session.expiresAt", `"2027-02-19T10:00:00.000Z"`)
		w.Advance(time.Millisecond)
		if w.as(used) != 401 {
			t.Error("a session opens after 90 days")
		}
		w.Expire()
		w.Owner = w.signIn(w.Home.Owner.ID)
		if n := w.Get("/v1/dashboard/sessions").Want(200).Count("data"); n != 1 {
			t.Errorf("there are %d sessions, want one", n)
		}
	})
}

func TestSignOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, first := w.member(parley.Agent)
		w.Advance(time.Minute)
		second := w.signIn(m.ID)
		list := w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/sessions", Session: first}).Want(200)
		list.Is("data.0.current", "false", "data.1.current", "true", "data.0.userAgent", `"test browser"`)
		if list.Count("data") != 2 {
			t.Errorf("the sessions are %s, want the member's own two", list.Body)
		}
		out := w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/session", Session: first}).Want(200)
		out.Is("ended", "1").Cleared()
		if w.as(first) != 401 || w.as(second) != 200 {
			t.Error("signing out does not end this session alone")
		}
		w.signIn(m.ID)
		out = w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/sessions", Session: second}).Want(200)
		out.Is("ended", "2").Cleared()
		if w.as(second) != 401 || w.as(w.Owner) != 200 {
			t.Error("signing out everywhere does not end this member's sessions alone")
		}
	})
}

// sessionOf returns the id of the session of a token.
func (w *world) sessionOf(token parley.Token) string {
	w.T.Helper()
	return w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/session", Session: token}).Want(200).Text("session.id")
}

// TestOwnSessions ends single sessions and all others, and nobody else's.
func TestOwnSessions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, first := w.member(parley.Agent)
		second, third := w.signIn(m.ID), w.signIn(m.ID)
		as := func(token parley.Token, method, path string) apitest.Answer {
			return w.Send(apitest.Request{Method: method, Path: "/v1/dashboard/" + path, Session: token})
		}
		_, stranger := w.member(parley.Owner)
		as(stranger, "DELETE", "sessions/"+w.sessionOf(first)).Refused(404, "no such session in this workspace")
		as(first, "DELETE", "sessions/"+w.sessionOf(second)).Want(200).Is("ended", "1")
		if w.as(first) != 200 || w.as(second) != 401 || w.as(third) != 200 {
			t.Error("ending a session does not end that alone")
		}
		as(first, "DELETE", "sessions/others").Want(200).Is("ended", "1")
		if w.as(first) != 200 || w.as(third) != 401 || w.as(stranger) != 200 {
			t.Error("ending the others does not end the member's others alone")
		}
		as(first, "DELETE", "sessions/"+w.sessionOf(first)).Want(200).Cleared()
		if w.as(first) != 401 {
			t.Error("the own session does not end")
		}
		entry := w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/session", Session: apitest.None,
			Body: `{"email":"` + m.Email + `","password":"` + w.passwords[m.ID] + `"}`}).Want(201)
		entry.Is("session.address", `"192.0.2.1"`)
	})
}

// TestSessionsOfMembers ends sessions as each role, of members of each.
func TestSessionsOfMembers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for _, actor := range parley.Roles {
			_, token := w.member(actor)
			for _, role := range parley.Roles {
				m, theirs := w.member(role)
				path, status := "/v1/dashboard/members/"+string(m.ID)+"/sessions", 403
				if actor == parley.Owner || actor == parley.Admin && role == parley.Agent {
					status = 200
				}
				list := w.Send(apitest.Request{Method: "GET", Path: path, Session: token}).Want(status)
				if status == 200 && list.Count("data") != 1 {
					t.Errorf("the sessions are %s", list.Body)
				}
				w.Send(apitest.Request{Method: "DELETE", Path: path, Session: token}).Want(status)
				if got := w.as(theirs); (got == 401) != (status == 200) {
					t.Errorf("%s ends the sessions of %s: %d, and then they get %d", actor, role, status, got)
				}
			}
		}
		for _, method := range []string{"GET", "DELETE"} {
			w.Send(apitest.Request{Method: method, Path: "/v1/dashboard/members/usr_nobody/sessions"}).Refused(404, "no such member in this workspace")
		}
	})
}

// TestEndReachesOtherNodes ends access on one node, and checks a second later
// on another node that has just used it.
func TestEndReachesOtherNodes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for name, end := range map[string]func(parley.Member, parley.Token){
			"sign out": func(_ parley.Member, token parley.Token) {
				w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/session", Session: token}).Want(200)
			},
			"removal": func(m parley.Member, _ parley.Token) { w.Delete("/v1/dashboard/members/" + string(m.ID)).Want(200) },
			"one session": func(m parley.Member, token parley.Token) {
				w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/sessions/" + w.sessionOf(token), Session: w.signIn(m.ID)}).Want(200)
			},
			"the others": func(m parley.Member, _ parley.Token) {
				w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/sessions/others", Session: w.signIn(m.ID)}).Want(200)
			},
			"an admin": func(m parley.Member, _ parley.Token) {
				w.Delete("/v1/dashboard/members/" + string(m.ID) + "/sessions").Want(200)
			},
		} {
			m, token := w.member(parley.Agent)
			other := access.New(w.Desk)
			if _, err := other.AuthenticateSession(t.Context(), token); err != nil {
				t.Fatal(err)
			}
			end(m, token)
			if w.as(token) != 401 {
				t.Errorf("%s: the session opens on the same node", name)
			}
			w.Advance(time.Second)
			if _, err := other.AuthenticateSession(t.Context(), token); parley.KindOf(err) != parley.Unauthenticated {
				t.Errorf("%s: the session opens on another node: %v", name, err)
			}
		}
	})
}

func TestChangePassword(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, token := w.member(parley.Agent)
		other := w.signIn(m.ID)
		reset, err := w.Access.ResetPassword(t.Context(), w.By(), m.ID)
		if err != nil {
			t.Fatal(err)
		}
		change := func(current, next string) apitest.Answer {
			return w.Send(apitest.Request{
				Method: "PUT", Path: "/v1/dashboard/password", Session: token, Body: `{"current":"` + current + `","next":"` + next + `"}`,
			})
		}
		old, longest := w.passwords[m.ID], strings.Repeat("übergroßes Wort!", 8)
		change("wrong", "correct horse battery").Refused(400, "current: must be your password")
		for _, next := range []string{"elevenchars", strings.Repeat("x", 129), strings.Repeat(" ", 12)} {
			change(old, next).Refused(400, "next: must be 12 to 128 characters, not blank")
		}
		changed := change(old, longest).Want(200)
		changed.Is("member.id", quote(string(m.ID)), "session.current", "true")
		now := changed.Cookie()
		if w.as(token) != 401 || w.as(other) != 401 || w.as(now) != 200 || w.as(w.Owner) != 200 {
			t.Error("a new password does not end the member's other sessions alone")
		}
		w.Post("/v1/dashboard/invitations/open", `{"token":"`+string(reset.Token)+`"}`).Want(404)
		w.enter("", login(m.Email, old)).Want(401)
		w.enter("", login(m.Email, longest)).Want(201)
		token = now
		for range 10 {
			change("wrong", "correct horse battery").Want(400)
		}
		change(longest, "correct horse battery").Want(429)
	})
}

// TestPageFromElsewhere signs in through another site's form, which would make
// a person work in a stranger's account.
func TestPageFromElsewhere(t *testing.T) {
	w := onSQLite(t)
	got := w.Send(apitest.Request{
		Method: "POST", Path: "/v1/dashboard/session", Session: apitest.None, Body: login("owner@home.example", w.Home.OwnerPassword),
		Header: http.Header{"Sec-Fetch-Site": {"cross-site"}},
	})
	got.Refused(403, "the request came from another site")
	if got.Header.Get("Set-Cookie") != "" {
		t.Error("it sets a cookie")
	}
	// A program that is not a browser sends no origin.
	w.Send(apitest.Request{
		Method: "POST", Path: "/v1/dashboard/session", Session: apitest.None, Body: login("owner@home.example", w.Home.OwnerPassword),
		Header: http.Header{"Sec-Fetch-Site": nil, "User-Agent": {"a\xff" + strings.Repeat("b", 400)}},
	}).Want(201).Is("session.userAgent", `"a`+strings.Repeat("b", 299)+`"`)
	if httpjson.SessionCookie != "__Host-parley" {
		t.Error("the cookie's name does not bind it to this host")
	}
}

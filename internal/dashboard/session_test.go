package dashboard_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
	"parley/internal/httpjson"
)

// login is the body that signs in.
func login(email, password string) string {
	return `{"email":"` + email + `","password":"` + password + `"}`
}

// enter signs in over HTTP from a network address.
func (w *world) enter(address, body string) answer {
	w.t.Helper()
	return w.send(request{method: "POST", path: "/v1/dashboard/session", body: body, token: "none", address: address})
}

// cookie returns the token that an answer sets, and demands what protects it.
func (a answer) cookie() parley.Token {
	a.t.Helper()
	cookie, err := http.ParseSetCookie(a.header.Get("Set-Cookie"))
	if err != nil {
		a.t.Fatalf("the cookie is %q: %v", a.header.Get("Set-Cookie"), err)
	}
	if cookie.Name != "__Host-parley" || !cookie.Secure || !cookie.HttpOnly || cookie.SameSite != http.SameSiteLaxMode ||
		cookie.Path != "/" || cookie.Domain != "" || cookie.MaxAge != 90*24*3600 {
		a.t.Errorf("the cookie is %q", cookie.Raw)
	}
	return parley.Token(cookie.Value)
}

// cleared demands that an answer has the browser forget its cookie.
func (a answer) cleared() {
	a.t.Helper()
	cookie, err := http.ParseSetCookie(a.header.Get("Set-Cookie"))
	if err != nil || cookie.Name != "__Host-parley" || cookie.Value != "" || cookie.MaxAge != -1 || !cookie.Secure || cookie.Path != "/" {
		a.t.Errorf("the cookie is %q, %v", a.header.Get("Set-Cookie"), err)
	}
}

// as sends a GET with a session and returns the status.
func (w *world) as(token parley.Token) int {
	w.t.Helper()
	return w.send(request{method: "GET", path: "/v1/dashboard/session", token: token}).status
}

func TestSignIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		in := w.enter("", login(" OWNER@home.Example ", w.home.OwnerPassword)).want(201)
		in.is("member.id", quote(string(w.home.Owner.ID)), "member.role", `"owner"`, "workspace.id", quote(w.home.Workspace.ID.String()),
			"workspace.name", `"Home"`, "session.current", "true", "session.createdAt", `"2026-11-21T10:00:00.000Z"`,
			"session.expiresAt", `"2026-12-05T10:00:00.000Z"`)
		token := in.cookie()
		if me := w.send(request{method: "GET", path: "/v1/dashboard/session", token: token}).want(200); string(me.body) != string(in.body) {
			t.Errorf("who is signed in is %s, was %s", me.body, in.body)
		}
		w.enter("", login("owner@home.example", "wrong")).refused(401, "email or password is wrong")
		w.enter("", login("nobody@home.example", w.home.OwnerPassword)).refused(401, "email or password is wrong")
		w.enter("", login("", "")).refused(401, "email or password is wrong")
		w.enter("", `{"email":"owner@home.example"}`).refused(400, "password: must be given")
		w.enter("", `{"email":1,"password":"x","workspaceId":"y"}`).
			refused(400, "email: must be a string of at most 320 characters; workspaceId: must be a UUID")
		for _, odd := range []parley.Token{"none", "ps_", "ps_" + parley.Token(strings.Repeat("a", 43)), token + "a", token[:len(token)-1], "pi" + token[2:]} {
			got := w.send(request{method: "GET", path: "/v1/dashboard/session", token: odd})
			got.refused(401, "you are signed out; sign in again")
		}
	})
}

func quote(s string) string { return `"` + s + `"` }

// TestSignInChooses signs in with a password that fits several workspaces.
func TestSignInChooses(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const email, password = "ann@both.example", "correct horse battery"
		other, err := w.access.CreateWorkspace(t.Context(), "Other", "owner@other.example")
		if err != nil {
			t.Fatal(err)
		}
		third, err := w.access.CreateWorkspace(t.Context(), "Third", email) // with a password of its own
		if err != nil {
			t.Fatal(err)
		}
		w.join(w.by(), email, password)
		w.enter("", login(email, password)).want(201).is("workspace.name", `"Home"`)
		w.join(desk.Caller{Workspace: other.Workspace.ID}, email, password)

		both := w.enter("", login(email, password)).want(200)
		both.is("workspaces.0.name", `"Home"`, "workspaces.1.name", `"Other"`)
		if both.count("workspaces") != 2 || both.header.Get("Set-Cookie") != "" {
			t.Errorf("the choice is %s with the cookie %q", both.body, both.header.Get("Set-Cookie"))
		}
		in := func(ws parley.WorkspaceID) answer {
			return w.enter("", strings.Replace(login(email, password), "{", `{"workspaceId":"`+ws.String()+`",`, 1))
		}
		in(other.Workspace.ID).want(201).is("workspace.name", `"Other"`)
		in(w.home.Workspace.ID).want(201).is("workspace.name", `"Home"`)
		in(third.Workspace.ID).want(401)
		in(parley.WorkspaceID{1}).want(401)
		w.enter("", login(email, third.OwnerPassword)).want(201).is("workspace.name", `"Third"`)
	})
}

// join makes a member with a password by an invitation.
func (w *world) join(by desk.Caller, email, password string) access.Entry {
	w.t.Helper()
	made, err := w.access.Invite(w.t.Context(), by, email, parley.Agent)
	if err != nil {
		w.t.Fatal(err)
	}
	entry, err := w.access.AcceptInvitation(w.t.Context(), access.Acceptance{Token: made.Token, Name: "Ann", Password: password})
	if err != nil {
		w.t.Fatal(err)
	}
	w.people[entry.Token], w.passwords[entry.SignedIn.Member.ID] = entry.SignedIn.Member.ID, password
	return entry
}

// TestTimeTellsNothing compares how long the refusal of an unknown address
// takes with that of a wrong password.
func TestTimeTellsNothing(t *testing.T) {
	w := onSQLite(t)
	quickest := func(email string) time.Duration {
		least := time.Hour
		for range 4 {
			began := time.Now()
			w.enter("", login(email, "wrong")).want(401)
			least = min(least, time.Since(began))
		}
		return least
	}
	known, unknown := quickest("owner@home.example"), quickest("nobody@home.example")
	if unknown < known/3 || known < unknown/3 {
		t.Errorf("a wrong password takes %s, an unknown address %s", known, unknown)
	}
}

// TestSessionTimes lets a session lie idle, and uses another for as long as it
// lives.
func TestSessionTimes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		idle, used := w.signIn(w.home.Owner.ID), w.signIn(w.home.Owner.ID)
		seen := func() string {
			return w.send(request{method: "GET", path: "/v1/dashboard/session", token: used}).want(200).text("session.seenAt")
		}
		w.advance(5*time.Minute - time.Millisecond)
		if at := seen(); at != "2026-11-21T10:00:00.000Z" {
			t.Errorf("the session was seen at %s, before five minutes", at)
		}
		w.advance(time.Millisecond)
		if at := seen(); at != "2026-11-21T10:05:00.000Z" {
			t.Errorf("the session was seen at %s, after five minutes", at)
		}
		w.clock.Store(start.Add(14*24*time.Hour - time.Millisecond).UnixMilli())
		if w.as(used) != 200 {
			t.Error("a used session ended")
		}
		w.advance(time.Millisecond)
		if w.as(idle) != 401 {
			t.Error("an idle session opens after 14 days")
		}
		for range 5 {
			w.advance(13 * 24 * time.Hour)
			if w.as(used) != 200 {
				t.Fatalf("a used session ended at %s", w.now())
			}
		}
		w.clock.Store(start.Add(90*24*time.Hour - time.Millisecond).UnixMilli())
		w.send(request{method: "GET", path: "/v1/dashboard/session", token: used}).want(200).
			is("session.expiresAt", `"2027-02-19T10:00:00.000Z"`)
		w.advance(time.Millisecond)
		if w.as(used) != 401 {
			t.Error("a session opens after 90 days")
		}
		if err := w.access.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
		w.owner = w.signIn(w.home.Owner.ID)
		if n := w.get("/v1/dashboard/sessions").want(200).count("data"); n != 1 {
			t.Errorf("there are %d sessions, want one", n)
		}
	})
}

func TestSignOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, first := w.member(parley.Agent)
		w.advance(time.Minute)
		second := w.signIn(m.ID)
		list := w.send(request{method: "GET", path: "/v1/dashboard/sessions", token: first}).want(200)
		list.is("data.0.current", "false", "data.1.current", "true", "data.0.userAgent", `"test browser"`)
		if list.count("data") != 2 {
			t.Errorf("the sessions are %s, want the member's own two", list.body)
		}
		out := w.send(request{method: "DELETE", path: "/v1/dashboard/session", token: first}).want(200)
		out.is("ended", "1").cleared()
		if w.as(first) != 401 || w.as(second) != 200 {
			t.Error("signing out does not end this session alone")
		}
		w.signIn(m.ID)
		out = w.send(request{method: "DELETE", path: "/v1/dashboard/sessions", token: second}).want(200)
		out.is("ended", "2").cleared()
		if w.as(second) != 401 || w.as(w.owner) != 200 {
			t.Error("signing out everywhere does not end this member's sessions alone")
		}
	})
}

// TestEndReachesOtherNodes ends access on one node and waits the second that
// another one may take, which has just used it.
func TestEndReachesOtherNodes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		for name, end := range map[string]func(parley.Member, parley.Token){
			"sign out": func(_ parley.Member, token parley.Token) {
				w.send(request{method: "DELETE", path: "/v1/dashboard/session", token: token}).want(200)
			},
			"removal": func(m parley.Member, _ parley.Token) { w.delete("/v1/dashboard/members/" + string(m.ID)).want(200) },
		} {
			m, token := w.member(parley.Agent)
			other := access.New(w.desk)
			if _, err := other.AuthenticateSession(t.Context(), token); err != nil {
				t.Fatal(err)
			}
			end(m, token)
			if w.as(token) != 401 {
				t.Errorf("%s: the session opens on the same node", name)
			}
			for deadline := time.Now().Add(time.Second); ; {
				_, err := other.AuthenticateSession(t.Context(), token)
				if parley.KindOf(err) == parley.Unauthenticated {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("%s: the session opens on another node after a second: %v", name, err)
				}
				time.Sleep(10 * time.Millisecond) // the cache has no signal
			}
		}
	})
}

func TestChangePassword(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, token := w.member(parley.Agent)
		other := w.signIn(m.ID)
		reset, err := w.access.ResetPassword(t.Context(), w.by(), m.ID)
		if err != nil {
			t.Fatal(err)
		}
		change := func(current, next string) answer {
			return w.send(request{
				method: "PUT", path: "/v1/dashboard/password", token: token, body: `{"current":"` + current + `","next":"` + next + `"}`,
			})
		}
		old := w.passwords[m.ID]
		change("wrong", "correct horse battery").refused(400, "current: must be your password")
		for _, next := range []string{"ninechars", strings.Repeat("x", 129), strings.Repeat(" ", 12)} {
			change(old, next).refused(400, "next: must be 10 to 128 characters, not blank")
		}
		changed := change(old, strings.Repeat("ü", 128)).want(200)
		changed.is("member.id", quote(string(m.ID)), "session.current", "true")
		now := changed.cookie()
		if w.as(token) != 401 || w.as(other) != 401 || w.as(now) != 200 || w.as(w.owner) != 200 {
			t.Error("a new password does not end the member's other sessions alone")
		}
		w.post("/v1/dashboard/invitations/open", `{"token":"`+string(reset.Token)+`"}`).want(404)
		w.enter("", login(m.Email, old)).want(401)
		w.enter("", login(m.Email, strings.Repeat("ü", 128))).want(201)
		token = now
		for range 10 {
			change("wrong", "correct horse battery").want(400)
		}
		change(strings.Repeat("ü", 128), "correct horse battery").want(429)
	})
}

// TestPageFromElsewhere signs in as another site's form would, to have somebody
// work in the account of another.
func TestPageFromElsewhere(t *testing.T) {
	w := onSQLite(t)
	got := w.send(request{
		method: "POST", path: "/v1/dashboard/session", token: "none", body: login("owner@home.example", w.home.OwnerPassword),
		header: http.Header{"Sec-Fetch-Site": {"cross-site"}},
	})
	got.refused(403, "the request came from another site")
	if got.header.Get("Set-Cookie") != "" {
		t.Error("it sets a cookie")
	}
	// A program that is no browser says nothing of sites.
	w.send(request{
		method: "POST", path: "/v1/dashboard/session", token: "none", body: login("owner@home.example", w.home.OwnerPassword),
		header: http.Header{"Sec-Fetch-Site": nil, "User-Agent": {"a\xff" + strings.Repeat("b", 400)}},
	}).want(201).is("session.userAgent", `"a`+strings.Repeat("b", 299)+`"`)
	if httpjson.SessionCookie != "__Host-parley" {
		t.Error("the cookie's name does not bind it to this host")
	}
}

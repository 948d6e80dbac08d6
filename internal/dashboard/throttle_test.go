package dashboard_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
)

// TestThrottleByAccount guesses from one address.
func TestThrottleByAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		right, wrong := login("owner@home.example", w.Home.OwnerPassword), login("owner@home.example", "wrong")
		for range 9 {
			w.enter("", wrong).Want(401)
		}
		w.enter("", right).Want(201) // forgets the failures
		for range 10 {
			w.enter("", wrong).Want(401)
		}
		w.Advance(5 * time.Minute)
		got := w.enter("", strings.Replace(strings.Replace(right, "owner", " OWNER", 1), ".example", ".example ", 1))
		got.Refused(429, "too many wrong passwords; try again later")
		if after := got.Header.Get("Retry-After"); after != "600" {
			t.Errorf("Retry-After is %q, want 600", after)
		}
		other, _ := w.member(parley.Agent)
		w.enter("", login(other.Email, w.passwords[other.ID])).Want(201)
		w.Advance(10*time.Minute - 2*time.Millisecond) // a new member moves the clock by one
		w.enter("", right).Want(429)
		w.Advance(time.Millisecond)
		w.enter("", right).Want(201)
	})
}

// TestThrottleOfAnothersAccount founds a workspace for the e-mail address of
// another person's account, and signs in there between guesses: that must not
// reset the guesses.
func TestThrottleOfAnothersAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		own, err := w.Access.CreateWorkspace(t.Context(), "Mine", "owner@home.example")
		if err != nil {
			t.Fatal(err)
		}
		at := func(ws parley.WorkspaceID) string {
			return fmt.Sprintf(`,"workspaceId":%q}`, ws)
		}
		mine, wrong := login("owner@home.example", own.OwnerPassword), login("owner@home.example", "wrong")
		for _, workspace := range []string{"}", at(w.Home.Workspace.ID)} {
			for range 10 {
				w.enter("", mine).Want(201)
				w.enter("", strings.TrimSuffix(mine, "}")+at(own.Workspace.ID)).Want(201)
				w.enter("", strings.TrimSuffix(wrong, "}")+workspace).Want(401)
			}
			w.enter("", strings.TrimSuffix(wrong, "}")+workspace).Want(429)
			w.Advance(time.Hour)
		}
	})
}

// TestTicketsOfAnothersAccount does the same and guesses from a browser that
// signed in to the own account: it is not known for the other one.
func TestTicketsOfAnothersAccount(t *testing.T) {
	w := onSQLite(t)
	own, err := w.Access.CreateWorkspace(t.Context(), "Mine", "owner@home.example")
	if err != nil {
		t.Fatal(err)
	}
	mine := strings.TrimSuffix(login("owner@home.example", own.OwnerPassword), "}") + fmt.Sprintf(`,"workspaceId":%q}`, own.Workspace.ID)
	wrong := strings.TrimSuffix(login("owner@home.example", "wrong"), "}")
	for _, workspace := range []string{"}", fmt.Sprintf(`,"workspaceId":%q}`, w.Home.Workspace.ID)} {
		for range 10 {
			browser := w.enter(from(1), mine).Want(201)
			w.known(browser, from(1), wrong+workspace).Want(401)
		}
		browser := w.known(apitest.Answer{}, from(2), mine)
		w.known(browser, from(1), wrong+workspace).Want(429)
		w.Advance(2 * time.Hour)
	}
}

func TestThrottleByAddress(t *testing.T) {
	w := onSQLite(t)
	right := login("owner@home.example", w.Home.OwnerPassword)
	for i := range 50 {
		if i%10 == 0 {
			w.enter("192.0.2.1:5", right).Want(201) // does not count, and forgets nothing
		}
		w.enter("192.0.2.1:1000", login(w.email(), "wrong")).Want(401)
	}
	w.enter("192.0.2.1:9", right).Want(429)
	w.enter("192.0.2.2:9", right).Want(201)
	// Only a trusted proxy may report another address.
	w.Send(apitest.Request{
		Method: "POST", Path: "/v1/dashboard/session", Body: right, Session: apitest.None, Address: "192.0.2.1:9",
		Header: http.Header{"X-Forwarded-For": {"192.0.2.77"}},
	}).Want(429)
	w.Advance(15 * time.Minute)
	w.enter("192.0.2.1:9", right).Want(201)
}

// from returns one of many network addresses.
func from(n int) string { return fmt.Sprintf("198.51.%d.%d:1", n/250, n%250) }

// known signs in from a browser with the cookies of an earlier answer.
func (w *world) known(before apitest.Answer, address, body string) apitest.Answer {
	w.T.Helper()
	header := http.Header{}
	for _, line := range before.Header.Values("Set-Cookie") {
		if cookie, err := http.ParseSetCookie(line); err == nil && cookie.Name == "__Host-parley-known" {
			header.Set("Cookie", cookie.Name+"="+cookie.Value)
		}
	}
	return w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/session", Body: body, Session: apitest.None, Address: address, Header: header})
}

// TestNobodyIsLockedOut guesses one account's password from many addresses,
// with and without naming the workspace: their guesses are limited, and a
// browser that signed in before can sign in all the while.
func TestNobodyIsLockedOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		right, wrong := login("owner@home.example", w.Home.OwnerPassword), login("Owner@Home.example ", "wrong")
		named := strings.TrimSuffix(wrong, "}") + fmt.Sprintf(`,"workspaceId":%q}`, w.Home.Workspace.ID)
		browser := w.enter("", right).Want(201)
		tried, begin := 0, w.Now()
		for n := 0; w.Now().Sub(begin) < time.Hour; n++ {
			body := wrong
			if n%2 == 0 {
				body = named
			}
			switch got := w.enter(from(n), body); got.Status {
			case 401:
				tried++
			case 429:
				w.known(browser, from(n), right).Want(201)
				w.Advance(time.Minute)
			default:
				t.Fatalf("a guess is answered %d", got.Status)
			}
		}
		if tried < 10 || tried > 45 {
			t.Errorf("%d passwords were tried in an hour, want 10 at once and one in two minutes at most then", tried)
		}
		w.enter(from(59_000), wrong) // a recent failure, or a delay in progress
		got := w.enter(from(60_000), right).Want(429)
		if wait, err := strconv.Atoi(got.Header.Get("Retry-After")); err != nil || wait > 120 {
			t.Errorf("another browser of the owner waits %d s, want two minutes at most", wait)
		}
		w.Advance(2 * time.Minute)
		w.enter(from(60_000), right).Want(201)
	})
}

// TestKnownBrowserIsBounded guesses from a stolen browser, and from one that
// pretends to be known.
func TestKnownBrowserIsBounded(t *testing.T) {
	w := onSQLite(t)
	right, wrong := login("owner@home.example", w.Home.OwnerPassword), login("owner@home.example", "wrong")
	browser := w.enter("", right).Want(201)
	for n := range 10 {
		w.known(browser, from(n), wrong).Want(401)
	}
	w.known(browser, from(11), right).Want(429)
	w.enter(from(12), right).Want(201) // nobody else waits for it

	other, _ := w.member(parley.Agent)
	theirs := w.enter("", login(other.Email, w.passwords[other.ID])).Want(201)
	forged := theirs
	forged.Header = http.Header{"Set-Cookie": {"__Host-parley-known=" + strings.Repeat("A", 48)}}
	for n := range 10 {
		w.enter(from(20+n), wrong).Want(401)
	}
	for _, stranger := range []apitest.Answer{theirs, forged} {
		w.known(stranger, from(40), right).Want(429) // the ticket is another account's, or none
	}
	w.Advance(181 * 24 * time.Hour)
	for n := range 10 {
		w.enter(from(20+n), wrong).Want(401)
	}
	w.known(browser, from(50), right).Want(429) // it was too long ago
}

// TestKnownBrowserOfMany signs six members in on one browser: it is known to the
// last five.
func TestKnownBrowserOfMany(t *testing.T) {
	w := onSQLite(t)
	var members []parley.Member
	var browser apitest.Answer
	for n := range 6 {
		m, _ := w.member(parley.Agent)
		members = append(members, m)
		browser = w.known(browser, from(n), login(m.Email, w.passwords[m.ID])).Want(201)
	}
	for n, m := range members {
		for i := range 10 {
			w.enter(from(100+10*n+i), login(m.Email, "wrong")).Want(401)
		}
		want := 201
		if n == 0 {
			want = 429
		}
		w.known(browser, from(10), login(m.Email, w.passwords[m.ID])).Want(want)
	}
}

// TestAccessLog reads the log lines about sign-ins, roles and keys: they name
// the member, and contain nothing that somebody typed.
func TestAccessLog(t *testing.T) {
	w := onSQLite(t)
	admin, _ := w.member(parley.Admin)
	for range 10 {
		w.enter("192.0.2.7:1", login(admin.Email, "a secret typed")).Want(401)
	}
	w.enter("192.0.2.8:1", login("secret@typed.example", "a secret typed")).Want(401)
	w.Post("/v1/dashboard/members/"+string(admin.ID)+"/reset", "").Want(201)
	w.Patch("/v1/dashboard/members/"+string(admin.ID), `{"role":"agent"}`).Want(200)
	made := w.Post("/v1/dashboard/keys", `{"name":"Bot","scopes":["contacts:read"]}`).Want(201)
	w.Delete("/v1/dashboard/keys/" + made.Text("id")).Want(200)
	w.Delete("/v1/dashboard/members/" + string(admin.ID)).Want(200)
	log := w.Logged.String()
	for line, count := range map[string]int{
		`"access: sign-in refused" workspace=` + w.Home.Workspace.ID.String() + " member=" + string(admin.ID) + ` by="" address=192.0.2.7`: 10,
		`"access: sign-in locked" workspace=` + w.Home.Workspace.ID.String() + " member=" + string(admin.ID):                               1,
		`member="" by="" address=192.0.2.8`: 1,
		`"access: reset link made"`:         1, `"access: role set"`: 1, `"access: member removed"`: 1,
		`"access: key created"`: 1, `"access: key revoked"`: 1, "key=" + made.Text("id"): 2, "by=" + string(w.Home.Owner.ID): 5,
	} {
		if got := strings.Count(log, line); got != count {
			t.Errorf("the log holds %q %d times, want %d:\n%s", line, got, count, log)
		}
	}
	for _, secret := range []string{"typed", admin.Email, made.Text("key")} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

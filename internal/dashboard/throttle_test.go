package dashboard_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
)

// TestThrottleByAccount guesses from one address.
func TestThrottleByAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		right, wrong := login("owner@home.example", w.home.OwnerPassword), login("owner@home.example", "wrong")
		for range 9 {
			w.enter("", wrong).want(401)
		}
		w.enter("", right).want(201) // forgets the failures
		for range 10 {
			w.enter("", wrong).want(401)
		}
		w.advance(5 * time.Minute)
		got := w.enter("", strings.Replace(strings.Replace(right, "owner", " OWNER", 1), ".example", ".example ", 1))
		got.refused(429, "too many wrong passwords; try again later")
		if after := got.header.Get("Retry-After"); after != "600" {
			t.Errorf("Retry-After is %q, want 600", after)
		}
		other, _ := w.member(parley.Agent)
		w.enter("", login(other.Email, w.passwords[other.ID])).want(201)
		w.advance(10*time.Minute - 2*time.Millisecond) // a new member moves the clock by one
		w.enter("", right).want(429)
		w.advance(time.Millisecond)
		w.enter("", right).want(201)
	})
}

// TestThrottleOfAnothersAccount has somebody found a workspace for the e-mail
// address of another's account, and sign in there between guesses: that must
// not clear what was guessed.
func TestThrottleOfAnothersAccount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		own, err := w.access.CreateWorkspace(t.Context(), "Mine", "owner@home.example")
		if err != nil {
			t.Fatal(err)
		}
		at := func(ws parley.WorkspaceID) string {
			return fmt.Sprintf(`,"workspaceId":%q}`, ws)
		}
		mine, wrong := login("owner@home.example", own.OwnerPassword), login("owner@home.example", "wrong")
		for _, workspace := range []string{"}", at(w.home.Workspace.ID)} {
			for range 10 {
				w.enter("", mine).want(201)
				w.enter("", strings.TrimSuffix(mine, "}")+at(own.Workspace.ID)).want(201)
				w.enter("", strings.TrimSuffix(wrong, "}")+workspace).want(401)
			}
			w.enter("", strings.TrimSuffix(wrong, "}")+workspace).want(429)
			w.advance(time.Hour)
		}
	})
}

// TestTicketsOfAnothersAccount has somebody do that and guess as a browser that
// signed in to the own account: it is not known to the other's.
func TestTicketsOfAnothersAccount(t *testing.T) {
	w := onSQLite(t)
	own, err := w.access.CreateWorkspace(t.Context(), "Mine", "owner@home.example")
	if err != nil {
		t.Fatal(err)
	}
	mine := strings.TrimSuffix(login("owner@home.example", own.OwnerPassword), "}") + fmt.Sprintf(`,"workspaceId":%q}`, own.Workspace.ID)
	wrong := strings.TrimSuffix(login("owner@home.example", "wrong"), "}")
	for _, workspace := range []string{"}", fmt.Sprintf(`,"workspaceId":%q}`, w.home.Workspace.ID)} {
		for range 10 {
			browser := w.enter(from(1), mine).want(201)
			w.known(browser, from(1), wrong+workspace).want(401)
		}
		browser := w.known(answer{}, from(2), mine)
		w.known(browser, from(1), wrong+workspace).want(429)
		w.advance(2 * time.Hour)
	}
}

func TestThrottleByAddress(t *testing.T) {
	w := onSQLite(t)
	right := login("owner@home.example", w.home.OwnerPassword)
	for i := range 50 {
		if i%10 == 0 {
			w.enter("192.0.2.1:5", right).want(201) // does not count, and forgets nothing
		}
		w.enter("192.0.2.1:1000", login(w.email(), "wrong")).want(401)
	}
	w.enter("192.0.2.1:9", right).want(429)
	w.enter("192.0.2.2:9", right).want(201)
	// Only a proxy that is trusted names another address.
	w.send(request{
		method: "POST", path: "/v1/dashboard/session", body: right, token: "none", address: "192.0.2.1:9",
		header: http.Header{"X-Forwarded-For": {"192.0.2.77"}},
	}).want(429)
	w.advance(15 * time.Minute)
	w.enter("192.0.2.1:9", right).want(201)
}

// TestThrottleOfMany sends many guesses at once: they must not all be counted
// too late.
func TestThrottleOfMany(t *testing.T) {
	w := onSQLite(t)
	var tried, limited atomic.Int64
	var all sync.WaitGroup
	for range 30 {
		all.Go(func() {
			_, err := w.access.SignIn(t.Context(), access.SignIn{Email: "owner@home.example", Password: "wrong", Address: "192.0.2.1"})
			switch parley.KindOf(err) {
			case parley.Unauthenticated:
				tried.Add(1)
			case parley.Limited:
				limited.Add(1)
			default:
				t.Errorf("the error is %v", err)
			}
		})
	}
	all.Wait()
	if tried.Load() != 10 || limited.Load() != 20 {
		t.Errorf("%d passwords were tried and %d refused, want 10 and 20", tried.Load(), limited.Load())
	}
}

// from is an address on the network, of which there are many.
func from(n int) string { return fmt.Sprintf("198.51.%d.%d:1", n/250, n%250) }

// known enters from a browser with the cookies of an earlier answer.
func (w *world) known(before answer, address, body string) answer {
	w.t.Helper()
	header := http.Header{}
	for _, line := range before.header.Values("Set-Cookie") {
		if cookie, err := http.ParseSetCookie(line); err == nil && cookie.Name == "__Host-parley-known" {
			header.Set("Cookie", cookie.Name+"="+cookie.Value)
		}
	}
	return w.send(request{method: "POST", path: "/v1/dashboard/session", body: body, token: "none", address: address, header: header})
}

// TestNobodyIsLockedOut has many addresses guess one account's password, with
// and without naming the workspace: what they get is bounded, and a browser that
// signed in before comes in at once all the while.
func TestNobodyIsLockedOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		right, wrong := login("owner@home.example", w.home.OwnerPassword), login("Owner@Home.example ", "wrong")
		named := strings.TrimSuffix(wrong, "}") + fmt.Sprintf(`,"workspaceId":%q}`, w.home.Workspace.ID)
		browser := w.enter("", right).want(201)
		tried, begin := 0, w.now()
		for n := 0; w.now().Sub(begin) < time.Hour; n++ {
			body := wrong
			if n%2 == 0 {
				body = named
			}
			switch got := w.enter(from(n), body); got.status {
			case 401:
				tried++
			case 429:
				w.known(browser, from(n), right).want(201)
				w.advance(time.Minute)
			default:
				t.Fatalf("a guess is answered %d", got.status)
			}
		}
		if tried < 10 || tried > 45 {
			t.Errorf("%d passwords were tried in an hour, want 10 at once and one in two minutes at most then", tried)
		}
		w.enter(from(59_000), wrong) // a failure of just now, or a wait that goes on
		got := w.enter(from(60_000), right).want(429)
		if wait, err := strconv.Atoi(got.header.Get("Retry-After")); err != nil || wait > 120 {
			t.Errorf("another browser of the owner waits %d s, want two minutes at most", wait)
		}
		w.advance(2 * time.Minute)
		w.enter(from(60_000), right).want(201)
	})
}

// TestKnownBrowserIsBounded guesses by a browser that was stolen, and by what
// claims to be one.
func TestKnownBrowserIsBounded(t *testing.T) {
	w := onSQLite(t)
	right, wrong := login("owner@home.example", w.home.OwnerPassword), login("owner@home.example", "wrong")
	browser := w.enter("", right).want(201)
	for n := range 10 {
		w.known(browser, from(n), wrong).want(401)
	}
	w.known(browser, from(11), right).want(429)
	w.enter(from(12), right).want(201) // nobody else waits for it

	other, _ := w.member(parley.Agent)
	theirs := w.enter("", login(other.Email, w.passwords[other.ID])).want(201)
	forged := theirs
	forged.header = http.Header{"Set-Cookie": {"__Host-parley-known=" + strings.Repeat("A", 48)}}
	for n := range 10 {
		w.enter(from(20+n), wrong).want(401)
	}
	for _, stranger := range []answer{theirs, forged} {
		w.known(stranger, from(40), right).want(429) // the ticket is another account's, or none
	}
	w.advance(181 * 24 * time.Hour)
	for n := range 10 {
		w.enter(from(20+n), wrong).want(401)
	}
	w.known(browser, from(50), right).want(429) // it was too long ago
}

// TestKnownBrowserOfMany signs six members in on one browser: it is known to the
// last five.
func TestKnownBrowserOfMany(t *testing.T) {
	w := onSQLite(t)
	var members []parley.Member
	var browser answer
	for n := range 6 {
		m, _ := w.member(parley.Agent)
		members = append(members, m)
		browser = w.known(browser, from(n), login(m.Email, w.passwords[m.ID])).want(201)
	}
	for n, m := range members {
		for i := range 10 {
			w.enter(from(100+10*n+i), login(m.Email, "wrong")).want(401)
		}
		want := 201
		if n == 0 {
			want = 429
		}
		w.known(browser, from(10), login(m.Email, w.passwords[m.ID])).want(want)
	}
}

// TestAccessLog looks at the lines that are written of sign-ins, roles and keys:
// whose they are, and none with what somebody typed.
func TestAccessLog(t *testing.T) {
	w := onSQLite(t)
	admin, _ := w.member(parley.Admin)
	for range 10 {
		w.enter("192.0.2.7:1", login(admin.Email, "a secret typed")).want(401)
	}
	w.enter("192.0.2.8:1", login("secret@typed.example", "a secret typed")).want(401)
	w.post("/v1/dashboard/members/"+string(admin.ID)+"/reset", "").want(201)
	w.patch("/v1/dashboard/members/"+string(admin.ID), `{"role":"agent"}`).want(200)
	made := w.post("/v1/dashboard/keys", `{"name":"Bot","scopes":["contacts:read"]}`).want(201)
	w.delete("/v1/dashboard/keys/" + made.text("id")).want(200)
	w.delete("/v1/dashboard/members/" + string(admin.ID)).want(200)
	log := w.lines.String()
	for line, count := range map[string]int{
		`"access: sign-in refused" workspace=` + w.home.Workspace.ID.String() + " member=" + string(admin.ID) + ` by="" address=192.0.2.7`: 10,
		`"access: sign-in locked" workspace=` + w.home.Workspace.ID.String() + " member=" + string(admin.ID):                               1,
		`member="" by="" address=192.0.2.8`: 1,
		`"access: reset link made"`:         1, `"access: role set"`: 1, `"access: member removed"`: 1,
		`"access: key created"`: 1, `"access: key revoked"`: 1, "key=" + made.text("id"): 2, "by=" + string(w.home.Owner.ID): 5,
	} {
		if got := strings.Count(log, line); got != count {
			t.Errorf("the log holds %q %d times, want %d:\n%s", line, got, count, log)
		}
	}
	for _, secret := range []string{"typed", admin.Email, made.text("key")} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
}

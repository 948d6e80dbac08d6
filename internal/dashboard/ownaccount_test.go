package dashboard_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/audit/entry"
)

// TestWrongPasswordsOfSignedIn requires that wrong passwords of a signed-in member are
// counted and recorded, whatever asks for the password, and that nobody else is kept out
// by them.
func TestWrongPasswordsOfSignedIn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, token := w.member(parley.Agent)
		try := func(method, path, body string) apitest.Answer {
			return w.Send(apitest.Request{Method: method, Path: "/v1/dashboard/" + path, Body: body, Session: token})
		}
		const wrong = `{"current":"wrong wrong wrong"}`
		try("PUT", "password", `{"current":"wrong wrong wrong","next":"correct horse battery"}`).Refused(400, "current: must be your password")
		for _, path := range []string{"second-factor", "second-factor/off", "second-factor/recovery-codes"} {
			try("POST", path, wrong).Refused(400, "current: must be your password")
		}
		before := w.lines()
		w.Access.FlushRefusals(t.Context(), false)
		if got := w.linesAfter(before); !slices.Equal(got, []entry.Action{entry.NotConfirmed}) {
			t.Fatalf("the flush leaves %v", got)
		}
		w.Get("/v1/dashboard/audit").Want(200).Is("data.0.action", `"confirmation.refused"`, "data.0.count", "4",
			"data.0.subject.id", quote(string(m.ID)), "data.0.changes.0.to", `"bad_password"`)
		for range 6 {
			try("POST", "second-factor", wrong).Want(400)
		}
		try("POST", "second-factor", wrong).Want(429)
		if got := w.Access.Refused(); got[access.BadPassword] != 10 || got[access.Throttled] != 1 {
			t.Errorf("the metrics are %v", got)
		}
		w.enter("", login(m.Email, w.passwords[m.ID])).Want(201)
		w.Access.FlushRefusals(t.Context(), false)
		w.Advance(16 * time.Minute)
		before = w.lines()
		w.Access.FlushRefusals(t.Context(), false)
		if got := w.linesAfter(before); !slices.Equal(got, []entry.Action{entry.NotConfirmed}) {
			t.Fatalf("the end of the window leaves %v", got)
		}
		w.Get("/v1/dashboard/audit").Want(200).Is("data.0.changes.0.to", `"throttled"`)
	})
}

// A lateBody is the body of a request that was admitted and waits for it.
type lateBody struct {
	*strings.Reader
	meanwhile func()
}

func (b *lateBody) Read(p []byte) (int, error) {
	if b.meanwhile != nil {
		b.meanwhile()
		b.meanwhile = nil
	}
	return b.Reader.Read(p)
}

// TestOpenRequestAfterSignOut sends the operations that change the member's own password or
// second factor, and signs out everywhere once they are admitted: none changes anything.
func TestOpenRequestAfterSignOut(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		handler := w.Dashboard.Handler()
		for _, x := range []struct {
			method, path, body string
			factor             bool
		}{
			{"PUT", "password", `{"current":"{password}","next":"correct horse battery"}`, false},
			{"POST", "session/confirm", `{"current":"{password}"}`, false},
			{"PUT", "second-factor", `{"setUp":"{setUp}","code":"{code}"}`, false},
			{"POST", "second-factor/off", `{"current":"{password}"}`, true},
			{"POST", "second-factor/recovery-codes", `{"current":"{password}"}`, true},
		} {
			for _, out := range []bool{false, true} {
				m, token := w.member(parley.Agent)
				if x.factor {
					w.hasFactor(m.ID)
				}
				late := &lateBody{Reader: strings.NewReader(w.factorsIn(m.ID, strings.ReplaceAll(x.body, "{password}", w.passwords[m.ID])))}
				if out {
					late.meanwhile = func() {
						if _, err := w.Access.EndSessions(t.Context(), w.factorCaller(m.ID)); err != nil {
							t.Error(err)
						}
					}
				}
				r := httptest.NewRequest(x.method, "/v1/dashboard/"+x.path, late)
				r.Header.Set("Content-Type", "application/json")
				apitest.SignSession(r, token)
				answer, want := httptest.NewRecorder(), http.StatusOK
				if out {
					want = http.StatusUnauthorized
				}
				if handler.ServeHTTP(answer, r); answer.Code != want {
					t.Errorf("%s %s after signing out (%t) is %d %s, want %d", x.method, x.path, out, answer.Code, answer.Body, want)
				}
			}
		}
	})
}

package publicapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/httpjson"
	"parley/internal/publicapi"
)

// signIn starts a session of the owner and returns its cookie.
func (w *world) signIn() string {
	w.t.Helper()
	_, token, err := w.access.StartSession(w.t.Context(), w.by(), w.home.Owner.ID, "test browser")
	if err != nil {
		w.t.Fatal(err)
	}
	return httpjson.SessionCookie + "=" + string(token)
}

// browse sends a request as the dashboard does, with a session instead of a key.
func (w *world) browse(cookie, method, path, body string) answer {
	w.t.Helper()
	return w.send(request{
		method: method, path: path, body: body, key: "none",
		header: http.Header{"Cookie": {cookie}, "Sec-Fetch-Site": {"same-origin"}},
	})
}

// TestSessionOpensEverything sends every operation under a session, which has
// every scope and no rate.
func TestSessionOpensEverything(t *testing.T) {
	w := onSQLite(t, worldOptions{rate: httpjson.Rate{Quota: 1000, Window: 10 * time.Second}})
	cookie := w.signIn()
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s sample) {
		got := w.browse(cookie, route.Method, s.path, s.body).want(s.status)
		if got.header.Get("RateLimit") != "" {
			t.Errorf("a session has a rate: %v", got.header)
		}
	})
}

// TestSessionRefused sends what is no session, and what another site's page
// would have a browser send.
func TestSessionRefused(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	cookie := w.signIn()
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s sample) {
		if route.Open {
			return
		}
		for _, odd := range []string{httpjson.SessionCookie + "=x", httpjson.SessionCookie + "=ps_" + strings.Repeat("a", 43)} {
			w.browse(odd, route.Method, s.path, s.body).refused(401, "you are signed out; sign in again")
		}
		w.browse(strings.TrimPrefix(cookie, "__Host-"), route.Method, s.path, s.body).want(401)
		for _, from := range []http.Header{
			{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}},
			{"Origin": {"https://evil.example"}}, {"Origin": {"null"}}, {"Origin": {"http://example.com:8080"}},
		} {
			from.Set("Cookie", cookie)
			got := w.send(request{method: route.Method, path: s.path, body: s.body, key: "none", header: from})
			if route.Method == http.MethodGet {
				got.want(s.status) // it changes nothing, and the other site cannot read it
				continue
			}
			got.refused(403, "the request came from another site")
		}
	})
}

// TestKeyBeforeSession sends both: the key counts, also one that opens nothing.
func TestKeyBeforeSession(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	header := http.Header{"Cookie": {w.signIn()}}
	w.send(request{method: "GET", path: "/v1/public/contacts", key: w.keyWith(parley.ProductsRead), header: header}).want(403)
	w.send(request{method: "GET", path: "/v1/public/contacts", key: "pk_wrong", header: header}).refused(401, "the API key is not valid")
	header["Sec-Fetch-Site"] = []string{"cross-site"} // a program with a key may run in any page
	w.send(request{method: "POST", path: "/v1/public/contacts", body: `{"name":"Ann"}`, header: header}).want(201)
}

// TestMemberSpeaks posts messages under a session.
func TestMemberSpeaks(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		cookie, path := w.signIn(), "/v1/public/conversations/"+w.conversation()+"/messages"
		me := string(w.home.Owner.ID)
		post := func(body string) answer { return w.browse(cookie, "POST", path, body) }
		for _, body := range []string{
			`{"content":"hi"}`, `{"content":"hi","agentUserId":"` + me + `"}`, `{"content":"a note","isPrivate":true}`,
		} {
			post(body).want(201).is("senderType", `"agent"`, "senderId", `"`+me+`"`, "sender.name", `"owner"`)
		}
		post(`{"content":"hi","agentUserId":"usr_other"}`).refused(400, "agentUserId: must be absent or your own id")
		post(`{"content":"hi","role":"incoming"}`).want(201).is("senderType", `"contact"`)
		post(`{"content":"hi","role":"incoming","agentUserId":"`+me+`"}`).refused(400, "agentUserId: must be absent on an incoming message")
		w.post(path, `{"content":"hi"}`).want(201).is("senderType", `"bot"`) // by a key
	})
}

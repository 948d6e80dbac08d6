package publicapi_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/httpjson"
	"parley/internal/publicapi"
	"parley/internal/store"
)

// signIn starts a session of the owner and returns its cookie.
func (w *world) signIn() string {
	w.T.Helper()
	_, token, err := w.Access.StartSession(w.T.Context(), w.by(), w.Home.Owner.ID, "test browser")
	if err != nil {
		w.T.Fatal(err)
	}
	return httpjson.SessionCookie + "=" + string(token)
}

// browse sends a request like the dashboard, with a session instead of a key.
func (w *world) browse(cookie, method, path, body string) apitest.Answer {
	w.T.Helper()
	return w.Send(apitest.Request{
		Method: method, Path: path, Body: body, Bearer: apitest.None,
		Header: http.Header{"Cookie": {cookie}, "Sec-Fetch-Site": {"same-origin"}},
	})
}

// TestSessionOpensEverything sends every operation under a session, which has
// every scope and no rate.
func TestSessionOpensEverything(t *testing.T) {
	w := onSQLite(t, worldOptions{rate: httpjson.Rate{Quota: 1000, Window: 10 * time.Second}})
	cookie := w.signIn()
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
		got := w.browse(cookie, route.Method, s.Path, s.Body).Want(s.Status)
		if got.Header.Get("RateLimit") != "" {
			t.Errorf("a session has a rate: %v", got.Header)
		}
	})
}

// TestSessionConfirmed deletes for good what members wrote: a session must be confirmed for
// it, before the request and in its transaction, and a key is not asked.
func TestSessionConfirmed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const articles, unconfirmed = "/v1/public/articles", "confirm first that it is you, by POST /v1/dashboard/session/confirm; this lasts 15 minutes"
		cookie := w.signIn()
		made := func() string {
			article := articles + "/" + w.Post(articles, `{"language":"en","title":"Tents"}`).Want(201).Text("id")
			w.Send(apitest.Request{Method: "PUT", Path: article + "/texts/de", Body: `{"title":"Zelte"}`}).Want(200)
			return article
		}
		article, other := made(), made()
		w.browse(cookie, "DELETE", article+"/texts/de", "").Want(200)
		w.Advance(access.ConfirmedFor)
		for _, path := range []string{article, other + "/texts/de"} {
			got := w.browse(cookie, "DELETE", path, "")
			if got.Refused(403, unconfirmed); got.Header.Get("Parley-Error") != "unconfirmed" {
				t.Errorf("the code is %q", got.Header.Get("Parley-Error"))
			}
		}
		w.browse(cookie, "DELETE", articles+"/x", "").Want(403) // before inputs are read
		w.browse(cookie, "PATCH", article, `{"state":"archived"}`).Want(200)
		w.browse(w.signIn(), "DELETE", article, "").Want(200)
		w.Delete(other).Want(200)

		waits, late := made(), w.signIn()
		busy, open := make(chan struct{}), make(chan struct{})
		var all sync.WaitGroup
		all.Go(func() {
			once := sync.OnceFunc(func() {
				close(busy)
				<-open
			})
			_ = w.Store.Write(t.Context(), w.Home.Workspace.ID, func(*store.Tx) error { once(); return nil })
		})
		<-busy
		queued := w.Store.Stats().Queued
		all.Go(func() { w.browse(late, "DELETE", waits, "").Refused(403, unconfirmed) })
		for w.Store.Stats().Queued == queued {
			time.Sleep(time.Millisecond) // the queue has no signal
		}
		w.Advance(access.ConfirmedFor)
		close(open)
		all.Wait()
	})
}

// TestSessionRefused sends invalid sessions, and what a browser would send for
// another site's page.
func TestSessionRefused(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	cookie := w.signIn()
	everyRoute(t, w, func(t *testing.T, route publicapi.Route, s apitest.Sample) {
		if route.Open {
			return
		}
		for _, odd := range []string{httpjson.SessionCookie + "=x", httpjson.SessionCookie + "=ps_" + strings.Repeat("a", 43)} {
			w.browse(odd, route.Method, s.Path, s.Body).Refused(401, "you are signed out; sign in again")
		}
		w.browse(strings.TrimPrefix(cookie, "__Host-"), route.Method, s.Path, s.Body).Want(401)
		for _, from := range []http.Header{
			{"Sec-Fetch-Site": {"cross-site"}}, {"Sec-Fetch-Site": {"same-site"}},
			{"Sec-Fetch-Site": nil, "Origin": {"https://evil.example"}}, {"Sec-Fetch-Site": nil, "Origin": {"null"}},
			{"Sec-Fetch-Site": nil, "Origin": {"http://example.com:8080"}},
		} {
			from.Set("Cookie", cookie)
			got := w.Send(apitest.Request{Method: route.Method, Path: s.Path, Body: s.Body, Bearer: apitest.None, Header: from})
			if route.Method == http.MethodGet {
				got.Want(s.Status) // it changes nothing, and the other site cannot read it
				continue
			}
			got.Refused(403, "the request came from another site")
		}
	})
}

// TestKeyBeforeSession sends both: the key counts, even if it is invalid.
func TestKeyBeforeSession(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	header := http.Header{"Cookie": {w.signIn()}}
	w.Send(apitest.Request{Method: "GET", Path: "/v1/public/contacts", Bearer: w.keyWith(parley.ProductsRead), Header: header}).Want(403)
	w.Send(apitest.Request{Method: "GET", Path: "/v1/public/contacts", Bearer: "pk_wrong", Header: header}).Refused(401, "the API key is not valid")
	header["Sec-Fetch-Site"] = []string{"cross-site"} // a program with a key may run in any page
	w.Send(apitest.Request{Method: "POST", Path: "/v1/public/contacts", Body: `{"name":"Ann"}`, Header: header}).Want(201)
}

// TestHelpCentersNeedAnAdmin manages help centers under the sessions of an agent
// and of an admin.
func TestHelpCentersNeedAnAdmin(t *testing.T) {
	w := onSQLite(t, worldOptions{})
	path := "/v1/public/help-centers/" + w.product.ID.String()
	for role, want := range map[parley.Role][]int{parley.Agent: {403, 403, 200}, parley.Admin: {201, 200, 200}} {
		member, _, err := w.Access.CreateMember(t.Context(), w.by(), access.NewMember{Email: string(role) + "@home.example", Name: "Bo", Role: role})
		if err != nil {
			t.Fatal(err)
		}
		_, token, err := w.Access.StartSession(t.Context(), w.by(), member.ID, "test browser")
		if err != nil {
			t.Fatal(err)
		}
		cookie := httpjson.SessionCookie + "=" + string(token)
		save := w.browse(cookie, "PUT", path, `{"slug":"acme","title":"Help"}`).Want(want[0])
		if role == parley.Agent {
			save.Refused(403, "your role is agent; this needs admin")
		}
		w.browse(cookie, "DELETE", path, "").Want(want[1])
		w.browse(cookie, "GET", "/v1/public/help-centers", "").Want(want[2])
	}
}

// TestMemberSpeaks posts messages under a session.
func TestMemberSpeaks(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		cookie, path := w.signIn(), "/v1/public/conversations/"+w.Conversation()+"/messages"
		me := string(w.Home.Owner.ID)
		post := func(body string) apitest.Answer { return w.browse(cookie, "POST", path, body) }
		for _, body := range []string{
			`{"content":"hi"}`, `{"content":"hi","agentUserId":"` + me + `"}`, `{"content":"a note","isPrivate":true}`,
		} {
			post(body).Want(201).Is("senderType", `"agent"`, "senderId", `"`+me+`"`, "sender.name", `"owner"`)
		}
		post(`{"content":"hi","agentUserId":"usr_other"}`).Refused(400, "agentUserId: must be absent or your own id")
		post(`{"content":"hi","role":"incoming"}`).Want(201).Is("senderType", `"contact"`)
		post(`{"content":"hi","role":"incoming","agentUserId":"`+me+`"}`).Refused(400, "agentUserId: must be absent on an incoming message")
		w.Post(path, `{"content":"hi"}`).Want(201).Is("senderType", `"bot"`) // by a key
	})
}

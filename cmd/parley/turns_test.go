package main

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/publicapi"
	"parley/internal/store/storetest"
)

// TestReadsTakeTurns serves without turns: all reads on the three surfaces are
// refused, and no writes.
func TestReadsTakeTurns(t *testing.T) {
	c := &cli{data: t.TempDir(), logLevel: "error"}
	p, err := c.newProgram(t.Context(), programOptions{
		log: storetest.Quiet(), clock: time.Now, sunset: publicapi.StoresSunset(), retention: 7 * 24 * time.Hour,
		turns: httpjson.TurnLimits{Wait: time.Millisecond},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.app.close() }()
	founded, err := p.app.access.CreateWorkspace(t.Context(), "Acme", "ann@acme.example")
	if err != nil {
		t.Fatal(err)
	}
	web, err := p.app.desk.CreateInbox(t.Context(), desk.Caller{Workspace: founded.Workspace.ID}, desk.NewInbox{Name: "Website", Channel: parley.ChannelWeb})
	if err != nil {
		t.Fatal(err)
	}
	ask := func(method, path, body string, header http.Header) *http.Response {
		t.Helper()
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header = header.Clone()
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		p.handler.ServeHTTP(w, r)
		return w.Result()
	}
	key := http.Header{"Authorization": {"Bearer " + string(founded.Secret)}}
	signedIn := ask("POST", "/v1/dashboard/session", `{"email":"ann@acme.example","password":"`+founded.OwnerPassword+`"}`, http.Header{})
	if signedIn.StatusCode != 201 {
		t.Fatalf("signing in: status %d", signedIn.StatusCode)
	}
	member := http.Header{"Cookie": {strings.Split(signedIn.Header.Get("Set-Cookie"), ";")[0]}}
	for path, header := range map[string]http.Header{
		"/v1/public/conversations":              key,
		"/v1/public/contacts":                   member,
		"/v1/dashboard/state":                   member,
		"/v1/widget/inboxes/" + web.ID.String(): {},
	} {
		res := ask("GET", path, "", header)
		open := strings.HasPrefix(path, "/v1/widget/inboxes") // without a session it takes no turn
		if want := map[bool]int{true: 200, false: 503}[open]; res.StatusCode != want {
			t.Errorf("GET %s: status %d, want %d", path, res.StatusCode, want)
		}
		if !open && res.Header.Get("Retry-After") == "" {
			t.Errorf("GET %s: no Retry-After", path)
		}
	}
	if res := ask("POST", "/v1/public/contacts", `{"name":"Ada"}`, key); res.StatusCode != 201 {
		t.Errorf("POST /v1/public/contacts: status %d, want 201", res.StatusCode)
	}
}

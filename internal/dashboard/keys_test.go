package dashboard_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
)

// as sends a request with an API key.
func (w *world) withKey(key apiKey, method, path string) answer {
	w.t.Helper()
	return w.send(request{method: method, path: path, token: "none", header: map[string][]string{"Authorization": {"Bearer " + key.secret}}})
}

// accessEnds returns the number that moves when somebody's access ends.
func (w *world) accessEnds() int64 {
	w.t.Helper()
	workspace, err := w.desk.Workspace(w.t.Context(), w.home.Workspace.ID)
	if err != nil {
		w.t.Fatal(err)
	}
	heads, err := w.desk.LogHeads(w.t.Context(), []parley.WorkspaceID{workspace.ID})
	if err != nil || len(heads) != 1 {
		w.t.Fatalf("%v, %v", heads, err)
	}
	return heads[0].Access
}

func TestKeys(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.advance(time.Second)
		made := w.post("/v1/dashboard/keys", `{"name":"Bot","scopes":["contacts:read","products:read","contacts:read"],"expiresAt":"2026-11-22T10:00:00Z"}`).
			want(201).is("name", `"Bot"`, "scopes", `["contacts:read","products:read"]`, "createdAt", `"2026-11-21T10:00:01.000Z"`,
			"expiresAt", `"2026-11-22T10:00:00.000Z"`, "revokedAt", "null", "lastUsedAt", "null")
		key := apiKey{id: made.text("id"), secret: made.text("key")}
		if display := made.text("display"); display != key.secret[:7]+"…"+key.secret[len(key.secret)-4:] {
			t.Errorf("the key shows as %q", display)
		}
		w.withKey(key, "GET", "/v1/public/products").want(200)
		w.withKey(key, "GET", "/v1/public/conversations").want(403)
		list := w.get("/v1/dashboard/keys").want(200).is("data.0.id", `"`+key.id+`"`, "data.1.name", `"First key"`)
		if list.count("data") != 2 || strings.Contains(string(list.body), key.secret) {
			t.Errorf("the list of keys is %s", list.body)
		}

		path, access := "/v1/dashboard/keys/"+key.id, w.accessEnds()
		w.patch(path, `{"name":"Robot"}`).want(200).is("name", `"Robot"`, "scopes", `["contacts:read","products:read"]`)
		if w.accessEnds() != access {
			t.Error("a new name ends access")
		}
		w.patch(path, `{"scopes":["conversations:read"]}`).want(200).is("scopes", `["conversations:read"]`, "name", `"Robot"`)
		if w.accessEnds() != access+1 {
			t.Error("other scopes do not tell of access that ended")
		}
		w.untilStatus(key, "/v1/public/products", 403)
		w.withKey(key, "GET", "/v1/public/conversations").want(200)

		w.delete(path).want(200).is("revokedAt", `"2026-11-21T10:00:01.000Z"`)
		w.delete(path).want(200)
		if w.accessEnds() != access+2 {
			t.Error("revoking does not tell once of access that ended")
		}
		w.untilStatus(key, "/v1/public/conversations", 401)
		w.patch(path, `{"name":"X"}`).refused(409, "the key is revoked and cannot be changed")
		w.get("/v1/dashboard/keys").want(200).is("data.0.revokedAt", `"2026-11-21T10:00:01.000Z"`)

		w.delete("/v1/dashboard/keys/"+unknownID).refused(404, "no such key in this workspace")
		w.patch("/v1/dashboard/keys/"+unknownID, `{}`).refused(404, "no such key in this workspace")
		w.patch(path, `{"name":"","scopes":[]}`).want(400)
		w.post("/v1/dashboard/keys", `{"scopes":["all"],"expiresAt":"x"}`).refused(400, "name: must be given; "+
			"scopes: must be an array of 1 to 7 items; item 1 must be one of conversations:read, conversations:write, contacts:read, "+
			"contacts:write, companies:read, companies:write, products:read; expiresAt: must be a time such as 2026-11-20T08:15:30Z, not before 1970, or null")
		w.post("/v1/dashboard/keys", `{"name":"X","scopes":["contacts:read"],"expiresAt":"2026-11-21T10:00:00Z"}`).
			refused(400, "expiresAt: must be in the future")
	})
}

// untilStatus asks until a change of a key has come through: within a second,
// for keys are remembered for half of one.
func (w *world) untilStatus(key apiKey, path string, status int) {
	w.t.Helper()
	deadline := time.Now().Add(time.Second)
	for w.withKey(key, "GET", path).status != status {
		if time.Now().After(deadline) {
			w.t.Fatalf("%s does not answer %d within a second", path, status)
		}
	}
}

func TestKeyLastUsed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key, path := w.apiKey(), "data.0.lastUsedAt"
		used := func(want string) {
			t.Helper()
			w.access.FlushKeyUse(t.Context())
			w.get("/v1/dashboard/keys").want(200).is("data.0.id", `"`+key.id+`"`, path, want)
		}
		used("null")
		w.withKey(key, "GET", "/v1/public/products").want(200)
		w.get("/v1/dashboard/keys").is(path, "null") // nothing is written with a request
		used(`"2026-11-21T10:00:00.000Z"`)
		w.advance(59 * time.Second)
		w.withKey(key, "GET", "/v1/public/products").want(200)
		used(`"2026-11-21T10:00:00.000Z"`) // not before a minute has passed
		w.advance(time.Second)
		w.withKey(key, "GET", "/v1/public/contacts").want(200)
		used(`"2026-11-21T10:01:00.000Z"`)
		w.withKey(key, "GET", "/v1/public/companies/x").want(404)
		w.send(request{method: "GET", path: "/v1/public/products", token: "none", header: map[string][]string{"Authorization": {"Bearer pk_x"}}}).want(401)
	})
}

func TestStoresUse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first, second, revoked := w.apiKey(), w.apiKey(), w.apiKey()
		empty := w.get("/v1/dashboard/keys/stores").want(200).is("data", "[]", "sunset", `"2027-02-16T00:00:00.000Z"`, "daysLeft", "87")
		call := func(key apiKey, times int) {
			t.Helper()
			for range times {
				w.withKey(key, "GET", "/v1/public/stores").want(200)
			}
		}
		call(first, 3)
		call(revoked, 1)
		w.withKey(first, "GET", "/v1/public/stores/"+unknownID).want(404) // asked for nevertheless
		w.withKey(first, "GET", "/v1/public/companies").want(200)
		w.get("/v1/public/stores").want(200) // by the dashboard, not by a key
		w.withKey(apiKey{secret: "pk_x"}, "GET", "/v1/public/stores").want(401)
		if got := w.get("/v1/dashboard/keys/stores"); string(got.body) != string(empty.body) {
			t.Errorf("something was written with a request: %s", got.body)
		}
		w.access.FlushKeyUse(t.Context())
		w.advance(14 * time.Hour)
		call(first, 2)
		w.advance(time.Hour)
		call(second, 1)
		w.access.FlushKeyUse(t.Context())
		w.access.FlushKeyUse(t.Context()) // nothing is counted twice
		w.delete("/v1/dashboard/keys/" + revoked.id).want(200)
		got := w.get("/v1/dashboard/keys/stores").want(200).is("daysLeft", "86",
			"data.0.key.id", `"`+second.id+`"`, "data.0.calls", "1", "data.0.firstDay", `"2026-11-22"`, "data.0.lastAt", `"2026-11-22T01:00:00.000Z"`,
			"data.1.key.id", `"`+first.id+`"`, "data.1.calls", "6", "data.1.firstDay", `"2026-11-21"`, "data.1.lastAt", `"2026-11-22T00:00:00.000Z"`,
			"data.1.days", `[{"calls":4,"day":"2026-11-21"},{"calls":2,"day":"2026-11-22"}]`, "data.1.key.name", `"test"`)
		if n := got.count("data"); n != 2 {
			t.Errorf("%d keys call stores", n)
		}
		w.clock.Store(time.Date(2027, time.March, 1, 0, 0, 0, 0, time.UTC).UnixMilli())
		w.send(request{method: "GET", path: "/v1/dashboard/keys/stores", token: w.signIn(w.home.Owner.ID)}).want(200).is("daysLeft", "0")
	})
}

// TestKeyUseAtShutdown ends the loop that writes how keys are used: what was
// counted since its last round must not be lost.
func TestKeyUseAtShutdown(t *testing.T) {
	w := onSQLite(t)
	key := w.apiKey()
	w.withKey(key, "GET", "/v1/public/stores").want(200)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.access.RunKeyUse(ctx)
	w.get("/v1/dashboard/keys").want(200).is("data.0.lastUsedAt", `"2026-11-21T10:00:00.000Z"`)
	w.get("/v1/dashboard/keys/stores").want(200).is("data.0.calls", "1")
}

// TestKeyUseIsKept counts calls while the store is away: they are written when
// it is there again.
func TestKeyUseIsKept(t *testing.T) {
	w := onSQLite(t)
	key := w.apiKey()
	w.withKey(key, "GET", "/v1/public/stores").want(200)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	w.access.FlushKeyUse(gone)
	w.withKey(key, "GET", "/v1/public/stores").want(200)
	w.access.FlushKeyUse(t.Context())
	w.get("/v1/dashboard/keys/stores").want(200).is("data.0.calls", "2")
}

// TestKeyOfTwoWorkspaces asks for a key in a workspace that it does not belong
// to.
func TestKeyOfTwoWorkspaces(t *testing.T) {
	w := onSQLite(t)
	other, err := w.access.CreateWorkspace(t.Context(), "Other", "owner@other.example")
	if err != nil {
		t.Fatal(err)
	}
	foreign, _, err := w.access.CreateKey(t.Context(), desk.Caller{Workspace: other.Workspace.ID}, access.NewKey{Name: "theirs", Scopes: parley.Scopes})
	if err != nil {
		t.Fatal(err)
	}
	w.patch("/v1/dashboard/keys/"+foreign.ID.String(), `{"name":"x"}`).want(404)
	w.delete("/v1/dashboard/keys/" + foreign.ID.String()).want(404)
	if ids := w.ids("/v1/dashboard/keys"); slices.Contains(ids, foreign.ID.String()) {
		t.Errorf("the keys are %v", ids)
	}
}

// TestKeysKnowTheirMaker has an admin and the command line make keys: the list
// says who, also when the admin was removed.
func TestKeysKnowTheirMaker(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin, token := w.member(parley.Admin)
		by := func(m parley.Member) []string {
			return []string{"createdBy.type", `"member"`, "createdBy.id", quote(string(m.ID)), "createdBy.name", quote(m.Name)}
		}
		w.advance(time.Second)
		w.send(request{method: "POST", path: "/v1/dashboard/keys", token: token, body: `{"name":"Bot","scopes":["contacts:read"]}`}).want(201).is(by(admin)...)
		w.delete("/v1/dashboard/members/" + string(admin.ID)).want(200)
		list := w.get("/v1/dashboard/keys").want(200)
		list.is("data.0.createdBy.id", quote(string(admin.ID)), "data.0.createdBy.name", quote(admin.Name), "data.0.revokedAt", "null")
		list.is("data.1.name", `"First key"`, "data.1.createdBy.type", `"system"`, "data.1.createdBy.id", `""`)
	})
}

// TestResetIsSeen has an owner make a link to set an admin's password: the admin
// sees it, in the present session and in the next.
func TestResetIsSeen(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin, token := w.member(parley.Admin)
		me := func() answer {
			return w.send(request{method: "GET", path: "/v1/dashboard/session", token: token}).want(200)
		}
		me().is("passwordReset", "null")
		w.post("/v1/dashboard/members/"+string(admin.ID)+"/reset", "").want(201)
		me().is("passwordReset.at", `"2026-11-21T10:00:00.001Z"`, "passwordReset.by.id", quote(string(w.home.Owner.ID)))
		w.advance(time.Hour)
		_, password, err := w.access.SetRandomPassword(t.Context(), desk.Caller{Workspace: w.home.Workspace.ID}, admin.ID)
		if err != nil {
			t.Fatal(err)
		}
		w.enter("", login(admin.Email, password)).want(201).
			is("passwordReset.at", `"2026-11-21T11:00:00.001Z"`, "passwordReset.by.type", `"system"`)
	})
}

package dashboard_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/desk"
)

// as sends a request with an API key.
func (w *world) withKey(key apiKey, method, path string) apitest.Answer {
	w.T.Helper()
	return w.Send(apitest.Request{Method: method, Path: path, Session: apitest.None, Header: map[string][]string{"Authorization": {"Bearer " + key.secret}}})
}

// accessEnds returns the counter that changes when a credential ends.
func (w *world) accessEnds() int64 {
	w.T.Helper()
	workspace, err := w.Desk.Workspace(w.T.Context(), w.Home.Workspace.ID)
	if err != nil {
		w.T.Fatal(err)
	}
	heads, err := w.Desk.LogHeads(w.T.Context(), []parley.WorkspaceID{workspace.ID})
	if err != nil || len(heads) != 1 {
		w.T.Fatalf("%v, %v", heads, err)
	}
	return heads[0].Access
}

func TestKeys(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.Advance(time.Second)
		made := w.Post("/v1/dashboard/keys", `{"name":"Bot","scopes":["contacts:read","products:read","contacts:read"],"expiresAt":"2026-11-22T10:00:00Z"}`).
			Want(201).Is("name", `"Bot"`, "scopes", `["contacts:read","products:read"]`, "createdAt", `"2026-11-21T10:00:01.000Z"`,
			"expiresAt", `"2026-11-22T10:00:00.000Z"`, "revokedAt", "null", "lastUsedAt", "null")
		key := apiKey{id: made.Text("id"), secret: made.Text("key")}
		if display := made.Text("display"); display != key.secret[:7]+"…"+key.secret[len(key.secret)-4:] {
			t.Errorf("the key shows as %q", display)
		}
		w.withKey(key, "GET", "/v1/public/products").Want(200)
		w.withKey(key, "GET", "/v1/public/conversations").Want(403)
		list := w.Get("/v1/dashboard/keys").Want(200).Is("data.0.id", `"`+key.id+`"`, "data.1.name", `"First key"`)
		if list.Count("data") != 2 || strings.Contains(string(list.Body), key.secret) {
			t.Errorf("the list of keys is %s", list.Body)
		}

		path, access := "/v1/dashboard/keys/"+key.id, w.accessEnds()
		w.Patch(path, `{"name":"Robot"}`).Want(200).Is("name", `"Robot"`, "scopes", `["contacts:read","products:read"]`)
		if w.accessEnds() != access {
			t.Error("a new name ends access")
		}
		w.Patch(path, `{"scopes":["conversations:read"]}`).Want(200).Is("scopes", `["conversations:read"]`, "name", `"Robot"`)
		if w.accessEnds() != access+1 {
			t.Error("other scopes do not tell of access that ended")
		}
		w.changed(key, "/v1/public/products", 403)
		w.withKey(key, "GET", "/v1/public/conversations").Want(200)

		w.Delete(path).Want(200).Is("revokedAt", `"2026-11-21T10:00:02.000Z"`)
		w.Delete(path).Want(200)
		if w.accessEnds() != access+2 {
			t.Error("revoking does not tell once of access that ended")
		}
		w.changed(key, "/v1/public/conversations", 401)
		w.Patch(path, `{"name":"X"}`).Refused(409, "the key is revoked and cannot be changed")
		w.Get("/v1/dashboard/keys").Want(200).Is("data.0.revokedAt", `"2026-11-21T10:00:02.000Z"`)

		w.Delete("/v1/dashboard/keys/"+unknownID).Refused(404, "no such key in this workspace")
		w.Patch("/v1/dashboard/keys/"+unknownID, `{}`).Refused(404, "no such key in this workspace")
		w.Patch(path, `{"name":"","scopes":[]}`).Want(400)
		w.Post("/v1/dashboard/keys", `{"scopes":["all"],"expiresAt":"x"}`).Refused(400, "name: must be given; "+
			"scopes: must be an array of 1 to 9 items; item 1 must be one of conversations:read, conversations:write, contacts:read, "+
			"contacts:write, companies:read, companies:write, products:read, knowledge:read, knowledge:write; expiresAt: must be a time such as 2026-11-20T08:15:30Z, not before 1970, or null")
		w.Post("/v1/dashboard/keys", `{"name":"X","scopes":["contacts:read"],"expiresAt":"2026-11-21T10:00:00Z"}`).
			Refused(400, "expiresAt: must be in the future")
	})
}

// changed asks with a key a second after it was changed.
func (w *world) changed(key apiKey, path string, status int) {
	w.T.Helper()
	w.Advance(time.Second)
	w.withKey(key, "GET", path).Want(status)
}

func TestKeyLastUsed(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key, path := w.apiKey(), "data.0.lastUsedAt"
		used := func(want string) {
			t.Helper()
			w.Access.FlushKeyUse(t.Context())
			w.Get("/v1/dashboard/keys").Want(200).Is("data.0.id", `"`+key.id+`"`, path, want)
		}
		used("null")
		w.withKey(key, "GET", "/v1/public/products").Want(200)
		w.Get("/v1/dashboard/keys").Is(path, "null") // nothing is written with a request
		used(`"2026-11-21T10:00:00.000Z"`)
		w.Advance(59 * time.Second)
		w.withKey(key, "GET", "/v1/public/products").Want(200)
		used(`"2026-11-21T10:00:00.000Z"`) // not before a minute has passed
		w.Advance(time.Second)
		w.withKey(key, "GET", "/v1/public/contacts").Want(200)
		used(`"2026-11-21T10:01:00.000Z"`)
		w.withKey(key, "GET", "/v1/public/companies/x").Want(404)
		w.Send(apitest.Request{Method: "GET", Path: "/v1/public/products", Session: apitest.None, Header: map[string][]string{"Authorization": {"Bearer pk_x"}}}).Want(401)
	})
}

func TestStoresUse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first, second, revoked := w.apiKey(), w.apiKey(), w.apiKey()
		empty := w.Get("/v1/dashboard/keys/stores").Want(200).Is("data", "[]", "sunset", `"2027-02-16T00:00:00.000Z"`, "daysLeft", "87")
		call := func(key apiKey, times int) {
			t.Helper()
			for range times {
				w.withKey(key, "GET", "/v1/public/stores").Want(200)
			}
		}
		call(first, 3)
		call(revoked, 1)
		w.withKey(first, "GET", "/v1/public/stores/"+unknownID).Want(404) // asked for nevertheless
		w.withKey(first, "GET", "/v1/public/companies").Want(200)
		w.Get("/v1/public/stores").Want(200) // by the dashboard, not by a key
		w.withKey(apiKey{secret: "pk_x"}, "GET", "/v1/public/stores").Want(401)
		if got := w.Get("/v1/dashboard/keys/stores"); string(got.Body) != string(empty.Body) {
			t.Errorf("something was written with a request: %s", got.Body)
		}
		w.Access.FlushKeyUse(t.Context())
		w.Advance(14 * time.Hour)
		call(first, 2)
		w.Advance(time.Hour)
		call(second, 1)
		w.Access.FlushKeyUse(t.Context())
		w.Access.FlushKeyUse(t.Context()) // nothing is counted twice
		w.confirm("", w.Home.OwnerPassword, "").Want(200)
		w.Delete("/v1/dashboard/keys/" + revoked.id).Want(200)
		got := w.Get("/v1/dashboard/keys/stores").Want(200).Is("daysLeft", "86",
			"data.0.key.id", `"`+second.id+`"`, "data.0.calls", "1", "data.0.firstDay", `"2026-11-22"`, "data.0.lastAt", `"2026-11-22T01:00:00.000Z"`,
			"data.1.key.id", `"`+first.id+`"`, "data.1.calls", "6", "data.1.firstDay", `"2026-11-21"`, "data.1.lastAt", `"2026-11-22T00:00:00.000Z"`,
			"data.1.days", `[{"calls":4,"day":"2026-11-21"},{"calls":2,"day":"2026-11-22"}]`, "data.1.key.name", `"test"`)
		if n := got.Count("data"); n != 2 {
			t.Errorf("%d keys call stores", n)
		}
		w.MoveTo(time.Date(2027, time.March, 1, 0, 0, 0, 0, time.UTC))
		w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/keys/stores", Session: w.signIn(w.Home.Owner.ID)}).Want(200).Is("daysLeft", "0")
	})
}

// TestKeyUseAtShutdown ends the loop that writes the use of keys: counts since
// its last round must not be lost.
func TestKeyUseAtShutdown(t *testing.T) {
	w := onSQLite(t)
	key := w.apiKey()
	w.withKey(key, "GET", "/v1/public/stores").Want(200)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	w.Access.RunKeyUse(ctx)
	w.Get("/v1/dashboard/keys").Want(200).Is("data.0.lastUsedAt", `"2026-11-21T10:00:00.000Z"`)
	w.Get("/v1/dashboard/keys/stores").Want(200).Is("data.0.calls", "1")
}

// TestKeyUseIsKept counts calls while the store is unavailable: they are
// written when it is back.
func TestKeyUseIsKept(t *testing.T) {
	w := onSQLite(t)
	key := w.apiKey()
	w.withKey(key, "GET", "/v1/public/stores").Want(200)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	w.Access.FlushKeyUse(gone)
	w.withKey(key, "GET", "/v1/public/stores").Want(200)
	w.Access.FlushKeyUse(t.Context())
	w.Get("/v1/dashboard/keys/stores").Want(200).Is("data.0.calls", "2")
}

// TestKeyOfTwoWorkspaces uses the id of a key in a workspace that it does not
// belong to.
func TestKeyOfTwoWorkspaces(t *testing.T) {
	w := onSQLite(t)
	other, err := w.Access.CreateWorkspace(t.Context(), "Other", "owner@other.example")
	if err != nil {
		t.Fatal(err)
	}
	foreign, _, err := w.Access.CreateKey(t.Context(), desk.Caller{Workspace: other.Workspace.ID}, access.NewKey{Name: "theirs", Scopes: parley.Scopes})
	if err != nil {
		t.Fatal(err)
	}
	w.Patch("/v1/dashboard/keys/"+foreign.ID.String(), `{"name":"x"}`).Want(404)
	w.Delete("/v1/dashboard/keys/" + foreign.ID.String()).Want(404)
	if ids := w.ids("/v1/dashboard/keys"); slices.Contains(ids, foreign.ID.String()) {
		t.Errorf("the keys are %v", ids)
	}
}

// TestKeysKnowTheirMaker creates keys as an admin and on the command line: the
// list shows who made them, even after the admin was removed.
func TestKeysKnowTheirMaker(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin, token := w.member(parley.Admin)
		by := func(m parley.Member) []string {
			return []string{"createdBy.type", `"member"`, "createdBy.id", quote(string(m.ID)), "createdBy.name", quote(m.Name)}
		}
		w.Advance(time.Second)
		w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/keys", Session: token, Body: `{"name":"Bot","scopes":["contacts:read"]}`}).Want(201).Is(by(admin)...)
		w.Delete("/v1/dashboard/members/" + string(admin.ID)).Want(200)
		list := w.Get("/v1/dashboard/keys").Want(200)
		list.Is("data.0.createdBy.id", quote(string(admin.ID)), "data.0.createdBy.name", quote(admin.Name), "data.0.revokedAt", "null")
		list.Is("data.1.name", `"First key"`, "data.1.createdBy.type", `"system"`, "data.1.createdBy.id", `""`)
	})
}

// TestResetIsSeen creates a password link for an admin as an owner: the admin
// sees it, in the present session and in the next.
func TestResetIsSeen(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		admin, token := w.member(parley.Admin)
		me := func() apitest.Answer {
			return w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/session", Session: token}).Want(200)
		}
		me().Is("passwordReset", "null")
		w.Post("/v1/dashboard/members/"+string(admin.ID)+"/reset", "").Want(201)
		me().Is("passwordReset.at", `"2026-11-21T10:00:00.001Z"`, "passwordReset.by.id", quote(string(w.Home.Owner.ID)))
		w.Advance(time.Hour)
		_, password, err := w.Access.SetRandomPassword(t.Context(), desk.Caller{Workspace: w.Home.Workspace.ID}, admin.ID)
		if err != nil {
			t.Fatal(err)
		}
		w.enter("", login(admin.Email, password)).Want(201).
			Is("passwordReset.at", `"2026-11-21T11:00:00.001Z"`, "passwordReset.by.type", `"system"`)
	})
}

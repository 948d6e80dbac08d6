package dashboard_test

import (
	"fmt"
	"strings"
	"testing"

	"parley"
	"parley/internal/apitest"
	"parley/internal/store"
)

// viewOf makes a view of a member's own.
func (w *world) viewOf(member parley.UserID) string {
	w.T.Helper()
	by := w.By()
	by.Member = member
	s, err := w.Work.Views.CreateView(w.T.Context(), by, parley.SavedView{Name: fmt.Sprint("V", w.Tick()), Scope: parley.ViewOwn, Query: "status=open"})
	if err != nil {
		w.T.Fatal(err)
	}
	return s.ID.String()
}

// TestViewsVisible saves views as an owner and as an agent: each sees their own and those
// of everybody, and only admins change the latter. They have events, own ones none.
func TestViewsVisible(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, agent := w.member(parley.Agent)
		as := func(method, path, body string) apitest.Answer {
			return w.Send(apitest.Request{Method: method, Path: path, Body: body, Session: agent})
		}
		position := ""
		w.Events(&position)
		const path = "/v1/dashboard/views"
		all := w.Post(path, `{"name":"Refunds","scope":"all","query":"label=refund&status=open"}`).
			Want(201).Is("scope", `"all"`, "position", "0", "pinned", "true", "teamId", "null", "ownerId", `"`+string(w.Home.Owner.ID)+`"`).Text("id")
		mine := w.Post(path, `{"name":"Mine","query":"assigneeId=me&order=waiting","pinned":false}`).Want(201).Is("scope", `"own"`, "position", "0").Text("id")
		if again := w.Post(path, `{"name":"Mine","query":"assigneeId=me&order=waiting"}`).Want(201).Text("id"); again != mine {
			t.Errorf("a repetition added %s beside %s", again, mine)
		}
		w.Post(path, `{"name":"Second","query":"snoozed=true"}`).Want(201).Is("position", "1")
		own := as("POST", path, `{"name":"Theirs","query":"priority=none&label=a&label=b"}`).Want(201).Text("id")
		names := func(list string) string {
			var out []string
			for _, part := range strings.Split(list, `"name":"`)[1:] {
				name, _, _ := strings.Cut(part, `"`)
				out = append(out, name)
			}
			return strings.Join(out, " ")
		}
		if got := names(string(w.Get(path).Want(200).Body)); got != "Mine Second Refunds" {
			t.Errorf("the owner has %s", got)
		}
		if got := names(string(as("GET", path, "").Want(200).Body)); got != "Theirs Refunds" {
			t.Errorf("the agent has %s", got)
		}
		const gone, refused = "no such view in this workspace", "your role is agent; views of everybody need admin"
		as("PATCH", path+"/"+mine, `{"name":"x"}`).Refused(404, gone)
		as("DELETE", path+"/"+mine, "").Refused(404, gone)
		w.Patch(path+"/"+own, `{"name":"x"}`).Refused(404, gone)
		as("POST", path, `{"name":"x","scope":"all","query":"status=open"}`).Refused(403, refused)
		as("PATCH", path+"/"+all, `{"pinned":false}`).Refused(403, refused)
		as("DELETE", path+"/"+all, "").Refused(403, refused)
		w.Patch(path+"/"+all, `{"name":"Refund","query":"label=refund","position":3,"pinned":true}`).Want(200).Is("name", `"Refund"`, "position", "3")
		w.Patch(path+"/"+all, `{"name":"Refund"}`).Want(200) // nothing changes
		w.Patch(path+"/"+mine, `{"pinned":true}`).Want(200).Is("pinned", "true")
		w.Delete(path+"/"+all).Want(200).Is("name", `"Refund"`)
		w.Delete(path+"/"+all).Refused(404, gone)
		if got := strings.Join(w.Events(&position), "; "); got != "view.created; view.updated name,query,position; view.deleted" {
			t.Errorf("the events are %s", got)
		}
	})
}

// TestViewsOfOtherPages follows as two members while one changes own views: only the
// member's own pages are told, once for each change. Of a view of everybody the log tells.
func TestViewsOfOtherPages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ann, annToken := w.member(parley.Agent)
		bo, boToken := w.member(parley.Agent)
		const path = "/v1/dashboard/views"
		hers := w.follow(t, s, "/v1/dashboard/events?types=contact.created", string(annToken))
		w.Joined(hers, ann.ID)
		his := w.follow(t, s, "/v1/dashboard/events?types=contact.created", string(boToken))
		w.Joined(his, bo.ID)
		as := func(method, path, body string) apitest.Answer {
			return w.Send(apitest.Request{Method: method, Path: path, Body: body, Session: annToken})
		}
		own := as("POST", path, `{"name":"Mine","query":"status=open"}`).Want(201).Text("id")
		hers.Is("view")
		as("PATCH", path+"/"+own, `{"name":"Ours"}`).Want(200)
		hers.Is("view")
		as("DELETE", path+"/"+own, "").Want(200)
		hers.Is("view")
		w.Post(path, `{"name":"All","query":"status=open","scope":"all"}`).Want(201)
		w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/notices/read", Body: `{"all":true}`, Session: annToken}).Want(200)
		hers.Is("notice")
		w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/notices/read", Body: `{"all":true}`, Session: boToken}).Want(200)
		his.Is("notice")
	})
}

// TestViewsOfTeams saves views of a team: its members and admins have them and change them,
// nobody else does, and they end with membership and team.
func TestViewsOfTeams(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		inside, insider := w.member(parley.Agent)
		_, outsider := w.member(parley.Agent)
		as := func(session parley.Token, method, path, body string) apitest.Answer {
			return w.Send(apitest.Request{Method: method, Path: path, Body: body, Session: session})
		}
		const path, teams = "/v1/dashboard/views", "/v1/dashboard/teams"
		team, other := w.team("Returns", `,"memberIds":["`+string(inside.ID)+`"]`), w.team("Billing", "")
		of := func(team, name string) string {
			return `{"name":"` + name + `","scope":"team","teamId":"` + team + `","query":"teamId=` + team + `"}`
		}
		names := func(session parley.Token) string { // "" is the owner
			var out []string
			got := w.Get(path)
			if session != "" {
				got = as(session, "GET", path, "")
			}
			for _, part := range strings.Split(string(got.Want(200).Body), `"name":"`)[1:] {
				out = append(out, part[:strings.IndexByte(part, '"')])
			}
			return strings.Join(out, " ")
		}
		position := ""
		w.Events(&position)
		view := as(insider, "POST", path, of(team, "Parcels")).Want(201).Is("teamId", `"`+team+`"`, "scope", `"team"`, "position", "0").Text("id")
		if again := w.Post(path, of(team, "Parcels")).Want(201).Text("id"); again != view {
			t.Error("a repetition by an admin added another view")
		}
		w.Post(path, of(other, "Bills")).Want(201).Is("position", "0")
		as(insider, "POST", path, `{"name":"Own","query":"status=open"}`).Want(201)
		as(insider, "POST", path, of(other, "x")).Refused(403, "you are not in this team")
		w.Post(path, of("0193480f-2c4a-7d1e-8f00-3a5b9c2d1e40", "x")).Refused(404, "teamId: no such team in this workspace")
		w.Post(path, `{"name":"x","scope":"team","query":"status=open"}`).Want(400)
		if owner, in, out := names(""), names(insider), names(outsider); owner != "Bills Parcels" && owner != "Parcels Bills" || in != "Own Parcels" || out != "" {
			t.Errorf("the owner has %q, a member of the team %q, another one %q", owner, in, out)
		}
		as(insider, "GET", "/v1/dashboard/view-counts", "").Want(200).Is("data.1.count", "0")
		as(outsider, "PATCH", path+"/"+view, `{"name":"x"}`).Refused(404, "no such view in this workspace")
		as(outsider, "DELETE", path+"/"+view, "").Want(404)
		as(insider, "PATCH", path+"/"+view, `{"name":"Parcel"}`).Want(200).Is("name", `"Parcel"`, "teamId", `"`+team+`"`)

		w.Patch(teams+"/"+team, `{"memberIds":[]}`).Want(200)
		as(insider, "PATCH", path+"/"+view, `{"name":"x"}`).Want(404)
		if got := names(insider); got != "Own" {
			t.Errorf("who left the team has %q", got)
		}
		w.Patch(path+"/"+view, `{"pinned":false}`).Want(200)
		w.Delete(teams + "/" + team).Want(200)
		w.Patch(path+"/"+view, `{"name":"x"}`).Want(404)
		if got := names(""); got != "Bills" {
			t.Errorf("after a team is deleted the owner has %q", got)
		}
		want := "view.created; view.created; view.updated name; team.updated memberIds; view.updated pinned; view.deleted; team.deleted"
		if got := strings.Join(w.Events(&position), "; "); got != want {
			t.Errorf("the events are %s", got)
		}
	})
}

// TestViewQueries saves what is no filter of the list.
func TestViewQueries(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const path = "/v1/dashboard/views"
		for query, want := range map[string]string{
			"status=blue":                       "be a filter of the list of conversations",
			"status=open&status=pending":        "be a filter of the list of conversations",
			"inboxId=7":                         "be a filter of the list of conversations",
			"merged=true":                       "be a filter of the list of conversations",
			"limit=5":                           "be a filter of the list of conversations",
			"updatedSince=2026-01-01T00:00:00Z": "be a filter of the list of conversations",
			"status=%zz":                        "be a filter of the list of conversations",
			"":                                  "be a string of 1 to 2000 characters, not blank",
		} {
			w.Post(path, `{"name":"x","query":"`+query+`"}`).Refused(400, "query: must "+want)
		}
		for range parley.MaxViews {
			w.viewOf(w.Home.Owner.ID)
		}
		w.Post(path, `{"name":"x","query":"status=open"}`).Refused(409, "there are 200 views already")
	})
}

// TestViewCounts counts pinned views, as the member sees them, up to 1,000.
func TestViewCounts(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		agent, session := w.member(parley.Agent)
		id := w.Conversation()
		w.Patch("/v1/public/conversations/"+id, `{"assigneeId":"`+string(agent.ID)+`"}`).Want(200)
		const path = "/v1/dashboard/views"
		mine := w.Post(path, `{"name":"Mine","scope":"all","query":"assigneeId=me"}`).Want(201).Text("id")
		w.Post(path, `{"name":"Quiet","scope":"all","query":"status=open","pinned":false}`).Want(201)
		is := func(count int, more bool) string {
			return fmt.Sprintf(`[{"count":%d,"id":"%s","more":%t}]`, count, mine, more)
		}
		w.Get("/v1/dashboard/view-counts").Want(200).Is("data", is(0, false))
		w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/view-counts", Session: session}).Want(200).Is("data", is(1, false))

		// What a later version stored is left out.
		if err := w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
			return store.Exec(tx, w.Home.Workspace.ID, "UPDATE views SET query = 'mood=sad' WHERE workspace_id = $1 AND name = 'Mine'")
		}); err != nil {
			t.Fatal(err)
		}
		w.Get("/v1/dashboard/view-counts").Want(200).Is("data", "[]")
	})
}

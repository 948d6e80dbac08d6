package dashboard_test

import (
	"strings"
	"testing"

	"parley"
	"parley/internal/apitest"
	"parley/internal/desk"
)

// TestSightOfMerges merges a conversation that a member sees into one that the member does
// not see, and takes them apart. The member sees both or none while they are merged, and
// learns nothing of the other one.
func TestSightOfMerges(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := w.Serve(t)
		ann, annToken := w.member(parley.Agent)
		inbox := w.NewInbox(desk.NewInbox{Name: "Shop", Channel: parley.ChannelAPI}).String()
		contact := w.Contact(`{"name":"Bo"}`)
		team := w.Post("/v1/dashboard/teams", `{"name":"Night","color":"teal","memberIds":["`+string(ann.ID)+`"]}`).Want(201).Text("id")
		w.sees(ann.ID)
		made := func(more string) string {
			t.Helper()
			return w.Post("/v1/public/conversations", `{"contactId":"`+contact+`","inboxId":"`+inbox+`"`+more+`}`).Want(201).Text("id")
		}
		hers, other := made(`,"teamId":"`+team+`"`), made("")
		const public, board = "/v1/public/conversations/", "/v1/dashboard/conversations/"
		w.Post(public+hers+"/messages", `{"content":"of hers"}`).Want(201)
		w.Post(public+other+"/messages", `{"content":"quetzal"}`).Want(201)
		as := func(method, path, body string) apitest.Answer {
			t.Helper()
			return w.Send(apitest.Request{Method: method, Path: path, Body: body, Session: annToken})
		}
		shown := func(want string, parts ...string) {
			t.Helper()
			got := string(as("GET", public+want+"/messages", "").Want(200).Body)
			for _, part := range parts {
				if !strings.Contains(got, part) {
					t.Errorf("%q is not among the messages of %s: %s", part, want, got)
				}
			}
		}
		as("POST", board+hers+"/merge", `{"intoId":"`+other+`"}`).Want(404)
		as("POST", board+other+"/merge", `{"intoId":"`+hers+`"}`).Want(404)

		tab := w.follow(t, s, "/v1/dashboard/events?after="+w.state(annToken), string(annToken))
		w.Joined(tab, ann.ID)
		is := func(want, id string) {
			t.Helper()
			name, data := visible(tab)
			if name != want || !strings.Contains(data, id) {
				t.Fatalf("the stream tells %q %s, want %q of %s", name, data, want, id)
			}
			if id == hers && strings.Contains(data, other) {
				t.Errorf("the stream names the other conversation: %s", data)
			}
		}
		w.Post(board+hers+"/merge", `{"intoId":"`+other+`"}`).Want(200)
		is("conversation.hidden", hers)
		for _, id := range []string{hers, other} {
			as("GET", public+id, "").Want(404)
			as("GET", public+id+"/messages", "").Want(404)
			as("POST", board+id+"/unmerge", "").Want(404)
		}
		log := as("GET", "/v1/public/events?limit=200", "").Want(200)
		if strings.Contains(string(log.Body), other) || strings.Contains(string(log.Body), "quetzal") {
			t.Errorf("the log gives the other conversation away: %s", log.Body)
		}

		w.Patch(public+other, `{"assigneeId":"`+string(ann.ID)+`"}`).Want(200)
		is("conversation.updated", other)
		shown(other, "of hers", "quetzal") // the merged one comes along
		w.Patch(public+other, `{"assigneeId":null}`).Want(200)
		is("conversation.hidden", other)
		w.Post(board+hers+"/unmerge", "").Want(200)
		is("conversation.updated", hers) // where it stood before
		shown(hers, "of hers")
		as("GET", public+other, "").Want(404)

		w.Post(board+other+"/merge", `{"intoId":"`+hers+`"}`).Want(200)
		shown(hers, "of hers", "quetzal")
		w.Patch(public+hers, `{"teamId":null}`).Want(200)
		as("GET", public+other+"/messages", "").Want(404)
		w.Patch(public+hers, `{"teamId":"`+team+`"}`).Want(200)
		w.Delete("/v1/dashboard/teams/" + team).Want(200)
		as("GET", public+hers, "").Want(404)
		w.Post(board+other+"/unmerge", "").Want(200)
		as("GET", public+other, "").Want(404)
	})
}

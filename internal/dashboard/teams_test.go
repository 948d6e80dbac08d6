package dashboard_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/store/storetest"
	"parley/internal/teams"
)

// team makes a team and returns its id. more are members of the body, each after a comma.
func (w *world) team(name, more string) string {
	w.T.Helper()
	return w.Post("/v1/dashboard/teams", `{"name":"`+name+`","color":"teal"`+more+`}`).Want(201).Text("id")
}

// TestTeams lets an inbox and a product lead to teams, and follows what becomes of their
// conversations.
func TestTeams(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		inbox := w.NewInbox(desk.NewInbox{Name: "Shop", Channel: parley.ChannelAPI}).String()
		product := w.Post("/v1/dashboard/products", `{"name":"Tent"}`).Want(201).Text("id")
		contact := w.Contact(`{"name":"Ann"}`)
		start := func(more string) apitest.Answer {
			return w.Post("/v1/public/conversations", `{"contactId":"`+contact+`"`+more+`}`).Want(201)
		}
		position := ""
		w.Events(&position)
		returns := w.team("Returns", `,"inboxIds":["`+inbox+`"]`)
		tents := w.team("Tents", `,"productIds":["`+product+`"]`)
		in := `,"inboxId":"` + inbox + `"`
		start(in).Is("team.name", `"Returns"`)
		start(`,"productId":"`+product+`"`).Is("team.id", `"`+tents+`"`)
		start(in+`,"productId":"`+product+`"`).Is("team.name", `"Returns"`)
		start(in+`,"teamId":null`).Is("team", "null")
		given := start(in+`,"teamId":"`+tents+`"`).Is("team.name", `"Tents"`).Text("id")
		plain := start("").Is("team", "null").Text("id")
		w.Events(&position)

		change := func(id, body string) apitest.Answer { return w.Patch("/v1/public/conversations/"+id, body) }
		change(plain, `{"productId":"`+product+`"}`).Want(200).Is("team.id", `"`+tents+`"`)
		change(given, `{"productId":"`+product+`","teamId":"`+returns+`"}`).Want(200).Is("team.id", `"`+returns+`"`)
		change(given, `{"teamId":"`+returns+`"}`).Want(200)
		change(plain, `{"productId":null,"teamId":null}`).Want(200).Is("team", "null")
		change(plain, `{"productId":"`+product+`","teamId":null}`).Want(200).Is("team", "null")
		change(plain, `{"teamId":"`+product+`"}`).Refused(404, "teamId: no such team in this workspace")
		const both = "conversation.updated product,team"
		w.told(&position, both, both, both, "conversation.updated product")
		if history := string(w.Get("/v1/public/conversations/" + given + "/history").Want(200).Body); !strings.Contains(history, `"name":"Returns"`) {
			t.Errorf("the history is %s", history)
		}

		// An inbox leads to one team.
		w.Patch("/v1/dashboard/teams/"+tents, `{"name":"Camping","inboxIds":["`+inbox+`"]}`).Want(200).Is("productIds.0", `"`+product+`"`)
		w.Patch("/v1/dashboard/teams/"+tents, `{"name":"Camping","inboxIds":["`+inbox+`","`+inbox+`"]}`).Want(200)
		w.told(&position, "team.updated inboxIds", "team.updated name,inboxIds")
		start(in).Is("team.name", `"Camping"`)
		w.Get("/v1/public/teams?limit=1").Want(200).Is("data.0.name", `"Camping"`, "has_more", "true")
		w.Get("/v1/dashboard/state").Want(200).Is("teams.0.name", `"Camping"`, "teams.1.inboxIds", "[]", "teams.1.id", `"`+returns+`"`)
	})
}

// TestTeamsAreRefused asks for what teams cannot be.
func TestTeamsAreRefused(t *testing.T) {
	w := onSQLite(t)
	none := parley.NewIDs(nil).New(w.Now()).String()
	made := w.team("Returns", "")
	w.Post("/v1/dashboard/teams", `{"name":"RETURNS","color":"red"}`).Refused(409, "name: must not be that of another team")
	w.Patch("/v1/dashboard/teams/"+w.team("Tents", ""), `{"name":"returns"}`).Want(409)
	w.Patch("/v1/dashboard/teams/"+made, `{"name":"returns"}`).Want(200)
	w.Post("/v1/dashboard/teams", `{"name":"x","color":"red","memberIds":["usr_a"]}`).Refused(404, "memberIds: no such member in this workspace")
	w.Post("/v1/dashboard/teams", `{"name":"x","color":"red","inboxIds":["`+none+`"]}`).Refused(404, "inboxIds: no such inbox in this workspace")
	w.Patch("/v1/dashboard/teams/"+made, `{"productIds":["`+none+`"]}`).Refused(404, "productIds: no such product in this workspace")
	w.Patch("/v1/dashboard/teams/"+none, `{"color":"red"}`).Refused(404, "no such team in this workspace")
	w.Delete("/v1/dashboard/teams/" + none).Want(404)
	for _, body := range []string{`{}`, `{"name":" ","color":"red"}`, `{"name":"` + strings.Repeat("x", 81) + `","color":"red"}`, `{"name":"x","color":"plaid"}`, `{"name":"x","color":"red","memberIds":"usr_a"}`} {
		w.Post("/v1/dashboard/teams", body).Want(400)
	}
	ws := w.Home.Workspace.ID
	storetest.Fill(t, w.Store, ws, parley.MaxTeams, func(tx *store.Tx, i int) error {
		return teams.InsertTeam(tx, ws, &parley.Team{ID: parley.NewIDs(nil).New(w.Now()), Name: fmt.Sprint(i), Color: "red", CreatedAt: w.Now(), UpdatedAt: w.Now()})
	})
	w.Post("/v1/dashboard/teams", `{"name":"x","color":"red"}`).Refused(409, "the workspace has 100 teams already; delete one first")
}

// TestMembersLeaveTeams removes a member of a team, who is in none after coming back.
func TestMembersLeaveTeams(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, _ := w.member(parley.Agent)
		w.team("Returns", `,"memberIds":["`+string(ann.ID)+`","`+string(w.Home.Owner.ID)+`"]`)
		w.Delete("/v1/dashboard/members/" + string(ann.ID)).Want(200)
		stays := `["` + string(w.Home.Owner.ID) + `"]`
		w.Get("/v1/public/teams").Want(200).Is("data.0.memberIds", stays)
		back := w.join(w.By(), ann.Email, "a long password").SignedIn.Member
		if back.ID != ann.ID {
			t.Fatalf("%s came back as %s", ann.ID, back.ID)
		}
		w.Get("/v1/public/teams").Want(200).Is("data.0.memberIds", stays)
	})
}

// TestDeletedTeam deletes a team with more conversations than are cleared at once. They
// show no team from then on, and each has an event when it is cleared.
func TestDeletedTeam(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const count = 130
		ws := w.Home.Workspace.ID
		made := w.team("Returns", "")
		shown := w.Conversation()
		w.Patch("/v1/public/conversations/"+shown, `{"teamId":"`+made+`","status":"resolved","spam":true}`).Want(200)
		id, _ := parley.ParseID(made)
		like, _ := parley.ParseID(shown)
		var first parley.Conversation
		storetest.View(t, w.Store, func(v *store.View) (err error) {
			first, err = v.Conversation(parley.WholeWorkspace(ws), like)
			return err
		})
		first.MergedInto = like // which lists leave out
		ids := parley.NewIDs(nil)
		storetest.Fill(t, w.Store, ws, count, func(tx *store.Tx, _ int) error {
			c := first
			c.ID = ids.New(w.Now())
			return tx.InsertConversation(ws, &c, w.Now())
		})
		position := ""
		w.Events(&position)
		w.Delete("/v1/dashboard/teams/"+made).Want(200).Is("name", `"Returns"`)
		w.Get("/v1/public/conversations/"+shown).Want(200).Is("team", "null")
		w.Patch("/v1/public/conversations/"+shown, `{"teamId":"`+made+`"}`).Want(404)
		w.Delete("/v1/dashboard/teams/" + made).Want(404)
		w.settle()
		told := w.Events(&position)
		want := append([]string{"team.deleted"}, slices.Repeat([]string{"conversation.updated team"}, count+1)...)
		if !slices.Equal(told, want) {
			t.Errorf("there are %d events, among them %v", len(told), slices.Compact(told))
		}
		storetest.View(t, w.Store, func(v *store.View) error {
			rows, err := store.Many(v, ws, store.Only[parley.ID], "SELECT team_id FROM teams WHERE workspace_id = $1")
			if slices.Contains(rows, id) {
				t.Error("the row of the team is still there")
			}
			return err
		})
	})
}

package dashboard_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
	"parley/internal/desk"
)

const newPassword = "correct horse battery"

// link creates an invitation over HTTP and returns it with the token of its
// link.
func (w *world) link(email string, role parley.Role) (apitest.Answer, string) {
	w.T.Helper()
	made := w.Post("/v1/dashboard/invitations", `{"email":"`+email+`","role":"`+string(role)+`"}`).Want(201)
	return made, tokenOf(made)
}

func tokenOf(made apitest.Answer) string {
	made.T.Helper()
	token, ok := strings.CutPrefix(made.Text("link"), "/invite#")
	if !ok {
		made.T.Fatalf("the link is %q", made.Text("link"))
	}
	return token
}

func (w *world) open(token string) apitest.Answer {
	w.T.Helper()
	return w.Send(apitest.Request{Method: "POST", Path: "/v1/dashboard/invitations/open", Body: `{"token":"` + token + `"}`, Session: apitest.None})
}

func (w *world) accept(token, name, password string) apitest.Answer {
	w.T.Helper()
	return w.Send(apitest.Request{
		Method: "POST", Path: "/v1/dashboard/invitations/accept", Session: apitest.None,
		Body: `{"token":"` + token + `","name":"` + name + `","password":"` + password + `"}`,
	})
}

const linkOver = "this link is not valid any more; ask for another one"

// told requires the events since the last call.
func (w *world) told(after *string, want ...string) {
	w.T.Helper()
	if got := w.Events(after); !slices.Equal(got, want) {
		w.T.Errorf("the events are %q, want %q", got, want)
	}
}

func TestInvitation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		after := ""
		w.Events(&after)
		made, token := w.link("Cy@home.example", parley.Admin)
		made.Is("email", `"Cy@home.example"`, "role", `"admin"`, "memberId", "null", "invitedBy.name", `"owner"`,
			"createdAt", `"2026-11-21T10:00:00.000Z"`, "expiresAt", `"2026-11-28T10:00:00.000Z"`)
		list := w.Get("/v1/dashboard/invitations").Want(200)
		list.Is("data.0.id", quote(made.Text("id")))
		if strings.Contains(string(list.Body), token) {
			t.Error("the list shows the token")
		}
		w.open(token).Want(200).Is("workspace.name", `"Home"`, "email", `"Cy@home.example"`, "role", `"admin"`, "memberId", "null")
		w.accept(token, "Cy", "short").Refused(400, "password: must be 12 to 128 characters, not blank")
		w.Send(apitest.Request{
			Method: "POST", Path: "/v1/dashboard/invitations/accept", Session: apitest.None, Body: `{"token":"` + token + `","password":"` + newPassword + `"}`,
		}).Refused(400, "name: must be 1 to 255 characters, not blank")
		w.told(&after)

		in := w.accept(token, "Cy", newPassword).Want(201)
		in.Is("member.name", `"Cy"`, "member.role", `"admin"`, "workspace.name", `"Home"`)
		if w.as(in.Cookie()) != 200 {
			t.Error("whoever follows a link is not signed in")
		}
		w.told(&after, "member.created")
		w.enter("", login("cy@home.example", newPassword)).Want(201)
		w.open(token).Refused(404, linkOver)
		w.accept(token, "Cy", newPassword).Refused(404, linkOver)
		for _, odd := range []string{"", "x", "pi_" + strings.Repeat("a", 43), "ps" + token[2:]} {
			w.open(odd).Refused(404, linkOver)
		}
		if n := w.Get("/v1/dashboard/invitations").Want(200).Count("data"); n != 0 {
			t.Errorf("there are %d open invitations", n)
		}
		w.Post("/v1/dashboard/invitations", `{"email":"CY@home.example","role":"agent"}`).Refused(409, "email: must not belong to a member already")
		w.Post("/v1/dashboard/invitations", `{"email":"cy","role":"boss"}`).
			Refused(400, "email: must be an e-mail address; role: must be one of owner, admin, agent")
		w.Post("/v1/dashboard/invitations", `{"email":"","role":"agent"}`).Refused(400, "email: must be an e-mail address")
	})
}

// TestInvitationEnds checks everything that ends a link before it is used.
func TestInvitationEnds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, expired := w.link("a@home.example", parley.Agent)
		w.Advance(7*24*time.Hour - time.Millisecond)
		w.open(expired).Want(200)
		w.Advance(time.Millisecond)
		w.open(expired).Refused(404, linkOver)
		w.accept(expired, "A", newPassword).Refused(404, linkOver)

		w.confirm("", w.Home.OwnerPassword, "").Want(200)
		made, withdrawn := w.link("b@home.example", parley.Agent)
		path := "/v1/dashboard/invitations/" + made.Text("id")
		w.Delete(path).Want(200).Is("email", `"b@home.example"`)
		w.open(withdrawn).Refused(404, linkOver)
		w.Delete(path).Refused(404, "no such invitation in this workspace")
		w.Delete("/v1/dashboard/invitations/x").Refused(400, "id: must be a UUID")

		_, earlier := w.link("c@home.example", parley.Admin)
		_, later := w.link(" C@home.example"[1:], parley.Agent)
		w.open(earlier).Refused(404, linkOver)
		w.open(later).Want(200).Is("role", `"agent"`)
		if n := w.Get("/v1/dashboard/invitations").Want(200).Count("data"); n != 1 {
			t.Errorf("there are %d open invitations, want the later one", n)
		}
		// The command line was quicker.
		if _, _, err := w.Access.CreateMember(t.Context(), w.By(), access.NewMember{Email: "c@home.example", Name: "C", Role: parley.Agent}); err != nil {
			t.Fatal(err)
		}
		w.accept(later, "C", newPassword).Refused(409, "a member of this workspace has this e-mail address")

		for name, end := range map[string]func(parley.UserID){
			"removed": func(id parley.UserID) { w.Delete("/v1/dashboard/members/" + string(id)).Want(200) },
			"demoted": func(id parley.UserID) { w.Patch("/v1/dashboard/members/"+string(id), `{"role":"agent"}`).Want(200) },
		} {
			admin, _ := w.member(parley.Admin)
			by := desk.Caller{Workspace: w.Home.Workspace.ID, Member: admin.ID}
			made, err := w.Access.Invite(t.Context(), by, access.Invitee{Email: w.email(), Role: parley.Agent})
			if err != nil {
				t.Fatal(err)
			}
			agent, _ := w.member(parley.Agent)
			reset, err := w.Access.ResetPassword(t.Context(), by, agent.ID)
			if err != nil {
				t.Fatal(err)
			}
			end(admin.ID)
			for _, token := range []parley.Token{made.Token, reset.Token} {
				if w.open(string(token)).Status != 404 {
					t.Errorf("the link of somebody who was %s still works", name)
				}
			}
		}
		w.Expire()
	})
}

func TestReset(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, session := w.member(parley.Agent)
		after := ""
		w.Events(&after)
		path := "/v1/dashboard/members/" + string(m.ID) + "/reset"
		earlier := tokenOf(w.Post(path, "").Want(201))
		made := w.Post(path, "").Want(201)
		made.Is("memberId", quote(string(m.ID)), "email", quote(m.Email), "role", `"agent"`, "invitedBy.id", quote(string(w.Home.Owner.ID)))
		token := tokenOf(made)
		w.open(earlier).Refused(404, linkOver)
		w.open(token).Want(200).Is("memberId", quote(string(m.ID)), "email", quote(m.Email))
		w.Advance(24*time.Hour - time.Millisecond)
		w.open(token).Want(200)
		in := w.accept(token, "Not used", newPassword).Want(201)
		in.Is("member.name", `"The agent"`, "member.id", quote(string(m.ID)))
		if w.as(session) != 401 || w.as(in.Cookie()) != 200 {
			t.Error("a reset does not end the earlier sessions alone")
		}
		w.enter("", login(m.Email, newPassword)).Want(201)
		w.enter("", login(m.Email, w.passwords[m.ID])).Want(401)
		w.open(token).Refused(404, linkOver)
		w.confirm("", w.Home.OwnerPassword, "").Want(200)
		token = tokenOf(w.Post(path, "").Want(201))
		w.Advance(24 * time.Hour)
		w.open(token).Refused(404, linkOver)
		w.told(&after)
		w.confirm("", w.Home.OwnerPassword, "").Want(200)
		w.Post("/v1/dashboard/members/usr_nobody/reset", "").Refused(404, "no such member in this workspace")
		w.Post("/v1/dashboard/members/%00/reset", "").Refused(400, "id: must be UTF-8 without the NUL character")
	})
}

func TestUpdateMember(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, token := w.member(parley.Agent)
		after := ""
		w.Events(&after)
		path := "/v1/dashboard/members/" + string(m.ID)
		w.Advance(time.Second)
		w.Patch(path, `{"name":"Bo","image":"https://img.example/bo.png","role":"admin"}`).Want(200).
			Is("name", `"Bo"`, "image", `"https://img.example/bo.png"`, "role", `"admin"`, "updatedAt", quote(w.Now().Format("2006-01-02T15:04:05.000Z")))
		w.told(&after, "member.updated name,image,role")
		w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/invitations", Session: token}).Want(200) // the new role holds at once
		w.Patch(path, `{"name":"Bo","role":"admin"}`).Want(200)
		w.Patch(path, ``).Want(200)
		w.Patch(path, `{"image":""}`).Want(200).Is("image", `""`)
		w.told(&after, "member.updated image")
		w.Patch(path, `{"name":" ","image":"x","role":"boss"}`).Refused(400, "name: must be a string of 1 to 255 characters, not blank; "+
			"image: must be an http or https address of at most 2048 characters; role: must be one of owner, admin, agent")
		w.Patch("/v1/dashboard/members/usr_nobody", `{"name":"x"}`).Refused(404, "no such member in this workspace")

		own := "/v1/dashboard/members/" + string(w.Home.Owner.ID)
		w.Patch(own, `{"role":"admin"}`).Refused(409, "role: must stay owner, because there is no other owner")
		w.Patch(path, `{"role":"owner"}`).Want(200)
		w.Patch(own, `{"role":"agent"}`).Want(200)
		w.Patch(path, `{"role":"agent"}`).Want(403) // the former owner is an agent now
		w.told(&after, "member.updated role", "member.updated role")
	})
}

// TestResetOfWhoRises creates a link for an agent who becomes an owner before
// it is opened: whoever received it was only trusted with an agent's account.
func TestResetOfWhoRises(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, _ := w.member(parley.Agent)
		path := "/v1/dashboard/members/" + string(m.ID)
		reset := tokenOf(w.Post(path+"/reset", "").Want(201))
		w.open(reset).Want(200)
		w.Patch(path, `{"role":"owner"}`).Want(200)
		w.open(reset).Refused(404, linkOver)
		w.accept(reset, "Eve", newPassword).Refused(404, linkOver)
	})
}

func TestRemoveMember(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, token := w.member(parley.Admin)
		id, path := string(m.ID), "/v1/dashboard/members/"+string(m.ID)
		conversation := w.Conversation()
		thread := "/v1/public/conversations/" + conversation
		w.Patch(thread, `{"assigneeId":"`+id+`"}`).Want(200)
		w.Send(apitest.Request{Method: "POST", Path: thread + "/messages", Body: `{"content":"I am Bo"}`, Session: token}).Want(201)
		reset := tokenOf(w.Post(path+"/reset", "").Want(201))
		after := ""
		w.Events(&after)

		w.Delete(path).Want(200).Is("id", quote(id))
		w.told(&after, "member.removed")
		if w.as(token) != 401 {
			t.Error("the session of a removed member opens")
		}
		w.enter("", login(m.Email, w.passwords[m.ID])).Want(401)
		w.open(reset).Refused(404, linkOver)
		if list := w.Get("/v1/public/members").Want(200); strings.Contains(string(list.Body), id) {
			t.Error("a removed member is in the list")
		}
		shown := w.Get(thread).Want(200)
		shown.Is("assignee.name", `"The admin"`, "messages.data.0.sender.name", `"The admin"`, "messages.data.0.senderId", quote(id))
		w.Patch("/v1/public/conversations/"+w.Conversation(), `{"assigneeId":"`+id+`"}`).Refused(404, "assigneeId: no such member in this workspace")
		w.Patch(thread, `{"status":"pending"}`).Want(200).Is("assignee.id", quote(id))
		for _, got := range []apitest.Answer{w.Delete(path), w.Post(path+"/reset", ""), w.Patch(path, `{"name":"x"}`)} {
			got.Refused(404, "no such member in this workspace")
		}
		w.Events(&after)

		// A person who is invited again is the same member.
		_, again := w.link(strings.ToUpper(m.Email), parley.Agent)
		w.accept(again, "Bo again", newPassword).Want(201).Is("member.id", quote(id), "member.name", `"Bo again"`, "member.role", `"agent"`)
		w.told(&after, "member.created")
		w.Get(thread).Want(200).Is("assignee.name", `"Bo again"`)
		w.enter("", login(m.Email, newPassword)).Want(201)

		own := "/v1/dashboard/members/" + string(w.Home.Owner.ID)
		w.Delete(own).Refused(409, "you cannot remove yourself; another member has to do it")
		if _, err := w.Access.RemoveMember(t.Context(), desk.Caller{Workspace: w.Home.Workspace.ID}, w.Home.Owner.ID); parley.KindOf(err) != parley.Conflict {
			t.Errorf("the last owner is removed: %v", err)
		}
		w.told(&after)
	})
}

func TestRenameWorkspace(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		after := ""
		w.Events(&after)
		w.Patch("/v1/dashboard/workspace", `{"name":"Acme"}`).Want(200).
			Is("id", quote(w.Home.Workspace.ID.String()), "name", `"Acme"`)
		w.told(&after, "workspace.updated name")
		w.Patch("/v1/dashboard/workspace", `{"name":"Acme"}`).Want(200)
		w.told(&after)
		w.Get("/v1/dashboard/session").Want(200).Is("workspace.name", `"Acme"`)
		w.Patch("/v1/dashboard/workspace", `{"name":" "}`).Refused(400, "name: must be a string of 1 to 255 characters, not blank")
		w.Patch("/v1/dashboard/workspace", `{}`).Refused(400, "name: must be given")
	})
}

// TestForeignMembers uses ids of another workspace's members and invitations,
// which must look like missing ones.
func TestForeignMembers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other, err := w.Access.CreateWorkspace(t.Context(), "Other", "owner@other.example")
		if err != nil {
			t.Fatal(err)
		}
		invitation, err := w.Access.Invite(t.Context(), desk.Caller{Workspace: other.Workspace.ID}, access.Invitee{Email: "cy@other.example", Role: parley.Agent})
		if err != nil {
			t.Fatal(err)
		}
		member := "/v1/dashboard/members/" + string(other.Owner.ID)
		w.Patch(member, `{"name":"x"}`).Refused(404, "no such member in this workspace")
		w.Delete(member).Refused(404, "no such member in this workspace")
		w.Post(member+"/reset", "").Refused(404, "no such member in this workspace")
		w.Delete("/v1/dashboard/invitations/"+invitation.Invitation.ID.String()).Refused(404, "no such invitation in this workspace")
		if n := w.Get("/v1/dashboard/invitations").Want(200).Count("data"); n != 0 {
			t.Errorf("%d invitations of another workspace show", n)
		}
		w.open(string(invitation.Token)).Want(200).Is("workspace.name", `"Other"`)
	})
}

// TestMemberEvents checks the data of member events.
func TestMemberEvents(t *testing.T) {
	w := onSQLite(t)
	m, _ := w.member(parley.Agent)
	after := ""
	w.Events(&after)
	w.Patch("/v1/dashboard/members/"+string(m.ID), `{"name":"Bo"}`).Want(200)
	w.Delete("/v1/dashboard/members/" + string(m.ID)).Want(200)
	w.Patch("/v1/dashboard/workspace", `{"name":"Acme"}`).Want(200)
	page := w.Get("/v1/public/events?after=" + after).Want(200)
	page.Is("data.0.data.name", `"Bo"`, "data.1.data.id", quote(string(m.ID)), "data.1.data.name", `"Bo"`,
		"data.2.data.name", `"Acme"`, "data.2.data.id", quote(w.Home.Workspace.ID.String()))
}

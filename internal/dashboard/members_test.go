package dashboard_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/desk"
)

const newPassword = "correct horse battery"

// link makes an invitation over HTTP and returns it with the token of its link.
func (w *world) link(email string, role parley.Role) (answer, string) {
	w.t.Helper()
	made := w.post("/v1/dashboard/invitations", `{"email":"`+email+`","role":"`+string(role)+`"}`).want(201)
	return made, tokenOf(made)
}

func tokenOf(made answer) string {
	made.t.Helper()
	token, ok := strings.CutPrefix(made.text("link"), "/invite#")
	if !ok {
		made.t.Fatalf("the link is %q", made.text("link"))
	}
	return token
}

func (w *world) open(token string) answer {
	w.t.Helper()
	return w.send(request{method: "POST", path: "/v1/dashboard/invitations/open", body: `{"token":"` + token + `"}`, token: "none"})
}

func (w *world) accept(token, name, password string) answer {
	w.t.Helper()
	return w.send(request{
		method: "POST", path: "/v1/dashboard/invitations/accept", token: "none",
		body: `{"token":"` + token + `","name":"` + name + `","password":"` + password + `"}`,
	})
}

const linkOver = "this link is not valid any more; ask for another one"

// told demands which events the log tells since the last call.
func (w *world) told(after *string, want ...string) {
	w.t.Helper()
	if got := w.events(after); !slices.Equal(got, want) {
		w.t.Errorf("the events are %q, want %q", got, want)
	}
}

func TestInvitation(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		after := ""
		w.events(&after)
		made, token := w.link("Cy@home.example", parley.Admin)
		made.is("email", `"Cy@home.example"`, "role", `"admin"`, "memberId", "null", "invitedBy.name", `"owner"`,
			"createdAt", `"2026-11-21T10:00:00.000Z"`, "expiresAt", `"2026-11-28T10:00:00.000Z"`)
		list := w.get("/v1/dashboard/invitations").want(200)
		list.is("data.0.id", quote(made.text("id")))
		if strings.Contains(string(list.body), token) {
			t.Error("the list shows the token")
		}
		w.open(token).want(200).is("workspace.name", `"Home"`, "email", `"Cy@home.example"`, "role", `"admin"`, "memberId", "null")
		w.accept(token, "Cy", "short").refused(400, "password: must be 10 to 128 characters, not blank")
		w.send(request{
			method: "POST", path: "/v1/dashboard/invitations/accept", token: "none", body: `{"token":"` + token + `","password":"` + newPassword + `"}`,
		}).refused(400, "name: must be 1 to 255 characters, not blank")
		w.told(&after)

		in := w.accept(token, "Cy", newPassword).want(201)
		in.is("member.name", `"Cy"`, "member.role", `"admin"`, "workspace.name", `"Home"`)
		if w.as(in.cookie()) != 200 {
			t.Error("whoever follows a link is not signed in")
		}
		w.told(&after, "member.created")
		w.enter("", login("cy@home.example", newPassword)).want(201)
		w.open(token).refused(404, linkOver)
		w.accept(token, "Cy", newPassword).refused(404, linkOver)
		for _, odd := range []string{"", "x", "pi_" + strings.Repeat("a", 43), "ps" + token[2:]} {
			w.open(odd).refused(404, linkOver)
		}
		if n := w.get("/v1/dashboard/invitations").want(200).count("data"); n != 0 {
			t.Errorf("there are %d open invitations", n)
		}
		w.post("/v1/dashboard/invitations", `{"email":"CY@home.example","role":"agent"}`).refused(409, "email: must not belong to a member already")
		w.post("/v1/dashboard/invitations", `{"email":"cy","role":"boss"}`).
			refused(400, "email: must be an e-mail address; role: must be one of owner, admin, agent")
		w.post("/v1/dashboard/invitations", `{"email":"","role":"agent"}`).refused(400, "email: must be an e-mail address")
	})
}

// TestInvitationEnds looks at everything that ends a link before it is used.
func TestInvitationEnds(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, expired := w.link("a@home.example", parley.Agent)
		w.advance(7*24*time.Hour - time.Millisecond)
		w.open(expired).want(200)
		w.advance(time.Millisecond)
		w.open(expired).refused(404, linkOver)
		w.accept(expired, "A", newPassword).refused(404, linkOver)

		made, withdrawn := w.link("b@home.example", parley.Agent)
		path := "/v1/dashboard/invitations/" + made.text("id")
		w.delete(path).want(200).is("email", `"b@home.example"`)
		w.open(withdrawn).refused(404, linkOver)
		w.delete(path).refused(404, "no such invitation in this workspace")
		w.delete("/v1/dashboard/invitations/x").refused(400, "id: must be a UUID")

		_, earlier := w.link("c@home.example", parley.Admin)
		_, later := w.link(" C@home.example"[1:], parley.Agent)
		w.open(earlier).refused(404, linkOver)
		w.open(later).want(200).is("role", `"agent"`)
		if n := w.get("/v1/dashboard/invitations").want(200).count("data"); n != 1 {
			t.Errorf("there are %d open invitations, want the later one", n)
		}
		// The command line was quicker.
		if _, _, err := w.access.CreateMember(t.Context(), w.by(), access.NewMember{Email: "c@home.example", Name: "C", Role: parley.Agent}); err != nil {
			t.Fatal(err)
		}
		w.accept(later, "C", newPassword).refused(409, "a member of this workspace has this e-mail address")

		for name, end := range map[string]func(parley.UserID){
			"removed": func(id parley.UserID) { w.delete("/v1/dashboard/members/" + string(id)).want(200) },
			"demoted": func(id parley.UserID) { w.patch("/v1/dashboard/members/"+string(id), `{"role":"agent"}`).want(200) },
		} {
			admin, _ := w.member(parley.Admin)
			by := desk.Caller{Workspace: w.home.Workspace.ID, Member: admin.ID}
			made, err := w.access.Invite(t.Context(), by, w.email(), parley.Agent)
			if err != nil {
				t.Fatal(err)
			}
			agent, _ := w.member(parley.Agent)
			reset, err := w.access.ResetPassword(t.Context(), by, agent.ID)
			if err != nil {
				t.Fatal(err)
			}
			end(admin.ID)
			for _, token := range []parley.Token{made.Token, reset.Token} {
				if w.open(string(token)).status != 404 {
					t.Errorf("the link of somebody who was %s still works", name)
				}
			}
		}
		if err := w.access.Purge(t.Context()); err != nil {
			t.Fatal(err)
		}
	})
}

func TestReset(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, session := w.member(parley.Agent)
		after := ""
		w.events(&after)
		path := "/v1/dashboard/members/" + string(m.ID) + "/reset"
		earlier := tokenOf(w.post(path, "").want(201))
		made := w.post(path, "").want(201)
		made.is("memberId", quote(string(m.ID)), "email", quote(m.Email), "role", `"agent"`, "invitedBy.id", quote(string(w.home.Owner.ID)))
		token := tokenOf(made)
		w.open(earlier).refused(404, linkOver)
		w.open(token).want(200).is("memberId", quote(string(m.ID)), "email", quote(m.Email))
		w.advance(24*time.Hour - time.Millisecond)
		w.open(token).want(200)
		in := w.accept(token, "Not used", newPassword).want(201)
		in.is("member.name", `"The agent"`, "member.id", quote(string(m.ID)))
		if w.as(session) != 401 || w.as(in.cookie()) != 200 {
			t.Error("a reset does not end the earlier sessions alone")
		}
		w.enter("", login(m.Email, newPassword)).want(201)
		w.enter("", login(m.Email, w.passwords[m.ID])).want(401)
		w.open(token).refused(404, linkOver)
		token = tokenOf(w.post(path, "").want(201))
		w.advance(24 * time.Hour)
		w.open(token).refused(404, linkOver)
		w.told(&after)
		w.post("/v1/dashboard/members/usr_nobody/reset", "").refused(404, "no such member in this workspace")
		w.post("/v1/dashboard/members/%00/reset", "").refused(400, "id: must be UTF-8 without the NUL character")
	})
}

func TestUpdateMember(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, token := w.member(parley.Agent)
		after := ""
		w.events(&after)
		path := "/v1/dashboard/members/" + string(m.ID)
		w.advance(time.Second)
		w.patch(path, `{"name":"Bo","image":"https://img.example/bo.png","role":"admin"}`).want(200).
			is("name", `"Bo"`, "image", `"https://img.example/bo.png"`, "role", `"admin"`, "updatedAt", quote(w.now().Format("2006-01-02T15:04:05.000Z")))
		w.told(&after, "member.updated name,image,role")
		w.send(request{method: "GET", path: "/v1/dashboard/invitations", token: token}).want(200) // the new role holds at once
		w.patch(path, `{"name":"Bo","role":"admin"}`).want(200)
		w.patch(path, ``).want(200)
		w.patch(path, `{"image":""}`).want(200).is("image", `""`)
		w.told(&after, "member.updated image")
		w.patch(path, `{"name":" ","image":"x","role":"boss"}`).refused(400, "name: must be a string of 1 to 255 characters, not blank; "+
			"image: must be an http or https address of at most 2048 characters; role: must be one of owner, admin, agent")
		w.patch("/v1/dashboard/members/usr_nobody", `{"name":"x"}`).refused(404, "no such member in this workspace")

		own := "/v1/dashboard/members/" + string(w.home.Owner.ID)
		w.patch(own, `{"role":"admin"}`).refused(409, "role: must stay owner, for there is no other owner")
		w.patch(path, `{"role":"owner"}`).want(200)
		w.patch(own, `{"role":"agent"}`).want(200)
		w.patch(path, `{"role":"agent"}`).want(403) // the former owner is an agent now
		w.told(&after, "member.updated role", "member.updated role")
	})
}

// TestResetOfWhoRises has a link made for an agent who becomes an owner before
// it is opened: whoever got it was trusted with an agent's account alone.
func TestResetOfWhoRises(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, _ := w.member(parley.Agent)
		path := "/v1/dashboard/members/" + string(m.ID)
		reset := tokenOf(w.post(path+"/reset", "").want(201))
		w.open(reset).want(200)
		w.patch(path, `{"role":"owner"}`).want(200)
		w.open(reset).refused(404, linkOver)
		w.accept(reset, "Eve", newPassword).refused(404, linkOver)
	})
}

func TestRemoveMember(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		m, token := w.member(parley.Admin)
		id, path := string(m.ID), "/v1/dashboard/members/"+string(m.ID)
		conversation := w.conversation()
		thread := "/v1/public/conversations/" + conversation
		w.patch(thread, `{"assigneeId":"`+id+`"}`).want(200)
		w.send(request{method: "POST", path: thread + "/messages", body: `{"content":"I am Bo"}`, token: token}).want(201)
		reset := tokenOf(w.post(path+"/reset", "").want(201))
		after := ""
		w.events(&after)

		w.delete(path).want(200).is("id", quote(id))
		w.told(&after, "member.removed")
		if w.as(token) != 401 {
			t.Error("the session of a removed member opens")
		}
		w.enter("", login(m.Email, w.passwords[m.ID])).want(401)
		w.open(reset).refused(404, linkOver)
		if list := w.get("/v1/public/members").want(200); strings.Contains(string(list.body), id) {
			t.Error("a removed member is in the list")
		}
		shown := w.get(thread).want(200)
		shown.is("assignee.name", `"The admin"`, "messages.data.0.sender.name", `"The admin"`, "messages.data.0.senderId", quote(id))
		w.patch("/v1/public/conversations/"+w.conversation(), `{"assigneeId":"`+id+`"}`).refused(404, "assigneeId: no such member in this workspace")
		w.patch(thread, `{"status":"pending"}`).want(200).is("assignee.id", quote(id))
		for _, got := range []answer{w.delete(path), w.post(path+"/reset", ""), w.patch(path, `{"name":"x"}`)} {
			got.refused(404, "no such member in this workspace")
		}
		w.events(&after)

		// Whoever is invited again is the same member.
		_, again := w.link(strings.ToUpper(m.Email), parley.Agent)
		w.accept(again, "Bo again", newPassword).want(201).is("member.id", quote(id), "member.name", `"Bo again"`, "member.role", `"agent"`)
		w.told(&after, "member.created")
		w.get(thread).want(200).is("assignee.name", `"Bo again"`)
		w.enter("", login(m.Email, newPassword)).want(201)

		own := "/v1/dashboard/members/" + string(w.home.Owner.ID)
		w.delete(own).refused(409, "you cannot remove yourself; another member has to do it")
		if _, err := w.access.RemoveMember(t.Context(), desk.Caller{Workspace: w.home.Workspace.ID}, w.home.Owner.ID); parley.KindOf(err) != parley.Conflict {
			t.Errorf("the last owner is removed: %v", err)
		}
		w.told(&after)
	})
}

func TestRenameWorkspace(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		after := ""
		w.events(&after)
		w.patch("/v1/dashboard/workspace", `{"name":"Acme"}`).want(200).
			is("id", quote(w.home.Workspace.ID.String()), "name", `"Acme"`)
		w.told(&after, "workspace.updated name")
		w.patch("/v1/dashboard/workspace", `{"name":"Acme"}`).want(200)
		w.told(&after)
		w.get("/v1/dashboard/session").want(200).is("workspace.name", `"Acme"`)
		w.patch("/v1/dashboard/workspace", `{"name":" "}`).refused(400, "name: must be a string of 1 to 255 characters, not blank")
		w.patch("/v1/dashboard/workspace", `{}`).refused(400, "name: must be given")
	})
}

// TestForeignMembers names members and invitations of another workspace, which
// must look like ones that are not there.
func TestForeignMembers(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other, err := w.access.CreateWorkspace(t.Context(), "Other", "owner@other.example")
		if err != nil {
			t.Fatal(err)
		}
		invitation, err := w.access.Invite(t.Context(), desk.Caller{Workspace: other.Workspace.ID}, "cy@other.example", parley.Agent)
		if err != nil {
			t.Fatal(err)
		}
		member := "/v1/dashboard/members/" + string(other.Owner.ID)
		w.patch(member, `{"name":"x"}`).refused(404, "no such member in this workspace")
		w.delete(member).refused(404, "no such member in this workspace")
		w.post(member+"/reset", "").refused(404, "no such member in this workspace")
		w.delete("/v1/dashboard/invitations/"+invitation.Invitation.ID.String()).refused(404, "no such invitation in this workspace")
		if n := w.get("/v1/dashboard/invitations").want(200).count("data"); n != 0 {
			t.Errorf("%d invitations of another workspace show", n)
		}
		w.open(string(invitation.Token)).want(200).is("workspace.name", `"Other"`)
	})
}

// TestMemberEvents looks at what the events of members hold.
func TestMemberEvents(t *testing.T) {
	w := onSQLite(t)
	m, _ := w.member(parley.Agent)
	after := ""
	w.events(&after)
	w.patch("/v1/dashboard/members/"+string(m.ID), `{"name":"Bo"}`).want(200)
	w.delete("/v1/dashboard/members/" + string(m.ID)).want(200)
	w.patch("/v1/dashboard/workspace", `{"name":"Acme"}`).want(200)
	page := w.get("/v1/public/events?after=" + after).want(200)
	page.is("data.0.data.name", `"Bo"`, "data.1.data.id", quote(string(m.ID)), "data.1.data.name", `"Bo"`,
		"data.2.data.name", `"Acme"`, "data.2.data.id", quote(w.home.Workspace.ID.String()))
}

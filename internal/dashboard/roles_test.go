package dashboard_test

import (
	"slices"
	"testing"

	"parley"
	"parley/internal/apitest"
	"parley/internal/desk"
)

func rank(r parley.Role) int { return 2 - slices.Index(parley.Roles, r) }

// decides is the rule between two members, repeated here: owners manage
// everybody, admins manage agents.
func decides(actor, target parley.Role) bool {
	return actor == parley.Owner || actor == parley.Admin && target == parley.Agent
}

// A memberChange is a change of a member with its expected result. A refused
// change of another member is 403.
type memberChange struct {
	method, suffix, body string
	allowed              int // the status if it is allowed
	may                  bool
	self                 int // the status for a member's own record
}

// memberChanges returns every change that an actor can ask for.
func memberChanges(actor, target parley.Role) []memberChange {
	may := decides(actor, target)
	changes := []memberChange{
		{"PATCH", "", `{"name":"New"}`, 200, may, 200},
		{"PATCH", "", `{"image":"https://img.example/x.png"}`, 200, may, 200},
		{"POST", "/reset", "", 201, may, map[bool]int{true: 201, false: 403}[actor == parley.Owner]},
		{"DELETE", "", "", 200, may, map[bool]int{true: 409, false: 403}[actor != parley.Agent]},
	}
	for _, next := range parley.Roles {
		self := 200
		if rank(next) > rank(actor) {
			self = 403
		}
		changes = append(changes, memberChange{"PATCH", "", `{"role":"` + string(next) + `"}`, 200, may && decides(actor, next), self})
	}
	return changes
}

// TestWhoMayDoWhat sends every change of a member as each role, for each role
// and for the member itself.
func TestWhoMayDoWhat(t *testing.T) {
	w := onSQLite(t)
	for _, actor := range parley.Roles {
		for _, target := range parley.Roles {
			for _, change := range memberChanges(actor, target) {
				by, token := w.member(actor)
				of, _ := w.member(target)
				send := func(id parley.UserID, want int) {
					got := w.Send(apitest.Request{Method: change.method, Path: "/v1/dashboard/members/" + string(id) + change.suffix, Body: change.body, Session: token})
					if got.Status != want {
						t.Errorf("%s %s %s of %s (oneself: %v) by %s: status %d, want %d: %s",
							change.method, change.suffix, change.body, target, id == by.ID, actor, got.Status, want, got.Body)
					}
				}
				if change.may {
					send(of.ID, change.allowed)
				} else {
					send(of.ID, 403)
				}
				if actor == target { // last, for it can take the actor's role
					send(by.ID, change.self)
				}
			}
		}
	}
}

// TestWhoMayInvite creates and withdraws links for each role as each role: for
// a new address, for one that an owner has invited, and for a former member's.
func TestWhoMayInvite(t *testing.T) {
	w := onSQLite(t)
	for _, actor := range parley.Roles {
		for _, role := range parley.Roles {
			_, token := w.member(actor)
			want := func(allowed int, may bool) int {
				if !may {
					return 403
				}
				return allowed
			}
			invite := func(email string, as parley.Role) apitest.Answer {
				return w.Send(apitest.Request{
					Method: "POST", Path: "/v1/dashboard/invitations", Session: token, Body: `{"email":"` + email + `","role":"` + string(as) + `"}`,
				})
			}
			invite(w.email(), role).Want(want(201, decides(actor, role)))

			email := w.email()
			_, link := w.link(email, role)
			may := decides(actor, role)
			invite(email, parley.Agent).Want(want(201, may))
			w.open(link).Want(map[bool]int{true: 404, false: 200}[may])
			open, _ := w.link(email, role)
			w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/invitations/" + open.Text("id"), Session: token}).Want(want(200, may))

			former, _ := w.member(role)
			w.Delete("/v1/dashboard/members/" + string(former.ID)).Want(200)
			invite(former.Email, parley.Agent).Want(want(201, may))

			target, _ := w.member(role)
			reset := w.Post("/v1/dashboard/members/"+string(target.ID)+"/reset", "").Want(201)
			w.Send(apitest.Request{Method: "DELETE", Path: "/v1/dashboard/invitations/" + reset.Text("id"), Session: token}).Want(want(200, may))
		}
	}
}

// TestNobodyBecomesAFellowAdmin tries, as an admin, the sequences that led to
// another admin's account: make them an agent, reset, accept, make them an
// admin again; remove, invite the address, accept; and the same while an
// owner's invitation of a new admin is open. The other admin's session and
// password must survive.
func TestNobodyBecomesAFellowAdmin(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, attacker := w.member(parley.Admin)
		victim, session := w.member(parley.Admin)
		path := "/v1/dashboard/members/" + string(victim.ID)
		as := func(method, path, body string) apitest.Answer {
			return w.Send(apitest.Request{Method: method, Path: path, Body: body, Session: attacker})
		}
		after := ""
		w.Events(&after)
		const refusal = "your role is admin; only an owner manages an admin"
		invite := func(email string) apitest.Answer {
			return as("POST", "/v1/dashboard/invitations", `{"email":"`+email+`","role":"agent"}`)
		}

		as("PATCH", path, `{"role":"agent"}`).Refused(403, refusal)
		as("POST", path+"/reset", "").Refused(403, refusal)
		as("PATCH", path, `{"role":"admin"}`).Refused(403, refusal)
		as("DELETE", path, "").Refused(403, refusal)
		invite(victim.Email).Refused(409, "email: must not belong to a member already")

		_, awaited := w.link("new-admin@home.example", parley.Admin)
		invite("New-Admin@home.example").Refused(403, refusal)
		w.open(awaited).Want(200).Is("role", `"admin"`)

		if w.as(session) != 200 {
			t.Error("the other admin was signed out")
		}
		w.enter("", login(victim.Email, w.passwords[victim.ID])).Want(201)
		w.told(&after)

		// An admin may take over an agent's account; a promoted member keeps no
		// earlier link.
		agent, _ := w.member(parley.Agent)
		reset := tokenOf(as("POST", "/v1/dashboard/members/"+string(agent.ID)+"/reset", "").Want(201))
		w.Patch("/v1/dashboard/members/"+string(agent.ID), `{"role":"admin"}`).Want(200)
		w.accept(reset, "Eve", newPassword).Refused(404, linkOver)

		// The command line may do what an owner may.
		if _, err := w.Access.RemoveMember(t.Context(), desk.Caller{Workspace: w.Home.Workspace.ID}, victim.ID); err != nil {
			t.Error(err)
		}
	})
}

package dashboard_test

import (
	"fmt"

	"parley"
)

func memberSamples(w *world) map[string]func() sample {
	return map[string]func() sample{
		"listInvitations": func() sample { return sample{"/v1/dashboard/invitations", "", 200} },
		"createInvitation": func() sample {
			return sample{"/v1/dashboard/invitations", `{"email":"` + w.email() + `","role":"agent"}`, 201}
		},
		"deleteInvitation": func() sample {
			w.invite(parley.Agent)
			return sample{"/v1/dashboard/invitations/" + w.get("/v1/dashboard/invitations").want(200).text("data.0.id"), "", 200}
		},
		"resetMember": func() sample {
			m, _ := w.member(parley.Agent)
			return sample{"/v1/dashboard/members/" + string(m.ID) + "/reset", "", 201}
		},
		"updateMember": func() sample { return sample{"/v1/dashboard/members/{me}", `{"name":"Another name"}`, 200} },
		"deleteMember": func() sample {
			m, _ := w.member(parley.Agent)
			return sample{"/v1/dashboard/members/" + string(m.ID), "", 200}
		},
		"updateWorkspace": func() sample { return sample{"/v1/dashboard/workspace", `{"name":"Acme"}`, 200} },
	}
}

// email returns an e-mail address that nobody has.
func (w *world) email() string { return fmt.Sprintf("new%d@home.example", w.clock.Add(1)) }

// invite makes an invitation of somebody new and returns its token.
func (w *world) invite(role parley.Role) parley.Token {
	w.t.Helper()
	made, err := w.access.Invite(w.t.Context(), w.by(), w.email(), role)
	if err != nil {
		w.t.Fatal(err)
	}
	return made.Token
}

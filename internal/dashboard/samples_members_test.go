package dashboard_test

import (
	"fmt"

	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
)

func memberSamples(w *world) map[string]func() apitest.Sample {
	return map[string]func() apitest.Sample{
		"listInvitations": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/invitations", "", 200) },
		"createInvitation": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/invitations", `{"email":"`+w.email()+`","role":"agent"}`, 201)
		},
		"deleteInvitation": func() apitest.Sample {
			w.invite(parley.Agent)
			return apitest.NewSample("/v1/dashboard/invitations/"+w.Get("/v1/dashboard/invitations").Want(200).Text("data.0.id"), "", 200)
		},
		"resetMember": func() apitest.Sample {
			m, _ := w.member(parley.Agent)
			return apitest.NewSample("/v1/dashboard/members/"+string(m.ID)+"/reset", `{"mail":false}`, 201)
		},
		"updateMember": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/members/{me}", `{"name":"Another name"}`, 200)
		},
		"deleteMember": func() apitest.Sample {
			m, _ := w.member(parley.Agent)
			return apitest.NewSample("/v1/dashboard/members/"+string(m.ID), "", 200)
		},
		"updateWorkspace": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/workspace", `{"name":"Acme"}`, 200) },
	}
}

// email returns an e-mail address that nobody has.
func (w *world) email() string { return fmt.Sprintf("new%d@home.example", w.Tick()) }

// invite makes an invitation of somebody new and returns its token.
func (w *world) invite(role parley.Role) parley.Token {
	w.T.Helper()
	made, err := w.Access.Invite(w.T.Context(), w.By(), access.Invitee{Email: w.email(), Role: role})
	if err != nil {
		w.T.Fatal(err)
	}
	return made.Token
}

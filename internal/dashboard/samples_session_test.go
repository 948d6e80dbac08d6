package dashboard_test

import (
	"parley"

	"parley/internal/apitest"
)

func sessionSamples(w *world) map[string]func() apitest.Sample {
	return map[string]func() apitest.Sample{
		"signIn": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/session", `{"email":"owner@home.example","password":"`+w.Home.OwnerPassword+`"}`, 201)
		},
		"getSession":       func() apitest.Sample { return apitest.NewSample("/v1/dashboard/session", "", 200) },
		"signOut":          func() apitest.Sample { return apitest.NewSample("/v1/dashboard/session", "", 200) },
		"listSessions":     func() apitest.Sample { return apitest.NewSample("/v1/dashboard/sessions", "", 200) },
		"endOtherSessions": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/sessions/others", "", 200) },
		"endSession":       func() apitest.Sample { return apitest.NewSample("/v1/dashboard/sessions/{session}", "", 200) },
		"listMemberSessions": func() apitest.Sample {
			m, _ := w.member(parley.Agent)
			return apitest.NewSample("/v1/dashboard/members/"+string(m.ID)+"/sessions", "", 200)
		},
		"endMemberSessions": func() apitest.Sample {
			m, _ := w.member(parley.Agent)
			return apitest.NewSample("/v1/dashboard/members/"+string(m.ID)+"/sessions", "", 200)
		},
		"signOutEverywhere": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/sessions", "", 200) },
		"changePassword": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/password", `{"current":"{password}","next":"correct horse battery"}`, 200)
		},
		"openInvitation": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/invitations/open", `{"token":"`+string(w.invite(parley.Agent))+`"}`, 200)
		},
		"acceptInvitation": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/invitations/accept",
				`{"token":"`+string(w.invite(parley.Agent))+`","name":"Cy","password":"correct horse battery"}`, 201)
		},
	}
}

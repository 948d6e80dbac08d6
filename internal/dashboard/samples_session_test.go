package dashboard_test

import "parley"

func sessionSamples(w *world) map[string]func() sample {
	return map[string]func() sample{
		"signIn": func() sample {
			return sample{"/v1/dashboard/session", `{"email":"owner@home.example","password":"` + w.home.OwnerPassword + `"}`, 201}
		},
		"getSession":        func() sample { return sample{"/v1/dashboard/session", "", 200} },
		"signOut":           func() sample { return sample{"/v1/dashboard/session", "", 200} },
		"listSessions":      func() sample { return sample{"/v1/dashboard/sessions", "", 200} },
		"signOutEverywhere": func() sample { return sample{"/v1/dashboard/sessions", "", 200} },
		"changePassword": func() sample {
			return sample{"/v1/dashboard/password", `{"current":"{password}","next":"correct horse battery"}`, 200}
		},
		"openInvitation": func() sample {
			return sample{"/v1/dashboard/invitations/open", `{"token":"` + string(w.invite(parley.Agent)) + `"}`, 200}
		},
		"acceptInvitation": func() sample {
			return sample{"/v1/dashboard/invitations/accept",
				`{"token":"` + string(w.invite(parley.Agent)) + `","name":"Cy","password":"correct horse battery"}`, 201}
		},
	}
}

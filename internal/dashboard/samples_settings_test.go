package dashboard_test

import (
	"strconv"

	"parley/internal/apitest"
)

func settingSamples(w *world) map[string]func() apitest.Sample {
	const base = "/v1/dashboard/"
	// A name that no record has yet.
	name := func() string { return "n" + strconv.FormatInt(w.Tick(), 10) }
	made := func(path, body string) string {
		w.T.Helper()
		return base + path + "/" + w.Post(base+path, body).Want(201).Text("id")
	}
	team := func() string { return made("teams", `{"name":"`+name()+`","color":"teal"}`) }
	answer := func() string { return made("canned-answers", `{"shortcut":"`+name()+`","content":"Hi"}`) }
	label := func() string {
		w.T.Helper()
		return base + "labels/" + w.Post(base+"labels", `{"name":"`+name()+`","color":"red"}`).Want(201).Text("name")
	}
	return map[string]func() apitest.Sample{
		"createProduct": func() apitest.Sample { return apitest.NewSample(base+"products", `{"name":"P"}`, 201) },
		"updateProduct": func() apitest.Sample {
			return apitest.NewSample(made("products", `{"name":"P"}`), `{"archived":true}`, 200)
		},

		"createInbox": func() apitest.Sample {
			return apitest.NewSample(base+"inboxes", `{"name":"I","channelType":"web"}`, 201)
		},
		"updateInbox": func() apitest.Sample {
			return apitest.NewSample(made("inboxes", `{"name":"I","channelType":"api"}`), `{"name":"J"}`, 200)
		},

		"listCannedAnswers": func() apitest.Sample { return apitest.NewSample(base+"canned-answers", "", 200) },
		"createCannedAnswer": func() apitest.Sample {
			return apitest.NewSample(base+"canned-answers", `{"shortcut":"`+name()+`","content":"Hi"}`, 201)
		},
		"updateCannedAnswer": func() apitest.Sample { return apitest.NewSample(answer(), `{"content":"Bye"}`, 200) },
		"deleteCannedAnswer": func() apitest.Sample { return apitest.NewSample(answer(), "", 200) },

		"getWelcome":    func() apitest.Sample { return apitest.NewSample(base+"welcome", "", 200) },
		"finishWelcome": func() apitest.Sample { return apitest.NewSample(base+"welcome/finish", "", 200) },
		"listViews":     func() apitest.Sample { return apitest.NewSample(base+"views", "", 200) },
		"countViews":    func() apitest.Sample { return apitest.NewSample(base+"view-counts", "", 200) },
		"createView": func() apitest.Sample {
			return apitest.NewSample(base+"views", `{"name":"V","query":"status=open"}`, 201)
		},
		"updateView": func() apitest.Sample { return apitest.NewSample(base+"views/{view}", `{"name":"W"}`, 200) },
		"deleteView": func() apitest.Sample { return apitest.NewSample(base+"views/{view}", "", 200) },

		"createTeam": func() apitest.Sample {
			return apitest.NewSample(base+"teams", `{"name":"`+name()+`","color":"teal","memberIds":["{me}"]}`, 201)
		},
		"updateTeam": func() apitest.Sample { return apitest.NewSample(team(), `{"color":"blue","memberIds":["{me}"]}`, 200) },
		"deleteTeam": func() apitest.Sample { return apitest.NewSample(team(), "", 200) },

		"listMacros": func() apitest.Sample { return apitest.NewSample(base+"macros", "", 200) },
		"createMacro": func() apitest.Sample {
			return apitest.NewSample(base+"macros", `{"name":"M","actions":{"status":"resolved"}}`, 201)
		},
		"updateMacro": func() apitest.Sample {
			return apitest.NewSample(base+"macros/{macro}", `{"name":"N","version":1}`, 200)
		},
		"deleteMacro": func() apitest.Sample { return apitest.NewSample(base+"macros/{macro}", "", 200) },
		"runMacro": func() apitest.Sample {
			return apitest.NewSample(base+"conversations/"+w.Conversation()+"/macros/{macro}", `{"ifLastMessageId":null}`, 200)
		},

		"getBackups": func() apitest.Sample { return apitest.NewSample(base+"backups", "", 200) },

		"listLabels": func() apitest.Sample { return apitest.NewSample(base+"labels", "", 200) },
		"createLabel": func() apitest.Sample {
			return apitest.NewSample(base+"labels", `{"name":"`+name()+`","color":"red"}`, 201)
		},
		"updateLabel": func() apitest.Sample { return apitest.NewSample(label(), `{"color":"blue"}`, 200) },
		"deleteLabel": func() apitest.Sample { return apitest.NewSample(label(), "", 200) },
	}
}

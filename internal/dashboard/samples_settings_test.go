package dashboard_test

import "strconv"

func settingSamples(w *world) map[string]func() sample {
	const base = "/v1/dashboard/"
	// A name that no record has yet.
	name := func() string { return "n" + strconv.FormatInt(w.clock.Add(1), 10) }
	made := func(path, body string) string {
		w.t.Helper()
		return base + path + "/" + w.post(base+path, body).want(201).text("id")
	}
	answer := func() string { return made("canned-answers", `{"shortcut":"`+name()+`","content":"Hi"}`) }
	label := func() string {
		w.t.Helper()
		return base + "labels/" + w.post(base+"labels", `{"name":"`+name()+`","color":"red"}`).want(201).text("name")
	}
	return map[string]func() sample{
		"createProduct": func() sample { return sample{base + "products", `{"name":"P"}`, 201} },
		"updateProduct": func() sample { return sample{made("products", `{"name":"P"}`), `{"archived":true}`, 200} },

		"createInbox": func() sample { return sample{base + "inboxes", `{"name":"I","channelType":"web"}`, 201} },
		"updateInbox": func() sample {
			return sample{made("inboxes", `{"name":"I","channelType":"api"}`), `{"name":"J"}`, 200}
		},

		"listCannedAnswers": func() sample { return sample{base + "canned-answers", "", 200} },
		"createCannedAnswer": func() sample {
			return sample{base + "canned-answers", `{"shortcut":"` + name() + `","content":"Hi"}`, 201}
		},
		"updateCannedAnswer": func() sample { return sample{answer(), `{"content":"Bye"}`, 200} },
		"deleteCannedAnswer": func() sample { return sample{answer(), "", 200} },

		"listLabels":  func() sample { return sample{base + "labels", "", 200} },
		"createLabel": func() sample { return sample{base + "labels", `{"name":"` + name() + `","color":"red"}`, 201} },
		"updateLabel": func() sample { return sample{label(), `{"color":"blue"}`, 200} },
		"deleteLabel": func() sample { return sample{label(), "", 200} },
	}
}

package dashboard_test

func contactSamples(w *world) map[string]func() sample {
	return map[string]func() sample{
		"searchContacts": func() sample { return sample{"/v1/dashboard/contacts?search=ann", "", 200} },
		"mergeContacts": func() sample {
			from, into := w.contact(`{"name":"Ann"}`), w.contact(`{"name":"Bo"}`)
			return sample{"/v1/dashboard/contacts/" + from + "/merge", `{"intoId":"` + into + `"}`, 200}
		},
		"signOutContact": func() sample {
			return sample{"/v1/dashboard/contacts/" + w.contact(`{"name":"Ann"}`) + "/sign-out", "", 200}
		},
		"listWays": func() sample {
			return sample{"/v1/dashboard/contacts/" + w.contact(`{"name":"Ann"}`) + "/ways", "", 200}
		},
		"listCompanyMoves": func() sample {
			return sample{"/v1/dashboard/contacts/" + w.contact(`{"name":"Ann"}`) + "/company-moves", "", 200}
		},
	}
}

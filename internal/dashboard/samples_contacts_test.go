package dashboard_test

import "parley/internal/apitest"

func contactSamples(w *world) map[string]func() apitest.Sample {
	return map[string]func() apitest.Sample{
		"searchContacts": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/contacts?search=ann", "", 200) },
		"mergeContacts": func() apitest.Sample {
			from, into := w.Contact(`{"name":"Ann"}`), w.Contact(`{"name":"Bo"}`)
			return apitest.NewSample("/v1/dashboard/contacts/"+from+"/merge", `{"intoId":"`+into+`"}`, 200)
		},
		"signOutContact": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/contacts/"+w.Contact(`{"name":"Ann"}`)+"/sign-out", "", 200)
		},
		"listWays": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/contacts/"+w.Contact(`{"name":"Ann"}`)+"/ways", "", 200)
		},
		"getVisit": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/contacts/"+w.Contact(`{"name":"Ann"}`)+"/visit", "", 200)
		},
		"listCompanyMoves": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/contacts/"+w.Contact(`{"name":"Ann"}`)+"/company-moves", "", 200)
		},
	}
}

package dashboard_test

import (
	"strconv"

	"parley/internal/apitest"
)

func identitySamples(w *world) map[string]func() apitest.Sample {
	const base = "/v1/dashboard/identity-"
	key := func() string {
		w.T.Helper()
		list := w.Get(base + "keys").Want(200)
		for i := range list.Count("data") { // ten may verify at most
			if item := "data." + strconv.Itoa(i); i > 0 && list.Text(item+".state") != "revoked" {
				w.Delete(base + "keys/" + list.Text(item+".kid")).Want(200)
			}
		}
		return base + "keys/" + w.Post(base+"keys", "").Want(201).Text("kid")
	}
	return map[string]func() apitest.Sample{
		"listIdentityKeys": func() apitest.Sample { return apitest.NewSample(base+"keys", "", 200) },
		"createIdentityKey": func() apitest.Sample {
			key() // leaves two
			return apitest.NewSample(base+"keys", `{"kind":"secret"}`, 201)
		},
		"retireIdentityKey":      func() apitest.Sample { return apitest.NewSample(key()+"/retire", `{"days":7}`, 200) },
		"revokeIdentityKey":      func() apitest.Sample { return apitest.NewSample(key(), "", 200) },
		"listIdentityRejections": func() apitest.Sample { return apitest.NewSample(base+"rejections", "", 200) },
	}
}

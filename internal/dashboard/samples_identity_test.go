package dashboard_test

import "strconv"

func identitySamples(w *world) map[string]func() sample {
	const base = "/v1/dashboard/identity-"
	key := func() string {
		w.t.Helper()
		list := w.get(base + "keys").want(200)
		for i := range list.count("data") { // ten may verify at most
			if item := "data." + strconv.Itoa(i); i > 0 && list.text(item+".state") != "revoked" {
				w.delete(base + "keys/" + list.text(item+".kid")).want(200)
			}
		}
		return base + "keys/" + w.post(base+"keys", "").want(201).text("kid")
	}
	return map[string]func() sample{
		"listIdentityKeys": func() sample { return sample{base + "keys", "", 200} },
		"createIdentityKey": func() sample {
			key() // leaves two
			return sample{base + "keys", `{"kind":"secret"}`, 201}
		},
		"retireIdentityKey":      func() sample { return sample{key() + "/retire", `{"days":7}`, 200} },
		"revokeIdentityKey":      func() sample { return sample{key(), "", 200} },
		"listIdentityRejections": func() sample { return sample{base + "rejections", "", 200} },
	}
}

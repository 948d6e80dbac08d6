package dashboard_test

import (
	"parley"
	"parley/internal/access"
)

func keySamples(w *world) map[string]func() sample {
	return map[string]func() sample{
		"listKeys":  func() sample { return sample{"/v1/dashboard/keys", "", 200} },
		"createKey": func() sample { return sample{"/v1/dashboard/keys", `{"name":"K","scopes":["contacts:read"]}`, 201} },
		"updateKey": func() sample {
			return sample{"/v1/dashboard/keys/" + w.apiKey().id, `{"scopes":["contacts:write"]}`, 200}
		},
		"revokeKey":    func() sample { return sample{"/v1/dashboard/keys/" + w.apiKey().id, "", 200} },
		"getStoresUse": func() sample { return sample{"/v1/dashboard/keys/stores", "", 200} },
	}
}

// An apiKey is a key of the public API with its secret.
type apiKey struct {
	id     string
	key    parley.Key
	secret string
}

// apiKey makes a key of every scope.
func (w *world) apiKey() apiKey {
	w.t.Helper()
	k, secret, err := w.access.CreateKey(w.t.Context(), w.by(), access.NewKey{Name: "test", Scopes: parley.Scopes})
	if err != nil {
		w.t.Fatal(err)
	}
	return apiKey{id: k.ID.String(), key: k, secret: string(secret)}
}

package dashboard_test

import (
	"parley"
	"parley/internal/access"
	"parley/internal/apitest"
)

func keySamples(w *world) map[string]func() apitest.Sample {
	return map[string]func() apitest.Sample{
		"listKeys": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/keys", "", 200) },
		"createKey": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/keys", `{"name":"K","scopes":["contacts:read"]}`, 201)
		},
		"updateKey": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/keys/"+w.apiKey().id, `{"scopes":["contacts:write"]}`, 200)
		},
		"revokeKey":    func() apitest.Sample { return apitest.NewSample("/v1/dashboard/keys/"+w.apiKey().id, "", 200) },
		"getStoresUse": func() apitest.Sample { return apitest.NewSample("/v1/dashboard/keys/stores", "", 200) },
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
	w.T.Helper()
	k, secret, err := w.Access.CreateKey(w.T.Context(), w.By(), access.NewKey{Name: "test", Scopes: parley.Scopes})
	if err != nil {
		w.T.Fatal(err)
	}
	return apiKey{id: k.ID.String(), key: k, secret: string(secret)}
}

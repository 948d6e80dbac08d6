package identity

import (
	"encoding/json"
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures everything here that reads untrusted input.
func TestLinear(t *testing.T) {
	quoted := func(text string) json.RawMessage {
		raw, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"wellFormed", "members"}, Run: func(text string) {
			wellFormed([]byte(text))
			wellFormed([]byte(`{"a":` + string(quoted(text)) + `}`))
		}},
		{Functions: []string{"read"}, Run: func(text string) {
			a := attempt{token: text}
			a.read()
		}},
		{Functions: []string{"checks"}, Run: func(text string) {
			raw := quoted(text)
			a := attempt{head: object{}, body: object{}}
			for _, name := range []string{"kid", "typ", "alg"} {
				a.head[name] = raw
			}
			for _, name := range []string{"sub", "email", "name", "phone", "picture", "organization", "aud", "iss", "exp"} {
				a.body[name] = raw
			}
			a.body["attributes"] = json.RawMessage(`{"a":` + string(raw) + `}`)
			all := allChecks()
			for _, c := range append(all.form, all.signed...) {
				if c.name != "signature" && c.name != "base64" { // they decode, and verify with a key
					_ = c.run(&a)
				}
			}
		}},
		{Functions: []string{"parseSet", "key"}, Run: func(text string) {
			_, _ = parseSet([]byte(text)) // only its cost counts
			_, _ = parseSet([]byte(`{"keys":[{"kty":"RSA","kid":` + string(quoted(text)) + `}]}`))
		}},
	}, map[string]string{
		"chooseFromSets": "goes through the sets of a workspace",
		"of":             "goes through 1,000 sets at most",
		"find":           "goes through the keys of a set",
	})
}

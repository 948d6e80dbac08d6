package openid

import (
	"encoding/json"
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read what a provider or a browser sends.
func TestLinear(t *testing.T) {
	quoted := func(text string) []byte {
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
		{Functions: []string{"parseKeys"}, Run: func(text string) {
			_, _ = parseKeys([]byte(`{"keys":[{"kty":` + string(quoted(text)) + `}]}`)) // only its cost counts
		}},
		{Functions: []string{"named", "text"}, Run: func(t string) { text(t) }},
		{Functions: []string{"CheckIssuer"}, Run: func(text string) { CheckIssuer("https://" + text) }},
	}, map[string]string{
		"VerifySignature": "tries twice",
		"check":           "goes through three addresses",
		"add":             "drops a provider",
	})
}

package openid

import (
	"maps"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"parley/internal/access/openid/openidtest"
	"parley/internal/outward"
)

// TestAddressesOfGoogle takes an address as verified by Google only from the company's own
// accounts: anybody who once read a mail to an address can have an account with it.
func TestAddressesOfGoogle(t *testing.T) {
	clock := func() time.Time { return time.Unix(1_800_000_000, 0) }
	i := openidtest.New(t, clock)
	i.URL = google
	n := NewNetwork(outward.NewDialer(outward.Options{}), clock)
	keys := n.provider(google).keys
	keys.value, keys.fetched = keySet{jose.JSONWebKey{Key: i.Key.Public(), KeyID: i.KID, Use: "sig"}}, clock()
	for name, x := range map[string]struct {
		claims   map[string]any
		verified bool
	}{
		"an account of the company":       {map[string]any{"email": "ann@acme.example", "hd": "acme.example"}, true},
		"in capitals":                     {map[string]any{"email": "ann@ACME.example", "hd": "acme.example"}, true},
		"a private account":               {map[string]any{"email": "ann@acme.example"}, false},
		"an account of another company":   {map[string]any{"email": "ann@acme.example", "hd": "other.example"}, false},
		"an account of a domain above":    {map[string]any{"email": "ann@sub.acme.example", "hd": "acme.example"}, false},
		"an account of nothing":           {map[string]any{"email": "ann@", "hd": ""}, false},
		"no address":                      {map[string]any{"email": "acme.example", "hd": "acme.example"}, false},
		"a domain within the name":        {map[string]any{"email": "\"ann@acme.example\"@other.example", "hd": "acme.example"}, false},
		"a list of companies":             {map[string]any{"email": "ann@acme.example", "hd": []string{"acme.example"}}, false},
		"an address that is not verified": {map[string]any{"email": "ann@acme.example", "hd": "acme.example", "email_verified": false}, false},
	} {
		i.Claims = map[string]any{"email_verified": true}
		maps.Copy(i.Claims, x.claims)
		s := Settings{Issuer: google, ClientID: openidtest.ClientID}
		who, err := n.identity(t.Context(), s, i.Sign(i.Person("n"), nil), "n", "")
		if err != nil || who.Email != x.claims["email"] || who.EmailVerified != x.verified {
			t.Errorf("%s makes %+v, %v", name, who, err)
		}
	}
}

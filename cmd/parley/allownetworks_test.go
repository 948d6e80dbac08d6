package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"parley"
	"parley/internal/customers"
	"parley/internal/desk"
	"parley/internal/outward"
	"parley/internal/publicapi"
)

// TestAllowNetworks names a sign-in service on this machine, at a port where
// nothing needs to listen: the operator's log shows whether the setting reaches
// the dialer.
func TestAllowNetworks(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	token := jwt.NewWithClaims(jwt.SigningMethodES256, jwt.MapClaims{
		"sub": "u_1", "iss": "inside", "aud": "parley", "iat": time.Now().Unix(), "exp": time.Now().Add(time.Hour).Unix(),
	})
	token.Header["kid"] = "k"
	signed, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	for text, allowed := range map[string]bool{"": false, "10.0.0.0/8": false, "127.0.0.0/8,::1": true} {
		networks, err := outward.ParseNetworks(text)
		if err != nil {
			t.Fatal(err)
		}
		var logged strings.Builder
		c := &cli{data: t.TempDir()}
		p, err := c.newProgram(t.Context(), programOptions{
			log: slog.New(slog.NewTextHandler(&logged, nil)), clock: time.Now, sunset: publicapi.StoresSunset(), retention: parley.EventRetention,
			allowed: networks,
		})
		if err != nil {
			t.Fatal(err)
		}
		d := p.app.customers
		founded, err := p.app.access.CreateWorkspace(t.Context(), "Acme", "ann@acme.example")
		if err != nil {
			t.Fatal(err)
		}
		ws := founded.Workspace.ID
		_, _, err = d.CreateIdentityKey(t.Context(), desk.Caller{Workspace: ws}, customers.NewIdentityKey{
			Kind: parley.KeySet, JWKSURL: "https://localhost/jwks.json", Issuer: "inside", Audience: "parley",
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := d.VerifyIdentity(t.Context(), ws, signed, customers.IdentityAttempt{}); err == nil {
			t.Errorf("%q: an identity was accepted by keys that nobody could fetch", text)
		}
		refused := strings.Contains(logged.String(), outward.ErrNotAllowed.Error())
		if refused == allowed || !strings.Contains(logged.String(), "https://localhost/jwks.json") {
			t.Errorf("%q: the log says %s", text, logged.String())
		}
		if err := p.app.close(); err != nil {
			t.Error(err)
		}
	}
}

package identity

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"parley"
)

var now = time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)

const (
	issuer   = "https://login.acme.example/"
	audience = "parley-widget"
	setURL   = "https://login.acme.example/jwks.json"
)

// A keyring holds every private key of the tests.
type keyring struct {
	ws      parley.WorkspaceID
	secret  []byte
	rsa     *rsa.PrivateKey
	weakRSA *rsa.PrivateKey
	ec      *ecdsa.PrivateKey
	ed      ed25519.PrivateKey
}

var ring = sync.OnceValue(func() *keyring {
	r := &keyring{ws: parley.WorkspaceID{1, 2, 3}, secret: []byte(strings.Repeat("s", 43))}
	var errs [4]error
	r.rsa, errs[0] = rsa.GenerateKey(rand.Reader, 2048)
	r.weakRSA, errs[1] = rsa.GenerateKey(rand.Reader, 1024)
	r.ec, errs[2] = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	_, r.ed, errs[3] = ed25519.GenerateKey(rand.Reader)
	if err := errors.Join(errs[:]...); err != nil {
		panic(err)
	}
	return r
})

// keys are those of the workspace.
func (r *keyring) keys() Keys {
	secret := func(kid string, s []byte) Key {
		return Key{KID: kid, Kind: parley.SecretKey, Algorithm: HS256, Secret: s}
	}
	public := func(kid, alg string, k crypto.PublicKey) Key {
		return Key{KID: kid, Kind: parley.PublicKey, Algorithm: alg, Public: k}
	}
	strict := secret("strict", r.secret)
	strict.Issuer, strict.Audience = issuer, audience
	return Keys{Workspace: r.ws, All: []Key{
		secret("main", r.secret), secret("weak", []byte("0123456789abcdef")), strict,
		public("rs", RS256, r.rsa.Public()), public("ps", PS256, r.rsa.Public()), public("weakrsa", RS256, r.weakRSA.Public()),
		public("ec", ES256, r.ec.Public()), public("ed", EdDSA, r.ed.Public()),
		{KID: "set", Kind: parley.KeySet, Algorithm: RS256, SetURL: setURL, Issuer: issuer, Audience: audience},
	}, Sets: NewSets(func(context.Context, string) ([]byte, error) { return r.set(), nil }, func() time.Time { return now }, quiet())}
}

func quiet() *slog.Logger { return slog.New(slog.DiscardHandler) }

// set is the set of keys of the company's sign-in service.
func (r *keyring) set() []byte {
	return []byte(`{"keys":[{"kty":"oct","kid":"oct","k":"` + b64(r.secret) + `"},` + rsaJWK("idp", r.rsa, `,"use":"sig","alg":"RS256"`) + `,` +
		rsaJWK("enc", r.rsa, `,"use":"enc"`) + `,` + rsaJWK("idp-ps", r.rsa, `,"alg":"PS256"`) + `,` + rsaJWK("idp-weak", r.weakRSA, ``) + `]}`)
}

func rsaJWK(kid string, k *rsa.PrivateKey, more string) string {
	return `{"kty":"RSA","kid":"` + kid + `","n":"` + b64(k.N.Bytes()) + `","e":"AQAB"` + more + `}`
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// hs signs with the secret.
func hs(header, payload string) string {
	return by(jwt.SigningMethodHS256, ring().secret, header, payload)
}

func by(m jwt.SigningMethod, key any, header, payload string) string {
	text := b64([]byte(header)) + "." + b64([]byte(payload))
	signature, err := m.Sign(text, key)
	if err != nil {
		panic(err)
	}
	return text + "." + b64(signature)
}

const (
	mainHeader = `{"alg":"HS256","kid":"main","typ":"JWT"}`
	hour       = 3600
)

// unix is the time some seconds from now, as a NumericDate.
func unix(seconds int64) string { return fmt.Sprint(now.Unix() + seconds) }

// valid are claims that are accepted, with more members.
func valid(more string) string {
	if more != "" {
		more = "," + more
	}
	return `{"sub":"u1","exp":` + unix(hour) + more + `}`
}

// signedClaims returns a token with more claims, signed with the secret.
func signedClaims(more string) string { return hs(mainHeader, valid(more)) }

func mustVerify(t *testing.T, token string) Claims {
	t.Helper()
	c, err := Verify(t.Context(), token, ring().keys(), now)
	if err != nil {
		t.Fatalf("refused: %v", err)
	}
	return c
}

func jsonText(s string) string { return string(quoted(s)) }

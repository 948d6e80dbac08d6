// Package openidtest plays an OpenID Connect provider: it signs with real keys, over TLS,
// checks what a provider checks, and misbehaves when a test asks it to. It is only for
// tests.
package openidtest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-jose/go-jose/v4"

	"parley"
	"parley/internal/outward"
)

// The client that a new issuer knows.
const (
	ClientID     = "parley"
	ClientSecret = "a client secret of the tests"
	AccessToken  = "an access token of the tests"
)

// An Issuer is a provider. The fields may be set before the request that they are about.
type Issuer struct {
	URL   string
	Clock parley.Clock
	// Claims are those of the next person, besides the ones that the protocol needs; they
	// replace these.
	Claims map[string]any
	// Change changes metadata before they are told; nil: nothing does.
	Change func(metadata map[string]any)
	// Token makes the token of the person from its claims; nil: Sign.
	Token func(claims map[string]any) string
	// Answer, by path, answers in place of the issuer.
	Answer map[string]http.HandlerFunc
	// Key and KID sign.
	Key crypto.Signer
	KID string

	asked  sync.Map // path: *atomic.Int64
	server *httptest.Server
	mu     sync.Mutex
	codes  map[string]request
}

// request is what the browser came with.
type request struct{ nonce, challenge, redirect, maxAge string }

// New returns an issuer at a local address that exists until the test ends.
func New(t testing.TB, clock parley.Clock) *Issuer {
	t.Helper()
	i := &Issuer{Clock: clock, Claims: map[string]any{}, Answer: map[string]http.HandlerFunc{}, codes: map[string]request{}, KID: "first"}
	i.Key = usual()
	i.server = httptest.NewUnstartedServer(i)
	i.server.Config.ErrorLog = log.New(io.Discard, "", 0) // of clients that leave
	i.server.StartTLS()
	t.Cleanup(i.server.Close)
	i.URL = i.server.URL
	return i
}

// usual is the key of issuers that have no other, made once because that takes long.
var usual = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// RSAKey returns a new key of 2048 bits.
func RSAKey(t testing.TB) *rsa.PrivateKey {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// ECKey returns a new key of the curve P-256.
func ECKey(t testing.TB) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// Options are those of a dialer whose operator allows the issuer.
func (i *Issuer) Options() outward.Options {
	trust := i.server.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	return outward.Options{
		Allowed: outward.Networks{netip.MustParsePrefix("127.0.0.1/32")}, TLS: &tls.Config{RootCAs: trust, MinVersion: tls.VersionTLS12},
	}
}

// Asked returns how often a path was asked for.
func (i *Issuer) Asked(path string) int64 {
	n, _ := i.asked.LoadOrStore(path, new(atomic.Int64))
	return n.(*atomic.Int64).Load()
}

// ServeHTTP answers as a provider does.
func (i *Issuer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n, _ := i.asked.LoadOrStore(r.URL.Path, new(atomic.Int64))
	n.(*atomic.Int64).Add(1)
	if answer := i.Answer[r.URL.Path]; answer != nil {
		answer(w, r)
		return
	}
	switch r.URL.Path {
	case "/.well-known/openid-configuration":
		write(w, i.metadata())
	case "/keys":
		write(w, jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: i.Key.Public(), KeyID: i.KID, Use: "sig"}}})
	case "/token":
		i.token(w, r)
	default:
		http.NotFound(w, r)
	}
}

func write(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	_, _ = w.Write(raw) // the client may have left
}

func (i *Issuer) metadata() map[string]any {
	m := map[string]any{
		"issuer": i.URL, "authorization_endpoint": i.URL + "/authorize", "token_endpoint": i.URL + "/token", "jwks_uri": i.URL + "/keys",
		"response_types_supported": []string{"code"}, "id_token_signing_alg_values_supported": []string{"RS256"},
		"code_challenge_methods_supported": []string{"S256"}, "authorization_response_iss_parameter_supported": true,
		"backchannel_logout_supported": true,
	}
	if i.Change != nil {
		i.Change(m)
	}
	return m
}

// Authorize is the person's way through the provider: it returns with what the browser comes
// back from an address that an attempt began with.
func (i *Issuer) Authorize(t testing.TB, address string) url.Values {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	q := u.Query()
	for name, want := range map[string]string{"response_type": "code", "client_id": ClientID, "code_challenge_method": "S256"} {
		if q.Get(name) != want {
			t.Fatalf("the browser comes with %s=%q, want %q", name, q.Get(name), want)
		}
	}
	code := rand.Text()
	i.mu.Lock()
	i.codes[code] = request{q.Get("nonce"), q.Get("code_challenge"), q.Get("redirect_uri"), q.Get("max_age")}
	i.mu.Unlock()
	return url.Values{"state": {q.Get("state")}, "code": {code}, "iss": {i.URL}}
}

// token exchanges a code, once.
func (i *Issuer) token(w http.ResponseWriter, r *http.Request) {
	refuse := func(status int, why, code string) {
		w.WriteHeader(status)
		write(w, map[string]string{"error": why, "error_description": "SECRET TEXT OF THE PROVIDER " + code})
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
	form, _ := url.Parse("?" + string(raw))
	if err != nil || form == nil {
		refuse(http.StatusBadRequest, "invalid_request", "")
		return
	}
	posted := form.Query()
	id, secret, _ := r.BasicAuth()
	if plain, err := url.QueryUnescape(secret); err != nil || id != ClientID || plain != ClientSecret || posted.Has("client_secret") {
		refuse(http.StatusUnauthorized, "invalid_client", posted.Get("code"))
		return
	}
	i.mu.Lock()
	asked, known := i.codes[posted.Get("code")]
	delete(i.codes, posted.Get("code"))
	i.mu.Unlock()
	sum := sha256.Sum256([]byte(posted.Get("code_verifier")))
	if !known || base64.RawURLEncoding.EncodeToString(sum[:]) != asked.challenge || posted.Get("redirect_uri") != asked.redirect {
		refuse(http.StatusBadRequest, "invalid_grant", posted.Get("code"))
		return
	}
	claims := i.Person(asked.nonce)
	if _, chosen := i.Claims["auth_time"]; asked.maxAge != "" && !chosen {
		claims["auth_time"] = i.Clock().Unix()
	}
	sign := i.Token
	if sign == nil {
		sign = func(claims map[string]any) string { return i.Sign(claims, nil) }
	}
	write(w, map[string]any{"access_token": AccessToken, "token_type": "Bearer", "expires_in": 300, "id_token": sign(claims)})
}

// Person returns the claims of a person's token.
func (i *Issuer) Person(nonce string) map[string]any {
	now := i.Clock().Unix()
	claims := map[string]any{"iss": i.URL, "aud": ClientID, "sub": "person-1", "iat": now, "exp": now + 300, "nonce": nonce}
	maps.Copy(claims, i.Claims)
	for name, value := range claims {
		if value == nil {
			delete(claims, name)
		}
	}
	return claims
}

// Sign returns a token with claims, signed by the issuer's key, with more in its header.
func (i *Issuer) Sign(claims map[string]any, header map[string]any) string {
	body, err := json.Marshal(claims)
	if err != nil {
		panic(err)
	}
	return SignRaw(i.Key, i.KID, body, header)
}

// SignRaw returns a token with a body as it is. A key of bytes signs by HS256.
func SignRaw(key any, kid string, body []byte, header map[string]any) string {
	algorithm := jose.RS256
	switch key.(type) {
	case *ecdsa.PrivateKey:
		algorithm = jose.ES256
	case []byte:
		algorithm = jose.HS256
	}
	o := (&jose.SignerOptions{}).WithType("JWT")
	if kid != "" {
		o = o.WithHeader("kid", kid)
	}
	for name, value := range header {
		o = o.WithHeader(jose.HeaderKey(name), value)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, o)
	if err != nil {
		panic(err)
	}
	signed, err := signer.Sign(body)
	if err != nil {
		panic(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		panic(err)
	}
	return token
}

package openid_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"parley/internal/access/openid"
	"parley/internal/access/openid/openidtest"
	"parley/internal/outward"
)

const redirect = "https://parley.example/v1/dashboard/session/provider/answer"

// A world is a network with a provider.
type world struct {
	t       *testing.T
	network *openid.Network
	issuer  *openidtest.Issuer
	now     atomic.Int64
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t}
	w.now.Store(time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC).Unix())
	w.issuer = openidtest.New(t, w.clock)
	w.network = openid.NewNetwork(outward.NewDialer(w.issuer.Options()), w.clock)
	return w
}

func (w *world) clock() time.Time { return time.Unix(w.now.Load(), 0) }

func (w *world) settings() openid.Settings {
	return openid.Settings{
		Issuer: w.issuer.URL, ClientID: openidtest.ClientID, ClientSecret: openidtest.ClientSecret, RedirectURL: redirect, GroupsClaim: "groups",
	}
}

// begin is a browser that comes back from the provider.
func (w *world) begin() (openid.Attempt, openid.Answer, error) {
	a, address, err := w.network.Begin(w.t.Context(), w.settings(), false)
	if err != nil {
		return a, openid.Answer{}, err
	}
	return a, answer(w.issuer.Authorize(w.t, address)), nil
}

func answer(q url.Values) openid.Answer {
	return openid.Answer{State: q.Get("state"), Code: q.Get("code"), Issuer: q.Get("iss"), Error: q.Get("error")}
}

// signIn is a whole sign-in.
func (w *world) signIn() (openid.Identity, error) {
	a, in, err := w.begin()
	if err != nil {
		return openid.Identity{}, err
	}
	return w.network.Finish(w.t.Context(), w.settings(), a, in)
}

// refused requires a failure that shows no secret.
func refused(t *testing.T, err error, why openid.Reason) {
	t.Helper()
	failure := (*openid.Failure)(nil)
	if !errors.As(err, &failure) {
		t.Fatalf("the error is %v, want a failure %s", err, why)
	}
	if failure.Why != why {
		t.Errorf("the reason is %s, want %s: %s", failure.Why, why, failure.Text)
	}
	for shown := err; shown != nil; shown = errors.Unwrap(shown) {
		for _, secret := range []string{openidtest.ClientSecret, openidtest.AccessToken, "SECRET", "eyJ"} {
			if strings.Contains(shown.Error(), secret) {
				t.Errorf("the error shows %q: %s", secret, shown)
			}
		}
	}
}

// TestSignIn is the control: what is right is taken.
func TestSignIn(t *testing.T) {
	sum := sha256.Sum256([]byte(openidtest.AccessToken))
	for name, claims := range map[string]map[string]any{
		"plain":              {},
		"list of audiences":  {"aud": []string{openidtest.ClientID}},
		"two audiences":      {"aud": []string{"other", openidtest.ClientID}, "azp": openidtest.ClientID},
		"authorized party":   {"azp": openidtest.ClientID},
		"at_hash":            {"at_hash": base64.RawURLEncoding.EncodeToString(sum[:16])},
		"expired 59 s ago":   {"iat": 1795255141 - 59, "exp": 1795255141 - 59 + 1},
		"unknown more":       {"anything": map[string]any{"a": []int{1}}},
		"e-mail of no text":  {"email": 7},
		"subject of letters": {"sub": "ünïcode"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			if name == "expired 59 s ago" {
				claims = map[string]any{"iat": w.now.Load() - 70, "exp": w.now.Load() - 59}
			}
			w.issuer.Claims = claims
			if _, err := w.signIn(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestIdentity reads who signed in.
func TestIdentity(t *testing.T) {
	w := newWorld(t)
	w.issuer.Claims = map[string]any{"email": "ann@home.example", "email_verified": true, "name": "Ann", "sid": "s1", "groups": []string{"support", "leads"}}
	got, err := w.signIn()
	if err != nil {
		t.Fatal(err)
	}
	if got.Issuer != w.issuer.URL || got.Subject != "person-1" || got.Email != "ann@home.example" || !got.EmailVerified || got.Name != "Ann" || got.Session != "s1" ||
		!slices.Equal(got.Groups, []string{"support", "leads"}) {
		t.Errorf("the identity is %+v", got)
	}
	for _, unverified := range []any{false, nil, "true", 1} {
		w.issuer.Claims["email_verified"] = unverified
		if got, err = w.signIn(); err != nil || got.EmailVerified {
			t.Errorf("with email_verified %v: verified %v, %v", unverified, got.EmailVerified, err)
		}
	}
	w.issuer.Claims["groups"] = "one"
	if got, err = w.signIn(); err != nil || !slices.Equal(got.Groups, []string{"one"}) {
		t.Errorf("the groups are %q, %v", got.Groups, err)
	}
	w.issuer.Claims["groups"] = map[string]any{"a": 1}
	_, err = w.signIn()
	refused(t, err, openid.BadToken)
}

// TestSignedInAnew asks a provider to ask the person, and believes none that it did.
func TestSignedInAnew(t *testing.T) {
	w := newWorld(t)
	signIn := func(anew bool, authTime any) (openid.Identity, error) {
		w.issuer.Claims = map[string]any{"auth_time": authTime}
		a, address, err := w.network.Begin(t.Context(), w.settings(), anew)
		if err != nil {
			t.Fatal(err)
		}
		if asks := strings.Contains(address, "max_age=0"); asks != anew {
			t.Errorf("the address of a sign-in anew (%t) is %s", anew, address)
		}
		return w.network.Finish(t.Context(), w.settings(), a, answer(w.issuer.Authorize(t, address)))
	}
	now := w.clock()
	for authTime, want := range map[any]time.Time{
		nil: {}, "1": {}, true: {}, 0: {}, -5: {}, now.Unix() - 3600: now.Add(-time.Hour), now.Unix(): now, now.Unix() + 3600: now, 1e300: now,
	} {
		if who, err := signIn(false, authTime); err != nil || !who.SignedInAt.Equal(want) {
			t.Errorf("auth_time %v says %s, want %s: %v", authTime, who.SignedInAt, want, err)
		}
	}
	for _, authTime := range []any{now.Unix(), now.Unix() - 60} {
		if _, err := signIn(true, authTime); err != nil {
			t.Errorf("auth_time %v: %v", authTime, err)
		}
	}
	for _, authTime := range []any{nil, "x", now.Unix() - 61} {
		_, err := signIn(true, authTime)
		refused(t, err, openid.BadToken)
	}
}

// TestHostileClaims refuses tokens of the right key that are not for this sign-in.
func TestHostileClaims(t *testing.T) {
	w := newWorld(t)
	for name, claims := range w.issuer.HostileClaims() {
		t.Run(name, func(t *testing.T) {
			w.issuer.Claims = claims
			_, err := w.signIn()
			why := openid.BadToken
			if name == "a megabyte" {
				why = openid.Unreachable // the answer is not read to its end
			}
			refused(t, err, why)
		})
	}
}

// TestHostileTokens refuses tokens by their form and signature.
func TestHostileTokens(t *testing.T) {
	for name, forge := range openidtest.Forgeries {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.issuer.Token = func(claims map[string]any) string {
				body, err := json.Marshal(claims)
				if err != nil {
					t.Error(err)
				}
				return forge(t, w.issuer, body)
			}
			_, err := w.signIn()
			refused(t, err, openid.BadToken)
		})
	}
}

// TestHostileAnswers refuses what a browser comes back with, and sends no code for it.
func TestHostileAnswers(t *testing.T) {
	w := newWorld(t)
	for name, change := range map[string]func(a *openid.Attempt, s *openid.Settings, in *openid.Answer){
		"other browser's state": func(_ *openid.Attempt, _ *openid.Settings, in *openid.Answer) {
			_, theirs, err := w.begin()
			if err != nil {
				t.Error(err)
			}
			in.State = theirs.State
		},
		"no state":   func(_ *openid.Attempt, _ *openid.Settings, in *openid.Answer) { in.State = "" },
		"no attempt": func(a *openid.Attempt, _ *openid.Settings, in *openid.Answer) { *a, in.State = openid.Attempt{}, "" },
		"no code":    func(_ *openid.Attempt, _ *openid.Settings, in *openid.Answer) { in.Code = "" },
		"mix-up":     func(_ *openid.Attempt, _ *openid.Settings, in *openid.Answer) { in.Issuer = "https://other.example" },
		"no issuer":  func(_ *openid.Attempt, _ *openid.Settings, in *openid.Answer) { in.Issuer = "" },
		"after its life": func(a *openid.Attempt, _ *openid.Settings, _ *openid.Answer) {
			a.Begun = w.clock().Add(-openid.AttemptLife)
		},
		"from the future": func(a *openid.Attempt, _ *openid.Settings, _ *openid.Answer) {
			a.Begun = w.clock().Add(2 * time.Minute)
		},
		"other client by now":  func(_ *openid.Attempt, s *openid.Settings, _ *openid.Answer) { s.ClientID = "other" },
		"other issuer by now":  func(a *openid.Attempt, _ *openid.Settings, _ *openid.Answer) { a.Issuer = "https://other.example" },
		"other address by now": func(_ *openid.Attempt, s *openid.Settings, _ *openid.Answer) { s.RedirectURL += "x" },
	} {
		t.Run(name, func(t *testing.T) {
			a, in, err := w.begin()
			if err != nil {
				t.Fatal(err)
			}
			s := w.settings()
			change(&a, &s, &in)
			before := w.issuer.Asked("/token")
			_, err = w.network.Finish(t.Context(), s, a, in)
			refused(t, err, openid.BadAnswer)
			if w.issuer.Asked("/token") != before {
				t.Error("the code was sent")
			}
		})
	}
	a, in, err := w.begin()
	if err != nil {
		t.Fatal(err)
	}
	in.Error = "access_denied"
	_, err = w.network.Finish(t.Context(), w.settings(), a, in)
	refused(t, err, openid.Declined)
}

// TestEmptySecrets lets no empty secret equal another.
func TestEmptySecrets(t *testing.T) {
	w := newWorld(t)
	a, in, err := w.begin()
	if err != nil {
		t.Fatal(err)
	}
	stateless, answer := a, in
	stateless.State, answer.State = "", ""
	_, err = w.network.Finish(t.Context(), w.settings(), stateless, answer)
	refused(t, err, openid.BadAnswer)
	a.Nonce, w.issuer.Claims["nonce"] = "", nil
	_, err = w.network.Finish(t.Context(), w.settings(), a, in)
	refused(t, err, openid.BadToken)
}

// TestHostileCodes refuses codes that the provider refuses.
func TestHostileCodes(t *testing.T) {
	w := newWorld(t)
	for name, change := range map[string]func(a *openid.Attempt, s *openid.Settings, in *openid.Answer){
		"replayed code": func(a *openid.Attempt, s *openid.Settings, in *openid.Answer) {
			if _, err := w.network.Finish(t.Context(), *s, *a, *in); err != nil {
				t.Error(err)
			}
		},
		"other verifier": func(a *openid.Attempt, _ *openid.Settings, _ *openid.Answer) { a.Verifier = rand.Text() + rand.Text() },
		"other code":     func(_ *openid.Attempt, _ *openid.Settings, in *openid.Answer) { in.Code = "other" },
		"wrong secret":   func(_ *openid.Attempt, s *openid.Settings, _ *openid.Answer) { s.ClientSecret = "other" },
	} {
		t.Run(name, func(t *testing.T) {
			a, in, err := w.begin()
			if err != nil {
				t.Fatal(err)
			}
			s := w.settings()
			change(&a, &s, &in)
			before := w.issuer.Asked("/token")
			_, err = w.network.Finish(t.Context(), s, a, in)
			refused(t, err, openid.BadCode)
			if w.issuer.Asked("/token") != before+1 {
				t.Error("the code was sent more than once")
			}
		})
	}
	// A code of another person's sign-in, in one's own: the challenge and the nonce are not its.
	_, theirs, err := w.begin()
	if err != nil {
		t.Fatal(err)
	}
	a, in, err := w.begin()
	if err != nil {
		t.Fatal(err)
	}
	in.Code = theirs.Code
	_, err = w.network.Finish(t.Context(), w.settings(), a, in)
	refused(t, err, openid.BadCode)
}

// TestHostileMetadata refuses providers that are not what they were entered as.
func TestHostileMetadata(t *testing.T) {
	for name, change := range map[string]func(m map[string]any){
		"other issuer":           func(m map[string]any) { m["issuer"] = "https://other.example" },
		"issuer with a slash":    func(m map[string]any) { m["issuer"] = m["issuer"].(string) + "/" },
		"no issuer":              func(m map[string]any) { delete(m, "issuer") },
		"plain authorization":    func(m map[string]any) { m["authorization_endpoint"] = "http://other.example" },
		"script":                 func(m map[string]any) { m["authorization_endpoint"] = "javascript:alert(1)" },
		"user in an address":     func(m map[string]any) { m["token_endpoint"] = "https://a:b@other.example" },
		"plain tokens":           func(m map[string]any) { m["token_endpoint"] = "http://other.example" },
		"plain keys":             func(m map[string]any) { m["jwks_uri"] = "http://other.example" },
		"no keys":                func(m map[string]any) { delete(m, "jwks_uri") },
		"no code flow":           func(m map[string]any) { m["response_types_supported"] = []string{"id_token"} },
		"plain PKCE":             func(m map[string]any) { m["code_challenge_methods_supported"] = []string{"plain"} },
		"symmetric signatures":   func(m map[string]any) { m["id_token_signing_alg_values_supported"] = []string{"HS256", "none"} },
		"no secret":              func(m map[string]any) { m["token_endpoint_auth_methods_supported"] = []string{"private_key_jwt"} },
		"list as the issuer":     func(m map[string]any) { m["issuer"] = []string{"https://other.example"} },
		"text as a list":         func(m map[string]any) { m["response_types_supported"] = "code" },
		"keys of a private host": func(m map[string]any) { m["jwks_uri"] = "https://127.0.0.2:1/keys" },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.issuer.Change = change
			_, err := w.network.Test(t.Context(), w.issuer.URL)
			refused(t, err, openid.Unreachable)
		})
	}
	w := newWorld(t)
	if m, err := w.network.Test(t.Context(), w.issuer.URL); err != nil || m.Issuer != w.issuer.URL {
		t.Errorf("the control is %+v, %v", m, err)
	}
	for _, address := range []string{"", "http://other.example", "https://", "https://a@b.example", "https://b.example?a", "https://b.example?", "https://b.example#", "https:b", "file:///etc/passwd", "https://" + strings.Repeat("a", 2000)} {
		if openid.CheckIssuer(address) == "" {
			t.Errorf("the address %.60q is taken", address)
		}
		_, _, err := w.network.Begin(t.Context(), openid.Settings{Issuer: address}, false)
		refused(t, err, openid.Unreachable)
	}
}

// TestTestKeepsWhatWorks tests a provider that has failed since it was asked: sign-ins go on
// with what is remembered. A test that succeeds replaces that.
func TestTestKeepsWhatWorks(t *testing.T) {
	w := newWorld(t)
	signIn := func() error {
		a, answer, err := w.begin()
		if err == nil {
			_, err = w.network.Finish(t.Context(), w.settings(), a, answer)
		}
		return err
	}
	if err := signIn(); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/.well-known/openid-configuration", "/keys"} {
		w.issuer.Answer[path] = func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusBadGateway) }
		_, err := w.network.Test(t.Context(), w.issuer.URL)
		refused(t, err, openid.Unreachable)
		if err := signIn(); err != nil {
			t.Errorf("after a test that failed at %s, a sign-in fails: %v", path, err)
		}
		delete(w.issuer.Answer, path)
	}
	w.issuer.Change = func(metadata map[string]any) { metadata["authorization_endpoint"] = w.issuer.URL + "/elsewhere" }
	if _, err := w.network.Test(t.Context(), w.issuer.URL); err != nil {
		t.Fatal(err)
	}
	if _, address, err := w.network.Begin(t.Context(), w.settings(), false); err != nil || !strings.HasPrefix(address, w.issuer.URL+"/elsewhere") {
		t.Errorf("after a test that succeeded, a sign-in leads to %s, %v", address, err)
	}
}

// TestHostileServers refuses answers that are large, slow, elsewhere or of no JSON.
func TestHostileServers(t *testing.T) {
	const metadata, keys, token = "/.well-known/openid-configuration", "/keys", "/token"
	huge := func(w http.ResponseWriter, _ *http.Request) {
		for range 1 << 10 {
			if _, err := w.Write(make([]byte, 1<<10)); err != nil {
				return
			}
		}
	}
	for name, answer := range map[string]http.HandlerFunc{
		"huge":     huge,
		"no JSON":  func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) },
		"two":      func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"issuer":"a","issuer":"b"}`)) },
		"after it": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{} {}`)) },
		"failing":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
	} {
		for _, path := range []string{metadata, keys, token} {
			t.Run(name+path, func(t *testing.T) {
				w := newWorld(t)
				w.issuer.Answer[path] = answer
				_, err := w.signIn()
				refused(t, err, openid.Unreachable)
			})
		}
	}
	for _, path := range []string{metadata, keys, token} {
		t.Run("redirecting"+path, func(t *testing.T) {
			w := newWorld(t)
			w.issuer.Answer["/elsewhere"] = func(rw http.ResponseWriter, r *http.Request) {
				r.URL.Path = path
				delete(w.issuer.Answer, path)
				w.issuer.ServeHTTP(rw, r)
			}
			w.issuer.Answer[path] = func(rw http.ResponseWriter, r *http.Request) {
				http.Redirect(rw, r, "/elsewhere", http.StatusTemporaryRedirect)
			}
			if _, err := w.signIn(); err == nil {
				t.Error("the redirect was followed")
			}
			if w.issuer.Asked("/elsewhere") != 0 {
				t.Error("the client went elsewhere")
			}
		})
	}
	t.Run("private", func(t *testing.T) {
		w := newWorld(t)
		o := w.issuer.Options()
		o.Allowed = nil
		w.network = openid.NewNetwork(outward.NewDialer(o), w.clock)
		_, err := w.signIn()
		refused(t, err, openid.Unreachable)
		if strings.Contains(err.Error(), "127.0.0.1") || !errors.Is(err, outward.ErrNotAllowed) {
			t.Errorf("the error is %v, from %v", err, errors.Unwrap(err))
		}
		if w.issuer.Asked(metadata) != 0 {
			t.Error("a private address was reached")
		}
	})
}

// TestSlowProvider ends an exchange after its time.
func TestSlowProvider(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for the end of an exchange")
	}
	w := newWorld(t)
	w.issuer.Answer["/keys"] = func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	start := time.Now()
	_, err := w.signIn()
	refused(t, err, openid.Unreachable)
	if took := time.Since(start); took > 12*time.Second {
		t.Errorf("it took %s", took)
	}
}

// TestWeakKeys leaves out keys that must not check signatures.
func TestWeakKeys(t *testing.T) {
	w := newWorld(t)
	t.Setenv("GODEBUG", "rsa1024min=0")
	weak, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Skip(err)
	}
	for name, key := range map[string]jose.JSONWebKey{
		"1024 bits":      {Key: weak.Public(), KeyID: "first"},
		"for encryption": {Key: w.issuer.Key.Public(), KeyID: "first", Use: "enc"},
		"symmetric":      {Key: []byte(strings.Repeat("k", 32)), KeyID: "first"},
		"private":        {Key: w.issuer.Key, KeyID: "first"},
	} {
		set, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key}})
		if err != nil {
			t.Fatal(err)
		}
		w.issuer.Answer["/keys"] = func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write(set) }
		_, err = w.network.Test(t.Context(), w.issuer.URL)
		if err == nil {
			t.Errorf("the key %q is taken", name)
		}
	}
}

// TestKeySets refuses sets that are not what they must be, and keys that a token must not
// choose.
func TestKeySets(t *testing.T) {
	w := newWorld(t)
	key := func(kid, algorithm string) string {
		raw, err := json.Marshal(jose.JSONWebKey{Key: w.issuer.Key.Public(), KeyID: kid, Algorithm: algorithm})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	other, err := json.Marshal(jose.JSONWebKey{Key: openidtest.ECKey(t).Public(), KeyID: "other"})
	if err != nil {
		t.Fatal(err)
	}
	one := key("first", "")
	for name, row := range map[string]struct {
		set, kid string
		why      openid.Reason // "": taken
	}{
		"the control":             {`{"keys":[` + one + `]}`, "first", ""},
		"among others":            {`{"keys":[{"kty":"unknown"},` + string(other) + `,` + one + `]}`, "first", ""},
		"without a name":          {`{"keys":[` + one + `]}`, "", ""},
		"without a name of two":   {`{"keys":[` + one + `,` + string(other) + `]}`, "", openid.BadToken},
		"for the algorithm":       {`{"keys":[` + key("first", "RS256") + `]}`, "first", ""},
		"for another algorithm":   {`{"keys":[` + key("first", "PS256") + `]}`, "first", openid.BadToken},
		"for a symmetric one":     {`{"keys":[` + key("first", "HS256") + `]}`, "first", openid.BadToken},
		"a hundred":               {`{"keys":[` + strings.Repeat(one+",", 99) + one + `]}`, "first", ""},
		"more than a hundred":     {`{"keys":[` + strings.Repeat(one+",", 100) + one + `]}`, "first", openid.Unreachable},
		"two sets":                {`{"keys":[` + one + `],"keys":[` + one + `]}`, "first", openid.Unreachable},
		"a key with a part twice": {`{"keys":[` + strings.TrimSuffix(one, "}") + `,"kid":"first"}]}`, "first", openid.Unreachable},
		"something after it":      {`{"keys":[` + one + `]} {}`, "first", openid.Unreachable},
		"none":                    {`{"keys":[]}`, "first", openid.Unreachable},
		"no list":                 {`{"keys":{}}`, "first", openid.Unreachable},
	} {
		t.Run(name, func(t *testing.T) {
			w.network = openid.NewNetwork(outward.NewDialer(w.issuer.Options()), w.clock)
			w.issuer.Answer["/keys"] = func(rw http.ResponseWriter, _ *http.Request) { _, _ = rw.Write([]byte(row.set)) }
			w.issuer.KID = row.kid
			_, err := w.signIn()
			if row.why == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			refused(t, err, row.why)
		})
	}
}

// TestSecretInTheForm shows the secret in the form, and only there, to a provider that wants
// it so.
func TestSecretInTheForm(t *testing.T) {
	w := newWorld(t)
	w.issuer.Change = func(m map[string]any) {
		m["token_endpoint_auth_methods_supported"] = []string{"private_key_jwt", "client_secret_post"}
	}
	w.issuer.Answer["/token"] = func(rw http.ResponseWriter, r *http.Request) {
		_, _, both := r.BasicAuth()
		if both || r.PostFormValue("client_id") != openidtest.ClientID || r.PostFormValue("client_secret") != openidtest.ClientSecret {
			t.Error("the secret is not in the form alone")
		}
		rw.WriteHeader(http.StatusBadRequest)
	}
	_, err := w.signIn()
	refused(t, err, openid.BadCode)
	if n := w.issuer.Asked("/token"); n != 1 {
		t.Errorf("the code was sent %d times", n)
	}
}

// TestNewKeys takes a key that the provider has changed, and does not ask again and again for
// one that it does not have.
func TestNewKeys(t *testing.T) {
	w := newWorld(t)
	if _, err := w.signIn(); err != nil {
		t.Fatal(err)
	}
	w.issuer.Key, w.issuer.KID = openidtest.RSAKey(t), "second"
	_, err := w.signIn()
	refused(t, err, openid.BadToken) // within a minute of the last request
	w.now.Add(60)
	if _, err := w.signIn(); err != nil {
		t.Errorf("the new key is not taken: %v", err)
	}
	w.issuer.KID = "made up"
	w.issuer.Answer["/keys"] = func(rw http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(rw).Encode(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{{Key: w.issuer.Key.Public(), KeyID: "second"}}}) // the client may have left
	}
	before := w.issuer.Asked("/keys")
	w.now.Add(60)
	for range 50 {
		_, err := w.signIn()
		refused(t, err, openid.BadToken)
	}
	if n := w.issuer.Asked("/keys") - before; n != 1 {
		t.Errorf("the keys were asked for %d times", n)
	}
	// While the provider is away, what is remembered of it serves; a failure does not repeat.
	w.issuer.KID = "second"
	w.issuer.Answer["/keys"] = func(rw http.ResponseWriter, _ *http.Request) { rw.WriteHeader(http.StatusBadGateway) }
	w.now.Add(int64(time.Hour / time.Second))
	before = w.issuer.Asked("/keys")
	for range 10 {
		if _, err := w.signIn(); err != nil {
			t.Errorf("with remembered keys: %v", err)
		}
	}
	if n := w.issuer.Asked("/keys") - before; n != 1 {
		t.Errorf("a provider that fails was asked %d times", n)
	}
}

// TestLogout reads logout tokens, and refuses what is none.
func TestLogout(t *testing.T) {
	w := newWorld(t)
	now := w.now.Load()
	event := map[string]any{"http://schemas.openid.net/event/backchannel-logout": map[string]any{}}
	good := func() map[string]any {
		return map[string]any{
			"iss": w.issuer.URL, "aud": openidtest.ClientID, "iat": now, "exp": now + 120, "jti": "one", "sub": "person-1", "sid": "s1", "events": event,
		}
	}
	logout := map[string]any{"typ": "logout+jwt"}
	for name, header := range map[string]map[string]any{"typed": logout, "of an older provider": nil, "application": {"typ": "application/logout+jwt"}} {
		got, err := w.network.Logout(t.Context(), w.settings(), w.issuer.Sign(good(), header))
		if err != nil || got.ID != "one" || got.Subject != "person-1" || got.Session != "s1" || !got.Until.After(w.clock().Add(openid.LogoutLife)) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	for _, missing := range []string{"sub", "sid"} {
		claims := good()
		delete(claims, missing)
		if _, err := w.network.Logout(t.Context(), w.settings(), w.issuer.Sign(claims, logout)); err != nil {
			t.Errorf("without %s: %v", missing, err)
		}
	}
	for name, change := range map[string]map[string]any{
		"nonce":                  {"nonce": "n"},
		"nonce of null":          {"nonce": nil},
		"no events":              {"events": "-"},
		"other event":            {"events": map[string]any{"https://other.example": map[string]any{}}},
		"event of no object":     {"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": 1}},
		"event of null":          {"events": map[string]any{"http://schemas.openid.net/event/backchannel-logout": nil}},
		"no id":                  {"jti": "-"},
		"blank id":               {"jti": " "},
		"nobody":                 {"sub": "-", "sid": "-"},
		"long subject":           {"sub": strings.Repeat("a", 256)},
		"other issuer":           {"iss": "https://other.example"},
		"other audience":         {"aud": "other"},
		"expired":                {"exp": now - 61},
		"no end":                 {"exp": "-"},
		"no time":                {"iat": "-"},
		"old":                    {"iat": now - 661},
		"of the future":          {"iat": now + 61},
		"a megabyte":             {"x": strings.Repeat("a", 1<<20)},
		"session of a number":    {"sub": "-", "sid": 7},
		"a token of the session": {"nonce": "n", "events": "-"},
	} {
		claims := good()
		maps.Copy(claims, change)
		for member, value := range claims {
			if value == "-" {
				delete(claims, member)
			}
		}
		_, err := w.network.Logout(t.Context(), w.settings(), w.issuer.Sign(claims, logout))
		if err == nil {
			t.Errorf("%s: the token is taken", name)
			continue
		}
		refused(t, err, openid.BadToken)
	}
	for name, token := range map[string]string{
		"other key":  openidtest.SignRaw(openidtest.RSAKey(t), "first", marshal(t, good()), logout),
		"other type": w.issuer.Sign(good(), map[string]any{"typ": "at+jwt"}),
		"twice":      openidtest.SignRaw(w.issuer.Key, "first", openidtest.Twice(marshal(t, good()), `"sid":"s2"`), logout),
		"empty":      "",
	} {
		_, err := w.network.Logout(t.Context(), w.settings(), token)
		if err == nil {
			t.Errorf("%s: the token is taken", name)
			continue
		}
		refused(t, err, openid.BadToken)
	}
}

func marshal(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

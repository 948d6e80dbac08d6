package dashboard_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"parley"
	"parley/internal/apitest"
	"parley/internal/customers"
	"parley/internal/identity"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

const (
	keysPath       = "/v1/dashboard/identity-keys"
	rejectionsPath = "/v1/dashboard/identity-rejections"
	issuer         = "https://login.acme.example/"
	givenSecret    = "a-secret-that-the-company-has-had-for-years"
)

// identityStates returns the identity keys in their order with their states.
func (w *world) identityStates() []string {
	w.T.Helper()
	list := w.Get(keysPath).Want(200)
	states := make([]string, list.Count("data"))
	for i := range states {
		item := "data." + strconv.Itoa(i)
		states[i] = list.Text(item+".kid") + " " + list.Text(item+".state")
	}
	return states
}

// identityKey makes an identity key and returns the answer.
func (w *world) identityKey(body string) apitest.Answer {
	w.T.Helper()
	return w.Post(keysPath, body).Want(201)
}

func TestIdentityKeys(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		first, _, _ := strings.Cut(w.identityStates()[0], " ")
		last := "the last active identity key must stay; make another one first"
		w.Delete(keysPath+"/"+first).Refused(409, last)
		w.Post(keysPath+"/"+first+"/retire", `{"days":1}`).Refused(409, last)
		w.Advance(time.Second)
		made := w.identityKey("").Is("algorithm", `"HS256"`, "kind", `"secret"`, "state", `"active"`, "jwksUrl", "null", "issuer", `""`,
			"audience", `""`, "retireAt", "null", "lastUsedAt", "null", "createdAt", `"2026-11-21T10:00:01.000Z"`)
		second := made.Text("kid")
		if strings.Contains(string(w.Get(keysPath).Body), made.Text("secret")) {
			t.Error("the list shows a secret")
		}
		w.Post(keysPath+"/"+first+"/retire", `{"days":30}`).Want(200).Is("state", `"retiring"`, "retireAt", `"2026-12-21T10:00:01.000Z"`)
		for _, days := range []string{"2", "30"} { // it does not live longer again
			w.Post(keysPath+"/"+first+"/retire", `{"days":`+days+`}`).Want(200).Is("retireAt", `"2026-11-23T10:00:01.000Z"`)
		}
		w.Delete(keysPath+"/"+second).Refused(409, last)
		w.Advance(48*time.Hour - time.Millisecond)
		w.Owner = w.signIn(w.Home.Owner.ID)
		if got := w.identityStates(); !slices.Equal(got, []string{first + " retiring", second + " active"}) {
			t.Errorf("the keys are %v", got)
		}
		w.Advance(time.Millisecond)
		if got := w.identityStates(); !slices.Equal(got, []string{first + " revoked", second + " active"}) {
			t.Errorf("the keys are %v", got)
		}
		w.Post(keysPath+"/"+first+"/retire", `{"days":1}`).Refused(409, "the identity key verifies nothing any more, so it cannot retire")
		third := w.identityKey(`{"secret":"`+givenSecret+`","issuer":"i","audience":"a"}`).Is("secret", "null", "issuer", `"i"`, "audience", `"a"`).Text("kid")
		w.Delete(keysPath+"/"+second).Want(200).Is("state", `"revoked"`)
		w.Delete(keysPath+"/"+second).Want(200).Is("state", `"revoked"`)
		w.Delete(keysPath+"/"+third).Refused(409, last)
		w.Delete(keysPath+"/idk_none").Refused(404, "no such identity key in this workspace")
		w.Post(keysPath+"/idk_none/retire", `{"days":1}`).Refused(404, "no such identity key in this workspace")
	})
}

// TestIdentityKeyLimits fills a workspace with keys that verify, and with ended
// ones, of which the oldest are forgotten.
func TestIdentityKeyLimits(t *testing.T) {
	w := onSQLite(t)
	for range parley.MaxIdentityKeys - 1 {
		w.identityKey("")
	}
	w.Post(keysPath, "").Refused(409, "the workspace has 10 identity keys already; revoke one first")
	first, _, _ := strings.Cut(w.identityStates()[0], " ")
	w.Post(keysPath+"/"+first+"/retire", `{"days":0}`).Want(200).Is("state", `"revoked"`)
	for range parley.MaxRevokedIdentityKeys {
		w.Advance(time.Second)
		kid := w.identityKey("").Text("kid")
		w.Delete(keysPath + "/" + kid).Want(200)
	}
	if n := len(w.identityStates()); n != parley.MaxIdentityKeys-1+parley.MaxRevokedIdentityKeys+1 {
		t.Errorf("there are %d keys", n)
	}
	w.identityKey("")
	states := w.identityStates()
	if n := len(states); n != parley.MaxIdentityKeys+parley.MaxRevokedIdentityKeys || slices.Contains(states, first+" revoked") {
		t.Errorf("the key that ended first is still there, among %d", n)
	}
}

func TestIdentityKeyRules(t *testing.T) {
	w := onSQLite(t)
	public := publicPEM(t, newKey(t).Public())
	set := func(more string) string { return `{"kind":"jwks"` + more + `}` }
	const address = `,"jwksUrl":"https://login.acme.example/jwks.json"`
	for body, message := range map[string]string{
		`{"kind":"password"}`:                                              "kind: must be one of secret, public, jwks",
		`{"algorithm":"none"}`:                                             "algorithm: must be one of HS256, RS256, PS256, ES256, EdDSA, or null",
		`{"algorithm":"RS256"}`:                                            "algorithm: must be one of HS256 for this key",
		`{"secret":"` + strings.Repeat("s", 39) + `"}`:                     "secret: must be 40 to 255 characters of ASCII, without spaces and controls",
		`{"secret":"` + strings.Repeat("s", 40) + ` "}`:                    "secret: must be 40 to 255 characters of ASCII, without spaces and controls",
		`{"secret":"` + strings.Repeat("ß", 40) + `"}`:                     "secret: must be 40 to 255 characters of ASCII, without spaces and controls",
		`{"publicKey":` + public + `}`:                                     "publicKey: must be absent; it belongs to the kind public",
		`{"kind":"public","secret":"` + givenSecret + `"}`:                 "secret: must be absent; it belongs to the kind secret",
		`{"kind":"public"}`:                                                "publicKey: must be a public key: PEM, or a JWK of type RSA, EC with the curve P-256, or OKP with Ed25519",
		`{"kind":"public","publicKey":"-----BEGIN"}`:                       "publicKey: must be a public key: PEM, or a JWK of type RSA, EC with the curve P-256, or OKP with Ed25519",
		`{"kind":"public","publicKey":"{\"kty\":\"oct\",\"k\":\"AA\"}"}`:   "publicKey: must be a public key; this is a private one, which must not leave your server",
		`{"kind":"public","algorithm":"RS256","publicKey":` + public + `}`: "algorithm: must be one of ES256 for this key",
		set(``): "jwksUrl: must be an https address of at most 2048 characters, without a user and a fragment",
		set(`,"jwksUrl":"http://login.acme.example/"`):   "jwksUrl: must be an https address of at most 2048 characters, without a user and a fragment",
		set(`,"jwksUrl":"https://169.254.169.254/jwks"`): "jwksUrl: must have a name for a host that everybody on the internet can reach",
		set(address):                   "issuer: must be given for a set of keys",
		set(address + `,"issuer":"i"`): "audience: must be given for a set of keys",
		set(address + `,"issuer":"i","audience":"a","algorithm":"HS256"`): "algorithm: must be one of RS256, PS256, ES256, EdDSA for this key",
	} {
		w.Post(keysPath, body).Refused(400, message)
	}
	second := w.identityKey("").Text("kid")
	for _, body := range []string{`{}`, `{"days":-1}`, `{"days":31}`, `{"days":1.5}`, `{"days":"1"}`, `{"days":null}`} {
		w.Post(keysPath+"/"+second+"/retire", body).Want(400)
	}
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// publicPEM returns a public key as a JSON string of its PEM.
func publicPEM(t *testing.T, key crypto.PublicKey) string {
	t.Helper()
	pem, err := identity.PublicPEM(key)
	if err != nil {
		t.Fatal(err)
	}
	return strconv.QuoteToASCII(pem)
}

// A signer signs tokens as a company's server does.
type signer struct {
	method jwt.SigningMethod
	key    any
	kid    string
}

func (s signer) token(w *world, more jwt.MapClaims) string {
	w.T.Helper()
	claims := jwt.MapClaims{"sub": "u_1", "exp": w.Now().Add(time.Hour).Unix()}
	maps.Copy(claims, more)
	token := jwt.NewWithClaims(s.method, claims)
	if s.kid != "" {
		token.Header["kid"] = s.kid
	}
	text, err := token.SignedString(s.key)
	if err != nil {
		w.T.Fatal(err)
	}
	return text
}

func (w *world) verify(token string, seen customers.IdentityAttempt) (identity.Claims, error) {
	return w.Customers.VerifyIdentity(w.T.Context(), w.Home.Workspace.ID, token, seen)
}

// accepted requires that a key accepts a token.
func (w *world) accepted(token, kid string) {
	w.T.Helper()
	if c, err := w.verify(token, customers.IdentityAttempt{}); err != nil || c.KID != kid || c.Subject != "u_1" {
		w.T.Errorf("the token gives %+v, %v, want the key %s; refused are %s", c, err, kid, w.Get(rejectionsPath).Body)
	}
}

// refusedFor requires that a token is refused without details, and that the
// last refused identity begins with a reason.
func (w *world) refusedFor(token, reason string) {
	w.T.Helper()
	c, err := w.verify(token, customers.IdentityAttempt{})
	if parley.KindOf(err) != parley.Unauthenticated || err.Error() != "the identity was not accepted" || c != (identity.Claims{}) {
		w.T.Errorf("the token gives %+v, %v", c, err)
	}
	list := w.Get(rejectionsPath).Want(200)
	if list.Count("data") == 0 || !strings.HasPrefix(list.Text("data.0.reason"), reason) {
		w.T.Errorf("the refused ones are %s, want the newest for %q", list.Body, reason)
	}
}

// TestEveryKindOfKey lets a company sign with each kind of key, retire it and
// revoke it.
func TestEveryKindOfKey(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		key := newKey(t)
		jwk := func(kid string) string {
			point, err := key.PublicKey.Bytes()
			if err != nil {
				t.Fatal(err)
			}
			return `{"keys":[{"kty":"EC","crv":"P-256","kid":"` + kid + `","x":"` + base64.RawURLEncoding.EncodeToString(point[1:33]) + `","y":"` +
				base64.RawURLEncoding.EncodeToString(point[33:]) + `"}]}`
		}
		const address = "https://login.acme.example/jwks.json"
		w.keySets = map[string]string{address: jwk("idp-1")}
		founded, _, _ := strings.Cut(w.identityStates()[0], " ")
		made := w.identityKey("")
		given := w.identityKey(`{"secret":"` + givenSecret + `"}`).Text("kid")
		public := w.identityKey(`{"kind":"public","publicKey":`+publicPEM(t, key.Public())+`}`).Is("algorithm", `"ES256"`, "secret", "null").Text("kid")
		set := w.identityKey(`{"kind":"jwks","algorithm":"ES256","jwksUrl":"` + address + `","issuer":"` + issuer + `","audience":"parley"}`).Text("kid")
		ofSet := jwt.MapClaims{"iss": issuer, "aud": "parley"}
		for _, s := range []struct {
			signer signer
			more   jwt.MapClaims
			kid    string
		}{
			{signer{jwt.SigningMethodHS256, []byte(w.Home.IdentitySecret), founded}, nil, founded},
			{signer{jwt.SigningMethodHS256, []byte(made.Text("secret")), made.Text("kid")}, nil, made.Text("kid")},
			{signer{jwt.SigningMethodHS256, []byte(made.Text("secret")), ""}, nil, made.Text("kid")},
			{signer{jwt.SigningMethodHS256, []byte(givenSecret), given}, nil, given},
			{signer{jwt.SigningMethodES256, key, public}, nil, public},
			{signer{jwt.SigningMethodES256, key, "idp-1"}, ofSet, set},
		} {
			w.accepted(s.signer.token(w, s.more), s.kid)
		}
		w.refusedFor(signer{jwt.SigningMethodES256, key, "idp-2"}.token(w, ofSet), "unknown key: ")
		w.refusedFor(signer{jwt.SigningMethodHS256, []byte(givenSecret), made.Text("kid")}.token(w, nil), "signature: ")

		other, err := w.Access.CreateWorkspace(t.Context(), "Other", "owner@other.example")
		if err != nil {
			t.Fatal(err)
		}
		w.refusedFor(signer{jwt.SigningMethodHS256, []byte(other.IdentitySecret), ""}.token(w, nil), "signature: ")

		ours := signer{jwt.SigningMethodHS256, []byte(givenSecret), given}
		w.Post(keysPath+"/"+given+"/retire", `{"days":1}`).Want(200)
		w.accepted(ours.token(w, nil), given)
		w.Advance(24 * time.Hour)
		w.Owner = w.signIn(w.Home.Owner.ID)
		w.refusedFor(ours.token(w, nil), "unknown key: ")
		w.Delete(keysPath + "/" + public).Want(200)
		w.refusedFor(signer{jwt.SigningMethodES256, key, public}.token(w, nil), "unknown key: ")
	})
}

// TestRejectedIdentities reads the refused identities, of which only the last
// fifty are kept, and checks that a flood is not written.
func TestRejectedIdentities(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := signer{jwt.SigningMethodHS256, []byte(strings.Repeat("w", 43)), "idk_wrong"}
		inbox := w.Home.Inbox.ID
		token := s.token(w, jwt.MapClaims{"sub": "<b>admin\u202e</b>"})
		if _, err := w.verify(token, customers.IdentityAttempt{InboxID: inbox, Origin: "https://shop.acme.example"}); err == nil {
			t.Fatal("accepted")
		}
		w.Get(rejectionsPath).Want(200).Is("data.0.at", `"2026-11-21T10:00:00.000Z"`, "data.0.inboxId", `"`+inbox.String()+`"`,
			"data.0.kid", `"idk_wrong"`, "data.0.subject", `"\u003cb\u003eadmin?\u003c/b\u003e"`, "data.0.origin", `"https://shop.acme.example"`,
			"data.0.reason", `"unknown key: the workspace has no key \"idk_wrong\" that verifies (any more)"`)
		for i := range 120 {
			w.Advance(time.Millisecond)
			if _, err := w.verify(s.token(w, jwt.MapClaims{"sub": fmt.Sprint("u_", i)}), customers.IdentityAttempt{}); err == nil {
				t.Fatal("accepted")
			}
		}
		list := w.Get(rejectionsPath).Want(200)
		if n := list.Count("data"); n != parley.MaxRejectedIdentities {
			t.Errorf("%d are kept", n)
		}
		list.Is("data.0.subject", `"u_98"`, "data.49.subject", `"u_49"`, "data.0.inboxId", "null") // the hundredth of this minute
		w.Advance(time.Minute)
		w.refusedFor("", "malformed: the token is empty")
	})
}

// TestIdentityKeyUse moves the last use of a key once a minute.
func TestIdentityKeyUse(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		s := signer{jwt.SigningMethodHS256, []byte(w.Home.IdentitySecret), ""}
		used := func(want string) {
			t.Helper()
			if _, err := w.verify(s.token(w, nil), customers.IdentityAttempt{}); err != nil {
				t.Fatal(err)
			}
			w.Get(keysPath).Want(200).Is("data.0.lastUsedAt", want)
		}
		used(`"2026-11-21T10:00:00.000Z"`)
		w.Advance(59 * time.Second)
		used(`"2026-11-21T10:00:00.000Z"`)
		w.Advance(time.Second)
		used(`"2026-11-21T10:01:00.000Z"`)
	})
}

// TestSignIdentity signs an identity that VerifyIdentity accepts, with the
// newest active secret and the required issuer and audience.
func TestSignIdentity(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		claims := identity.Claims{
			Subject: "u_1", Email: "ann@acme.example", EmailVerified: true, Name: "Ann", ExpiresAt: w.Now().Add(time.Hour),
			Organization: parley.Some(identity.Organization{ID: "org_1", Name: "Acme"}), Attributes: `{"plan":"pro"}`,
		}
		w.Advance(time.Millisecond)
		kid := w.identityKey(`{"issuer":"` + issuer + `","audience":"parley"}`).Text("kid")
		sign := func() string {
			t.Helper()
			token, err := w.Customers.SignIdentity(t.Context(), w.Home.Workspace.ID, claims)
			if err != nil {
				t.Fatal(err)
			}
			return token
		}
		want := claims
		want.KID, want.IssuedAt = kid, w.Now().Truncate(time.Second)
		if got, err := w.verify(sign(), customers.IdentityAttempt{}); err != nil || got != want {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
		w.Post(keysPath+"/"+kid+"/retire", `{"days":1}`).Want(200)
		founded, _, _ := strings.Cut(w.identityStates()[0], " ")
		w.accepted(sign(), founded)
		claims.ExpiresAt = w.Now().Add(48 * time.Hour)
		if _, err := w.Customers.SignIdentity(t.Context(), w.Home.Workspace.ID, claims); parley.KindOf(err) != parley.Invalid {
			t.Errorf("too long a life gives %v", err)
		}
		w.identityKey(`{"kind":"public","publicKey":` + publicPEM(t, newKey(t).Public()) + `}`)
		w.Delete(keysPath + "/" + founded).Want(200)
		if _, err := w.Customers.SignIdentity(t.Context(), w.Home.Workspace.ID, claims); parley.KindOf(err) != parley.Conflict {
			t.Errorf("without an active secret the error is %v", err)
		}
	})
}

// TestNoIdentitySecretAtRest searches everything stored for secrets and refused
// tokens.
func TestNoIdentitySecretAtRest(t *testing.T) {
	storetest.EachOptions(t, func(t *testing.T, o store.Options) {
		w := newWorld(t, o)
		made := w.identityKey("").Text("secret")
		kid := w.identityKey(`{"secret":"` + givenSecret + `"}`).Text("kid")
		token := signer{jwt.SigningMethodHS256, []byte(givenSecret), kid}.token(w, jwt.MapClaims{"exp": 1})
		w.refusedFor(token, "expired: ")
		raw, err := base64.RawURLEncoding.DecodeString(made)
		if err != nil {
			t.Fatal(err)
		}
		kept := dump(t, o)
		if !strings.Contains(kept, kid) {
			t.Error("the search does not even find the name of the key")
		}
		for _, secret := range []string{givenSecret, made, string(raw), fmt.Sprintf("%x", raw), token, token[len(token)-43:]} {
			if strings.Contains(kept, secret) {
				t.Errorf("the store holds %q", secret)
			}
		}
	})
}

// TestAKeyThatCannotBeOpened adds a secret encrypted under another master key:
// it only affects its own tokens.
func TestAKeyThatCannotBeOpened(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		err := w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
			return tx.InsertIdentityKey(w.Home.Workspace.ID, &parley.IdentityKey{
				KID: "idk_lost", Kind: parley.SecretKey, Algorithm: "HS256", CreatedAt: w.Now(),
			}, []byte("sealed under another master key"))
		})
		if err != nil {
			t.Fatal(err)
		}
		made := w.identityKey("")
		good := signer{jwt.SigningMethodHS256, []byte(made.Text("secret")), made.Text("kid")}
		w.accepted(good.token(w, nil), good.kid)
		if _, err := w.verify(signer{good.method, good.key, "idk_lost"}.token(w, nil), customers.IdentityAttempt{}); err == nil || parley.KindOf(err) == parley.Unauthenticated {
			t.Errorf("a token of the lost key gives %v", err)
		}
		w.refusedFor(signer{good.method, good.key, "idk_unknown"}.token(w, nil), "unknown key")
	})
}

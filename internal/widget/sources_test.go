package widget_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"parley"
	"parley/internal/customers"
	"parley/internal/identity"
)

// A source signs identities with its own key of the workspace.
type source struct {
	w       *world
	kid     string
	private *ecdsa.PrivateKey
	issuer  string
}

// source adds a public key to the workspace; without an issuer if that is "".
func (w *world) source(issuer string) *source {
	w.T.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		w.T.Fatal(err)
	}
	pem, err := identity.PublicPEM(private.Public())
	if err != nil {
		w.T.Fatal(err)
	}
	key, _, err := w.Customers.CreateIdentityKey(w.T.Context(), w.By(), customers.NewIdentityKey{Kind: parley.PublicKey, PublicKey: pem, Issuer: issuer})
	if err != nil {
		w.T.Fatal(err)
	}
	return &source{w, key.KID, private, issuer}
}

// token signs an identity with a verified e-mail address, or none if it is "".
func (s *source) token(subject, email string) string {
	s.w.T.Helper()
	claims := jwt.MapClaims{"sub": subject, "exp": s.w.Now().Add(time.Hour).Unix(), "iat": s.w.Now().Unix(), "iss": s.issuer}
	if email != "" {
		claims["email"], claims["email_verified"] = email, true
	}
	token := jwt.NewWithClaims(jwt.SigningMethodES256, claims)
	token.Header["kid"] = s.kid
	text, err := token.SignedString(s.private)
	if err != nil {
		s.w.T.Fatal(err)
	}
	return text
}

func (s *source) login(subject string) *customer {
	s.w.T.Helper()
	return s.w.customer(map[string]string{"identity": s.token(subject, "")})
}

// refused requires that a token is refused because its subject belongs to
// another source.
func (w *world) refusedFrom(token, other string) {
	w.T.Helper()
	w.start(map[string]string{"identity": token}).Refused(401, "the identity was not accepted")
	want := fmt.Sprintf("source: the subject came from another source before, %q, which still has an active key; ", other)
	if got := w.agentGet("/v1/dashboard/identity-rejections").Want(200).Text("data.0.reason"); !strings.HasPrefix(got, want) {
		w.T.Errorf("the refusal is kept as %s,\nwant %s…", got, want)
	}
}

// TestOneSubjectFromTwoSources signs the same subject at two sources: two
// people may have one id at two places.
func TestOneSubjectFromTwoSources(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		acme, globex, bare := w.source("https://acme.example/"), w.source("https://globex.example/"), w.source("")
		ada := acme.login("42")
		secret := ada.begin("mine")
		w.refusedFrom(globex.token("42", ""), "iss https://acme.example/")
		w.refusedFrom(bare.token("42", ""), "iss https://acme.example/")
		w.refusedFrom(w.signed(claims("42", "")), "iss https://acme.example/")
		w.login(claims("u7", ""))
		w.refusedFrom(acme.token("u7", ""), "own")
		bare.login("b1")
		w.refusedFrom(w.source("").token("b1", ""), "kid "+bare.kid)
		// Another key of one issuer, and another secret of the workspace, are the same source.
		if again := w.source("https://acme.example/").login("42"); again.id != ada.id {
			t.Error("another key of the issuer makes somebody else")
		}
		if _, _, err := w.Customers.CreateIdentityKey(t.Context(), w.By(), customers.NewIdentityKey{Kind: parley.SecretKey, Issuer: "https://shop.example/"}); err != nil {
			t.Fatal(err)
		}
		w.Advance(time.Second)
		w.login(claims("u7", ""))
		// A merge does not let another source in either.
		other := globex.login("g1")
		w.agentPost("/v1/dashboard/contacts/"+other.id+"/merge", `{"intoId":"`+ada.id+`"}`).Want(200)
		if again := globex.login("g1"); again.id != ada.id {
			t.Error("who was merged is somebody else now")
		}
		w.refusedFrom(acme.token("g1", ""), "iss https://globex.example/")
		ada.get("conversations/" + secret).Want(200)
	})
}

// TestASourceTakesOver retires the key of a source. Its customers move to
// another source with their next token, and until then the old source vouches
// for them.
func TestASourceTakesOver(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		before, after, third := w.source(""), w.source(""), w.source("https://acme.example/")
		ada := before.login("ada")
		w.refusedFrom(after.token("ada", ""), "kid "+before.kid)
		if _, err := w.Customers.RetireIdentityKey(t.Context(), w.By(), before.kid, 2); err != nil {
			t.Fatal(err)
		}
		for _, s := range []*source{before, after, before, after} {
			if again := s.login("ada"); again.id != ada.id {
				t.Errorf("by the key %s Ada is somebody else", s.kid)
			}
		}
		w.refusedFrom(third.token("ada", ""), "kid "+after.kid)
		if _, err := w.Customers.RevokeIdentityKey(t.Context(), w.By(), after.kid); err != nil {
			t.Fatal(err)
		}
		third.login("ada").get("session").Want(200).Is("customer.id", `"`+ada.id+`"`)
	})
}

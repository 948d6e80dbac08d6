package identity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/golang-jwt/jwt/v5"

	"parley"
)

// TestAccepted verifies valid tokens.
func TestAccepted(t *testing.T) {
	plain := Claims{Subject: "u1", EmailVerified: true, ExpiresAt: now.Add(time.Hour), KID: "main"}
	org := func(id, name, website string) func(*Claims) {
		return func(c *Claims) { c.Organization = parley.Some(Organization{ID: id, Name: name, Website: website}) }
	}
	nothing := func(*Claims) {}
	for claims, change := range map[string]func(*Claims){
		``:                                   nothing,
		`"jti":"x","scope":1`:                nothing,
		`"aud":"` + ring().ws.String() + `"`: nothing,
		`"aud":["other","` + ring().ws.String() + `"]`: nothing,
		`"iss":"anybody"`:                                                   nothing,
		`"nbf":` + unix(60):                                                 nothing,
		`"iat":` + unix(60):                                                 func(c *Claims) { c.IssuedAt = now.Add(time.Minute) },
		`"iat":` + unix(0) + `.75`:                                          func(c *Claims) { c.IssuedAt = now.Add(750 * time.Millisecond) },
		`"nbf":null,"iat":null,"aud":null`:                                  nothing,
		`"email":"","name":" ","phone":"","picture":""`:                     nothing,
		`"email":null,"name":null,"picture":null`:                           nothing,
		`"organization":null`:                                               func(c *Claims) { c.Organization = parley.Null[Organization]() },
		`"organization":"org_1"`:                                            org("org_1", "", ""),
		`"organization":7`:                                                  org("7", "", ""),
		`"organization":{"id":" org_1 ","name":" Acme "}`:                   org("org_1", "Acme", ""),
		`"organization":{"id":-12,"website":"acme.example","name":null}`:    org("-12", "", "acme.example"),
		`"organization":{"id":"a","website":"https://acme.example"}`:        org("a", "", "https://acme.example"),
		`"org_id":"org_1","org_name":"Acme"`:                                org("org_1", "Acme", ""),
		`"company":{"id":"c1","name":"Acme","website":""}`:                  org("c1", "Acme", ""),
		`"company":{"company_id":"c1"}`:                                     org("c1", "", ""),
		`"company":"Acme"`:                                                  nothing,
		`"o":{"id":"org_1","slg":"acme","rol":"admin"}`:                     org("org_1", "acme", ""),
		`"org_id":null,"company":null,"o":null`:                             nothing,
		`"organization":"first","org_id":"second","company":{"id":"third"}`: org("first", "", ""),
		`"attributes":{}`:                                                   nothing,
		`"attributes":{"plan":"pro","seats":4.50,"trial":false,"old":null}`: func(c *Claims) {
			c.Attributes = `{"old":null,"plan":"pro","seats":4.50,"trial":false}`
		},
		`"attributes":{` + strings.TrimPrefix(numbered(50), ",") + `}`: func(c *Claims) {
			names := strings.Split(strings.TrimPrefix(numbered(50), ","), ",")
			slices.SortFunc(names, func(a, b string) int {
				return strings.Compare(a[:strings.Index(a, ":")-1], b[:strings.Index(b, ":")-1])
			})
			c.Attributes = parley.Attributes("{" + strings.Join(names, ",") + "}")
		},
		`"email":" Ann@Acme.example ","email_verified":true`:  func(c *Claims) { c.Email = "Ann@Acme.example" },
		`"email":"ann@acme.example","email_verified":false`:   func(c *Claims) { c.Email, c.EmailVerified = "ann@acme.example", false },
		`"email":"ann@acme.example","email_verified":"false"`: func(c *Claims) { c.Email, c.EmailVerified = "ann@acme.example", false },
		`"name":" Ann Lee ","phone":"+49 151 0000001","picture":"https://acme.example/a.png"`: func(c *Claims) {
			c.Name, c.Phone, c.Picture = "Ann Lee", "+49 151 0000001", "https://acme.example/a.png"
		},
	} {
		want := plain
		change(&want)
		if got := mustVerify(t, signedClaims(claims)); got != want {
			t.Errorf("%s gives\n%+v, want\n%+v", claims, got, want)
		}
	}
	for _, email := range []string{ // none is one here, and none keeps anybody out
		"u@my_host.local", `"a b"@c.example`, "u@[192.0.2.1]", strings.Repeat("a", 70) + "@b.example", "ann", "a\u00adb@c.example", "Ann <ann@acme.example>",
		strings.Repeat("a", 250) + "@acme.example", "ann@acme.example\r\nBcc: x@y.example",
	} {
		if got := mustVerify(t, signedClaims(`"email":`+jsonText(email)+`,"email_verified":true`)); got != plain {
			t.Errorf("the address %q gives %+v", email, got)
		}
	}
	for sub, want := range map[string]string{`"u 1"`: "u 1", `" u1"`: " u1", `"u1\u00a0"`: "u1\u00a0", `"\u3000u1 "`: "\u3000u1 ", `42`: "42", `-1`: "-1", `12345678901234567890`: "12345678901234567890", jsonText(strings.Repeat("ü", 255)): strings.Repeat("ü", 255)} {
		if got := mustVerify(t, hs(mainHeader, `{"sub":`+sub+`,"exp":`+unix(hour)+`}`)); got.Subject != want {
			t.Errorf("sub %s gives %q", sub, got.Subject)
		}
	}
	for _, times := range []string{`"exp":` + unix(-59), `"exp":` + unix(24*hour), `"exp":` + unix(12*hour) + `,"iat":` + unix(-12*hour)} {
		mustVerify(t, hs(mainHeader, `{"sub":"u1",`+times+`}`))
	}
}

// TestAcceptedKeys signs with each kind of key.
func TestAcceptedKeys(t *testing.T) {
	r := ring()
	ofSet := `"iss":"` + issuer + `","aud":["other","` + audience + `"]`
	for name, c := range map[string]struct {
		token, kid string
	}{
		"HS256":             {hs(`{"alg":"HS256","kid":"main"}`, valid("")), "main"},
		"HS256 without kid": {hs(`{"alg":"HS256"}`, valid(`"iss":"`+issuer+`","aud":"`+audience+`"`)), "strict"},
		"typ jwt":           {hs(`{"alg":"HS256","kid":"main","typ":"jwt"}`, valid("")), "main"},
		"strict":            {hs(`{"alg":"HS256","kid":"strict"}`, valid(`"iss":"`+issuer+`","aud":"`+audience+`"`)), "strict"},
		"RS256":             {by(jwt.SigningMethodRS256, r.rsa, `{"alg":"RS256","kid":"rs"}`, valid("")), "rs"},
		"PS256":             {by(jwt.SigningMethodPS256, r.rsa, `{"alg":"PS256","kid":"ps"}`, valid("")), "ps"},
		"ES256":             {by(jwt.SigningMethodES256, r.ec, `{"alg":"ES256","kid":"ec"}`, valid("")), "ec"},
		"EdDSA":             {by(jwt.SigningMethodEdDSA, r.ed, `{"alg":"EdDSA","kid":"ed"}`, valid("")), "ed"},
		"set":               {by(jwt.SigningMethodRS256, r.rsa, `{"alg":"RS256","kid":"idp"}`, valid(ofSet)), "set"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := mustVerify(t, c.token); got.KID != c.kid {
				t.Errorf("the key is %q, want %q", got.KID, c.kid)
			}
		})
	}
}

// TestVerifiedAddresses checks what email_verified means for each kind of key:
// if it is absent, the company's own secret vouches for the address; if it is
// null, nobody does.
func TestVerifiedAddresses(t *testing.T) {
	r, ofStrict := ring(), `,"iss":"`+issuer+`","aud":"`+audience+`"`
	sign := map[string]func(claims string) string{
		"secret":             signedClaims,
		"secret without kid": func(claims string) string { return hs(`{"alg":"HS256"}`, valid(claims+ofStrict)) },
		"public key": func(claims string) string {
			return by(jwt.SigningMethodES256, r.ec, `{"alg":"ES256","kid":"ec"}`, valid(claims))
		},
		"set of keys": func(claims string) string {
			return by(jwt.SigningMethodRS256, r.rsa, `{"alg":"RS256","kid":"idp"}`, valid(claims+ofStrict))
		},
	}
	for said, verified := range map[string]bool{
		`true`: true, `"true"`: true, `false`: false, `"false"`: false, `null`: false, ``: false,
	} {
		for key, token := range sign {
			claims, want := `"email":"ann@acme.example"`, verified
			if said == "" {
				want = strings.HasPrefix(key, "secret")
			} else {
				claims += `,"email_verified":` + said
			}
			if got := mustVerify(t, token(claims)); got.EmailVerified != want {
				t.Errorf("%s, email_verified %q: verified is %v", key, said, got.EmailVerified)
			}
		}
	}
}

// TestSign requires that Verify accepts what Sign returns, and that Sign signs
// nothing else.
func TestSign(t *testing.T) {
	k := ring().keys().All[0]
	full := Claims{
		Subject: "u1", Email: "ann@acme.example", Name: "Ann", Phone: "+49 151 0000001", Picture: "https://acme.example/a.png",
		Organization: parley.Some(Organization{ID: "org_1", Name: "Acme <&>", Website: "acme.example"}), Attributes: `{"plan":"pro"}`,
		ExpiresAt: now.Add(time.Hour), KID: k.KID,
	}
	gone := full
	gone.Organization, gone.EmailVerified = parley.Null[Organization](), true
	for _, c := range []Claims{full, gone} {
		token, err := Sign(k, ring().ws, c, now)
		if err != nil {
			t.Fatal(err)
		}
		c.IssuedAt = now
		if got := mustVerify(t, token); got != c {
			t.Errorf("got %+v, want %+v", got, c)
		}
	}
	weak := k
	weak.Secret = []byte("short")
	if _, err := Sign(weak, ring().ws, full, now); parley.KindOf(err) != parley.Invalid {
		t.Errorf("a weak secret gives %v", err)
	}
	for name, change := range map[string]func(*Claims){
		"no subject": func(c *Claims) { c.Subject = " " },
		"expired":    func(c *Claims) { c.ExpiresAt = now.Add(-time.Hour) },
		"long":       func(c *Claims) { c.ExpiresAt = now.Add(25 * time.Hour) },
		"attributes": func(c *Claims) { c.Attributes = `{"a":[]}` },
		"no JSON":    func(c *Claims) { c.Attributes = `{` },
		"large":      func(c *Claims) { c.Attributes = parley.Attributes(`{"a":"` + strings.Repeat("x", 9000) + `"}`) },
	} {
		c := full
		change(&c)
		if token, err := Sign(k, ring().ws, c, now); parley.KindOf(err) != parley.Invalid {
			t.Errorf("%s: got %q, %v", name, token, err)
		}
	}
}

// FuzzToken verifies any text; without a key nothing is accepted.
func FuzzToken(f *testing.F) {
	for _, h := range hostileTokens() {
		if len(h.token) < 2000 {
			f.Add(h.token)
		}
	}
	f.Add(signedClaims(`"organization":{"id":"a"}`))
	keys := ring().keys()
	keys.All = keys.All[3:8] // those that the fuzzer cannot sign by
	f.Fuzz(func(t *testing.T, token string) {
		c, err := Verify(t.Context(), token, keys, now)
		if _, refused := AsRejected(err); !refused {
			t.Errorf("%q gives %+v, %v", token, c, err)
		}
	})
}

// FuzzClaims signs any header and payload, and requires that accepted claims
// are within their limits and equal what another JSON parser reads.
func FuzzClaims(f *testing.F) {
	for _, h := range hostileTokens() {
		parts := strings.Split(h.token, ".")
		if len(parts) == 3 && len(h.token) < 2000 {
			f.Add(string(loose(parts[0])), string(loose(parts[1])))
		}
	}
	f.Add(mainHeader, valid(`"organization":{"id":"a","name":"b"},"attributes":{"a":1}`))
	f.Add(mainHeader, valid(`"o":{"id":1},"email":"a@b.example","phone":"+49 151 0000001"`))
	keys := ring().keys()
	f.Fuzz(func(t *testing.T, header, payload string) {
		c, err := Verify(t.Context(), hs(header, payload), keys, now)
		if err != nil {
			if r, ok := AsRejected(err); !ok || r.Reason == "" || !oneLine(r.Detail) || utf8.RuneCountInString(r.Subject+r.KID) > 200 {
				t.Fatalf("the error is %#v", err)
			}
			return
		}
		var said map[string]any
		if err := json.Unmarshal([]byte(payload), &said); err != nil {
			t.Fatalf("accepted, and not JSON: %v", err)
		}
		if sub, ok := said["sub"].(string); ok && sub != c.Subject {
			t.Errorf("the subject is %q, another reader sees %q", c.Subject, sub)
		}
		organization := c.Organization.Value
		for text, limit := range map[string]int{
			c.Subject: 255, c.Email: 254, c.Name: 255, c.Phone: 40, c.Picture: 2048, organization.ID: 255, organization.Name: 255, organization.Website: 2048,
		} {
			if utf8.RuneCountInString(text) > limit || strings.ContainsRune(text, 0) || !utf8.ValidString(text) {
				t.Errorf("%.300q came through", text)
			}
		}
		if strings.TrimSpace(c.Subject) == "" || c.Organization.Has() && organization.ID == "" {
			t.Errorf("a blank id came through: %+v", c)
		}
		if c.ExpiresAt.Before(now.Add(-Leeway)) || c.ExpiresAt.After(now.Add(MaxLifetime+2*Leeway)) {
			t.Errorf("it ends %v", c.ExpiresAt)
		}
		var attributes map[string]any
		if err := json.Unmarshal([]byte(c.Attributes), &attributes); c.Attributes != "" && (err != nil || len(attributes) > maxAttributes) {
			t.Errorf("the attributes are %s: %v", c.Attributes, err)
		}
		for name, value := range attributes {
			if kind := fmt.Sprintf("%T", value); kind != "string" && kind != "float64" && kind != "bool" && kind != "<nil>" {
				t.Errorf("the attribute %q is a %s", name, kind)
			}
		}
	})
}

// BenchmarkVerify verifies with a secret and with a public key.
func BenchmarkVerify(b *testing.B) {
	keys := ring().keys()
	claims := valid(`"email":"ann@acme.example","name":"Ann","organization":{"id":"org_7","name":"Acme"}`)
	for name, token := range map[string]string{
		"HS256": hs(mainHeader, claims),
		"ES256": by(jwt.SigningMethodES256, ring().ec, `{"alg":"ES256","kid":"ec"}`, claims),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Verify(b.Context(), token, keys, now); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestIssuedAfter compares tokens with the time when their customer was signed
// out.
func TestIssuedAfter(t *testing.T) {
	for claims, after := range map[string]struct{ out, accepted time.Time }{
		``:                       {now.Add(-time.Hour), time.Time{}},
		`"iat":null`:             {now.Add(-time.Hour), time.Time{}},
		`"iat":` + unix(0):       {now.Add(time.Millisecond), now},
		`"iat":` + unix(-hour):   {now.Add(-time.Hour + time.Second), now.Add(-2 * time.Hour)},
		`"iat":` + unix(-hour/2): {now, now.Add(-time.Hour)},
	} {
		c := mustVerify(t, signedClaims(claims))
		refused := c.IssuedAfter(after.out)
		if refused == nil || refused.Reason != SignedOut || refused.Subject != "u1" || refused.KID != "main" {
			t.Errorf("%s gives %v", claims, refused)
		}
		if refused := c.IssuedAfter(after.accepted); refused != nil {
			t.Errorf("%s is refused: %v", claims, refused)
		}
	}
}

package identity

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"
)

// A hostile token must be refused for its reason.
type hostile struct {
	name   string
	token  string
	reason Reason
}

func hostileTokens() []hostile {
	return slices.Concat(hostileForms(), hostileHeaders(), hostileSignatures(), hostileTimes(), hostileClaims())
}

func hostileForms() []hostile {
	good := signedClaims("")
	parts := strings.Split(good, ".")
	padded := b64([]byte(mainHeader)) + "." + base64.URLEncoding.EncodeToString([]byte(valid(`"name":"12"`)))
	raw := func(header, payload string) string {
		signature, err := jwt.SigningMethodHS256.Sign(header+"."+payload, ring().secret)
		if err != nil {
			panic(err)
		}
		return header + "." + payload + "." + b64(signature)
	}
	paddedSignature, err := jwt.SigningMethodHS256.Sign(padded, ring().secret)
	if err != nil {
		panic(err)
	}
	// The last character of 43 holds four bits; the other two must be zero.
	last := strings.IndexByte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", good[len(good)-1])
	twin := good[:len(good)-1] + string("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"[last+1])
	return []hostile{
		{"empty", "", Malformed},
		{"large", signedClaims(`"pad":"` + strings.Repeat("x", 7000) + `"`), TooLarge},
		{"enormous", strings.Repeat("x", 1<<20), TooLarge},
		{"one part", "token", Malformed},
		{"two parts", parts[0] + "." + parts[1], Malformed},
		{"four parts", good + ".e30", Malformed},
		{"five parts of an encrypted token", "a.b.c.d.e", Malformed},
		{"only dots", "..", Malformed},
		{"no signature", parts[0] + "." + parts[1] + ".", Malformed},
		{"padding", padded + "." + b64(paddedSignature), Malformed},
		{"padding of the signature", good + "=", Malformed},
		{"second spelling of the signature", twin, Malformed},
		{"line end", good + "\n", Malformed},
		{"space before", " " + good, Malformed},
		{"Bearer", "Bearer " + good, Malformed},
		{"payload that is not base64", raw(parts[0], "%%%%"), Malformed},
		{"header without JSON", hs(`HS256`, valid("")), Malformed},
		{"header is an array", hs(`["HS256"]`, valid("")), Malformed},
		{"header is null", hs(`null`, valid("")), Malformed},
		{"text behind the header", hs(mainHeader+`x`, valid("")), Malformed},
		{"alg twice", hs(`{"alg":"none","kid":"main","alg":"HS256"}`, valid("")), Malformed},
		{"kid twice, once escaped", hs(`{"alg":"HS256","k\u0069d":"rs","kid":"main"}`, valid("")), Malformed},
		{"payload without JSON", hs(mainHeader, `sub=u1`), Malformed},
		{"payload is an array", hs(mainHeader, `[`+valid("")+`]`), Malformed},
		{"payload is null", hs(mainHeader, `null`), Malformed},
		{"text behind the payload", hs(mainHeader, valid("")+`{"sub":"u2"}`), Malformed},
		{"sub twice", signedClaims(`"sub":"u2"`), Malformed},
		{"sub twice, once escaped", signedClaims(`"s\u0075b":"u2"`), Malformed},
		{"id of the organization twice", signedClaims(`"organization":{"id":"a","id":"b"}`), Malformed},
		{"not UTF-8", signedClaims("\"name\":\"\xff\""), Malformed},
		{"half a surrogate pair", signedClaims(`"name":"\ud800"`), Malformed},
		{"NUL", signedClaims(`"name":"a\u0000b"`), Malformed},
		{"deep", signedClaims(`"x":` + strings.Repeat("[", 40) + strings.Repeat("]", 40)), Malformed},
	}
}

func hostileHeaders() []hostile {
	tokens := []hostile{
		{"kid is a number", hs(`{"alg":"HS256","kid":1}`, valid("")), BadHeader},
		{"kid is null", hs(`{"alg":"HS256","kid":null}`, valid("")), BadHeader},
		{"kid is empty", hs(`{"alg":"HS256","kid":""}`, valid("")), BadHeader},
		{"kid is an object", hs(`{"alg":"HS256","kid":{}}`, valid("")), BadHeader},
		{"kid is long", hs(`{"alg":"HS256","kid":"`+strings.Repeat("k", 300)+`"}`, valid("")), BadHeader},
		{"kid is a path", hs(`{"alg":"HS256","kid":"../../dev/null"}`, valid("")), UnknownKey},
		{"kid is SQL", hs(`{"alg":"HS256","kid":"main' OR '1'='1"}`, valid("")), UnknownKey},
		{"kid in capitals", hs(`{"alg":"HS256","kid":"MAIN"}`, valid("")), UnknownKey},
		{"kid of the set's own record", hs(`{"alg":"HS256","kid":"set"}`, valid("")), UnknownKey},
		{"access token", hs(`{"alg":"HS256","kid":"main","typ":"at+jwt"}`, valid("")), BadHeader},
		{"typ is a number", hs(`{"alg":"HS256","kid":"main","typ":1}`, valid("")), BadHeader},
	}
	for name, value := range map[string]string{
		"crit": `["exp"]`, "jku": `"https://evil.example/jwks.json"`, "jwk": `{"kty":"oct","k":"AA"}`, "x5u": `"https://evil.example"`,
		"x5c": `["AA"]`, "b64": `false`, "zip": `"DEF"`, "enc": `"A256GCM"`, "cty": `"JWT"`,
	} {
		tokens = append(tokens, hostile{"header " + name, hs(`{"alg":"HS256","kid":"main","`+name+`":`+value+`}`, valid("")), BadHeader})
	}
	return tokens
}

func hostileSignatures() []hostile {
	r := ring()
	der, err := x509.MarshalPKIXPublicKey(r.rsa.Public())
	if err != nil {
		panic(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	none := func(header string) string {
		return b64([]byte(header)) + "." + b64([]byte(valid(""))) + "." + b64([]byte("x"))
	}
	good := strings.Split(signedClaims(""), ".")
	other := strings.Split(hs(mainHeader, `{"sub":"admin","exp":`+unix(hour)+`}`), ".")
	h256, rs256 := jwt.SigningMethodHS256, jwt.SigningMethodRS256
	wrong := []byte(strings.Repeat("w", 43))
	ofSet := `"iss":"` + issuer + `","aud":"` + audience + `"`
	return []hostile{
		{"alg none", none(`{"alg":"none","kid":"main"}`), BadAlg},
		{"alg None without kid", none(`{"alg":"None"}`), BadAlg},
		{"alg missing", hs(`{"kid":"main"}`, valid("")), BadAlg},
		{"alg null", hs(`{"alg":null,"kid":"main"}`, valid("")), BadAlg},
		{"alg in small letters", hs(`{"alg":"hs256","kid":"main"}`, valid("")), BadAlg},
		{"alg HS512", by(jwt.SigningMethodHS512, r.secret, `{"alg":"HS512","kid":"main"}`, valid("")), BadAlg},
		{"public key as a secret", by(h256, public, `{"alg":"HS256","kid":"rs"}`, valid("")), BadAlg},
		{"public key as a secret, without kid", by(h256, public, `{"alg":"HS256"}`, valid("")), BadSign},
		{"public key as a secret, in DER", by(h256, der, `{"alg":"RS256","kid":"rs"}`, valid("")), BadSign},
		{"RS256 by the key for PS256", by(rs256, r.rsa, `{"alg":"RS256","kid":"ps"}`, valid("")), BadAlg},
		{"RS256 that says PS256", by(rs256, r.rsa, `{"alg":"PS256","kid":"ps"}`, valid("")), BadSign},
		{"RS256 without kid", by(rs256, r.rsa, `{"alg":"RS256"}`, valid("")), UnknownKey},
		{"EdDSA without kid", by(jwt.SigningMethodEdDSA, r.ed, `{"alg":"EdDSA"}`, valid("")), UnknownKey},
		{"EdDSA that says ES256", by(jwt.SigningMethodEdDSA, r.ed, `{"alg":"ES256","kid":"ec"}`, valid("")), BadSign},
		{"signature of zeros for ES256", b64([]byte(`{"alg":"ES256","kid":"ec"}`)) + "." + b64([]byte(valid(""))) + "." + b64(make([]byte, 64)), BadSign},
		{"wrong secret", by(h256, wrong, mainHeader, valid("")), BadSign},
		{"wrong secret, without kid", by(h256, wrong, `{"alg":"HS256"}`, valid("")), BadSign},
		{"empty secret", by(h256, []byte{}, mainHeader, valid("")), BadSign},
		{"signature of another token", good[0] + "." + good[1] + "." + other[2], BadSign},
		{"other claims under a good signature", good[0] + "." + other[1] + "." + good[2], BadSign},
		{"other header under a good signature", b64([]byte(`{"kid":"main","alg":"HS256"}`)) + "." + good[1] + "." + good[2], BadSign},
		{"signature cut short", good[0] + "." + good[1] + "." + b64([]byte("0123456789abcdef")), BadSign},
		{"weak secret", by(h256, []byte("0123456789abcdef"), `{"alg":"HS256","kid":"weak"}`, valid("")), WeakKey},
		{"weak secret, without kid", by(h256, []byte("0123456789abcdef"), `{"alg":"HS256"}`, valid("")), WeakKey},
		{"RSA of 1024 bits", by(rs256, r.weakRSA, `{"alg":"RS256","kid":"weakrsa"}`, valid("")), WeakKey},
		{"RSA of 1024 bits in the set", by(rs256, r.weakRSA, `{"alg":"RS256","kid":"idp-weak"}`, valid(ofSet)), UnknownKey},
		{"secret in the set", by(h256, r.secret, `{"alg":"HS256","kid":"oct"}`, valid(ofSet)), UnknownKey},
		{"key for encryption in the set", by(rs256, r.rsa, `{"alg":"RS256","kid":"enc"}`, valid(ofSet)), UnknownKey},
		{"key for PS256 in the set", by(rs256, r.rsa, `{"alg":"RS256","kid":"idp-ps"}`, valid(ofSet)), UnknownKey},
		{"key that is not in the set", by(rs256, r.rsa, `{"alg":"RS256","kid":"idp2"}`, valid(ofSet)), UnknownKey},
		{"set of another issuer", by(rs256, r.rsa, `{"alg":"RS256","kid":"idp"}`, valid(`"iss":"https://evil.example/","aud":"`+audience+`"`)), UnknownKey},
		{"set without an issuer", by(rs256, r.rsa, `{"alg":"RS256","kid":"idp"}`, valid(`"aud":"`+audience+`"`)), UnknownKey},
		{"set for another audience", by(rs256, r.rsa, `{"alg":"RS256","kid":"idp"}`, valid(`"iss":"`+issuer+`","aud":"other"`)), BadAudience},
		{"set without an audience", by(rs256, r.rsa, `{"alg":"RS256","kid":"idp"}`, valid(`"iss":"`+issuer+`"`)), BadAudience},
		{"set by the secret", by(h256, r.secret, `{"alg":"RS256","kid":"idp"}`, valid(ofSet)), BadSign},
	}
}

func hostileTimes() []hostile {
	at := func(claims string) string { return hs(mainHeader, `{"sub":"u1",`+claims+`}`) }
	return []hostile{
		{"no exp", hs(mainHeader, `{"sub":"u1"}`), BadExpiry},
		{"exp null", at(`"exp":null`), BadExpiry},
		{"exp is a string", at(`"exp":"` + unix(hour) + `"`), BadExpiry},
		{"exp in milliseconds", at(`"exp":` + fmt.Sprint(now.UnixMilli()+hour*1000)), BadExpiry},
		{"exp endless", at(`"exp":1e308`), BadExpiry},
		{"exp beyond numbers", at(`"exp":1e999`), BadExpiry},
		{"exp negative", at(`"exp":-1`), BadExpiry},
		{"exp zero", at(`"exp":0`), BadExpiry},
		{"exp is an object", at(`"exp":{}`), BadExpiry},
		{"Exp in capitals", at(`"Exp":` + unix(hour)), BadExpiry},
		{"expired", at(`"exp":` + unix(-61)), Expired},
		{"expired to the second", at(`"exp":` + unix(-60)), Expired},
		{"expired long ago", at(`"exp":1`), Expired},
		{"nbf in the future", signedClaims(`"nbf":` + unix(61)), NotYet},
		{"nbf is a string", signedClaims(`"nbf":"` + unix(0) + `"`), NotYet},
		{"iat in the future", signedClaims(`"iat":` + unix(61)), BadIssued},
		{"iat in milliseconds", signedClaims(`"iat":` + fmt.Sprint(now.UnixMilli())), BadIssued},
		{"nbf in milliseconds", signedClaims(`"nbf":` + fmt.Sprint(now.UnixMilli())), NotYet},
		{"iat is true", signedClaims(`"iat":true`), BadIssued},
		{"a day and a second", at(`"iat":` + unix(0) + `,"exp":` + unix(24*hour+1)), TooLong},
		{"a year", at(`"exp":` + unix(365*24*hour)), TooLong},
		{"old and long", at(`"iat":` + unix(-24*hour) + `,"exp":` + unix(hour)), TooLong},
	}
}

func hostileClaims() []hostile {
	tokens := []hostile{
		{"aud of another workspace", signedClaims(`"aud":"01a1fb68-2f6a-7000-87d8-89526ae1d0cd"`), BadAudience},
		{"aud empty", signedClaims(`"aud":""`), BadAudience},
		{"aud without one", signedClaims(`"aud":[]`), BadAudience},
		{"aud of numbers", signedClaims(`"aud":["` + ring().ws.String() + `",1]`), BadAudience},
		{"aud an object", signedClaims(`"aud":{}`), BadAudience},
		{"aud missing where the key asks for it", hs(`{"alg":"HS256","kid":"strict"}`, valid(`"iss":"`+issuer+`"`)), BadAudience},
		{"iss missing where the key asks for it", hs(`{"alg":"HS256","kid":"strict"}`, valid(`"aud":"`+audience+`"`)), BadIssuer},
		{"iss of another", hs(`{"alg":"HS256","kid":"strict"}`, valid(`"aud":"`+audience+`","iss":"https://login.acme.example"`)), BadIssuer},
		{"iss in an array", hs(`{"alg":"HS256","kid":"strict"}`, valid(`"aud":"`+audience+`","iss":["`+issuer+`"]`)), BadIssuer},
		{"no sub", hs(mainHeader, `{"exp":`+unix(hour)+`}`), BadSubject},
		{"organization has no id", signedClaims(`"organization":{"name":"Acme"}`), BadOrg},
		{"organization is true", signedClaims(`"organization":true`), BadOrg},
		{"organization is an array", signedClaims(`"organization":["a"]`), BadOrg},
		{"organization is blank", signedClaims(`"organization":" "`), BadOrg},
		{"organization's id is null", signedClaims(`"organization":{"id":null}`), BadOrg},
		{"organization's id is long", signedClaims(`"organization":{"id":"` + strings.Repeat("o", 256) + `"}`), BadOrg},
		{"organization's id has two lines", signedClaims(`"organization":"a\nb"`), BadOrg},
		{"organization's id is a fraction", signedClaims(`"organization":{"id":1.5}`), BadOrg},
		{"organization's name is a number", signedClaims(`"organization":{"id":"a","name":1}`), BadOrg},
		{"organization's website is a script", signedClaims(`"organization":{"id":"a","website":"javascript:alert(1)"}`), BadOrg},
		{"org_id is an object", signedClaims(`"org_id":{}`), BadOrg},
		{"company has no id", signedClaims(`"company":{"name":"Acme"}`), BadOrg},
		{"o has no id", signedClaims(`"o":{"slg":"acme"}`), BadOrg},
		{"email is a list", signedClaims(`"email":["ann@acme.example"]`), BadProfile},
		{"email is a number", signedClaims(`"email":1`), BadProfile},
		{"email_verified is a number", signedClaims(`"email_verified":0`), BadProfile},
		{"email_verified in capitals", signedClaims(`"email_verified":"True"`), BadProfile},
		{"email_verified is empty", signedClaims(`"email_verified":""`), BadProfile},
		{"name is long", signedClaims(`"name":"` + strings.Repeat("n", 256) + `"`), BadProfile},
		{"name is an object", signedClaims(`"name":{}`), BadProfile},
		{"phone is no number", signedClaims(`"phone":"call me"`), BadProfile},
		{"picture is a script", signedClaims(`"picture":"javascript:alert(1)"`), BadProfile},
		{"picture is data", signedClaims(`"picture":"data:image/svg+xml,<svg/>"`), BadProfile},
		{"attributes are a list", signedClaims(`"attributes":[]`), BadAttrs},
		{"attributes nest", signedClaims(`"attributes":{"a":{"b":1}}`), BadAttrs},
		{"attributes hold a list", signedClaims(`"attributes":{"a":[1]}`), BadAttrs},
		{"attribute without a name", signedClaims(`"attributes":{"":1}`), BadAttrs},
		{"attribute too long", signedClaims(`"attributes":{"a":"` + strings.Repeat("x", 1001) + `"}`), BadAttrs},
		{"attribute too large for readers", signedClaims(`"attributes":{"a":1e999}`), BadAttrs},
		{"too many attributes", signedClaims(`"attributes":{` + strings.TrimPrefix(numbered(51), ",") + `}`), BadAttrs},
	}
	for name, sub := range map[string]string{
		"empty": `""`, "blank": `" \t"`, "null": `null`, "true": `true`, "a list": `["u1"]`, "an object": `{"$ne":null}`, "a fraction": `1.5`,
		"an exponent": `1e3`, "long": jsonText(strings.Repeat("u", 256)), "two lines": `"u1\nadmin"`, "an invisible control": `"u1\u009b"`,
	} {
		tokens = append(tokens, hostile{"sub is " + name, hs(mainHeader, `{"exp":`+unix(hour)+`,"sub":`+sub+`}`), BadSubject})
	}
	return tokens
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"a%d":%d`, i, i)
	}
	return b.String()
}

func TestHostileTokens(t *testing.T) {
	keys := ring().keys()
	tokens := hostileTokens()
	if len(tokens) < 100 {
		t.Errorf("there are only %d", len(tokens))
	}
	for _, h := range tokens {
		t.Run(h.name, func(t *testing.T) {
			c, err := Verify(t.Context(), h.token, keys, now)
			rejected, ok := AsRejected(err)
			switch {
			case !ok:
				t.Fatalf("got %+v, %v", c, err)
			case rejected.Reason != h.reason:
				t.Errorf("refused by %q, want the reason %q", rejected, h.reason)
			}
			if c != (Claims{}) {
				t.Errorf("the claims of a refused token are %+v", c)
			}
			for _, text := range []string{rejected.Detail, rejected.KID, rejected.Subject} {
				if len(text) > 600 || !oneLine(text) {
					t.Errorf("a developer is shown %q", text)
				}
			}
		})
	}
}

// TestEachCheckCounts removes each check and requires that a hostile token for
// it is then accepted.
func TestEachCheckCounts(t *testing.T) {
	keys := ring().keys()
	tokens := hostileTokens()
	without := func(list []check, name string) []check {
		return slices.DeleteFunc(slices.Clone(list), func(c check) bool { return c.name == name })
	}
	all := allChecks()
	for _, c := range slices.Concat(all.form, all.signed) {
		t.Run(c.name, func(t *testing.T) {
			less := checks{without(all.form, c.name), without(all.signed, c.name)}
			through := slices.ContainsFunc(tokens, func(h hostile) bool {
				_, err := verify(t.Context(), h.token, keys, now, less)
				return err == nil
			})
			if !through {
				t.Error("without this check every hostile token is still refused, so nothing shows that it is needed")
			}
		})
	}
}

// TestReasonsAreExact compares what developers are told where the first guess
// would mislead them.
func TestReasonsAreExact(t *testing.T) {
	at := func(claims string) string { return hs(mainHeader, `{"sub":"u1",`+claims+`}`) }
	milli := fmt.Sprint(now.UnixMilli() + hour*1000)
	for token, want := range map[string]string{
		"":                                            "malformed: the token is empty; did your server sign it?",
		hs(mainHeader, `{"sub":"u1"}`):                "exp: exp must be given: seconds since 1970",
		at(`"exp":null`):                              "exp: exp must be given: seconds since 1970",
		at(`"exp":"1"`):                               "exp: exp must be a number: seconds since 1970",
		at(`"exp":1e308`):                             "exp: exp must be a number: seconds since 1970",
		at(`"exp":` + milli):                          "exp: exp must be a number: seconds since 1970; it looks like milliseconds",
		at(`"exp":` + milli + `.5`):                   "exp: exp must be a number: seconds since 1970; it looks like milliseconds",
		signedClaims(`"iat":` + milli):                "iat: iat must be a number: seconds since 1970; it looks like milliseconds",
		signedClaims(`"nbf":` + milli):                "not yet valid: nbf must be a number: seconds since 1970; it looks like milliseconds",
		hs(`{"alg":"EdDSA"}`, valid("")):              "unknown key: kid must be given for a public key: the header says alg EdDSA and has none",
		hs(`{"alg":"RS256"}`, valid("")):              "unknown key: kid must be given for a public key: the header says alg RS256 and has none",
		hs(`{"alg":"HS512","kid":"main"}`, valid("")): `algorithm: the header says alg "HS512"; the key main is for HS256`,
		signedClaims(`"email_verified":"no"`):         "profile: email_verified must be true or false",
	} {
		if _, err := Verify(t.Context(), token, ring().keys(), now); err == nil || err.Error() != want {
			t.Errorf("%s\ngives %v,\nwant  %s", token, err, want)
		}
	}
}

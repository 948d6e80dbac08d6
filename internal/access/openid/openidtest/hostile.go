package openidtest

import (
	"crypto"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"strings"
	"testing"
)

// HostileClaims are claims of tokens of the right key that are not for the sign-in, by what
// is wrong with them. "a megabyte" is not read to its end.
func (i *Issuer) HostileClaims() map[string]map[string]any {
	now, many := i.Clock().Unix(), make([]string, 1001)
	return map[string]map[string]any{
		"other issuer":             {"iss": "https://other.example"},
		"issuer with a slash":      {"iss": i.URL + "/"},
		"no issuer":                {"iss": nil},
		"other audience":           {"aud": "other"},
		"no audience":              {"aud": nil},
		"empty audiences":          {"aud": []string{}},
		"two audiences, no azp":    {"aud": []string{ClientID, "other"}},
		"azp of another":           {"azp": "other"},
		"two audiences, other azp": {"aud": []string{ClientID, "other"}, "azp": "other"},
		"expired":                  {"exp": now - 61},
		"no end":                   {"exp": nil},
		"of the future":            {"iat": now + 61, "exp": now + 400},
		"no time":                  {"iat": nil},
		"old":                      {"iat": now - 661, "exp": now + 400},
		"not yet":                  {"nbf": now + 61},
		"other nonce":              {"nonce": "other"},
		"no nonce":                 {"nonce": nil},
		"empty nonce":              {"nonce": ""},
		"no subject":               {"sub": nil},
		"blank subject":            {"sub": " "},
		"long subject":             {"sub": strings.Repeat("a", 256)},
		"subject with NUL":         {"sub": "a\x00b"},
		"number as a subject":      {"sub": 7},
		"at_hash of another":       {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"},
		"a logout's event":         {"events": map[string]any{}},
		"many groups":              {"groups": many},
		"a megabyte":               {"name": strings.Repeat("a", 1<<20)},
		"100 KB":                   {"name": strings.Repeat("a", 100<<10)},
	}
}

func part(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// Twice appends a member to the object in a body, which may have it already.
func Twice(body []byte, member string) []byte {
	return []byte(strings.TrimSuffix(string(body), "}") + "," + member + "}")
}

// Forgeries make tokens of the claims in a body that are wrong by their form or signature.
var Forgeries = map[string]func(t testing.TB, i *Issuer, body []byte) string{
	"none": func(_ testing.TB, _ *Issuer, body []byte) string {
		return part(`{"alg":"none"}`) + "." + part(string(body)) + "."
	},
	"None": func(_ testing.TB, _ *Issuer, body []byte) string {
		return part(`{"alg":"None"}`) + "." + part(string(body)) + "."
	},
	"HS256 by the public key": func(t testing.TB, i *Issuer, body []byte) string {
		public, err := x509.MarshalPKIXPublicKey(i.Key.Public())
		if err != nil {
			t.Fatal(err)
		}
		return SignRaw(public, "first", body, nil)
	},
	"HS256 by the client secret": func(_ testing.TB, _ *Issuer, body []byte) string {
		return SignRaw([]byte(ClientSecret+strings.Repeat("=", 8)), "first", body, nil)
	},
	"other key": func(t testing.TB, _ *Issuer, body []byte) string {
		return SignRaw(RSAKey(t), "first", body, nil)
	},
	"other kind of key": func(t testing.TB, _ *Issuer, body []byte) string {
		return SignRaw(ECKey(t), "first", body, nil)
	},
	"unknown kid": func(_ testing.TB, i *Issuer, body []byte) string {
		return SignRaw(i.Key, "second", body, nil)
	},
	"type of a logout": func(_ testing.TB, i *Issuer, body []byte) string {
		return SignRaw(i.Key, i.KID, body, map[string]any{"typ": "logout+jwt"})
	},
	"unknown crit": func(_ testing.TB, i *Issuer, body []byte) string {
		return SignRaw(i.Key, i.KID, body, map[string]any{"crit": []string{"exp"}, "exp": 1})
	},
	"duplicate in the header": func(t testing.TB, i *Issuer, body []byte) string {
		signed := part(`{"alg":"RS256","kid":"second","kid":"first"}`) + "." + part(string(body))
		sum := sha256.Sum256([]byte(signed))
		signature, err := i.Key.Sign(rand.Reader, sum[:], crypto.SHA256)
		if err != nil {
			t.Fatal(err)
		}
		return signed + "." + part(string(signature))
	},
	"duplicate member": func(_ testing.TB, i *Issuer, body []byte) string {
		return SignRaw(i.Key, i.KID, Twice(body, `"sub":"person-2"`), nil)
	},
	"duplicate by spelling": func(_ testing.TB, i *Issuer, body []byte) string {
		return SignRaw(i.Key, i.KID, Twice(body, `"SUB":"person-2"`), nil)
	},
	"duplicate by folding": func(_ testing.TB, i *Issuer, body []byte) string {
		return SignRaw(i.Key, i.KID, Twice(body, `"ſub":"person-2"`), nil)
	},
	"duplicate inside": func(_ testing.TB, i *Issuer, body []byte) string {
		return SignRaw(i.Key, i.KID, Twice(body, `"x":[{"a":1,"a":2}]`), nil)
	},
	"deep": func(_ testing.TB, i *Issuer, body []byte) string {
		return SignRaw(i.Key, i.KID, Twice(body, `"x":`+strings.Repeat("[", 100)+strings.Repeat("]", 100)), nil)
	},
	"changed body": func(_ testing.TB, i *Issuer, body []byte) string {
		parts := strings.Split(SignRaw(i.Key, i.KID, body, nil), ".")
		return parts[0] + "." + part(strings.Replace(string(body), "person-1", "person-2", 1)) + "." + parts[2]
	},
	"no signature": func(_ testing.TB, i *Issuer, body []byte) string {
		token := SignRaw(i.Key, i.KID, body, nil)
		return token[:strings.LastIndexByte(token, '.')+1]
	},
	"list": func(_ testing.TB, i *Issuer, _ []byte) string {
		return SignRaw(i.Key, i.KID, []byte("[]"), nil)
	},
	"no JSON": func(_ testing.TB, i *Issuer, _ []byte) string {
		return SignRaw(i.Key, i.KID, []byte("no"), nil)
	},
	"empty": func(testing.TB, *Issuer, []byte) string { return "" },
	"dots":  func(testing.TB, *Issuer, []byte) string { return strings.Repeat(".", 10_000) },
}

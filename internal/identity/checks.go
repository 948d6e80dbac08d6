package identity

import (
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"parley"
)

// A check refuses a token that breaks one rule. Checks do not rely on each
// other: a test removes each of them and shows what would then be accepted.
type check struct {
	name string
	run  func(*attempt) *Rejected
}

// checks run in order: form first, before a key is chosen, then signed, with
// the key.
type checks struct{ form, signed []check }

func allChecks() checks {
	return checks{
		form: []check{
			{"size", (*attempt).checkSize},
			{"parts", (*attempt).checkParts},
			{"base64", (*attempt).checkBase64},
			{"header JSON", (*attempt).checkHeaderJSON},
			{"header members", (*attempt).checkHeaderMembers},
			{"type", (*attempt).checkType},
		},
		signed: []check{
			{"algorithm", (*attempt).checkAlgorithm},
			{"strength", (*attempt).checkStrength},
			{"signature", (*attempt).checkSignature},
			{"claims JSON", (*attempt).checkClaimsJSON},
			{"exp", (*attempt).checkExpiry},
			{"expired", (*attempt).checkExpired},
			{"nbf", (*attempt).checkNotBefore},
			{"iat", (*attempt).checkIssuedAt},
			{"lifetime", (*attempt).checkLifetime},
			{"aud", (*attempt).checkAudience},
			{"iss", (*attempt).checkIssuer},
			{"sub", (*attempt).checkSubject},
			{"email", (*attempt).checkEmail},
			{"profile", (*attempt).checkProfile},
			{"picture", (*attempt).checkPicture},
			{"organization", (*attempt).checkOrganization},
			{"attributes", (*attempt).checkAttributes},
		},
	}
}

func (a *attempt) checkSize() *Rejected {
	switch {
	case a.token == "":
		return refuse(Malformed, "the token is empty; did your server sign it?")
	case len(a.token) > MaxToken:
		return refuse(TooLarge, "the token has %d bytes; it must have at most %d", len(a.token), MaxToken)
	}
	return nil
}

func (a *attempt) checkParts() *Rejected {
	if n := strings.Count(a.token, "."); n != 2 {
		return refuse(Malformed, "the token has %d parts; a signed one has three, with dots between", n+1)
	}
	return nil
}

// checkBase64 requires the only form that RFC 7515, section 2, allows, so that
// a token has no second spelling.
func (a *attempt) checkBase64() *Rejected {
	for i, b := range [][]byte{a.headJSON, a.bodyJSON, a.signature} {
		if len(b) == 0 || base64.RawURLEncoding.EncodeToString(b) != a.parts[i] {
			return refuse(Malformed, "part %d of the token is not base64url without padding", i+1)
		}
	}
	return nil
}

func (a *attempt) checkHeaderJSON() *Rejected {
	if wrong := wellFormed(a.headJSON); wrong != "" {
		return refuse(Malformed, "the header %s", wrong)
	}
	return nil
}

// checkHeaderMembers refuses headers that contain or reference a key (RFC 7515,
// sections 4.1.2 to 4.1.6), extensions that must be understood (4.1.11), and
// members of encrypted tokens.
func (a *attempt) checkHeaderMembers() *Rejected {
	for _, name := range []string{"crit", "jku", "jwk", "x5u", "x5c", "b64", "zip", "enc", "cty"} {
		if _, there := a.head[name]; there {
			return refuse(BadHeader, "the header has the member %s, which is not taken", name)
		}
	}
	if _, there := a.head["kid"]; there {
		if kid, ok := a.head.text("kid"); !ok || !fits(kid, parley.MaxName) {
			return refuse(BadHeader, "kid must be a string of 1 to %d characters", parley.MaxName)
		}
	}
	return nil
}

// checkType refuses tokens that were issued for another purpose, such as access
// tokens ("at+jwt", RFC 9068).
func (a *attempt) checkType() *Rejected {
	if _, there := a.head["typ"]; !there {
		return nil
	}
	if typ, _ := a.head.text("typ"); !strings.EqualFold(typ, "JWT") {
		return refuse(BadHeader, "typ must be JWT or absent")
	}
	return nil
}

// checkAlgorithm compares the algorithm in the header with the one recorded for
// the key. Only the latter is ever used.
func (a *attempt) checkAlgorithm() *Rejected {
	if alg, _ := a.head.text("alg"); alg != a.key.Algorithm {
		return refuse(BadAlg, "the header says alg %s; the key %s is for %s", strconv.Quote(shown(a.head["alg"])), a.key.KID, a.key.Algorithm)
	}
	return nil
}

func (a *attempt) checkStrength() *Rejected {
	if public, ok := a.key.Public.(*rsa.PublicKey); ok && (public.N.BitLen() < MinRSA || public.N.BitLen() > MaxRSA) {
		return refuse(WeakKey, "the RSA key has %d bits; it must have %d to %d", public.N.BitLen(), MinRSA, MaxRSA)
	}
	if a.key.Public == nil && len(a.key.Secret) < MinSecret {
		return refuse(WeakKey, "the secret has %d bytes; it must have %d at least", len(a.key.Secret), MinSecret)
	}
	return nil
}

func (a *attempt) checkSignature() *Rejected {
	if !a.signedBy(a.key) {
		return refuse(BadSign, "the signature is not by the key %s; is the secret the right one, as the text that was shown?", a.key.KID)
	}
	return nil
}

// signedBy reports whether the signature was made with a key and its algorithm.
func (a *attempt) signedBy(k Key) bool {
	var by jwt.SigningMethod
	var key any = k.Public
	switch k.Algorithm {
	case HS256:
		by, key = jwt.SigningMethodHS256, k.Secret
	case RS256:
		by = jwt.SigningMethodRS256
	case PS256:
		by = jwt.SigningMethodPS256
	case ES256:
		by = jwt.SigningMethodES256
	case EdDSA:
		by = jwt.SigningMethodEdDSA
	default:
		return false
	}
	return by.Verify(a.parts[0]+"."+a.parts[1], a.signature, key) == nil
}

func (a *attempt) checkClaimsJSON() *Rejected {
	if wrong := wellFormed(a.bodyJSON); wrong != "" {
		return refuse(Malformed, "the payload %s", wrong)
	}
	return nil
}

// seconds parses a NumericDate (RFC 7519, section 2) from 1970 to 9999,
// truncated to milliseconds.
func seconds(raw json.RawMessage) (time.Time, bool) {
	const year10000 = 253402300800
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(n > 0 && n < year10000) || raw[0] < '0' || raw[0] > '9' {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(math.Floor(n * 1000))).UTC(), true
}

// secondsRule returns the rule that a time breaks if seconds cannot parse it.
func secondsRule(raw json.RawMessage) string {
	const rule = "must be a number: seconds since 1970"
	// Milliseconds from 2001 to 9999, beyond the range of seconds.
	if n, err := strconv.ParseFloat(string(raw), 64); err == nil && n >= 1e12 && n < 253402300800e3 {
		return rule + "; it looks like milliseconds"
	}
	return rule
}

func (a *attempt) checkExpiry() *Rejected {
	if _, ok := seconds(a.body["exp"]); ok {
		return nil
	}
	if !a.body.given("exp") {
		return refuse(BadExpiry, "exp must be given: seconds since 1970")
	}
	return refuse(BadExpiry, "exp %s", secondsRule(a.body["exp"]))
}

func (a *attempt) checkExpired() *Rejected {
	if exp, ok := seconds(a.body["exp"]); ok && !a.now.Before(exp.Add(Leeway)) {
		return refuse(Expired, "the token ended %v ago; sign a new one when the page loads", a.now.Sub(exp).Truncate(time.Second))
	}
	return nil
}

func (a *attempt) checkNotBefore() *Rejected {
	if !a.body.given("nbf") {
		return nil
	}
	switch nbf, ok := seconds(a.body["nbf"]); {
	case !ok:
		return refuse(NotYet, "nbf %s", secondsRule(a.body["nbf"]))
	case nbf.After(a.now.Add(Leeway)):
		return refuse(NotYet, "the token begins in %v; is the clock of your server right?", nbf.Sub(a.now).Truncate(time.Second))
	}
	return nil
}

func (a *attempt) checkIssuedAt() *Rejected {
	if !a.body.given("iat") {
		return nil
	}
	switch iat, ok := seconds(a.body["iat"]); {
	case !ok:
		return refuse(BadIssued, "iat %s", secondsRule(a.body["iat"]))
	case iat.After(a.now.Add(Leeway)):
		return refuse(BadIssued, "the token was made in %v; is the clock of your server right?", iat.Sub(a.now).Truncate(time.Second))
	}
	return nil
}

func (a *attempt) checkLifetime() *Rejected {
	exp, _ := seconds(a.body["exp"])
	from, issued := seconds(a.body["iat"])
	if !issued {
		from = a.now.Add(Leeway)
	}
	if exp.Sub(from) > MaxLifetime {
		return refuse(TooLong, "exp must be at most %v after iat, or after now where there is no iat", MaxLifetime)
	}
	return nil
}

// audience parses aud: a string, or an array of strings (RFC 7519, section
// 4.1.3).
func (o object) audience() ([]string, bool) {
	if one, ok := o.text("aud"); ok {
		return []string{one}, true
	}
	var all []json.RawMessage
	if err := json.Unmarshal(o["aud"], &all); err != nil {
		return nil, false
	}
	var texts []string
	for _, raw := range all {
		text, ok := textOf(raw)
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, len(texts) > 0
}

func (a *attempt) checkAudience() *Rejected {
	want := a.key.Audience
	if want == "" {
		if !a.body.given("aud") {
			return nil
		}
		want = a.keys.Workspace.String()
	}
	if all, ok := a.body.audience(); !ok || !slices.Contains(all, want) {
		return refuse(BadAudience, "aud must be %q", want)
	}
	return nil
}

func (a *attempt) checkIssuer() *Rejected {
	if a.key.Issuer == "" {
		return nil
	}
	if iss, ok := a.body.text("iss"); !ok || iss != a.key.Issuer {
		return refuse(BadIssuer, "iss must be %q", a.key.Issuer)
	}
	return nil
}

func (a *attempt) checkSubject() *Rejected {
	if sub, ok := idOf(a.body["sub"]); !ok || !fits(sub, parley.MaxName) || !oneLine(sub) {
		return refuse(BadSubject, "sub must be your own id of the customer: a string or an integer of 1 to %d characters, not blank, on one line",
			parley.MaxName)
	}
	return nil
}

package openid

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/coreos/go-oidc/v3/oidc"
)

const (
	maxGroups = 1000
	maxClaim  = 255 // in characters
	maxDepth  = 16
)

// An Identity is who signed in, as the provider says.
type Identity struct {
	Issuer        string // that of the settings
	Subject       string // of the issuer; never given to another person
	Email         string // "" if unknown
	EmailVerified bool   // only if the provider says so, and Google only of an account of the address's company
	Name          string // "" if unknown
	Groups        []string
	Session       string // sid, for back-channel logout; "" if unknown
	// SignedInAt is when the person last showed the provider who they are, at most now; zero if
	// the provider does not say.
	SignedInAt time.Time
}

// claims are those that the library does not read.
type claims struct {
	AuthorizedParty string          `json:"azp"`
	NotBefore       float64         `json:"nbf"`
	Events          json.RawMessage `json:"events"`
	Email           any             `json:"email"`
	EmailVerified   any             `json:"email_verified"`
	HostedDomain    any             `json:"hd"` // of Google: the company whose account it is
	Name            any             `json:"name"`
	Session         any             `json:"sid"`
	SignedInAt      any             `json:"auth_time"`
}

// verify checks the signature, the issuer and the audience of a token, and that no reader
// could understand it differently.
func (n *Network) verify(ctx context.Context, s Settings, raw string) (*oidc.IDToken, []byte, error) {
	if len(raw) > maxToken {
		return nil, nil, failed(BadToken, "the provider's token is larger than 64 KiB")
	}
	// The library hides why a signature could not be checked.
	if _, err := n.keys(ctx, s.Issuer, false); err != nil {
		return nil, nil, err
	}
	verifier := oidc.NewVerifier(s.Issuer, checker{n, s.Issuer}, &oidc.Config{
		ClientID: s.ClientID, SupportedSigningAlgs: algorithmNames(),
		SkipExpiryCheck: true, // which allows no skew; see fresh
	})
	token, err := verifier.Verify(ctx, raw)
	if err != nil {
		return nil, nil, failed(BadToken, "the provider's token is not valid, or not for this workspace's client")
	}
	var body json.RawMessage
	if err := token.Claims(&body); err != nil || wellFormed(body) != "" {
		return nil, nil, failed(BadToken, "the provider's token is malformed")
	}
	return token, body, nil
}

// fresh checks the times of a token: it was made a moment ago, and has not expired.
func fresh(now time.Time, token *oidc.IDToken, notBefore float64) error {
	switch {
	case token.Expiry.IsZero() || !now.Before(token.Expiry.Add(skew)):
		return failed(BadToken, "the provider's token has expired; start again")
	case token.IssuedAt.IsZero() || now.Before(token.IssuedAt.Add(-skew)) || notBefore > float64(now.Add(skew).Unix()):
		return failed(BadToken, "the provider's token is of the future; compare the clocks of both servers")
	case !now.Before(token.IssuedAt.Add(AttemptLife + skew)):
		return failed(BadToken, "the provider's token is too old; start again")
	}
	return nil
}

// identity returns who a token is about (OpenID Connect Core 1.0, section 3.1.3.7).
func (n *Network) identity(ctx context.Context, s Settings, raw, nonce, access string) (Identity, error) {
	token, body, err := n.verify(ctx, s, raw)
	if err != nil {
		return Identity{}, err
	}
	var c claims
	if json.Unmarshal(body, &c) != nil {
		return Identity{}, failed(BadToken, "the provider's token is malformed")
	}
	if err := fresh(n.clock(), token, c.NotBefore); err != nil {
		return Identity{}, err
	}
	other := failed(BadToken, "the provider's token is not for this sign-in; start again")
	switch {
	case !equal(nonce, token.Nonce), c.Events != nil, typeOf(raw) == logoutType:
		return Identity{}, other
	case c.AuthorizedParty != "" && c.AuthorizedParty != s.ClientID, len(token.Audience) > 1 && c.AuthorizedParty == "":
		return Identity{}, other
	case token.AccessTokenHash != "" && token.VerifyAccessToken(access) != nil:
		return Identity{}, other
	case !named(token.Subject):
		return Identity{}, failed(BadToken, "the provider's token names nobody")
	}
	groups, err := groupsOf(body, s.GroupsClaim)
	return Identity{
		Issuer: s.Issuer, Subject: token.Subject, Email: text(c.Email), EmailVerified: c.verified(s.Issuer), Name: text(c.Name),
		Groups: groups, Session: text(c.Session), SignedInAt: past(n.clock(), c.SignedInAt),
	}, err
}

// past returns a claim that is a time in Unix seconds, at most now; else zero.
func past(now time.Time, claim any) time.Time {
	seconds, _ := claim.(float64)
	switch {
	case seconds < 1:
		return time.Time{}
	case seconds >= float64(now.Unix()):
		return now
	}
	return time.Unix(int64(seconds), 0).UTC()
}

// google is the issuer of all of Google's accounts, those of companies and private ones.
const google = "https://accounts.google.com"

// verified reports whether an issuer vouches that the person has the address now. Google says
// so of a private account too, which an employee can make with an address of the company and
// keeps after leaving it. Accounts that the company manages name its domain.
func (c *claims) verified(issuer string) bool {
	if said, _ := c.EmailVerified.(bool); !said || issuer != google {
		return said
	}
	email := text(c.Email)
	at := strings.LastIndexByte(email, '@')
	return at >= 0 && at < len(email)-1 && strings.EqualFold(email[at+1:], text(c.HostedDomain))
}

// text returns a claim that is a text of a name's length, else "".
func text(claim any) string {
	value, _ := claim.(string)
	if !named(value) {
		return ""
	}
	return value
}

func named(value string) bool {
	return strings.TrimSpace(value) != "" && utf8.RuneCountInString(value) <= maxClaim && !strings.ContainsRune(value, 0)
}

// groupsOf returns the groups in a claim: a text, or a list of texts. A person without the
// claim is in no group.
func groupsOf(body []byte, claim string) ([]string, error) {
	if claim == "" {
		return nil, nil
	}
	all := map[string]json.RawMessage{}
	if json.Unmarshal(body, &all) != nil {
		return nil, failed(BadToken, "the provider's token is malformed")
	}
	if len(all[claim]) == 0 {
		return nil, nil
	}
	var one string
	var several []string
	if json.Unmarshal(all[claim], &one) == nil && one != "" {
		return []string{one}, nil
	}
	if json.Unmarshal(all[claim], &several) != nil || len(several) > maxGroups {
		return nil, &Failure{Why: BadToken, Field: "groupsClaim", Text: "must be a claim with at most 1000 names of groups"}
	}
	return several, nil
}

// wellFormed returns what is wrong with a text that must be one object of JSON, without a
// name that occurs twice, in any spelling: two readers could choose different ones. What
// follows the object is left to the decoder that reads it.
func wellFormed(raw []byte) string {
	if !utf8.Valid(raw) {
		return "is not UTF-8"
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return "is not an object"
	}
	if fault := members(d, '{', 1); fault != "" {
		return fault
	}
	return ""
}

// members reads the rest of an object or list.
func members(d *json.Decoder, kind json.Delim, depth int) string {
	if depth > maxDepth {
		return "is nested too deep"
	}
	names := map[string]bool{}
	for d.More() {
		if kind == '{' {
			t, err := d.Token()
			name, _ := t.(string)
			name = strings.ToLower(strings.ToUpper(name)) // as encoding/json folds
			if err != nil || names[name] {
				return "has a member twice"
			}
			names[name] = true
		}
		t, err := d.Token()
		if err != nil {
			return "is not JSON"
		}
		if inner, opens := t.(json.Delim); opens {
			if fault := members(d, inner, depth+1); fault != "" {
				return fault
			}
		}
	}
	if _, err := d.Token(); err != nil {
		return "is not JSON"
	}
	return ""
}

package openid

import (
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

const (
	metadataLife = time.Hour
	maxAddress   = 2000 // in characters
	wellKnown    = "/.well-known/openid-configuration"
)

// Metadata is what a provider says of itself (OpenID Connect Discovery 1.0, section 3).
type Metadata struct {
	Issuer                string   `json:"issuer"`
	AuthorizationEndpoint string   `json:"authorization_endpoint"`
	TokenEndpoint         string   `json:"token_endpoint"`
	KeysAddress           string   `json:"jwks_uri"`
	ResponseTypes         []string `json:"response_types_supported"`
	Algorithms            []string `json:"id_token_signing_alg_values_supported"`
	AuthMethods           []string `json:"token_endpoint_auth_methods_supported"`
	ChallengeMethods      []string `json:"code_challenge_methods_supported"`
	NamesItself           bool     `json:"authorization_response_iss_parameter_supported"` // RFC 9207
	Logout                bool     `json:"backchannel_logout_supported"`
}

// CheckIssuer returns what is wrong with the address of a provider; the text completes
// "must …", and is "" if nothing is.
func CheckIssuer(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || strings.ContainsAny(address, "?#") ||
		utf8.RuneCountInString(address) > maxAddress {
		return "be an https address without a user, a query and a fragment"
	}
	return ""
}

// Metadata returns what the provider of an issuer says of itself.
func (n *Network) Metadata(ctx context.Context, issuer string) (Metadata, error) {
	return n.metadataOf(ctx, n.provider(issuer), issuer)
}

func (n *Network) metadataOf(ctx context.Context, p *provider, issuer string) (Metadata, error) {
	if rule := CheckIssuer(issuer); rule != "" {
		return Metadata{}, &Failure{Why: Unreachable, Field: "issuer", Text: "must " + rule}
	}
	return p.metadata.get(ctx, n.clock(), false, func(ctx context.Context) (Metadata, error) {
		return n.fetchMetadata(ctx, issuer)
	})
}

// Test fetches the metadata and keys of a provider, whatever is remembered of it, and
// returns the failures by the settings that they are about. What it fetched takes the place
// of what is remembered, unless it failed.
func (n *Network) Test(ctx context.Context, issuer string) (Metadata, error) {
	p := newProvider()
	m, err := n.metadataOf(ctx, p, issuer)
	if err == nil {
		_, err = n.keysOf(ctx, p, issuer, false)
	}
	if err == nil {
		n.remember(issuer, p)
	}
	return m, err
}

func (n *Network) fetchMetadata(ctx context.Context, issuer string) (Metadata, error) {
	text, err := n.get(ctx, strings.TrimSuffix(issuer, "/")+wellKnown)
	if err != nil {
		return Metadata{}, err
	}
	var m Metadata
	if fault := wellFormed(text); fault != "" || json.Unmarshal(text, &m) != nil {
		return Metadata{}, &Failure{Why: Unreachable, Field: "issuer", Text: "must be the address of a provider whose metadata is an object of JSON"}
	}
	return m, m.check(issuer)
}

// check refuses metadata of another issuer, and of a provider that cannot do what is
// needed.
func (m *Metadata) check(issuer string) error {
	wrong := func(text string) error { return &Failure{Why: Unreachable, Field: "issuer", Text: text} }
	if m.Issuer != issuer {
		return wrong("must be exactly the issuer that the provider's metadata names; compare the ends, and the slash")
	}
	for _, address := range []string{m.AuthorizationEndpoint, m.TokenEndpoint, m.KeysAddress} {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.Fragment != "" || len(address) > maxAddress {
			return wrong("must be of a provider that names https addresses for authorization, tokens and keys")
		}
	}
	switch {
	case len(m.ResponseTypes) > 0 && !slices.Contains(m.ResponseTypes, "code"):
		return wrong("must be of a provider that has the code flow")
	case len(m.ChallengeMethods) > 0 && !slices.Contains(m.ChallengeMethods, "S256"):
		return wrong("must be of a provider that has PKCE with S256")
	case len(m.Algorithms) > 0 && !slices.ContainsFunc(m.Algorithms, allowed):
		return wrong("must be of a provider that signs by RS256, PS256, ES256 or EdDSA, or a stronger form of these")
	case len(m.AuthMethods) > 0 && !slices.Contains(m.AuthMethods, basic) && !slices.Contains(m.AuthMethods, post):
		return wrong("must be of a provider that takes a client secret")
	}
	return nil
}

// How a client shows its secret (OpenID Connect Core 1.0, section 9).
const (
	basic = "client_secret_basic"
	post  = "client_secret_post"
)

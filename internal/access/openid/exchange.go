package openid

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// tokens are the answer to a code (OpenID Connect Core 1.0, section 3.1.3.3).
type tokens struct {
	IDToken     string `json:"id_token"`
	AccessToken string `json:"access_token"`
}

// exchange gives a code to the provider, once: it never tries the other way to show the
// secret, because a provider that refuses the first one may have used up the code. What the
// provider writes about a refusal may have the code or the secret, so none of it is kept.
func (n *Network) exchange(ctx context.Context, s Settings, m Metadata, a Attempt, code string) (tokens, error) {
	form := url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {a.RedirectURL}, "code_verifier": {a.Verifier},
	}
	inHeader := len(m.AuthMethods) == 0 || slices.Contains(m.AuthMethods, basic)
	if !inHeader {
		form.Set("client_id", s.ClientID)
		form.Set("client_secret", s.ClientSecret)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.TokenEndpoint, strings.NewReader(form.Encode()))
	if err != nil {
		return tokens{}, failed(Unreachable, "its address is malformed")
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "parley")
	if inHeader {
		r.SetBasicAuth(url.QueryEscape(s.ClientID), url.QueryEscape(s.ClientSecret)) // RFC 6749, section 2.3.1
	}
	answer, err := n.client.Do(r)
	if err != nil {
		return tokens{}, unreachable(err)
	}
	defer func() { _ = answer.Body.Close() }() // everything needed was read
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return tokens{}, unreachable(err)
	}
	if answer.StatusCode != http.StatusOK {
		return tokens{}, notTaken(answer.StatusCode, body)
	}
	var made tokens
	if wellFormed(body) != "" || json.Unmarshal(body, &made) != nil {
		return tokens{}, failed(Unreachable, "its answer to the code is no object of JSON")
	}
	return made, nil
}

// notTaken is the failure for a refused code.
func notTaken(status int, body []byte) error {
	var refused struct {
		Error string `json:"error"`
	}
	switch {
	case status >= http.StatusInternalServerError:
		return failed(Unreachable, "it fails; try again later")
	case json.Unmarshal(body, &refused) == nil && (refused.Error == "invalid_client" || refused.Error == "unauthorized_client"):
		return &Failure{Why: BadCode, Field: "clientSecret", Text: "must be the secret of the client; the provider does not take it"}
	default:
		return failed(BadCode, "the provider did not take the code; start again")
	}
}

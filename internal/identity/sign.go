package identity

import (
	"encoding/json"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"parley"
)

// signed are the claims of a token by Sign, in the order of the guide.
type signed struct {
	Subject       string           `json:"sub"`
	Email         string           `json:"email,omitempty"`
	EmailVerified *bool            `json:"email_verified,omitempty"`
	Name          string           `json:"name,omitempty"`
	Phone         string           `json:"phone,omitempty"`
	Picture       string           `json:"picture,omitempty"`
	Organization  *json.RawMessage `json:"organization,omitempty"`
	Attributes    json.RawMessage  `json:"attributes,omitempty"`
	jwt.RegisteredClaims
}

// Sign signs a token with a secret, valid until the claims' ExpiresAt. If
// Verify would refuse the token, the error is Invalid, so every issued token is
// accepted.
func Sign(k Key, ws parley.WorkspaceID, c Claims, now time.Time) (string, error) {
	claims := signed{
		Subject: c.Subject, Email: c.Email, Name: c.Name, Phone: c.Phone, Picture: c.Picture,
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer: k.Issuer, IssuedAt: jwt.NewNumericDate(now), ExpiresAt: jwt.NewNumericDate(c.ExpiresAt),
		},
	}
	if k.Audience != "" {
		claims.Audience = jwt.ClaimStrings{k.Audience}
	}
	if c.Email != "" {
		claims.EmailVerified = &c.EmailVerified
	}
	if c.Attributes != "" {
		claims.Attributes = json.RawMessage(c.Attributes)
	}
	if c.Organization.Set {
		raw, err := organizationJSON(c.Organization)
		if err != nil {
			return "", err
		}
		claims.Organization = &raw
	}
	token := jwt.NewWithClaims(jwt.SigningMethodHS256, claims)
	token.Header["kid"] = k.KID
	text, err := token.SignedString(k.Secret)
	if err != nil {
		return "", &parley.Error{Kind: parley.Invalid, Message: "the identity cannot be signed", Cause: err}
	}
	a := &attempt{token: text, keys: Keys{Workspace: ws}, key: k, now: now}
	a.read()
	for _, list := range [][]check{allChecks().form, allChecks().signed} {
		if err := a.run(list); err != nil {
			return "", parley.Errorf(parley.Invalid, "%s", err.Detail)
		}
	}
	return text, nil
}

func organizationJSON(o parley.Optional[Organization]) (json.RawMessage, error) {
	if o.Null {
		return json.RawMessage("null"), nil
	}
	return json.Marshal(struct {
		ID      string `json:"id"`
		Name    string `json:"name,omitempty"`
		Website string `json:"website,omitempty"`
	}{o.Value.ID, o.Value.Name, o.Value.Website})
}

package openid

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// logoutEvent is the member of the claim events that makes a token one of a logout.
const logoutEvent = "http://schemas.openid.net/event/backchannel-logout"

// LogoutLife is how long after it was made a logout token is taken. Its caller remembers
// the tokens of that time, and the skew, by their ids.
const LogoutLife = AttemptLife

// A Logout is what a provider says by a logout token: that a session has ended, or all of a
// person. One of Subject and Session may be "".
type Logout struct {
	ID      string // jti; a second token with it is a replay
	Subject string
	Session string
	Until   time.Time // when the id may be forgotten
}

// Logout returns what a logout token says (OpenID Connect Back-Channel Logout 1.0,
// section 2.6).
func (n *Network) Logout(ctx context.Context, s Settings, raw string) (Logout, error) {
	token, body, err := n.verify(ctx, s, raw)
	if err != nil {
		return Logout{}, err
	}
	var c struct {
		claims
		ID     string                     `json:"jti"`
		Nonce  json.RawMessage            `json:"nonce"`
		Events map[string]json.RawMessage `json:"events"`
	}
	wrong := failed(BadToken, "this is no logout token")
	// An older provider gives its logout tokens no type of their own.
	if json.Unmarshal(body, &c) != nil || !slices.Contains([]string{logoutType, "jwt", ""}, typeOf(raw)) {
		return Logout{}, wrong
	}
	if err := fresh(n.clock(), token, c.NotBefore); err != nil {
		return Logout{}, err
	}
	event := map[string]json.RawMessage{}
	session := text(c.Session)
	if c.Nonce != nil || !named(c.ID) || json.Unmarshal(c.Events[logoutEvent], &event) != nil || event == nil ||
		token.Subject == "" && session == "" || token.Subject != "" && !named(token.Subject) {
		return Logout{}, wrong
	}
	return Logout{ID: c.ID, Subject: token.Subject, Session: session, Until: token.IssuedAt.Add(LogoutLife + 2*skew)}, nil
}

// logoutType is the type of a logout token, in the form of [typeOf].
const logoutType = "logout+jwt"

// typeOf returns the type in the header of a verified token, "" if it has none.
func typeOf(raw string) string {
	signed, err := jose.ParseSignedCompact(raw, algorithms())
	if err != nil {
		return ""
	}
	kind, _ := signed.Signatures[0].Header.ExtraHeaders[jose.HeaderType].(string)
	return strings.TrimPrefix(strings.ToLower(kind), "application/")
}

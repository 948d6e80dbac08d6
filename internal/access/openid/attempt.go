package openid

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"time"

	"golang.org/x/oauth2"
)

// AttemptLife is how long a member has at the provider.
const AttemptLife = 10 * time.Minute

// An Attempt is a sign-in that a browser has begun. Its caller keeps it secret, gives it to
// nobody but the same browser, and uses it once.
type Attempt struct {
	Issuer      string
	ClientID    string
	RedirectURL string
	State       string
	Nonce       string
	Verifier    string // of PKCE
	Begun       time.Time
	Anew        bool // whether the person must sign in at the provider again
}

// Begin returns an attempt, and the address of the provider to which its browser goes. The
// person of an attempt anew must sign in there even if they are signed in already.
func (n *Network) Begin(ctx context.Context, s Settings, anew bool) (Attempt, string, error) {
	m, err := n.Metadata(ctx, s.Issuer)
	if err != nil {
		return Attempt{}, "", err
	}
	a := Attempt{
		Issuer: s.Issuer, ClientID: s.ClientID, RedirectURL: s.RedirectURL, State: random(), Nonce: random(),
		Verifier: oauth2.GenerateVerifier(), Begun: n.clock(), Anew: anew,
	}
	with := []oauth2.AuthCodeOption{oauth2.SetAuthURLParam("nonce", a.Nonce), oauth2.S256ChallengeOption(a.Verifier)}
	if anew { // auth_time is in the token then (OpenID Connect Core 1.0, section 3.1.2.1)
		with = append(with, oauth2.SetAuthURLParam("max_age", "0"))
	}
	return a, client(s, m).AuthCodeURL(a.State, with...), nil
}

func random() string {
	raw := make([]byte, 32)
	_, _ = rand.Read(raw) // it never fails
	return base64.RawURLEncoding.EncodeToString(raw)
}

// client returns the settings for the library.
func client(s Settings, m Metadata) *oauth2.Config {
	return &oauth2.Config{
		ClientID: s.ClientID, RedirectURL: s.RedirectURL, Scopes: []string{"openid", "email", "profile"},
		Endpoint: oauth2.Endpoint{AuthURL: m.AuthorizationEndpoint},
	}
}

// An Answer is with what a browser comes back from the provider.
type Answer struct {
	State  string
	Code   string
	Issuer string // the parameter iss (RFC 9207); "" if there was none
	Error  string // the parameter error; "" if there was none
}

// Finish exchanges the code of an answer, and returns who signed in. The attempt is that of
// the same browser, and was never used before.
func (n *Network) Finish(ctx context.Context, s Settings, a Attempt, in Answer) (Identity, error) {
	m, err := n.Metadata(ctx, s.Issuer)
	if err != nil {
		return Identity{}, err
	}
	if err := a.answered(n.clock(), s, m, in); err != nil {
		return Identity{}, err
	}
	token, err := n.exchange(ctx, s, m, a, in.Code)
	if err != nil {
		return Identity{}, err
	}
	if token.IDToken == "" {
		return Identity{}, failed(BadToken, "the provider gave no token of the person; it must be asked for the scope openid")
	}
	who, err := n.identity(ctx, s, token.IDToken, a.Nonce, token.AccessToken)
	if err == nil && a.Anew && who.SignedInAt.Before(a.Begun.Add(-skew)) {
		err = failed(BadToken, "the provider did not ask you to sign in again; sign out there, and start again")
	}
	return who, err
}

// answered checks that an answer belongs to the attempt, before its code goes anywhere.
func (a *Attempt) answered(now time.Time, s Settings, m Metadata, in Answer) error {
	over := failed(BadAnswer, "this sign-in has expired, or began in another browser; start again")
	switch {
	case !equal(a.State, in.State), !now.Before(a.Begun.Add(AttemptLife)), now.Before(a.Begun.Add(-skew)):
		return over
	case a.Issuer != s.Issuer, a.ClientID != s.ClientID, a.RedirectURL != s.RedirectURL:
		return over // the settings have changed since
	case in.Issuer != "" && in.Issuer != s.Issuer, m.NamesItself && in.Issuer == "":
		return failed(BadAnswer, "the answer came from another provider than the one that was asked; start again")
	case in.Error != "":
		return failed(Declined, "the provider did not sign you in")
	case in.Code == "":
		return over
	}
	return nil
}

// equal compares secrets in constant time. None equals nothing.
func equal(x, y string) bool { return x != "" && subtle.ConstantTimeCompare([]byte(x), []byte(y)) == 1 }

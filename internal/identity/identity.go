// Package identity verifies and signs the identities of customers: tokens (JSON
// Web Tokens, RFC 7519) in which a company's server states who uses its page,
// and for which organization.
//
// It imports the vocabulary, outward, and the JWT library, from which it uses
// the algorithms but not the parser: everything that is read of a token, and
// every reason to refuse it, is in this package. [Verify] reads a token without
// judging it (token.go), runs the checks of its form, chooses a key of the
// workspace, and runs the checks that need the key (checks.go). What remains
// becomes [Claims] (claims.go). [Sets] (jwks.go) fetches sets of public keys
// from the addresses that companies name; fetch.go limits it to allowed
// addresses.
package identity

import (
	"context"
	"crypto"
	"encoding/json"
	"errors"
	"time"

	"parley"
)

// Limits of tokens.
const (
	// MaxToken is the most bytes of a token.
	MaxToken = 8 << 10
	// MaxLifetime is the longest time between a token's iat, or now, and its
	// exp.
	MaxLifetime = 24 * time.Hour
	// Leeway is the tolerated difference between clocks.
	Leeway = 60 * time.Second
	// MinSecret is the least number of bytes of a secret (RFC 7518, section
	// 3.2).
	MinSecret = 32
	// MinRSA is the least size of an RSA key, in bits.
	MinRSA = 2048
	// MaxRSA is the largest size of an RSA key, in bits.
	MaxRSA = 8192
)

// The algorithms.
const (
	HS256 = "HS256"
	RS256 = "RS256"
	PS256 = "PS256"
	ES256 = "ES256"
	EdDSA = "EdDSA"
)

// publicAlgorithms are those of public keys, which tokens must name with a kid.
var publicAlgorithms = []string{RS256, PS256, ES256, EdDSA}

// A Key verifies the identities of a workspace's customers.
type Key struct {
	KID       string
	Kind      parley.IdentityKeyKind
	Algorithm string
	Secret    []byte           // of a secret
	Public    crypto.PublicKey // of a public key
	SetURL    string           // of a set
	Issuer    string           // the required iss; "": any
	Audience  string           // the required member of aud; "": the workspace's id, if there is an aud
}

// Keys are all active keys of a workspace, and the source of keys in sets.
type Keys struct {
	Workspace parley.WorkspaceID
	All       []Key
	Sets      *Sets
}

// Claims are the verified and normalized contents of a token: texts are
// trimmed, and a member that is absent, null or empty is "".
type Claims struct {
	Subject       string // the company's own id of the customer, not trimmed
	Email         string
	EmailVerified bool // according to the token or, if it does not say, for the workspace's own secret
	Name          string
	Phone         string // as written
	Picture       string // an http or https address
	// Organization is absent if the token does not mention one, and null if it
	// says that there is none.
	Organization parley.Optional[Organization]
	Attributes   parley.Attributes // of scalars; null deletes an attribute; "" if there are none
	IssuedAt     time.Time         // zero if the token does not say
	ExpiresAt    time.Time
	KID          string // the name of the workspace's key, whatever the token calls it
}

// IssuedAfter returns a *Rejected if the customer was signed out at a time,
// unless that is zero, and the token was not provably issued later: a token
// without iat could be the one that was lost.
func (c *Claims) IssuedAfter(signedOut time.Time) *Rejected {
	if signedOut.IsZero() || !c.IssuedAt.IsZero() && !c.IssuedAt.Before(signedOut) {
		return nil
	}
	return c.refuse(refuse(SignedOut, "the customer was signed out everywhere at %s; iat must be given, and not be before", signedOut.Format(time.RFC3339)))
}

// FromAnother returns the *Rejected for a token whose subject belongs to
// another source (see parley.IdentityKey.Source) that has an active key.
func (c *Claims) FromAnother(source string) *Rejected {
	return c.refuse(refuse(OtherSource, "the subject came from another source before, %q, which still has an active key; "+
		"let that key retire to have this one vouch for its customers", shown(quoted(source))))
}

// refuse adds to a refusal what the token says about itself.
func (c *Claims) refuse(err *Rejected) *Rejected {
	err.KID, err.Subject = c.KID, shown(quoted(c.Subject))
	return err
}

func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text) // a string can always be encoded
	return raw
}

// An Organization is the customer's organization.
type Organization struct {
	ID      string // the company's own id of the organization
	Name    string
	Website string
}

// A Reason is the reason for refusing a token.
type Reason string

// The reasons.
const (
	TooLarge    Reason = "too large"
	Malformed   Reason = "malformed"
	BadHeader   Reason = "header"
	UnknownKey  Reason = "unknown key"
	NoKeys      Reason = "keys unavailable"
	BadAlg      Reason = "algorithm"
	WeakKey     Reason = "weak key"
	BadSign     Reason = "signature"
	BadExpiry   Reason = "exp"
	Expired     Reason = "expired"
	NotYet      Reason = "not yet valid"
	BadIssued   Reason = "iat"
	TooLong     Reason = "lifetime"
	BadAudience Reason = "aud"
	BadIssuer   Reason = "iss"
	BadSubject  Reason = "sub"
	BadProfile  Reason = "profile"
	BadOrg      Reason = "organization"
	BadAttrs    Reason = "attributes"
	SignedOut   Reason = "signed out"
	OtherSource Reason = "source"
)

// A Rejected is the error for a refused token. It is for the company's
// developers, never for the browser. KID and Subject are what the token says
// about itself, shortened, and must not be trusted.
type Rejected struct {
	Reason  Reason
	Detail  string // a sentence that says what to change
	KID     string
	Subject string
}

// Error returns the reason with the detail.
func (r *Rejected) Error() string { return string(r.Reason) + ": " + r.Detail }

// Verify returns the claims of a token, or a *Rejected. Times are compared with
// now. The context only limits the fetching of a set of keys.
func Verify(ctx context.Context, token string, keys Keys, now time.Time) (Claims, error) {
	return verify(ctx, token, keys, now, allChecks())
}

func verify(ctx context.Context, token string, keys Keys, now time.Time, by checks) (Claims, error) {
	a := &attempt{ctx: ctx, token: token, keys: keys, now: now}
	if len(token) <= 2*MaxToken { // a much longer token is not even read
		a.read()
	}
	err := a.run(by.form)
	if err == nil {
		err = a.choose()
	}
	if err == nil {
		err = a.run(by.signed)
	}
	if err != nil {
		err.KID, err.Subject = shown(a.head["kid"]), shown(a.body["sub"])
		return Claims{}, err
	}
	return a.claims(), nil
}

// AsRejected returns the rejection in the chain of err.
func AsRejected(err error) (*Rejected, bool) {
	var r *Rejected
	ok := errors.As(err, &r)
	return r, ok
}

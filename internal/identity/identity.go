// Package identity verifies and signs the identities of customers: tokens
// (JSON Web Tokens, RFC 7519) in which a company's server says who is in front
// of its page, and of which organization.
//
// It imports the vocabulary and the JWT library, whose algorithms it uses and
// whose parsing it does not: what is read of a token, and every reason to
// refuse it, stands here. Verify reads a token without judging it (token.go),
// runs the checks of its form, chooses a key of the workspace, and runs the
// checks that need one (checks.go); what is left becomes Claims (claims.go).
// Sets (jwks.go) fetches sets of public keys from the addresses that companies
// name, and fetch.go keeps that away from everything that is not public.
package identity

import (
	"context"
	"crypto"
	"encoding/json"
	"errors"
	"time"

	"parley"
)

// The limits of tokens.
const (
	// MaxToken is the most bytes of a token.
	MaxToken = 8 << 10
	// MaxLifetime is the most between a token's iat, or now, and its exp.
	MaxLifetime = 24 * time.Hour
	// Leeway is how far clocks may be apart.
	Leeway = 60 * time.Second
	// MinSecret is the least bytes of a secret (RFC 7518, section 3.2).
	MinSecret = 32
	// MinRSA and MaxRSA bound the size of an RSA key, in bits.
	MinRSA, MaxRSA = 2048, 8192
)

// The algorithms.
const (
	HS256 = "HS256"
	RS256 = "RS256"
	PS256 = "PS256"
	ES256 = "ES256"
	EdDSA = "EdDSA"
)

// publicAlgorithms are those of public keys, which tokens must name by kid.
var publicAlgorithms = []string{RS256, PS256, ES256, EdDSA}

// A Key is one by which a workspace's customers are signed.
type Key struct {
	KID       string
	Kind      parley.IdentityKeyKind
	Algorithm string
	Secret    []byte           // of a secret
	Public    crypto.PublicKey // of a public key
	SetURL    string           // of a set
	Issuer    string           // what iss must be; "" for anything
	Audience  string           // what aud must hold; "": the workspace's id, if there is an aud
}

// Keys are all keys of a workspace that verify now, and where those in sets
// come from.
type Keys struct {
	Workspace parley.WorkspaceID
	All       []Key
	Sets      *Sets
}

// Claims are what a token says, checked and cleaned: texts are trimmed, and a
// member that is absent, null or empty is "".
type Claims struct {
	Subject       string // the company's own id of the customer; as it stands, not trimmed
	Email         string
	EmailVerified bool // says the token, or, where it says nothing, the workspace's own secret
	Name          string
	Phone         string // as written
	Picture       string // an http or https address
	// Organization is absent where the token says nothing of one, and null where
	// it says that there is none.
	Organization parley.Optional[Organization]
	Attributes   parley.Attributes // of scalars; null deletes one; "" for none
	IssuedAt     time.Time         // zero where the token does not say
	ExpiresAt    time.Time
	KID          string // of the workspace's key, whatever the token calls it
}

// IssuedAfter returns a *Rejected where the customer was signed out at a time,
// unless that is zero, and the token is not known to have been made since: one
// that does not say when it was made might be the one that was lost.
func (c *Claims) IssuedAfter(signedOut time.Time) *Rejected {
	if signedOut.IsZero() || !c.IssuedAt.IsZero() && !c.IssuedAt.Before(signedOut) {
		return nil
	}
	return c.refuse(refuse(SignedOut, "the customer was signed out everywhere at %s; iat must be given, and not be before", signedOut.Format(time.RFC3339)))
}

// FromAnother returns the *Rejected of a token whose subject belongs to another
// source (see parley.IdentityKey.Source), which has an active key.
func (c *Claims) FromAnother(source string) *Rejected {
	return c.refuse(refuse(OtherSource, "the subject came from another source before, %q, which still has an active key; "+
		"let that key retire to have this one vouch for its customers", shown(quoted(source))))
}

// refuse completes a refusal with what the token says of itself.
func (c *Claims) refuse(err *Rejected) *Rejected {
	err.KID, err.Subject = c.KID, shown(quoted(c.Subject))
	return err
}

func quoted(text string) json.RawMessage {
	raw, _ := json.Marshal(text) // a string can always be written
	return raw
}

// An Organization is the customer's.
type Organization struct {
	ID      string // the company's own id of it
	Name    string
	Website string
}

// A Reason is why a token was refused.
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

// A Rejected is the error of a token that was refused. It is for the company's
// developers, never for the browser. KID and Subject are what the token says
// of itself, shortened, and not to be believed.
type Rejected struct {
	Reason  Reason
	Detail  string // a sentence that says what must change
	KID     string
	Subject string
}

// Error returns the reason and the detail.
func (r *Rejected) Error() string { return string(r.Reason) + ": " + r.Detail }

// Verify returns what a token says, or a *Rejected. Times are compared with
// now. The context bounds the fetching of a set of keys alone.
func Verify(ctx context.Context, token string, keys Keys, now time.Time) (Claims, error) {
	return verify(ctx, token, keys, now, allChecks())
}

func verify(ctx context.Context, token string, keys Keys, now time.Time, by checks) (Claims, error) {
	a := &attempt{ctx: ctx, token: token, keys: keys, now: now}
	if len(token) <= 2*MaxToken { // far more is not even read
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

// AsRejected returns the rejection in err's chain.
func AsRejected(err error) (*Rejected, bool) {
	var r *Rejected
	ok := errors.As(err, &r)
	return r, ok
}

package parley

import "time"

// The limits of identity keys.
const (
	// MaxIdentityKeys is the most identity keys of a workspace, not counting
	// revoked ones.
	MaxIdentityKeys = 10
	// MaxRevokedIdentityKeys is how many revoked keys are shown.
	MaxRevokedIdentityKeys = 20
	// MaxRejectedIdentities is how many rejected identities of a workspace are
	// kept for its developers.
	MaxRejectedIdentities = 50
	// MinIdentitySecret is the least characters of a secret that a company
	// provides: enough printable ASCII for 256 bits (RFC 7518, section 3.2).
	MinIdentitySecret = 40
	// MaxRetireDays is the longest time that a retiring key still verifies.
	MaxRetireDays = 30
)

// An IdentityKeyKind is the kind of an identity key.
type IdentityKeyKind string

// The kinds of identity keys.
const (
	SecretKey IdentityKeyKind = "secret" // a shared secret
	PublicKey IdentityKeyKind = "public" // the public half of a key pair of the company
	KeySet    IdentityKeyKind = "jwks"   // a set of public keys at a URL (RFC 7517, section 5)
)

// IdentityKeyKinds lists the kinds.
var IdentityKeyKinds = []IdentityKeyKind{SecretKey, PublicKey, KeySet}

// IdentityAlgorithms lists the signature algorithms of identities by their
// names in RFC 7518, section 3.1, and RFC 8037, section 3.1.
var IdentityAlgorithms = []string{"HS256", "RS256", "PS256", "ES256", "EdDSA"}

// An IdentityKeyState says whether signatures of an identity key are accepted.
type IdentityKeyState string

// The states of identity keys.
const (
	KeyActive   IdentityKeyState = "active"
	KeyRetiring IdentityKeyState = "retiring" // until RetireAt
	KeyRevoked  IdentityKeyState = "revoked"
)

// An IdentityKey is a key with which a company signs the identities of its
// customers. A secret is encrypted under the server's master key.
type IdentityKey struct {
	KID        string // the key id in the header of a token
	Algorithm  string // one of IdentityAlgorithms
	Kind       IdentityKeyKind
	PublicPEM  string // of a public key
	JWKSURL    string // of a key set
	Issuer     string // the required iss of a token; "" for any
	Audience   string // the required aud of a token; "": the workspace id, if the token has an aud
	RetireAt   time.Time
	RevokedAt  time.Time
	CreatedAt  time.Time
	LastUsedAt time.Time // to the minute; zero: never
}

// State returns the state at a time. A key past its RetireAt verifies nothing,
// as if revoked. Customers who signed in with it keep their sessions, however;
// revoking a key ends them.
func (k IdentityKey) State(now time.Time) IdentityKeyState {
	switch {
	case !k.RevokedAt.IsZero():
		return KeyRevoked
	case k.RetireAt.IsZero():
		return KeyActive
	case now.Before(k.RetireAt):
		return KeyRetiring
	}
	return KeyRevoked
}

// Source returns the source that the key vouches for: its issuer, or the key
// itself for a public key without issuer. All secrets share one source,
// whatever their issuer.
func (k IdentityKey) Source() string {
	switch {
	case k.Kind == SecretKey:
		return "own"
	case k.Issuer != "":
		return "iss " + k.Issuer
	}
	return "kid " + k.KID
}

// An IdentitySource is the source that vouches for a signed subject. The same
// subject from two sources would be two people.
type IdentitySource struct {
	Subject  string
	Source   string // see IdentityKey.Source
	Previous string // the source before the last move; "" for none
}

// A RejectedIdentity is an identity that was rejected. Its KID and Subject are
// claims that were not verified.
type RejectedIdentity struct {
	ID      ID
	At      time.Time
	InboxID ID     // zero: unknown
	KID     string // "" for none
	Reason  string // for developers
	Subject string // "" for none
	Origin  string // of the page; "" if unknown
}

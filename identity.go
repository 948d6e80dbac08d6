package parley

import "time"

// The limits of identity keys.
const (
	// MaxIdentityKeys is the most keys of a workspace that are not revoked and
	// by which the identities of its customers are signed.
	MaxIdentityKeys = 10
	// MaxRevokedIdentityKeys is how many revoked ones are still shown.
	MaxRevokedIdentityKeys = 20
	// MaxRejectedIdentities is how many refused identities of a workspace are
	// kept for its developers.
	MaxRejectedIdentities = 50
	// MinIdentitySecret is the least characters of a secret that a company brings
	// along: as many as 256 bits take (RFC 7518, section 3.2) of the printable
	// ones of ASCII.
	MinIdentitySecret = 40
	// MaxRetireDays is the longest that a key which retires still verifies.
	MaxRetireDays = 30
)

// An IdentityKeyKind says what an identity key verifies with.
type IdentityKeyKind string

// The kinds of identity keys.
const (
	SecretKey IdentityKeyKind = "secret" // one that both sides know
	PublicKey IdentityKeyKind = "public" // the public half of one that the company keeps
	KeySet    IdentityKeyKind = "jwks"   // a set of public keys at an address (RFC 7517, section 5)
)

// IdentityKeyKinds lists the kinds.
var IdentityKeyKinds = []IdentityKeyKind{SecretKey, PublicKey, KeySet}

// IdentityAlgorithms lists the algorithms by which identities are signed, by
// their names in RFC 7518, section 3.1, and RFC 8037, section 3.1.
var IdentityAlgorithms = []string{"HS256", "RS256", "PS256", "ES256", "EdDSA"}

// An IdentityKeyState says whether what an identity key signed is accepted.
type IdentityKeyState string

// The states of identity keys.
const (
	KeyActive   IdentityKeyState = "active"
	KeyRetiring IdentityKeyState = "retiring" // until RetireAt
	KeyRevoked  IdentityKeyState = "revoked"
)

// An IdentityKey is a key by which a company signs the identities of its
// customers. A secret is sealed under the server's master key.
type IdentityKey struct {
	KID        string // names it in the header of a token
	Algorithm  string // of IdentityAlgorithms
	Kind       IdentityKeyKind
	PublicPEM  string // of a public key
	JWKSURL    string // of a set
	Issuer     string // what a token's iss must be; "" for anything
	Audience   string // what a token's aud must hold; "": the workspace's id, if it has one
	RetireAt   time.Time
	RevokedAt  time.Time
	CreatedAt  time.Time
	LastUsedAt time.Time // to the minute; zero: never
}

// State returns the state at a time. A key whose time to retire has come
// verifies nothing any more, as if it were revoked; but customers who came by
// it before stay, which the revoking of a key ends.
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

// Source returns in whose name the key vouches for customers: its issuer, or
// for a public key without one the key itself. All secrets are the workspace's
// own, whatever issuer they ask for.
func (k IdentityKey) Source() string {
	switch {
	case k.Kind == SecretKey:
		return "own"
	case k.Issuer != "":
		return "iss " + k.Issuer
	}
	return "kid " + k.KID
}

// An IdentitySource is who vouches for a signed subject: the same subject from
// two sources would be two people.
type IdentitySource struct {
	Subject  string
	Source   string // see IdentityKey.Source
	Previous string // that it was moved from; "" for none
}

// A RejectedIdentity is one that was refused. What it says of itself (KID and
// Subject) is not to be believed.
type RejectedIdentity struct {
	ID      ID
	At      time.Time
	InboxID ID     // zero: not known
	KID     string // "" for none
	Reason  string // for developers
	Subject string // "" for none
	Origin  string // of the page; "" if it is not known
}

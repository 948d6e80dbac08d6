package parley

import (
	"crypto/sha256"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"time"
)

// A Scope is a permission of a key (contract, section 5).
type Scope string

// The scopes.
const (
	ConversationsRead  Scope = "conversations:read"
	ConversationsWrite Scope = "conversations:write"
	ContactsRead       Scope = "contacts:read"
	ContactsWrite      Scope = "contacts:write"
	CompaniesRead      Scope = "companies:read"
	CompaniesWrite     Scope = "companies:write"
	ProductsRead       Scope = "products:read"
	KnowledgeRead      Scope = "knowledge:read"
	KnowledgeWrite     Scope = "knowledge:write"
)

// UnknownScope is that of events whose type a later version knows. No key has it:
// while the nodes of a server are updated, the earlier ones withhold such events
// from keys.
const UnknownScope Scope = "unknown"

// Scopes lists the scopes; a new key has all of them by default. A key that was
// made before a scope existed does not have it.
var Scopes = []Scope{
	ConversationsRead, ConversationsWrite, ContactsRead, ContactsWrite,
	CompaniesRead, CompaniesWrite, ProductsRead,
	KnowledgeRead, KnowledgeWrite,
}

// JoinScopes joins scopes with spaces, their stored form.
func JoinScopes(scopes []Scope) string {
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = string(scope)
	}
	return strings.Join(names, " ")
}

// SplitScopes parses the result of JoinScopes.
func SplitScopes(text string) []Scope {
	var scopes []Scope
	for name := range strings.FieldsSeq(text) {
		scopes = append(scopes, Scope(name))
	}
	return scopes
}

// A Key gives access to the public API of one workspace. Only the hash of its
// secret is stored.
type Key struct {
	ID         ID
	Workspace  WorkspaceID
	Name       string
	Scopes     []Scope
	Prefix     string // for display: the first characters of the secret
	LastFour   string // for display: the last four
	ExpiresAt  time.Time
	RevokedAt  time.Time
	CreatedAt  time.Time
	LastUsedAt time.Time // to the minute; zero: never
	CreatedBy  Actor     // a member, with the current name, even if removed; the system for the command line and older keys
}

// Holds reports whether the key has all of the scopes.
func (k Key) Holds(scopes []Scope) bool {
	for _, scope := range scopes {
		if !slices.Contains(k.Scopes, scope) {
			return false
		}
	}
	return true
}

// Display returns the visible parts of the secret: its first and last
// characters.
func (k Key) Display() string { return k.Prefix + "…" + k.LastFour }

// Valid reports whether the key gives access at a time.
func (k Key) Valid(at time.Time) bool {
	return k.RevokedAt.IsZero() && (k.ExpiresAt.IsZero() || at.Before(k.ExpiresAt))
}

// DayCalls is the number of calls on one day.
type DayCalls struct {
	Day   time.Time // its start in UTC
	Calls int64
}

// A StoresUse describes a key that still calls the routes under
// /v1/public/stores, which are deprecated (contract, section 9).
type StoresUse struct {
	Key    Key
	Calls  int64
	LastAt time.Time
	Days   []DayCalls // days with calls, oldest first; never empty
}

// A Secret is the plain text of a key: "pk_", 43 characters of base62 (256
// random bits), and 6 characters of their CRC-32. The checksum lets scanners
// detect leaked keys, and lets the server reject a mistyped key without
// querying the store.
type Secret string

const (
	secretPrefix = "pk_"
	secretRandom = 43
	secretCheck  = 6
	base62       = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// NewSecret returns a new secret from a source of random bytes.
func NewSecret(random io.Reader) (Secret, error) {
	var raw [32]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", &Error{Kind: Internal, Message: "read random bytes for a key", Cause: err}
	}
	body := encodeBase62(raw[:], secretRandom)
	return Secret(secretPrefix + body + checksum(body)), nil
}

// WellFormed reports whether s has the form of a secret and its checksum.
func (s Secret) WellFormed() bool {
	body, ok := strings.CutPrefix(string(s), secretPrefix)
	if !ok || len(body) != secretRandom+secretCheck {
		return false
	}
	return checksum(body[:secretRandom]) == body[secretRandom:]
}

// Hash returns the stored form of the secret. A plain SHA-256 is enough,
// because 256 random bits cannot be guessed.
func (s Secret) Hash() [32]byte { return sha256.Sum256([]byte(s)) }

// Display returns the parts of the secret that may be shown later.
func (s Secret) Display() (prefix, lastFour string) {
	return string(s[:len(secretPrefix)+4]), string(s[len(s)-4:])
}

func checksum(body string) string {
	sum := crc32.ChecksumIEEE([]byte(body))
	return encodeBase62([]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}, secretCheck)
}

// encodeBase62 encodes a big-endian number with exactly width digits.
func encodeBase62(number []byte, width int) string {
	rest := slices.Clone(number)
	digits := make([]byte, width)
	for i := range digits {
		remainder := 0
		for j, b := range rest {
			value := remainder<<8 | int(b)
			rest[j], remainder = byte(value/62), value%62
		}
		digits[width-1-i] = base62[remainder]
	}
	return string(digits)
}

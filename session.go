package parley

import (
	"crypto/rand"
	"crypto/sha256"
	"io"
	"strings"
	"time"
)

// Lifetimes of a member's session: it ends after SessionIdle without use, and
// at the latest SessionLife after it began.
const (
	SessionIdle = 14 * 24 * time.Hour
	SessionLife = 90 * 24 * time.Hour
)

// A Session is a member signed in on one browser. Only the hash of its token is stored.
type Session struct {
	ID          ID
	Workspace   WorkspaceID
	MemberID    UserID
	UserAgent   string
	Address     string // on the network, when it began; "" if unknown
	CreatedAt   time.Time
	SeenAt      time.Time // updated at most every five minutes
	ExpiresAt   time.Time
	ConfirmedAt time.Time // when the member last proved who they are; zero: unknown
}

// A Token is a temporary secret for one session or invitation: a prefix for its
// kind, "_", and 43 characters of base62 (256 random bits).
type Token string

// NewToken returns a new token.
func NewToken(prefix string) (Token, error) {
	var raw [32]byte
	if _, err := io.ReadFull(rand.Reader, raw[:]); err != nil {
		return "", &Error{Kind: Internal, Message: "read random bytes for a token", Cause: err}
	}
	return Token(prefix + "_" + encodeBase62(raw[:], secretRandom)), nil
}

// WellFormed reports whether t has the form of a token with the prefix.
func (t Token) WellFormed(prefix string) bool {
	body, ok := strings.CutPrefix(string(t), prefix+"_")
	return ok && len(body) == secretRandom
}

// Hash returns the stored form of the token; see [Secret.Hash].
func (t Token) Hash() [32]byte { return sha256.Sum256([]byte(t)) }

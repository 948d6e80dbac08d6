package parley

import (
	"crypto/rand"
	"crypto/sha256"
	"io"
	"strings"
	"time"
)

// The times of a session: it ends when it was not used for SessionIdle, and
// SessionLife after it began at the latest.
const (
	SessionIdle = 14 * 24 * time.Hour
	SessionLife = 90 * 24 * time.Hour
)

// A Session is a member who is signed in on one browser. The token itself is
// not kept, only its hash.
type Session struct {
	ID        ID
	Workspace WorkspaceID
	MemberID  UserID
	UserAgent string
	CreatedAt time.Time
	SeenAt    time.Time // moved at most every five minutes
	ExpiresAt time.Time
}

// A Token is a secret that opens one thing for a time, a session or an
// invitation: a prefix that says which, "_", and 43 characters of base62 (256
// random bits).
type Token string

// NewToken makes a token.
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

// Hash returns what the store keeps of the token; see Secret.Hash.
func (t Token) Hash() [32]byte { return sha256.Sum256([]byte(t)) }

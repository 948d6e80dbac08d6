package parley

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"io"
	"strings"
	"sync/atomic"
	"time"
)

// An ID names a record: a UUID of version 7 (RFC 9562, section 5.7), so that
// ids sort by the time they were made. The zero ID means "none".
type ID [16]byte

// A WorkspaceID names a workspace. It is a type of its own so that no other
// id can stand where a store method asks for the tenant.
type WorkspaceID [16]byte

// A UserID names a member of a workspace: "usr_" and 20 characters of base32.
// The contract (section 2) calls user ids opaque strings. The empty UserID
// means "none".
type UserID string

// ParseID reads a UUID in its canonical form of 36 characters, in either case.
func ParseID(s string) (ID, bool) {
	var id ID
	if len(s) != 36 || s[8] != '-' || s[13] != '-' || s[18] != '-' || s[23] != '-' {
		return ID{}, false
	}
	var digits [32]byte
	n := copy(digits[:], s[:8])
	n += copy(digits[n:], s[9:13])
	n += copy(digits[n:], s[14:18])
	n += copy(digits[n:], s[19:23])
	copy(digits[n:], s[24:])
	if _, err := hex.Decode(id[:], digits[:]); err != nil {
		return ID{}, false
	}
	return id, true
}

// ParseWorkspaceID reads a workspace's UUID in its canonical form.
func ParseWorkspaceID(s string) (WorkspaceID, bool) {
	id, ok := ParseID(s)
	return WorkspaceID(id), ok
}

// IsZero reports whether the id is "none".
func (id ID) IsZero() bool { return id == ID{} }

// IsZero reports whether the id is "none".
func (id WorkspaceID) IsZero() bool { return id == WorkspaceID{} }

// String returns the canonical form in lower case.
func (id ID) String() string { return string(id.Append(nil)) }

// String returns the canonical form in lower case.
func (id WorkspaceID) String() string { return ID(id).String() }

// Append appends the canonical form in lower case to b.
func (id ID) Append(b []byte) []byte {
	var text [36]byte
	hex.Encode(text[:8], id[:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:], id[10:])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return append(b, text[:]...)
}

// MarshalText returns the canonical form.
func (id ID) MarshalText() ([]byte, error) { return id.Append(nil), nil }

// UnmarshalText reads the canonical form.
func (id *ID) UnmarshalText(text []byte) error {
	parsed, ok := ParseID(string(text))
	if !ok {
		return InvalidField("id", "be a UUID")
	}
	*id = parsed
	return nil
}

// IDs makes ids. Ids with the same millisecond sort in the order in which one
// source made them, so the order of a conversation's messages is the order of
// their ids, also when a backfill gives many of them one time.
type IDs struct {
	random io.Reader
	count  atomic.Uint32
}

// NewIDs returns a source of ids. A nil random means the system's; tests give
// their own to get the same ids in every run.
func NewIDs(random io.Reader) *IDs {
	if random == nil {
		random = rand.Reader
	}
	return &IDs{random: random}
}

// New makes an id of the given time. The layout is RFC 9562's method 1: after
// the milliseconds come 26 bits of a counter, then random bits.
func (s *IDs) New(at time.Time) ID {
	var id ID
	s.fill(id[8:])
	count := s.count.Add(1)
	binary.BigEndian.PutUint64(id[:8], uint64(at.UnixMilli())<<16)
	binary.BigEndian.PutUint16(id[6:8], 0x7000|uint16(count>>14&0x0fff))
	binary.BigEndian.PutUint16(id[8:10], 0x8000|uint16(count&0x3fff))
	return id
}

// FirstID returns what sorts before every id that was made at a time, to the
// millisecond, or later.
func FirstID(at time.Time) ID {
	var id ID
	binary.BigEndian.PutUint64(id[:8], uint64(max(0, at.UnixMilli()))<<16)
	return id
}

// WellFormed reports whether it looks like an id that NewUserID makes.
func (u UserID) WellFormed() bool {
	rest, ok := strings.CutPrefix(string(u), "usr_")
	return ok && len(rest) == 20 && strings.Trim(rest, base32Alphabet) == ""
}

// NewUserID makes the id of a member.
func (s *IDs) NewUserID() UserID { return UserID("usr_" + s.NewText(20)) }

const base32Alphabet = "abcdefghijklmnopqrstuvwxyz234567"

// NewText makes n random characters of base32 in lower case, 5 bits each.
func (s *IDs) NewText(n int) string {
	b := make([]byte, n)
	s.fill(b)
	for i := range b {
		b[i] = base32Alphabet[b[i]&31]
	}
	return string(b)
}

func (s *IDs) fill(b []byte) {
	if _, err := io.ReadFull(s.random, b); err != nil {
		// The system's source does not fail; a test's own that ends is a
		// mistake of that test.
		panic("parley: the random source of ids failed: " + err.Error())
	}
}

// A Clock tells the time. It is injected, so that expiry, the sunset and
// retries are tested to the second.
type Clock func() time.Time

// Now returns the clock's time in UTC, cut to the millisecond, which is the
// precision of every time that the product keeps.
func (c Clock) Now() time.Time { return c().UTC().Truncate(time.Millisecond) }

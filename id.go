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

// An ID identifies a record: a UUID of version 7 (RFC 9562, section 5.7), so
// ids sort by the time they were created. The zero ID means "none".
type ID [16]byte

// A WorkspaceID identifies a workspace. It has its own type so that no other id
// can be passed to a store method in its place.
type WorkspaceID [16]byte

// A UserID identifies a member of a workspace: "usr_" and 20 characters of
// base32. To callers, user ids are opaque strings (contract, section 2). The
// empty UserID means "none".
type UserID string

// ParseID parses the canonical form of a UUID, 36 characters, ignoring case.
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

// ParseWorkspaceID parses the canonical form of a workspace's UUID.
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

// UnmarshalText parses the canonical form.
func (id *ID) UnmarshalText(text []byte) error {
	parsed, ok := ParseID(string(text))
	if !ok {
		return InvalidField("id", "be a UUID")
	}
	*id = parsed
	return nil
}

// IDs generates ids. Within one millisecond, ids of one source sort in the
// order of their creation. Messages therefore sort by id, even if a backfill
// gives many of them the same time.
type IDs struct {
	random io.Reader
	count  atomic.Uint32
}

// NewIDs returns a source of ids. If random is nil it uses the system's random
// source; tests pass their own to get the same ids in every run.
func NewIDs(random io.Reader) *IDs {
	if random == nil {
		random = rand.Reader
	}
	return &IDs{random: random}
}

// New returns an id for a time. Its layout is method 1 of RFC 9562: after the
// milliseconds come 26 bits of a counter, then random bits.
func (s *IDs) New(at time.Time) ID {
	var id ID
	s.fill(id[8:])
	count := s.count.Add(1)
	binary.BigEndian.PutUint64(id[:8], uint64(at.UnixMilli())<<16)
	binary.BigEndian.PutUint16(id[6:8], 0x7000|uint16(count>>14&0x0fff))
	binary.BigEndian.PutUint16(id[8:10], 0x8000|uint16(count&0x3fff))
	return id
}

// FirstID returns a lower bound for the ids created at a time, in milliseconds,
// or later.
func FirstID(at time.Time) ID {
	var id ID
	binary.BigEndian.PutUint64(id[:8], uint64(max(0, at.UnixMilli()))<<16)
	return id
}

// WellFormed reports whether u has the form that [IDs.NewUserID] generates.
func (u UserID) WellFormed() bool {
	rest, ok := strings.CutPrefix(string(u), "usr_")
	return ok && len(rest) == 20 && strings.Trim(rest, base32Alphabet) == ""
}

// NewUserID returns a new id for a member.
func (s *IDs) NewUserID() UserID { return UserID("usr_" + s.NewText(20)) }

const base32Alphabet = "abcdefghijklmnopqrstuvwxyz234567"

// NewText returns n random characters of lower-case base32, 5 bits each.
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
		// The system's source never fails. A test's source that ends early is a
		// bug of the test.
		panic("parley: the random source of ids failed: " + err.Error())
	}
}

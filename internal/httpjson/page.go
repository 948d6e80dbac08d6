package httpjson

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"time"

	"parley"
)

// The cursor of a page is a position with a checksum over the position, the
// workspace, the list and its filters, which detects a cursor of another list,
// with other filters, or damaged on its way. It contains nothing secret, so a
// checksum without a key is enough.
const (
	pageVersion  = 1
	pagePosition = 1 + 8 + 16 + 8
	pageChecksum = 10
)

const pageRule = "be a next_cursor of this list with the same filters"

// A List names a list of a workspace, with its filters.
type List struct {
	Workspace parley.WorkspaceID
	Name      string
}

// QueryCursor returns the position of a cursor, or the zero position when
// absent or empty, which is the first page.
func (in *Reader) QueryCursor(name string, list List) parley.Position {
	text, ok := in.Query(name)
	if !ok || text == "" {
		return parley.Position{}
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) != pagePosition+pageChecksum || raw[0] != pageVersion ||
		subtle.ConstantTimeCompare(raw[pagePosition:], list.checksum(raw[:pagePosition])) == 0 {
		in.Refuse(name, pageRule)
		return parley.Position{}
	}
	p := parley.Position{Offset: int(binary.BigEndian.Uint64(raw[25:]))}
	if p.Offset < 0 { // anybody can compute the checksum
		in.Refuse(name, pageRule)
		return parley.Position{}
	}
	copy(p.ID[:], raw[9:])
	if ms := int64(binary.BigEndian.Uint64(raw[1:])); ms != 0 {
		p.At = time.UnixMilli(ms).UTC()
	}
	return p
}

// Cursor writes the cursor of a position, "" on the last page.
func (l List) Cursor(p parley.Position) string {
	if p.IsZero() {
		return ""
	}
	raw := make([]byte, pagePosition, pagePosition+pageChecksum)
	raw[0] = pageVersion
	if !p.At.IsZero() {
		binary.BigEndian.PutUint64(raw[1:], uint64(p.At.UnixMilli()))
	}
	copy(raw[9:], p.ID[:])
	binary.BigEndian.PutUint64(raw[25:], uint64(p.Offset))
	return base64.RawURLEncoding.EncodeToString(append(raw, l.checksum(raw)...))
}

func (l List) checksum(position []byte) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00", l.Workspace, l.Name) // a hash takes every write
	h.Write(position)
	return h.Sum(nil)[:pageChecksum]
}

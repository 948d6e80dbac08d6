package publicapi

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"time"

	"parley"
)

// A cursor is a position with a checksum over the position, the workspace, the
// list and its filters. So a cursor of another list, with other filters, or
// changed on its way is told apart. It holds nothing that the caller may not
// know, therefore a checksum without a secret is enough.
const (
	cursorVersion  = 1
	cursorPosition = 1 + 8 + 16 + 8
	cursorChecksum = 10
)

const cursorRule = "be a next_cursor of this list with the same filters"

// cursor reads the query parameter of the name. An empty one is the first
// page.
func (c *call) cursor(name, list string) parley.Position {
	text, ok := c.Query(name)
	if !ok || text == "" {
		return parley.Position{}
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(text)
	if err != nil || len(raw) != cursorPosition+cursorChecksum || raw[0] != cursorVersion ||
		subtle.ConstantTimeCompare(raw[cursorPosition:], c.checksum(list, raw[:cursorPosition])) == 0 {
		c.Refuse(name, cursorRule)
		return parley.Position{}
	}
	p := parley.Position{Offset: int(binary.BigEndian.Uint64(raw[25:]))}
	copy(p.ID[:], raw[9:])
	if ms := int64(binary.BigEndian.Uint64(raw[1:])); ms != 0 {
		p.At = time.UnixMilli(ms).UTC()
	}
	return p
}

// nextCursor writes the cursor of a position, "" on the last page. list names
// the list and its filters.
func (c *call) nextCursor(list string, p parley.Position) string {
	if p.IsZero() {
		return ""
	}
	raw := make([]byte, cursorPosition, cursorPosition+cursorChecksum)
	raw[0] = cursorVersion
	if !p.At.IsZero() {
		binary.BigEndian.PutUint64(raw[1:], uint64(p.At.UnixMilli()))
	}
	copy(raw[9:], p.ID[:])
	binary.BigEndian.PutUint64(raw[25:], uint64(p.Offset))
	return base64.RawURLEncoding.EncodeToString(append(raw, c.checksum(list, raw)...))
}

func (c *call) checksum(list string, position []byte) []byte {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00", c.ws, list) // a hash takes every write
	h.Write(position)
	return h.Sum(nil)[:cursorChecksum]
}

package whatsapp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"go.mau.fi/whatsmeow"

	"parley"
)

// networkID derives the network's id of a message from the caller's id. It is
// deterministic, so that a message sent twice arrives once. A parley.ID becomes
// 32 upper-case hexadecimal digits, which look like ids made by phones and can
// be converted back. Any other text is hashed.
func networkID(id string) string {
	if parsed, ok := parley.ParseID(id); ok {
		return strings.ToUpper(hex.EncodeToString(parsed[:]))
	}
	sum := sha256.Sum256([]byte(id))
	return whatsmeow.WebMessageIDPrefix + strings.ToUpper(hex.EncodeToString(sum[:9]))
}

// The range around now in which messages that the network reports were created.
const (
	oldestSent = -90 * 24 * time.Hour
	newestSent = 24 * time.Hour
)

// callersID reverses networkID. An id made by a phone stays as it is; about one
// in a million looks like ours by its version, variant and time (RFC 9562,
// section 5.7).
func callersID(network string, now time.Time) string {
	var id parley.ID
	if len(network) != 2*len(id) || network != strings.ToUpper(network) {
		return network
	}
	if _, err := hex.Decode(id[:], []byte(network)); err != nil || id[6]>>4 != 7 || id[8]>>6 != 2 {
		return network
	}
	var ms int64
	for _, b := range id[:6] {
		ms = ms<<8 | int64(b)
	}
	age := time.UnixMilli(ms).Sub(now)
	if age < oldestSent || age > newestSent {
		return network
	}
	return id.String()
}

package whatsapp

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"go.mau.fi/whatsmeow"

	"parley"
)

// networkID makes the network's id of a message from the caller's, always the
// same, so that a message sent twice arrives once. The 32 capital digits of a
// parley.ID look like the ids that phones make, and can be read back. Any other
// text is hashed.
func networkID(id string) string {
	if parsed, ok := parley.ParseID(id); ok {
		return strings.ToUpper(hex.EncodeToString(parsed[:]))
	}
	sum := sha256.Sum256([]byte(id))
	return whatsmeow.WebMessageIDPrefix + strings.ToUpper(hex.EncodeToString(sum[:9]))
}

// The first and the last moment, seen from now, at which a message was made
// that the network speaks of today.
const (
	oldestSent = -90 * 24 * time.Hour
	newestSent = 24 * time.Hour
)

// callersID reads back what networkID made. A phone's own id reads back as
// itself: among a million of them one might pass for ours, by its version,
// its variant and its time (RFC 9562, section 5.7).
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

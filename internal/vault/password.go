package vault

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/argon2"
)

const (
	argonLanes = 1
	argonSalt  = 16
	argonHash  = 32
)

// A Cost is what one hash costs the server, and an attacker for each guess.
type Cost struct {
	Memory uint32 // KiB
	Passes uint32
}

// Recommended returns the cost recommended by OWASP for argon2id: 19 MiB, two
// passes, one lane.
func Recommended() Cost { return Cost{Memory: 19456, Passes: 2} }

// A hash with higher parameters was not created here. It is rejected, because
// it would exhaust the server's memory or time.
const (
	maxArgonMemory = 256 << 10 // KiB
	maxArgonTime   = 16
	maxArgonLanes  = 16
)

// phcForm is the PHC form of the parameters of a hash.
const phcForm = "$argon2id$v=%d$m=%d,t=%d,p=%d$"

// ErrHash says that a password hash is damaged or of another kind.
var ErrHash = errors.New("the password hash cannot be read")

// Hash returns the argon2id hash of a password in PHC form. At the recommended
// cost it deliberately takes 19 MiB and tens of milliseconds, so callers must
// limit how many run at once.
func (c Cost) Hash(password string) (string, error) {
	salt := make([]byte, argonSalt)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	hash := argon2.IDKey([]byte(password), salt, c.Passes, c.Memory, argonLanes, argonHash)
	return c.phc(salt, hash), nil
}

func (c Cost) phc(salt, hash []byte) string {
	parameters := fmt.Sprintf(phcForm, argon2.Version, c.Memory, c.Passes, argonLanes)
	return parameters + base64.RawStdEncoding.EncodeToString(salt) + "$" + base64.RawStdEncoding.EncodeToString(hash)
}

// VerifyPassword reports whether a password matches a hash in PHC form. It
// returns ErrHash for an unusable hash.
func VerifyPassword(password, phc string) (bool, error) {
	h, err := parseHash(phc)
	if err != nil {
		return false, err
	}
	got := argon2.IDKey([]byte(password), h.salt, h.time, h.memory, h.lanes, uint32(len(h.hash)))
	return subtle.ConstantTimeCompare(got, h.hash) == 1, nil
}

// passwordHash is a parsed hash in PHC form, with the parameters it was created
// with.
type passwordHash struct {
	memory, time uint32
	lanes        uint8
	salt, hash   []byte
}

func parseHash(phc string) (passwordHash, error) {
	var h passwordHash
	var version int
	parts := strings.Split(phc, "$")
	if len(parts) != 6 {
		return h, ErrHash
	}
	form := strings.Join(parts[:4], "$") + "$"
	if _, err := fmt.Sscanf(form, phcForm, &version, &h.memory, &h.time, &h.lanes); err != nil {
		return h, ErrHash
	}
	switch { // only the canonical form is valid
	case version != argon2.Version, fmt.Sprintf(phcForm, version, h.memory, h.time, h.lanes) != form,
		h.memory > maxArgonMemory, h.time < 1 || h.time > maxArgonTime, h.lanes < 1 || h.lanes > maxArgonLanes:
		return h, ErrHash
	}
	var saltErr, hashErr error
	h.salt, saltErr = base64.RawStdEncoding.Strict().DecodeString(parts[4])
	h.hash, hashErr = base64.RawStdEncoding.Strict().DecodeString(parts[5])
	if saltErr != nil || hashErr != nil || len(h.salt) < 8 || len(h.hash) < 16 || len(h.hash) > 64 {
		return h, ErrHash
	}
	return h, nil
}

// RandomPassword returns a password of 120 random bits that can be read aloud:
// four groups of six letters and digits, without i, l, o and u, which look or
// sound like others.
func RandomPassword() (string, error) {
	const (
		alphabet = "0123456789abcdefghjkmnpqrstvwxyz"
		length   = 24
		group    = 6
	)
	raw := make([]byte, length)
	if _, err := rand.Read(raw); err != nil {
		return "", err
	}
	var b strings.Builder
	for i, c := range raw {
		if i > 0 && i%group == 0 {
			b.WriteByte('-')
		}
		b.WriteByte(alphabet[c&31])
	}
	return b.String(), nil
}

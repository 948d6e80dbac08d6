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

// The cost of a hash, as OWASP recommends for argon2id: 19 MiB, two passes,
// one lane.
const (
	argonMemory = 19456 // KiB
	argonTime   = 2
	argonLanes  = 1
	argonSalt   = 16
	argonHash   = 32
)

var encoding = base64.RawStdEncoding

// HashPassword returns the argon2id hash of a password in the PHC form. It
// takes some 19 MiB and tens of milliseconds on purpose.
func HashPassword(password string) (string, error) {
	salt := make([]byte, argonSalt)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	hash := argon2.IDKey([]byte(password), salt, argonTime, argonMemory, argonLanes, argonHash)
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, argonMemory, argonTime, argonLanes,
		encoding.EncodeToString(salt), encoding.EncodeToString(hash)), nil
}

// VerifyPassword reports whether a password is the one of a hash in the PHC
// form.
func VerifyPassword(password, phc string) (bool, error) {
	parts := strings.Split(phc, "$")
	if len(parts) != 6 || parts[1] != "argon2id" {
		return false, errors.New("the password hash is not of argon2id")
	}
	var version int
	var memory, time uint32
	var lanes uint8
	if _, err := fmt.Sscanf(parts[2]+" "+parts[3], "v=%d m=%d,t=%d,p=%d", &version, &memory, &time, &lanes); err != nil || version != argon2.Version {
		return false, errors.New("the password hash has unknown parameters")
	}
	salt, saltErr := encoding.DecodeString(parts[4])
	want, hashErr := encoding.DecodeString(parts[5])
	if err := errors.Join(saltErr, hashErr); err != nil {
		return false, fmt.Errorf("the password hash is damaged: %w", err)
	}
	got := argon2.IDKey([]byte(password), salt, time, memory, lanes, uint32(len(want)))
	return subtle.ConstantTimeCompare(got, want) == 1, nil
}

// RandomPassword makes a password of 115 random bits that can be read aloud:
// 23 letters and digits that do not look alike, in groups.
func RandomPassword() (string, error) {
	const alphabet = "abcdefghjkmnpqrstuvwxyz23456789x"
	raw := make([]byte, 23)
	if _, err := rand.Read(raw); err != nil {
		return "", err
	}
	var b strings.Builder
	for i, c := range raw {
		if i > 0 && i%6 == 0 {
			b.WriteByte('-')
		}
		b.WriteByte(alphabet[c&31])
	}
	return b.String(), nil
}

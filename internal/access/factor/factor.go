// Package factor is the second factor of members: one-time codes of an app on
// a phone (RFC 6238) and recovery codes, with the statements that store both.
// The verbs, which also know passwords and sessions, are those of access.
//
// It imports the vocabulary and the store. The secret of the codes is stored
// sealed, by the caller; of recovery codes only hashes are stored.
package factor

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // RFC 6238 and the apps use it; an HMAC needs no resistance to collisions
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/binary"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"

	"parley"
)

const (
	// period is how long an app shows a code.
	period = 30 * time.Second
	// drift is how many codes before and after the present one are accepted.
	drift = 1
	// secretSize is the number of bytes of a secret: those of a hash (RFC 4226,
	// section 4).
	secretSize = sha1.Size
	// CodeLength is the number of digits of a code.
	CodeLength = 6
	codeRange  = 1_000_000
)

// A Secret is what the member's app makes its codes of.
type Secret []byte

// NewSecret returns a random secret.
func NewSecret() (Secret, error) {
	s := make(Secret, secretSize)
	_, err := rand.Read(s)
	return s, err
}

// Text returns the secret as a person types it into an app: 32 letters and
// digits (RFC 4648, section 6).
func (s Secret) Text() string {
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(s)
}

// Address returns the address that an app reads from a QR code. The issuer and
// the account are what the app shows beside the code; a colon would separate
// them, so the issuer loses its own.
func (s Secret) Address(issuer, account string) string {
	issuer = escaped(strings.ReplaceAll(issuer, ":", " "))
	return "otpauth://totp/" + issuer + ":" + escaped(account) + "?secret=" + s.Text() + "&issuer=" + issuer
}

// escaped escapes a text for a path and a query alike: apps take "+" for itself.
func escaped(text string) string { return strings.ReplaceAll(url.QueryEscape(text), "+", "%20") }

// Step returns the number of the code that is shown at a time (RFC 6238,
// section 4.2).
func Step(at time.Time) int64 { return at.Unix() / int64(period/time.Second) }

// Code returns the code of a step (RFC 4226, section 5.3).
func (s Secret) Code(step int64) string {
	var counter [8]byte
	binary.BigEndian.PutUint64(counter[:], uint64(step))
	mac := hmac.New(sha1.New, s)
	mac.Write(counter[:])
	sum := mac.Sum(nil)
	offset := sum[len(sum)-1] & 0x0f
	number := binary.BigEndian.Uint32(sum[offset:]) & 0x7fffffff
	return fmt.Sprintf("%0*d", CodeLength, number%codeRange)
}

// Match returns the first step later than used whose code is the given one and
// accepted at a time, or false.
func (s Secret) Match(code string, at time.Time, used int64) (step int64, ok bool) {
	now := Step(at)
	for step := now - drift; step <= now+drift; step++ {
		if subtle.ConstantTimeCompare([]byte(s.Code(step)), []byte(code)) == 1 && step > used {
			return step, true
		}
	}
	return 0, false
}

const (
	// RecoveryCodes is how many recovery codes a member gets.
	RecoveryCodes = 10
	// recoveryLength is the number of letters and digits of one, of 5 bits each.
	recoveryLength = 16
	recoveryGroup  = 4
	// recoveryAlphabet lacks letters that look or sound like others.
	recoveryAlphabet = "0123456789abcdefghjkmnpqrstvwxyz"
)

// NewRecoveryCodes returns recovery codes of 80 random bits each, in groups of
// four letters and digits.
func NewRecoveryCodes() ([]string, error) {
	codes := make([]string, RecoveryCodes)
	for i := range codes {
		raw := make([]byte, recoveryLength)
		if _, err := rand.Read(raw); err != nil {
			return nil, err
		}
		var b strings.Builder
		for j, c := range raw {
			if j > 0 && j%recoveryGroup == 0 {
				b.WriteByte('-')
			}
			b.WriteByte(recoveryAlphabet[int(c)%len(recoveryAlphabet)])
		}
		codes[i] = b.String()
	}
	return codes, nil
}

// Typed returns a code without what people type between its letters and digits,
// in small letters.
func Typed(code string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, code)
}

// IsRecovery reports whether a typed code has the length of a recovery code.
func IsRecovery(typed string) bool { return len(typed) == recoveryLength }

// Hash returns the hash by which a member's recovery code is stored. Its 80
// random bits need no slow one.
func Hash(ws parley.WorkspaceID, member parley.UserID, code string) [32]byte {
	return sha256.Sum256([]byte("recovery code\x00" + ws.String() + "\x00" + string(member) + "\x00" + Typed(code)))
}

// Record is what the sealed secret of a member is bound to, besides its
// workspace.
func Record(member parley.UserID) string { return "second factor " + string(member) }

package access

import (
	"crypto/rand"
	"encoding/base64"
	"strings"

	"parley"
	"parley/internal/vault"
)

// An IdentitySecret is an identity key that is not stored yet, with its secret
// if it has one.
type IdentitySecret struct {
	Key    parley.IdentityKey
	Made   string // the generated secret: 32 random bytes as base64url; "" if the company supplied it
	Sealed []byte // the secret as it is stored
}

// NewIdentitySecret returns a new identity key of a kind.
func NewIdentitySecret(ids *parley.IDs, kind parley.IdentityKeyKind) IdentitySecret {
	return IdentitySecret{Key: parley.IdentityKey{KID: "idk_" + ids.NewText(20), Kind: kind}}
}

// madeSecret is the number of bytes of a generated secret. The bytes are
// stored, and companies know them as base64url. A secret that a company
// supplied is stored as its text, which is longer.
const madeSecret = 32

// Seal encrypts the given secret, or generates one if it is "". The error for a
// secret that is too short or too long is Invalid.
func (s *IdentitySecret) Seal(v *vault.Vault, ws parley.WorkspaceID, given string) error {
	kept := []byte(given)
	if given == "" {
		kept = make([]byte, madeSecret)
		if _, err := rand.Read(kept); err != nil {
			return err
		}
		s.Made = base64.RawURLEncoding.EncodeToString(kept)
	} else if len(given) < parley.MinIdentitySecret || len(given) > parley.MaxName || strings.ContainsFunc(given, notPrintable) {
		return parley.InvalidField("secret", "be 40 to 255 characters of ASCII, without spaces and controls")
	}
	var err error
	s.Sealed, err = v.Seal(kept, ws.String(), s.Key.KID)
	return err
}

func notPrintable(r rune) bool { return r <= ' ' || r > '~' }

// SecretText returns the text of a secret that Seal encrypted.
func SecretText(kept []byte) string {
	if len(kept) == madeSecret {
		return base64.RawURLEncoding.EncodeToString(kept)
	}
	return string(kept)
}

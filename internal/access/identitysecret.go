package access

import (
	"crypto/rand"
	"encoding/base64"
	"strings"

	"parley"
	"parley/internal/vault"
)

// An IdentitySecret is an identity key that is not stored yet, with the secret
// that it is about, if it is about one.
type IdentitySecret struct {
	Key    parley.IdentityKey
	Made   string // the secret that was made here: 32 random bytes as base64url; "" for none
	Sealed []byte // the secret as it is stored
}

// NewIdentitySecret begins an identity key of a kind.
func NewIdentitySecret(ids *parley.IDs, kind parley.IdentityKeyKind) IdentitySecret {
	return IdentitySecret{Key: parley.IdentityKey{KID: "idk_" + ids.NewText(20), Kind: kind}}
}

// madeSecret is how many bytes a secret has that was made here. They are kept
// as they are, and everybody knows them by their base64url; one that a company
// brought along is kept as its text, which is longer.
const madeSecret = 32

// Seal seals the secret given, or makes one where that is "". The error of a
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

// SecretText returns the text by which a company knows a secret, of what Seal
// sealed.
func SecretText(kept []byte) string {
	if len(kept) == madeSecret {
		return base64.RawURLEncoding.EncodeToString(kept)
	}
	return string(kept)
}

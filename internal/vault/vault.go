// Package vault keeps secrets at rest: it seals those that must be read again
// under the server's master key (AES-256-GCM), and hashes passwords, which
// must not (argon2id). It also signs what the server says to itself by way of
// others.
//
// It imports nothing of this module, and stores nothing but the file of the
// master key. What it seals is bytes for others to store: a version byte, a
// random nonce of 12 bytes, the encrypted secret and its tag of 16 bytes. The
// nonces are random, so one key should seal no more than 2^32 secrets.
package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
)

const (
	keySize = 32
	// version is the first byte of what Seal returns, so that another way of
	// sealing can be told apart later.
	version = 1
)

// ErrSealed is the error of a secret that cannot be opened: it was sealed
// under another key, for another record, or was changed.
var ErrSealed = errors.New("the secret cannot be opened with this master key")

// A Vault seals and opens secrets. Its methods may be called by many
// goroutines.
type Vault struct {
	aead        cipher.AEAD
	signing     []byte
	fingerprint string
}

// FromBase64 returns a vault whose key is given as base64 of 32 bytes. White
// space around it does not matter.
func FromBase64(text string) (*Vault, error) {
	key, err := base64.StdEncoding.Strict().DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != keySize {
		return nil, errors.New("the master key must be 32 bytes in base64")
	}
	return fromKey(key)
}

func fromKey(key []byte) (*Vault, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	return &Vault{
		aead: aead, signing: derive(key, "parley signing key"),
		fingerprint: hex.EncodeToString(derive(key, "parley master key fingerprint")[:8]),
	}, nil
}

// derive makes another key of a key, which tells nothing of it.
func derive(key []byte, name string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(name))
	return mac.Sum(nil)
}

// Fingerprint names the master key, in 16 hexadecimal digits that tell nothing
// of it. Kept beside what is sealed, it shows at the start that a server was
// given another key, before anything is sealed under that one.
func (v *Vault) Fingerprint() string { return v.fingerprint }

// Seal encrypts a secret for one record, named by its workspace and its own
// id. It can be opened for that record alone, so that whoever may write to the
// store cannot move a secret to a record of their own.
func (v *Vault) Seal(secret []byte, workspace, record string) ([]byte, error) {
	sealed := make([]byte, 1+v.aead.NonceSize(), 1+v.aead.NonceSize()+len(secret)+v.aead.Overhead())
	sealed[0] = version
	nonce := sealed[1:]
	if _, err := rand.Read(nonce); err != nil {
		return nil, fmt.Errorf("seal a secret: %w", err)
	}
	return v.aead.Seal(sealed, nonce, secret, recordData(workspace, record)), nil
}

// Open decrypts what Seal returned for the same record, or returns ErrSealed.
func (v *Vault) Open(sealed []byte, workspace, record string) ([]byte, error) {
	size := v.aead.NonceSize()
	if len(sealed) < 1+size || sealed[0] != version {
		return nil, ErrSealed
	}
	secret, err := v.aead.Open(nil, sealed[1:1+size], sealed[1+size:], recordData(workspace, record))
	if err != nil {
		return nil, ErrSealed
	}
	return secret, nil
}

// recordData is what a sealed secret is bound to. The length stands before the
// first name, so that no two pairs of names give the same bytes.
func recordData(workspace, record string) []byte {
	b := append(make([]byte, 0, 5+len(workspace)+len(record)), version)
	b = binary.BigEndian.AppendUint32(b, uint32(len(workspace)))
	return append(append(b, workspace...), record...)
}

// signatureSize is how many bytes a signature has.
const signatureSize = 20

// Sign returns the signature of a statement that this server makes to itself,
// by way of others, such as an address that it gave out: HMAC-SHA-256 cut to 160
// bits (RFC 2104, section 5), under a key made of the master key. purpose keeps
// the signatures of one kind of statement from being taken for another's.
func (v *Vault) Sign(purpose string, statement []byte) []byte {
	mac := hmac.New(sha256.New, v.signing)
	mac.Write(recordData(purpose, string(statement)))
	return mac.Sum(nil)[:signatureSize]
}

// Signed reports whether a signature is Sign's of the statement, in a time that
// does not depend on it.
func (v *Vault) Signed(purpose string, statement, signature []byte) bool {
	return hmac.Equal(v.Sign(purpose, statement), signature)
}

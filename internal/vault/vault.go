// Package vault protects secrets at rest. It encrypts those that must be
// readable again under the server's master key (AES-256-GCM) and hashes
// passwords, which must not be readable (argon2id). It also signs statements
// that the server hands out and later receives back.
//
// It imports nothing of this module and stores nothing except the file of the
// master key. A sealed secret, which callers store, consists of a version byte,
// a random nonce of 12 bytes, the ciphertext and a tag of 16 bytes. Because the
// nonces are random, one key should seal no more than 2^32 secrets.
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
	// version is the first byte of a sealed secret, so that another format can
	// be recognized later.
	version = 1
)

// ErrSealed says that a secret cannot be opened: it was sealed under another
// key or for another record, or it was changed.
var ErrSealed = errors.New("the secret cannot be opened with this master key")

// A Vault seals and opens secrets. Its methods are safe for concurrent use.
type Vault struct {
	aead        cipher.AEAD
	signing     []byte
	fingerprint string
	key         []byte
	passwords   Cost
	other       *Vault // see Besides; nil: none
}

// FromBase64 returns a vault with a key of 32 bytes, given in base64.
// Surrounding white space is ignored.
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
		aead: aead, key: key, signing: derive(key, "parley signing key"),
		fingerprint: hex.EncodeToString(derive(key, "parley master key fingerprint")[:8]), passwords: Recommended(),
	}, nil
}

// WithPasswordCost returns a vault that hashes passwords at another cost. It is
// for tests, which hash many passwords and protect none.
func (v *Vault) WithPasswordCost(c Cost) *Vault {
	other := *v
	other.passwords = c
	return &other
}

// PasswordCost returns the cost of hashing a password: [Recommended], except in
// tests.
func (v *Vault) PasswordCost() Cost { return v.passwords }

// derive derives a key that reveals nothing about the original.
func derive(key []byte, name string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(name))
	return mac.Sum(nil)
}

// Fingerprint returns 16 hexadecimal digits that identify the master key
// without revealing it. Stored beside the sealed secrets, it reveals at startup
// that a server has a different key, before anything is sealed under that one.
func (v *Vault) Fingerprint() string { return v.fingerprint }

// Besides returns a vault that seals and signs under v's key, and also opens what
// was sealed under another one and accepts its signatures: for the time in which
// a new master key takes over.
func (v *Vault) Besides(other *Vault) *Vault {
	both := *v
	both.other = other
	return &both
}

// Alone returns a vault of v's own key.
func (v *Vault) Alone() *Vault {
	alone := *v
	alone.other = nil
	return &alone
}

// OtherFingerprint is the fingerprint of the key that [Vault.Besides] added, or
// "".
func (v *Vault) OtherFingerprint() string {
	if v.other == nil {
		return ""
	}
	return v.other.fingerprint
}

// MasterKeys returns v's key and the one that [Vault.Besides] added, for an encrypted
// backup: by their fingerprints, in base64. They open everything that was sealed.
func (v *Vault) MasterKeys() map[string]string {
	keys := map[string]string{v.fingerprint: base64.StdEncoding.EncodeToString(v.key)}
	if v.other != nil {
		keys[v.other.fingerprint] = base64.StdEncoding.EncodeToString(v.other.key)
	}
	return keys
}

// Seal encrypts a secret for one record, identified by its workspace and its
// id. Only the same record can open it, so a person with write access to the
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
	switch {
	case err == nil:
		return secret, nil
	case v.other != nil:
		return v.other.Open(sealed, workspace, record)
	default:
		return nil, ErrSealed
	}
}

// recordData is what a sealed secret is bound to. The length prefix keeps two
// different pairs from producing the same bytes.
func recordData(workspace, record string) []byte {
	b := append(make([]byte, 0, 5+len(workspace)+len(record)), version)
	b = binary.BigEndian.AppendUint32(b, uint32(len(workspace)))
	return append(append(b, workspace...), record...)
}

// signatureSize is the size of a signature in bytes.
const signatureSize = 20

// Sign signs a statement that the server hands out and later receives back,
// such as a signed URL: HMAC-SHA-256 truncated to 160 bits (RFC 2104, section
// 5), under a key derived from the master key. purpose keeps signatures for one
// purpose from being valid for another.
func (v *Vault) Sign(purpose string, statement []byte) []byte {
	mac := hmac.New(sha256.New, v.signing)
	mac.Write(recordData(purpose, string(statement)))
	return mac.Sum(nil)[:signatureSize]
}

// Signed reports whether a signature is valid for the statement, each key in
// constant time.
func (v *Vault) Signed(purpose string, statement, signature []byte) bool {
	return hmac.Equal(v.Sign(purpose, statement), signature) || v.other != nil && v.other.Signed(purpose, statement, signature)
}

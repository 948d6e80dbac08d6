// Package vault keeps secrets at rest: it seals those that must be read again
// under the server's master key (AES-256-GCM), and hashes passwords, which
// must not (argon2id).
//
// It imports nothing of this module, and stores nothing but the file of the
// master key.
package vault

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	aead cipher.AEAD
}

// FromBase64 returns a vault whose key is given as base64 of 32 bytes.
func FromBase64(text string) (*Vault, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil || len(key) != keySize {
		return nil, errors.New("the master key must be 32 bytes in base64")
	}
	return fromKey(key)
}

// FromFile returns a vault whose key is in a file. A file that is not there is
// made with a new key, which only its owner may read. Losing the file is
// losing what is sealed under it.
func FromFile(path string) (*Vault, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeKeyFile(path); err != nil {
			return nil, err
		}
		text, err = os.ReadFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the master key: %w", err)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read the master key: %w", err)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("the master key %s must be readable by its owner alone (chmod 600)", path)
	}
	return FromBase64(string(text))
}

// makeKeyFile makes the file in one step, so that of two processes that start
// at once one makes it and both read the same.
func makeKeyFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make the master key: %w", err)
	}
	key := make([]byte, keySize)
	if _, err := rand.Read(key); err != nil {
		return fmt.Errorf("make the master key: %w", err)
	}
	draft, err := os.CreateTemp(filepath.Dir(path), ".master-*")
	if err != nil {
		return fmt.Errorf("make the master key: %w", err)
	}
	defer func() { _ = os.Remove(draft.Name()) }() // the link below stays
	_, err = draft.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	err = errors.Join(err, draft.Sync(), draft.Close())
	if err != nil {
		return fmt.Errorf("make the master key: %w", err)
	}
	if err := os.Link(draft.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the master key: %w", err)
	}
	return nil
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
	return &Vault{aead: aead}, nil
}

// Seal encrypts a secret for one record, named by its workspace and its own
// id. It can be opened for that record alone.
func (v *Vault) Seal(secret []byte, workspace, record string) ([]byte, error) {
	sealed := make([]byte, 1+v.aead.NonceSize(), 1+v.aead.NonceSize()+len(secret)+v.aead.Overhead())
	sealed[0] = version
	nonce := sealed[1:]
	if _, err := rand.Read(nonce); err != nil {
		return nil, err
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

func recordData(workspace, record string) []byte { return []byte(workspace + "\x00" + record) }

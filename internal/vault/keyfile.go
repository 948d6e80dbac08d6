package vault

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"parley/internal/durable"
)

// maxKeyFile is the most bytes read from a key file.
const maxKeyFile = 1 << 10

// FromFile returns a vault whose key is in a file, in base64. If the file does
// not exist, it is created with a new key and is readable only by its owner, who
// is the owner of the folder if root creates it; an existing file is never
// written. Losing the file means losing everything sealed under its key.
func FromFile(path string) (*Vault, error) {
	text, err := readKeyFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeKeyFile(path); err != nil {
			return nil, fmt.Errorf("make the master key %s: %w", path, err)
		}
		text, err = readKeyFile(path)
	}
	if err != nil {
		return nil, fmt.Errorf("read the master key %s: %w", path, err)
	}
	v, err := FromBase64(text)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return v, nil
}

// readKeyFile checks the permissions of the file that it has opened, not of one
// that has taken its name in the meantime.
func readKeyFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = file.Close() }() // it was only read
	info, err := file.Stat()
	switch {
	case err != nil:
		return "", err
	case !info.Mode().IsRegular():
		return "", errors.New("it must be a plain file")
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0:
		return "", errors.New("it must be readable by its owner alone (chmod 600)")
	}
	text, err := io.ReadAll(io.LimitReader(file, maxKeyFile))
	return string(text), err
}

// makeKeyFile writes a key to a draft and links it to path. Unlike a rename, a
// link never replaces a file: if two processes start at once, both use the
// first key. A crash never leaves a partial key.
func makeKeyFile(path string) error {
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	key := make([]byte, keySize)
	if _, err := rand.Read(key); err != nil {
		return err
	}
	draft, err := os.CreateTemp(folder, ".master-*") // with mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(draft.Name()) }() // the link remains
	_, err = draft.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	if err := errors.Join(err, draft.Sync(), draft.Close(), giveTo(folder, draft.Name())); err != nil {
		return err
	}
	if err := os.Link(draft.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return durable.Sync(folder) // after a power failure, what was sealed under a missing key would be lost
}

// ReplaceFile puts the key file next in the place of path, and keeps the one of
// path as former, in place of an earlier former. It does nothing if there is no
// next. A crash leaves path with one of the two keys, and can be followed by
// another call.
func ReplaceFile(path, next, former string) error {
	if _, err := os.Stat(next); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.Remove(former); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Link(path, former); err != nil {
		return err
	}
	if err := os.Rename(next, path); err != nil {
		return err
	}
	return durable.Sync(filepath.Dir(path))
}

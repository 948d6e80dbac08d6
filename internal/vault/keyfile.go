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
)

// maxKeyFile is the most bytes that are read of a key's file.
const maxKeyFile = 1 << 10

// FromFile returns a vault whose key is in a file, in base64. A file that is
// not there is made with a new key, which only its owner may read; one that is
// there is never written to. Losing the file is losing what is sealed under it.
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

// readKeyFile asks who may read the file that it then reads, not one that took
// its name meanwhile.
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

// makeKeyFile writes a key to a draft on the disk and then gives it the name.
// A link, other than a rename, replaces nothing: of two processes that start at
// once, both read the key of the first. A crash leaves no half of a key.
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
	defer func() { _ = os.Remove(draft.Name()) }() // the link stays
	_, err = draft.WriteString(base64.StdEncoding.EncodeToString(key) + "\n")
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return err
	}
	if err := os.Link(draft.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncFolder(folder)
}

// syncFolder puts the new name on the disk: a key that a power cut takes away
// after something was sealed under it would be lost for good.
func syncFolder(folder string) error {
	if runtime.GOOS == "windows" {
		return nil // folders cannot be synced there
	}
	file, err := os.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

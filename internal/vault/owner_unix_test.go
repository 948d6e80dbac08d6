//go:build unix

package vault_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"parley/internal/vault"
)

// TestFromFileAsRoot makes a key in the folder of another user, who must be able
// to read it.
func TestFromFileAsRoot(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("NOT TRIED: only root makes files for others")
	}
	folder := t.TempDir()
	if err := os.Chown(folder, 10001, 10002); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "master.key")
	if _, err := vault.FromFile(path); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if of := info.Sys().(*syscall.Stat_t); of.Uid != 10001 || of.Gid != 10002 || info.Mode().Perm() != 0o600 {
		t.Errorf("the key belongs to %d:%d, with %s", of.Uid, of.Gid, info.Mode())
	}
}

// Package durable makes files survive a power failure.
//
// It imports no other package of Parley.
package durable

import (
	"errors"
	"os"
	"runtime"
)

// Sync makes the content of a file durable or, of a folder, the names in it: a file
// that was created or renamed may be gone after a power failure until then.
func Sync(path string) error {
	mode := os.O_RDONLY
	if runtime.GOOS == "windows" {
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			return nil // folders cannot be synced there
		}
		mode = os.O_RDWR // it only syncs files opened for writing
	}
	file, err := os.OpenFile(path, mode, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

//go:build unix

package vault

import (
	"os"
	"syscall"
)

// giveTo gives a file that root made to the owner of a folder: a server that runs
// as that user must be able to read it.
func giveTo(folder, file string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	info, err := os.Stat(folder)
	if err != nil {
		return err
	}
	if of, ok := info.Sys().(*syscall.Stat_t); ok {
		return os.Chown(file, int(of.Uid), int(of.Gid))
	}
	return nil
}

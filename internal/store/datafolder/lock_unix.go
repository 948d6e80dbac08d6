//go:build unix && !aix && !solaris

package datafolder

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// openLock opens the lock file and locks it, exclusively or shared. The kernel
// releases the lock when the process ends.
func openLock(dir string, alone bool) (*os.File, error) {
	file, err := os.OpenFile(filepath.Join(dir, LockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX
	}
	for {
		err = syscall.Flock(int(file.Fd()), how|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errLocked
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

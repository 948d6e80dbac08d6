package datafolder

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
)

// sharingViolation is ERROR_SHARING_VIOLATION: another process has the file
// open in a conflicting mode.
const sharingViolation syscall.Errno = 32

// openLock opens the lock file, exclusively or shared. Windows closes it when
// the process ends.
func openLock(dir string, alone bool) (*os.File, error) {
	path := filepath.Join(dir, LockName)
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	share := uint32(syscall.FILE_SHARE_READ | syscall.FILE_SHARE_WRITE)
	if alone {
		share = 0
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, share, nil,
		syscall.OPEN_ALWAYS, syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if errors.Is(err, sharingViolation) {
		return nil, errLocked
	}
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(handle), path), nil
}

// Package datafolder makes the folder of an embedded store, and locks it for the
// one process that serves the store.
package datafolder

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// LockName is the name of the lock file in the folder of an embedded store. The
// process that serves the store keeps it locked. The file remains when the
// process ends, but the kernel releases the lock even after a crash.
const LockName = "parley.lock"

// lockPatience is how long a server waits for the lock: a command may be
// changing the schema, or a stopped server may be shutting down.
const (
	lockPatience = time.Second
	lockPause    = 20 * time.Millisecond
)

// errLocked says that another process holds the lock.
var errLocked = errors.New("locked")

// A Lock is the exclusive right to serve an embedded store or to replace its
// file. Commands that read and write records do not need it, because SQLite
// isolates them from the server.
type Lock struct{ file *os.File }

// Take locks the embedded store in a folder, and creates the folder if it does
// not exist. If another process holds the lock, the error names that process.
func Take(dir string) (*Lock, error) {
	if err := Make(dir); err != nil {
		return nil, err
	}
	file, err := openLock(dir, true)
	for waited := time.Duration(0); errors.Is(err, errLocked) && waited < lockPatience; waited += lockPause {
		time.Sleep(lockPause)
		file, err = openLock(dir, true)
	}
	if errors.Is(err, errLocked) {
		return nil, errServed(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", filepath.Join(dir, LockName), err)
	}
	l := &Lock{file: file}
	if err := l.name(strconv.Itoa(os.Getpid()) + "\n"); err != nil {
		return nil, errors.Join(fmt.Errorf("write %s: %w", file.Name(), err), file.Close())
	}
	return l, nil
}

// name records the process that holds the lock, for the error message of
// others.
func (l *Lock) name(text string) error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt([]byte(text), 0)
	return err
}

// Close releases the lock. It does nothing if l is nil.
func (l *Lock) Close() error {
	if l == nil {
		return nil
	}
	return errors.Join(l.name(""), l.file.Close())
}

// TakeForSchema keeps servers from starting while a process changes the schema; a
// running server would not notice the change. Several such processes may hold
// the lock at once, since the transaction isolates them from each other. A
// store that is just being created has no server yet.
func TakeForSchema(dir string) (*Lock, error) {
	file, err := openLock(dir, false)
	if errors.Is(err, errLocked) {
		return nil, fmt.Errorf("the store needs the schema of this program, which is newer than that of the server that serves it: "+
			"stop that server first: %w", errServed(dir))
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", filepath.Join(dir, LockName), err)
	}
	l := &Lock{file: file}
	return l, l.name("") // a killed server may have left its pid
}

func errServed(dir string) error {
	by := "another process"
	if pid := holder(dir); pid != "" {
		by = "process " + pid
	}
	return fmt.Errorf("%s is served by %s already: one server may use a data folder at a time", dir, by)
}

// holder returns the process id in the lock file, or "". It is valid only while
// the file is locked.
func holder(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, LockName))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// Make creates the folder if it does not exist, for its owner alone.
func Make(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of the store: %w", err)
	}
	return nil
}

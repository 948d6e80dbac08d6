package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// LockName is the name of the file in the folder of the embedded store that the
// process which serves it keeps locked. The file stays when the process ends;
// the lock does not, however the process ends.
const LockName = "parley.lock"

// lockPatience is how long a server waits for the lock: a command may be
// changing the schema, or a server that was stopped may be about to end.
const (
	lockPatience = time.Second
	lockPause    = 20 * time.Millisecond
)

// errLocked is the error of a lock that another process holds.
var errLocked = errors.New("locked")

// A Lock is the right to be the only process that serves an embedded store, or
// that puts another file in its place. Commands that read and write records need
// none: SQLite keeps them apart from the server.
type Lock struct{ file *os.File }

// LockFolder takes the lock of the embedded store in a folder, which it makes if
// it is not there. Where another process holds it, the error names that process.
func LockFolder(dir string) (*Lock, error) {
	if err := makeFolder(dir); err != nil {
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

// name writes who holds the lock, for the message of the one who does not get
// it.
func (l *Lock) name(text string) error {
	if err := l.file.Truncate(0); err != nil {
		return err
	}
	_, err := l.file.WriteAt([]byte(text), 0)
	return err
}

// Close gives the lock back. It may be called on nil, which is no lock.
func (l *Lock) Close() error {
	if l == nil {
		return nil
	}
	return errors.Join(l.name(""), l.file.Close())
}

// lockSchema keeps servers away while a process changes the schema, which a
// server that is running would not notice. Several such processes do not
// disturb each other: the transaction keeps them apart. A store that is made
// has no server yet.
func lockSchema(dir string) (*Lock, error) {
	file, err := openLock(dir, false)
	if errors.Is(err, errLocked) {
		return nil, fmt.Errorf("the store needs the schema of this program, which is newer than that of the server that serves it: "+
			"stop that server first: %w", errServed(dir))
	}
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", filepath.Join(dir, LockName), err)
	}
	l := &Lock{file: file}
	return l, l.name("") // a server that was killed may have left its own
}

func errServed(dir string) error {
	by := "another process"
	if pid := holder(dir); pid != "" {
		by = "process " + pid
	}
	return fmt.Errorf("%s is served by %s already: one server may use a data folder at a time", dir, by)
}

// holder returns the process that wrote its name into the lock's file, or "". It
// says something only of a file that is locked.
func holder(dir string) string {
	text, err := os.ReadFile(filepath.Join(dir, LockName))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the folder of the store: %w", err)
	}
	return nil
}

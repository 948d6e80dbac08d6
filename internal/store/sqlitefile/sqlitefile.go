// Package sqlitefile guards the file of an embedded store: it refuses the file of
// another program, remembers the first error that indicates damage, and notices
// that the file was moved, replaced or deleted while it is open. It imports only
// the vocabulary.
package sqlitefile

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley"
)

// damageAdvice is what to do about a damaged file, at startup and at run time.
const damageAdvice = "stop the server, keep a copy of the whole data folder, and restore the newest good backup"

// BusyTimeout is how long a command waits for a transaction of the server, and
// vice versa.
const BusyTimeout = 10 * time.Second

// retryAfter is when a refused caller may try again.
const retryAfter = time.Second

// A File is the file of an embedded store and what is wrong with it. Its methods
// may be called by many goroutines.
type File struct {
	path string
	log  *slog.Logger
	// opened are the files that the connections have open: the database and its
	// write-ahead log. A name may refer to another file later.
	opened map[string]os.FileInfo

	damaged atomic.Pointer[damage]
	once    sync.Once   // guards the log line about damage
	moved   atomic.Bool // at the last check; avoids repeated log lines
}

// A damage is the reason why a file can no longer be trusted.
type damage struct{ err error }

// Peek returns the schema version of a file, 0 if there is none, and
// refuses a database of another program. It changes nothing. In particular it
// does not open a missing or empty file, which would delete a write-ahead log
// beside it.
func Peek(path string) (version int, err error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) || err == nil && info.Size() == 0 {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer func() { err = Advise(path, err) }()
	conn, err := sqlite.OpenConn(path, sqlite.OpenReadWrite)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	conn.SetBusyTimeout(BusyTimeout)
	ask := func(sql string) (n int, err error) {
		err = sqlitex.ExecuteTransient(conn, sql, &sqlitex.ExecOptions{ResultFunc: func(stmt *sqlite.Stmt) error {
			n = stmt.ColumnInt(0)
			return nil
		}})
		return n, err
	}
	tables, err := ask("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
	if err != nil || tables == 0 {
		return 0, err
	}
	ours, err := ask("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'schema_versions'")
	if err == nil && ours == 0 {
		err = fmt.Errorf("%s belongs to another program: it has tables, and not those of a store", path)
	}
	if err != nil {
		return 0, err
	}
	return ask("SELECT COALESCE(max(version), 0) FROM schema_versions")
}

// New returns the guard of a file that connections have just opened.
func New(path string, log *slog.Logger) (*File, error) {
	f := &File{path: path, log: log, opened: map[string]os.FileInfo{}}
	for _, name := range []string{path, path + "-wal"} {
		info, err := os.Stat(name)
		if errors.Is(err, os.ErrNotExist) && name != path {
			continue // created by the first read or write
		}
		if err != nil {
			return nil, err
		}
		f.opened[name] = info
	}
	return f, nil
}

// Note checks the error of a statement for damage. SQLite finds damage only
// where it reads, so one such error discredits the whole file.
func (f *File) Note(err error) {
	if !IsDamage(err) {
		return
	}
	f.damaged.CompareAndSwap(nil, &damage{err})
	f.once.Do(func() {
		f.log.Error("store: the database is damaged", "file", f.path, "error", err, "do", damageAdvice)
	})
}

// Path returns the path of the file.
func (f *File) Path() string { return f.path }

// InPlace returns an Unavailable error if the names of the open files refer to other files,
// or to none: whatever is written then is lost when the process ends.
func (f *File) InPlace() error {
	for name, opened := range f.opened {
		now, err := os.Stat(name)
		if err == nil && os.SameFile(opened, now) {
			continue
		}
		if err == nil {
			err = fmt.Errorf("%s is another file than the one that the server opened", name)
		}
		if !f.moved.Swap(true) {
			f.log.Error("store: the database was moved, replaced or deleted under the server; nothing is written", "error", err,
				"do", "put the file back, or restart the server on the one that is there now")
		}
		return &parley.Error{
			Kind: parley.Unavailable, Message: "the file of the store was moved or replaced; the server's log says more", RetryAfter: retryAfter, Cause: err,
		}
	}
	if f.moved.Swap(false) {
		f.log.Info("store: the database is back in its place")
	}
	return nil
}

// Sound returns an Unavailable error if the file is damaged or not in its place.
func (f *File) Sound() error {
	if d := f.damaged.Load(); d != nil {
		return Damaged(d.err)
	}
	return f.InPlace()
}

// Damaged returns the Unavailable error of a request that met damage.
func Damaged(cause error) error {
	return &parley.Error{
		Kind: parley.Unavailable, Message: "the store is damaged; the server's log says more", RetryAfter: retryAfter, Cause: cause,
	}
}

// Inspect reads the whole file on its own connection, table by table, because a
// long transaction would keep the write-ahead log from being reset.
func (f *File) Inspect(ctx context.Context) (err error) {
	conn, err := sqlite.OpenConn(f.path, sqlite.OpenReadOnly)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	conn.SetBusyTimeout(BusyTimeout)
	conn.SetInterrupt(ctx.Done())
	defer func() { f.Note(err) }()
	var tables []string
	err = sqlitex.ExecuteTransient(conn, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'", &sqlitex.ExecOptions{
		ResultFunc: func(stmt *sqlite.Stmt) error {
			tables = append(tables, stmt.ColumnText(0))
			return nil
		},
	})
	for _, table := range tables {
		if err != nil {
			break
		}
		err = sqlitex.ExecuteTransient(conn, `PRAGMA quick_check("`+table+`")`, &sqlitex.ExecOptions{
			ResultFunc: func(stmt *sqlite.Stmt) error {
				if verdict := stmt.ColumnText(0); verdict != "ok" {
					return damageError(table + ": " + strings.TrimSpace(verdict))
				}
				return nil
			},
		})
	}
	return err
}

// A damageError is damage that an inspection found.
type damageError string

func (e damageError) Error() string { return string(e) }

// IsDamage reports whether an error says that a file is damaged.
func IsDamage(err error) bool {
	var found damageError
	if errors.As(err, &found) {
		return true
	}
	switch sqlite.ErrCode(err).ToPrimary() {
	case sqlite.ResultCorrupt, sqlite.ResultNotADB:
		return true
	}
	return false
}

// Advise adds advice to the error of a damaged file; another error stays as it is.
func Advise(path string, err error) error {
	if !IsDamage(err) {
		return err
	}
	return fmt.Errorf("%s is damaged, or no database of SQLite: %s: %w", path, damageAdvice, err)
}

// Package oldcopy keeps copies of an embedded store beside it, each made before its
// schema changed. The caller holds the lock of the file, so that nobody commits
// meanwhile.
//
// It imports durable.
package oldcopy

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"zombiezen.com/go/sqlite"
	"zombiezen.com/go/sqlite/sqlitex"

	"parley/internal/durable"
)

// infix stands between the name of the store and the schema version of a copy.
const infix = ".before-"

// draftSuffix ends the name of an incomplete copy.
const draftSuffix = ".draft"

// Make copies the database file of a store with a schema version to a file beside it.
func Make(file string, version int) (err error) {
	path := file + infix + strconv.Itoa(version)
	draft := path + draftSuffix
	defer func() {
		if err != nil {
			err = errors.Join(explain(file, path, err), remove(draft))
		}
	}()
	if err := remove(draft); err != nil { // left by a process that died
		return err
	}
	empty, err := os.OpenFile(draft, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // SQLite would let others read it
	if err != nil {
		return err
	}
	if err := empty.Close(); err != nil {
		return err
	}
	if err := copyDatabase(file, draft); err != nil {
		return err
	}
	if err := os.Rename(draft, path); err != nil {
		return err
	}
	return durable.Sync(filepath.Dir(path))
}

// copyDatabase copies the committed pages of a database into an empty file.
func copyDatabase(from, to string) (err error) {
	source, err := sqlite.OpenConn(from, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	target, err := sqlite.OpenConn(to, sqlite.OpenReadWrite)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	if err := sqlitex.ExecuteTransient(target, "PRAGMA synchronous = EXTRA", nil); err != nil {
		return err
	}
	work, err := sqlite.NewBackup(target, "main", source, "main")
	if err != nil {
		return err
	}
	_, err = work.Step(-1)
	return errors.Join(err, work.Close())
}

// explain tells an operator what to do about a failed copy.
func explain(file, path string, err error) error {
	if sqlite.ErrCode(err).ToPrimary() != sqlite.ResultFull {
		return fmt.Errorf("copy the store to %s before its schema changes: %w", path, err)
	}
	need := "as much space as the store"
	if info, statErr := os.Stat(file); statErr == nil {
		need = fmt.Sprintf("%d MB", info.Size()>>20+1)
	}
	return fmt.Errorf("copy the store to %s before its schema changes: the disk is full, the copy needs %s. "+
		"Nothing was changed. Free some space, or turn copies off by --migration-copies=0: %w", path, need, err)
}

// remove deletes a copy and what SQLite may have left beside it.
func remove(path string) error {
	var errs []error
	for _, name := range []string{path, path + "-journal", path + "-wal", path + "-shm"} {
		if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Prune deletes all but the newest copies of the database file of a store.
func Prune(file string, keep int) error {
	found, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return err
	}
	var versions []int
	for _, entry := range found {
		number, isCopy := strings.CutPrefix(entry.Name(), filepath.Base(file)+infix)
		if version, err := strconv.Atoi(number); isCopy && err == nil {
			versions = append(versions, version)
		}
	}
	slices.Sort(versions)
	var errs []error
	for _, version := range versions[:max(0, len(versions)-keep)] {
		errs = append(errs, remove(file+infix+strconv.Itoa(version)))
	}
	return errors.Join(errs...)
}

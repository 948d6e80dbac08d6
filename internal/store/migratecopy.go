package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"zombiezen.com/go/sqlite"
)

// copyPrefix begins the names of copies of an embedded store; the schema version
// of the copy follows.
const copyPrefix = FileName + ".before-"

// draftSuffix ends the name of an incomplete copy.
const draftSuffix = ".draft"

// copyBefore copies an embedded store with the schema version from to a file beside
// it. The writer holds the lock of the file, so nothing is committed meanwhile.
func (e *sqliteEngine) copyBefore(from int) (err error) {
	path := filepath.Join(filepath.Dir(e.file.path), copyPrefix+strconv.Itoa(from))
	draft := path + draftSuffix
	defer func() {
		if err != nil {
			err = errors.Join(e.copyError(path, err), removeCopy(draft))
		}
	}()
	if err := removeCopy(draft); err != nil { // left by a process that died
		return err
	}
	file, err := os.OpenFile(draft, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // SQLite would let others read it
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	if err := copyDatabase(e.file.path, draft); err != nil {
		return err
	}
	if err := os.Rename(draft, path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
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
	if err := executeAll(target, "PRAGMA synchronous = EXTRA"); err != nil {
		return err
	}
	work, err := sqlite.NewBackup(target, "main", source, "main")
	if err != nil {
		return err
	}
	_, err = work.Step(-1)
	return errors.Join(err, work.Close())
}

// copyError tells an operator what to do about a failed copy.
func (e *sqliteEngine) copyError(path string, err error) error {
	if sqlite.ErrCode(err).ToPrimary() != sqlite.ResultFull {
		return fmt.Errorf("copy the store to %s before its schema changes: %w", path, err)
	}
	need := "as much space as the store"
	if info, statErr := os.Stat(e.file.path); statErr == nil {
		need = fmt.Sprintf("%d MB", info.Size()>>20+1)
	}
	return fmt.Errorf("copy the store to %s before its schema changes: the disk is full, the copy needs %s. "+
		"Nothing was changed. Free some space, or turn copies off by --migration-copies=0: %w", path, need, err)
}

// removeCopy deletes a copy and what SQLite may have left beside it.
func removeCopy(path string) error {
	var errs []error
	for _, name := range []string{path, path + "-journal", path + "-wal", path + "-shm"} {
		if err := os.Remove(name); !errors.Is(err, os.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// pruneCopies deletes all but the newest copies of a store.
func pruneCopies(path string, keep int) error {
	found, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return err
	}
	var versions []int
	for _, entry := range found {
		number, isCopy := strings.CutPrefix(entry.Name(), copyPrefix)
		if version, err := strconv.Atoi(number); isCopy && err == nil {
			versions = append(versions, version)
		}
	}
	slices.Sort(versions)
	var errs []error
	for _, version := range versions[:max(0, len(versions)-keep)] {
		errs = append(errs, removeCopy(filepath.Join(filepath.Dir(path), copyPrefix+strconv.Itoa(version))))
	}
	return errors.Join(errs...)
}

// syncFolder makes a new name in a folder durable.
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

package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"parley/internal/backup"
)

func errTaken(path string) error {
	return fmt.Errorf("--to: %s is there already; name a new file", path)
}

// writeNew makes a file of what fill writes, under a name that nothing has. It is
// complete or not there: until then it has a name of its own beside it, so that two
// at once, or a link that somebody left, do not meet.
func writeNew(path string, fill func(io.Writer) error) (err error) {
	draft, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.draft")
	if err != nil {
		return err
	}
	defer func() {
		if gone := os.Remove(draft.Name()); err != nil && !errors.Is(gone, fs.ErrNotExist) {
			err = errors.Join(err, gone)
		}
	}()
	err = fill(draft)
	if err == nil {
		err = draft.Sync()
	}
	if err = errors.Join(err, draft.Close()); err != nil {
		return err
	}
	if err := nameNew(draft.Name(), path); err != nil {
		return err
	}
	if err := backup.SyncPath(filepath.Dir(path)); err != nil {
		return fmt.Errorf("%s is complete, and may be lost if the machine loses power now: %w", path, err)
	}
	return nil
}

// nameNew gives a complete file its name, unless another file came under it. Where
// there are no links, a file that comes in this very moment is replaced.
func nameNew(draft, path string) error {
	err := os.Link(draft, path)
	if err == nil {
		return nil
	}
	if _, there := os.Lstat(path); there == nil {
		return errTaken(path)
	}
	return os.Rename(draft, path)
}

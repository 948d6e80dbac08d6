package durable

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteNew creates a file with what fill writes. If a file of that name exists, the
// error is fs.ErrExist. The file appears when it is complete: until then it has a
// temporary name of its own, so that two calls at once do not collide, and no prepared
// link is followed.
func WriteNew(path string, fill func(io.Writer) error) (err error) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			err = exists(path)
		}
		return err
	}
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
	if err := Sync(filepath.Dir(path)); err != nil {
		return fmt.Errorf("%s is complete, but may be lost if the machine loses power now: %w", path, err)
	}
	return nil
}

func exists(path string) error { return &fs.PathError{Op: "create", Path: path, Err: fs.ErrExist} }

// nameNew gives a complete file its name, unless another file has taken it. On a file
// system without links, a file that appears at this very moment is replaced.
func nameNew(draft, path string) error {
	err := os.Link(draft, path)
	if err == nil {
		return nil
	}
	if _, there := os.Lstat(path); there == nil {
		return exists(path)
	}
	return os.Rename(draft, path)
}

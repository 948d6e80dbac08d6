package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"parley"
)

// A Folder keeps files in a folder, which the nodes of a server must share.
type Folder struct{ root string }

// NewFolder returns the place in a folder.
func NewFolder(root string) *Folder { return &Folder{root} }

// folderOf returns where the files of a workspace are whose ids end alike, so
// that no folder holds more than a part of them. The names are made of ids
// alone.
func (f *Folder) folderOf(ws parley.WorkspaceID, file parley.ID) string {
	id := file.String()
	return filepath.Join(f.root, ws.String(), id[len(id)-2:])
}

func (f *Folder) pathOf(ws parley.WorkspaceID, file parley.ID) string {
	return filepath.Join(f.folderOf(ws, file), file.String())
}

// Put writes a draft, and gives it its name when it is on the disk.
func (f *Folder) Put(_ context.Context, ws parley.WorkspaceID, file parley.ID, content io.Reader) error {
	folder := f.folderOf(ws, file)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make the folder of a file: %w", err)
	}
	draft, err := os.OpenFile(f.draftOf(ws, file), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("make a file: %w", err)
	}
	defer func() { _ = os.Remove(draft.Name()) }() // it has another name now, or failed
	_, err = io.Copy(draft, content)
	if err == nil {
		err = draft.Sync()
	}
	if err := errors.Join(err, draft.Close()); err != nil {
		return fmt.Errorf("write a file: %w", err)
	}
	if err := os.Rename(draft.Name(), f.pathOf(ws, file)); err != nil {
		return fmt.Errorf("name a file: %w", err)
	}
	for _, changed := range []string{folder, filepath.Dir(folder), f.root} {
		if err := syncFolder(changed); err != nil {
			return fmt.Errorf("write the folder of a file: %w", err)
		}
	}
	return nil
}

// draftPrefix begins the names of files that are being written. A crash may
// leave one behind, which is never read, and which Delete finds by its name.
const draftPrefix = ".draft-"

func (f *Folder) draftOf(ws parley.WorkspaceID, file parley.ID) string {
	return filepath.Join(f.folderOf(ws, file), draftPrefix+file.String())
}

// DeleteDrafts deletes what writes that a crash cut off left in the folder.
// Nobody may be writing into it.
func (f *Folder) DeleteDrafts() error {
	drafts, err := filepath.Glob(filepath.Join(f.root, "*", "*", draftPrefix+"*"))
	for _, draft := range drafts {
		err = errors.Join(err, os.Remove(draft))
	}
	return err
}

// Open opens a file.
func (f *Folder) Open(_ context.Context, ws parley.WorkspaceID, file parley.ID) (io.ReadSeekCloser, error) {
	opened, err := os.Open(f.pathOf(ws, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, errGone()
	}
	if err != nil {
		return nil, err // not opened, which would be no nil
	}
	return opened, nil
}

// Delete removes a file, and what a crash left of one.
func (f *Folder) Delete(_ context.Context, ws parley.WorkspaceID, file parley.ID) error {
	return errors.Join(remove(f.draftOf(ws, file)), remove(f.pathOf(ws, file)))
}

// remove removes a file that may be gone.
func remove(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Check makes the folder, and a file in it.
func (f *Folder) Check(context.Context) error {
	if err := os.MkdirAll(f.root, 0o700); err != nil {
		return err
	}
	// By one name, so that a crash leaves one empty file at most. Another node may
	// look at the same time.
	draft, err := os.OpenFile(filepath.Join(f.root, draftPrefix+"check"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(draft.Close(), remove(draft.Name()))
}

// syncFolder puts the names in a folder on the disk.
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

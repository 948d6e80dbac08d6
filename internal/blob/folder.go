package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"parley"
	"parley/internal/durable"
)

// A Folder stores files in a folder. All nodes of a server must share it.
type Folder struct{ root string }

// NewFolder returns the Place for a folder.
func NewFolder(root string) *Folder { return &Folder{root} }

// folderOf returns the folder of a file, chosen by the end of its id, so that
// no folder grows too large. The names consist of ids only.
func (f *Folder) folderOf(ws parley.WorkspaceID, file parley.ID) string {
	id := file.String()
	return filepath.Join(f.root, ws.String(), id[len(id)-2:])
}

func (f *Folder) pathOf(ws parley.WorkspaceID, file parley.ID) string {
	return filepath.Join(f.folderOf(ws, file), file.String())
}

// Put writes a draft and renames it once it is on the disk.
func (f *Folder) Put(_ context.Context, ws parley.WorkspaceID, file parley.ID, content io.Reader) error {
	folder := f.folderOf(ws, file)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return fmt.Errorf("make the folder of a file: %w", err)
	}
	draft, err := os.OpenFile(f.draftOf(ws, file), os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return fmt.Errorf("make a file: %w", err)
	}
	defer func() { _ = os.Remove(draft.Name()) }() // it was renamed, or failed
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
		if err := durable.Sync(changed); err != nil {
			return fmt.Errorf("write the folder of a file: %w", err)
		}
	}
	return nil
}

// draftPrefix starts the names of files that are being written. A crash may
// leave a draft behind; it is never read, and Delete removes it.
const draftPrefix = ".draft-"

func (f *Folder) draftOf(ws parley.WorkspaceID, file parley.ID) string {
	return filepath.Join(f.folderOf(ws, file), draftPrefix+file.String())
}

// DeleteDrafts deletes the drafts that a crash left in the folder. No upload
// may be running.
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
		return nil, err // not opened: a nil pointer in an interface is not nil
	}
	return opened, nil
}

// Delete deletes a file and its draft.
func (f *Folder) Delete(_ context.Context, ws parley.WorkspaceID, file parley.ID) error {
	return errors.Join(remove(f.draftOf(ws, file)), remove(f.pathOf(ws, file)))
}

// remove deletes a file that may not exist.
func remove(path string) error {
	err := os.Remove(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Check creates the folder and a file in it.
func (f *Folder) Check(context.Context) error {
	if err := os.MkdirAll(f.root, 0o700); err != nil {
		return err
	}
	// The name is fixed, so that a crash leaves at most one empty file. Another
	// node may run the check at the same time.
	draft, err := os.OpenFile(filepath.Join(f.root, draftPrefix+"check"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(draft.Close(), remove(draft.Name()))
}

package backup

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"parley/internal/durable"
	"parley/internal/store"
)

// A restored store is built in the folder stagingName of the data folder. Then the
// file planName says what replaces what. Once that file exists the restore is decided,
// and the next process that opens the store finishes it: see Finish. The data folder
// itself is not renamed, because it may be a mount point.
const (
	stagingName = ".restore"
	planName    = "restore.json"
	asidePrefix = "before-restore-"
)

// storeNames are the files that only an embedded store has.
var storeNames = []string{store.FileName, store.FileName + "-wal", store.FileName + "-shm", "whatsapp.db", "whatsapp.db-wal", "whatsapp.db-shm"}

// A plan says how a restored store takes its place.
type plan struct {
	Aside string `json:"aside"` // folder for the earlier store
	// Put are names that come from the staging folder.
	Put []string `json:"put"`
	// Remove are names of the earlier store that have no successor.
	Remove []string `json:"remove"`
}

// takePlace moves the content of the staging folder into place, and the earlier files
// with one of the names aside. It returns the folder where those are, or "" if there
// were none. run runs the steps in order; a test may stop after any.
func takePlace(dir string, names []string, now time.Time, run func(steps []func() error) error) (aside string, err error) {
	p := plan{}
	if p.Aside, err = freeName(dir, asidePrefix+now.UTC().Format("20060102T150405Z")); err != nil {
		return "", err
	}
	staging := filepath.Join(dir, stagingName)
	if p.Put, err = present(staging, names); err != nil {
		return "", err
	}
	before, err := present(dir, names)
	if err != nil {
		return "", err
	}
	if p.Remove, err = p.leftovers(dir, names); err != nil {
		return "", err
	}
	steps := append([]func() error{
		func() error { return syncTree(staging) },
		func() error { return p.decide(dir) },
	}, p.steps(dir)...)
	if err := run(steps); err != nil {
		return "", err
	}
	if len(before) == 0 {
		return "", nil
	}
	return filepath.Join(dir, p.Aside), nil
}

// runAll runs steps until one fails.
func runAll(steps []func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// freeName returns an unused name in a folder: the given one, or that with a number
// appended. There may be two restores within a second.
func freeName(dir, name string) (string, error) {
	for free, n := name, 2; ; n++ {
		taken, err := exists(filepath.Join(dir, free))
		if err != nil || !taken {
			return free, err
		}
		free = fmt.Sprintf("%s-%d", name, n)
	}
}

// leftovers returns the names that exist in a folder and have no successor.
func (p *plan) leftovers(dir string, names []string) ([]string, error) {
	before, err := present(dir, names)
	return slices.DeleteFunc(before, func(name string) bool { return slices.Contains(p.Put, name) }), err
}

// Finish finishes a decided restore, or deletes the remains of one that died before
// it was decided. The caller holds the lock of the folder.
func Finish(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, planName))
	if errors.Is(err, fs.ErrNotExist) {
		return os.RemoveAll(filepath.Join(dir, stagingName))
	}
	if err != nil {
		return err
	}
	var p plan
	if err := json.Unmarshal(text, &p); err != nil {
		return fmt.Errorf("read %s: %w", filepath.Join(dir, planName), err)
	}
	return runAll(p.steps(dir))
}

// Unfinished reports whether there is a decided restore for Finish to finish.
func Unfinished(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, planName))
	return err == nil
}

// decide writes the plan, all of it or nothing.
func (p *plan) decide(dir string) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	draft := filepath.Join(dir, stagingName, planName)
	if err := os.WriteFile(draft, text, 0o600); err != nil {
		return err
	}
	if err := durable.Sync(draft); err != nil {
		return err
	}
	if err := os.Rename(draft, filepath.Join(dir, planName)); err != nil {
		return err
	}
	return durable.Sync(dir)
}

// steps are the changes of the plan, one each. They may be run again from the
// first after they were interrupted anywhere.
func (p *plan) steps(dir string) []func() error {
	staging, aside := filepath.Join(dir, stagingName), filepath.Join(dir, p.Aside)
	steps := []func() error{func() error { return os.MkdirAll(aside, 0o700) }}
	for _, name := range p.Remove {
		steps = append(steps, func() error { return move(filepath.Join(dir, name), filepath.Join(aside, name)) })
	}
	for _, name := range p.Put {
		waits, place, kept := filepath.Join(staging, name), filepath.Join(dir, name), filepath.Join(aside, name)
		steps = append(steps,
			func() error { return unless(waits, kept, func() error { return move(place, kept) }) },
			func() error { return move(waits, place) })
	}
	return append(steps,
		func() error { return durable.Sync(aside) },
		func() error { return durable.Sync(dir) },
		func() error { return os.Remove(filepath.Join(dir, planName)) },
		func() error { return durable.Sync(dir) },
		func() error {
			_ = os.Remove(aside) // stays unless it is empty
			return os.RemoveAll(staging)
		})
}

// unless runs do if the successor still waits and the predecessor is not kept yet.
func unless(waits, kept string, do func() error) error {
	waiting, err := exists(waits)
	if err != nil || !waiting {
		return err
	}
	done, err := exists(kept)
	if err != nil || done {
		return err
	}
	return do()
}

// move renames a file that may not exist.
func move(from, to string) error {
	err := os.Rename(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func exists(path string) (bool, error) {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// present returns the names that exist in a folder.
func present(dir string, names []string) (found []string, err error) {
	for _, name := range names {
		there, err := exists(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if there {
			found = append(found, name)
		}
	}
	return found, nil
}

// canMove reports whether a name in a folder can be moved aside: it does not exist, or
// it is part of the folder's own disk. The staging folder must exist.
func canMove(dir, name string) (bool, error) {
	path, probe := filepath.Join(dir, name), filepath.Join(dir, stagingName, "probe")
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	switch {
	case info.IsDir():
		// A rename onto a folder that is not empty always fails, so nothing moves; the error
		// tells another disk, or another mount of the same disk, from a folder that can
		// move. os.Rename would check the target itself and not ask the system.
		if err := os.MkdirAll(filepath.Join(probe, "full"), 0o700); err != nil {
			return false, err
		}
		err = syscall.Rename(path, probe)
	case info.Mode()&fs.ModeSymlink != 0:
		// A link could move, but the operator wants its target to be elsewhere.
		return name != AttachmentsName, nil
	default:
		err = os.Link(path, probe) // without links, the error is another one
	}
	return !errors.Is(err, syscall.EXDEV) && !errors.Is(err, syscall.EBUSY), os.RemoveAll(probe)
}

// syncTree makes everything in a folder durable.
func syncTree(root string) error {
	return filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return durable.Sync(path)
	})
}

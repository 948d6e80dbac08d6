package erasure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"parley/internal/store"
)

// ReadLists reads a file of a list, or all lists in a folder.
func ReadLists(place string) ([]List, error) {
	info, err := os.Stat(place)
	if err != nil {
		return nil, err
	}
	paths := []string{place}
	if info.IsDir() {
		if paths, err = filepath.Glob(filepath.Join(place, ListNames)); err != nil {
			return nil, err
		}
	}
	var lists []List
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		list, err := UnpackList(content)
		if err != nil {
			return nil, fmt.Errorf("%s %w", path, err)
		}
		lists = append(lists, list)
	}
	return Gather(lists), nil
}

// ListsIn opens a store, if there is one, and returns what was erased in it. It does
// not change the store.
func ListsIn(ctx context.Context, o store.Options) (lists []List, err error) {
	if o.Database == "" {
		if _, err := os.Stat(filepath.Join(o.Dir, store.FileName)); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	from, to, err := store.MigrationStatus(ctx, o)
	if err != nil || from < FirstSchema {
		return nil, err
	}
	if from != to {
		return nil, fmt.Errorf("its schema is %d, and this program has %d: bring it up to date with 'parley migrate', or use the program that made it", from, to)
	}
	s, err := store.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	err = s.View(ctx, func(v *store.View) (err error) {
		lists, err = ListsOf(v)
		return err
	})
	return lists, err
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/backup/schedule"
	"parley/internal/erasure"
	"parley/internal/store"
)

// noErasures is the value of --erasures for nobody who was erased since the backup.
const noErasures = "none"

// newestIn returns the newest backup of the schedule in a folder, or the path of a
// file itself.
func newestIn(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return path, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return "", err
	}
	var names []string
	for _, entry := range entries {
		if _, ok := schedule.TimeOf(entry.Name()); ok {
			names = append(names, entry.Name())
		}
	}
	if len(names) == 0 {
		return "", fmt.Errorf("%s holds no backup that a server made", path)
	}
	return filepath.Join(path, slices.Max(names)), nil
}

// erased returns what was erased since the backup, as far as it is known: by the lists
// beside the backup or at --erasures, and by the store that is replaced.
func (r *restoration) erased(ctx context.Context, log *slog.Logger) ([]erasure.List, error) {
	lists, err := r.keptLists()
	if err != nil {
		return nil, err
	}
	if !r.replace {
		return lists, nil
	}
	replaced, err := r.replacedLists(ctx, log)
	if err != nil && r.erasures == "" {
		return nil, fmt.Errorf("the store that is replaced does not tell who was erased since the backup: %w; say by --erasures where the list is, or %q if nobody was", err, noErasures)
	}
	if err != nil {
		log.Warn("restore: the store that is replaced does not tell who was erased", "error", err)
	}
	return erasure.Gather(slices.Concat(lists, replaced)), nil
}

// keptLists reads the lists beside the backup, or where --erasures says.
func (r *restoration) keptLists() ([]erasure.List, error) {
	place, given := r.erasures, r.erasures != ""
	if place == noErasures {
		return nil, nil
	}
	if !given {
		place = filepath.Dir(r.from)
	}
	paths := []string{place}
	info, err := os.Stat(place)
	if err == nil && info.IsDir() {
		paths, err = filepath.Glob(filepath.Join(place, erasure.ListNames))
		if err == nil && given && len(paths) == 0 {
			err = errors.New("holds no list of erasures")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("--erasures: %s: %w", place, err)
	}
	var lists []erasure.List
	for _, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		list, err := erasure.UnpackList(content)
		if err != nil {
			return nil, fmt.Errorf("%s %w", path, err)
		}
		lists = append(lists, list)
	}
	return erasure.Gather(lists), nil
}

// replacedLists reads what was erased in the store that is replaced.
func (r *restoration) replacedLists(ctx context.Context, log *slog.Logger) (lists []erasure.List, err error) {
	if r.database == "" {
		if _, err := os.Stat(filepath.Join(r.data, store.FileName)); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	o := r.storeOptions(log)
	from, to, err := store.MigrationStatus(ctx, o)
	if err != nil || from < erasure.FirstSchema {
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
		lists, err = erasure.ListsOf(v)
		return err
	})
	return lists, err
}

// sayErased tells what a restore knew of erasures.
func (r *restoration) sayErased(lists []erasure.List, repeated int) {
	switch {
	case repeated > 0:
		fmt.Fprintf(r.stdout, "%d erasures are repeated before the server serves anybody.\n", repeated)
	case len(lists) == 0 && r.erasures != noErasures:
		fmt.Fprintf(r.stdout, "There was no list of erasures (%s) beside the backup: whoever was erased since is back. If you have one, restore again with --erasures.\n",
			strings.ReplaceAll(erasure.ListNames, "*", "…"))
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley"
	"parley/internal/backup"
	"parley/internal/store"
)

// attachmentsFolder is the default folder of files.
const attachmentsFolder = backup.AttachmentsName

// mayFound refuses to create a store in place of a missing one: a disk that is
// not mounted, a lost file, an empty database. What is created after a store
// shows that there was one. files is the folder of files; "" for the default.
func (c *cli) mayFound(ctx context.Context, o store.Options, files string) error {
	from, _, err := store.MigrationStatus(ctx, o)
	if err != nil || from > 0 {
		return err
	}
	left, err := c.remains(files)
	if err != nil || len(left) == 0 {
		return err
	}
	missing := fmt.Sprintf("no store is in %s", filepath.Join(c.data, store.FileName))
	if c.database != "" {
		missing = "the database has no tables of a store"
	}
	return fmt.Errorf("%s, but there is what belongs to one: %s. Nothing was made. Is the right disk mounted, and is this the right "+
		"--data or --database? Restore the store from a backup; to begin with an empty one, move these away first",
		missing, strings.Join(left, ", "))
}

// remains returns what a store left in the data folder and in the folder of
// files.
func (c *cli) remains(files string) ([]string, error) {
	file := filepath.Join(c.data, store.FileName)
	kept, err := isFull(file)
	if err != nil {
		return nil, err
	}
	if c.database != "" && kept {
		return nil, nil // they belong to the embedded store
	}
	candidates := []string{filepath.Join(c.data, masterKeyFile), filepath.Join(c.data, whatsappFile)}
	if !kept {
		candidates = append(candidates, file+"-wal")
	}
	var left []string
	for _, path := range candidates {
		there, err := isFull(path)
		if err != nil {
			return nil, err
		}
		if there {
			left = append(left, path)
		}
	}
	if files == "" {
		files = filepath.Join(c.data, attachmentsFolder)
	}
	folders, _ := os.ReadDir(files) // opening it will report what is wrong
	ofWorkspace := func(f os.DirEntry) bool {
		_, ok := parley.ParseWorkspaceID(f.Name())
		return ok
	}
	if slices.ContainsFunc(folders, ofWorkspace) {
		left = append(left, files)
	}
	return left, nil
}

// isFull reports whether a file exists and is not empty.
func isFull(path string) (bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && info.Size() > 0, err
}

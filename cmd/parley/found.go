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
	"parley/internal/store"
)

// masterKeyFile is the name of the file in the data folder that holds the
// master key.
const masterKeyFile = "master.key"

// attachmentsFolder is the name of the usual folder of files.
const attachmentsFolder = "attachments"

// mayFound refuses to make a store in the place of one that is missing: a disk
// that is not mounted, a file that was lost, a database that was never filled.
// What belongs to a store, and is made after it, shows that there was one. files
// is the folder in which files are kept; "" for the usual one.
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

// remains returns what a store left behind in the data folder and in the folder
// of files.
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
	folders, _ := os.ReadDir(files) // what is wrong with it is told when it is opened
	ofWorkspace := func(f os.DirEntry) bool {
		_, ok := parley.ParseWorkspaceID(f.Name())
		return ok
	}
	if slices.ContainsFunc(folders, ofWorkspace) {
		left = append(left, files)
	}
	return left, nil
}

// isFull reports whether there is a file, and something in it.
func isFull(path string) (bool, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && info.Size() > 0, err
}

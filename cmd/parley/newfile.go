package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"

	"parley/internal/durable"
)

// writeNew is [durable.WriteNew] for the file that --to names.
func writeNew(path string, fill func(io.Writer) error) error {
	err := durable.WriteNew(path, fill)
	if errors.Is(err, fs.ErrExist) {
		err = fmt.Errorf("--to: %s already exists; name a new file", path)
	}
	return err
}

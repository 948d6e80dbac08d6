package schedule

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// NewestIn returns the newest backup of a schedule in a folder, or the path of a file
// itself.
func NewestIn(path string) (string, error) {
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
		if _, ok := TimeOf(entry.Name()); ok {
			names = append(names, entry.Name())
		}
	}
	if len(names) == 0 {
		return "", fmt.Errorf("%s holds no backup that a server made", path)
	}
	return filepath.Join(path, slices.Max(names)), nil
}

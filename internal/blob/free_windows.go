package blob

import (
	"math"

	"golang.org/x/sys/windows"
)

// Free returns how many bytes this process may still write to the disk of a folder.
// known is false if the system does not say.
func Free(folder string) (bytes int64, known bool) {
	path, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return 0, false
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, nil, nil); err != nil {
		return 0, false
	}
	return int64(min(free, math.MaxInt64)), true
}

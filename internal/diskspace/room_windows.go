package diskspace

import (
	"math"

	"golang.org/x/sys/windows"
)

// Of returns the room on the disk of a folder. known is false if the system does not say.
func Of(folder string) (room Room, known bool) {
	path, err := windows.UTF16PtrFromString(folder)
	if err != nil {
		return Room{}, false
	}
	var free, total uint64
	if err := windows.GetDiskFreeSpaceEx(path, &free, &total, nil); err != nil {
		return Room{}, false
	}
	return Room{Free: int64(min(free, math.MaxInt64)), Total: int64(min(total, math.MaxInt64))}, true
}

//go:build linux || darwin

package diskspace

import "golang.org/x/sys/unix"

// Of returns the room on the disk of a folder. known is false if the system does not say.
func Of(folder string) (room Room, known bool) {
	var disk unix.Statfs_t
	if err := unix.Statfs(folder, &disk); err != nil || disk.Blocks == 0 {
		return Room{}, false
	}
	block := uint64(disk.Bsize)
	return Room{Free: int64(disk.Bavail * block), Total: int64(disk.Blocks * block)}, true
}

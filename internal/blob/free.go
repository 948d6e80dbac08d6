//go:build linux || darwin

package blob

import "golang.org/x/sys/unix"

// Free returns how many bytes this process may still write to the disk of a folder.
// known is false if the system does not say.
func Free(folder string) (bytes int64, known bool) {
	var disk unix.Statfs_t
	if err := unix.Statfs(folder, &disk); err != nil || disk.Blocks == 0 {
		return 0, false
	}
	return int64(disk.Bavail * uint64(disk.Bsize)), true
}

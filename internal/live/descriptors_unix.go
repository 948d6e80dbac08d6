//go:build unix

package live

import "syscall"

// MostStreams returns how many streams the process may hold, given its limit of
// descriptors, which Go raises to the hard limit at startup; 0 if the system
// does not tell.
func MostStreams() int {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0
	}
	return streamsOf(int(min(limit.Cur, 1<<30))) // it may be "unlimited", the largest number
}

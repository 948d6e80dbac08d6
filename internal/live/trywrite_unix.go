//go:build unix

package live

import (
	"errors"
	"syscall"
)

// tryWrite writes what the connection takes without waiting.
func (s *stream) tryWrite(text []byte) (n int, err error) {
	if s.raw == nil {
		return s.writeBriefly(text)
	}
	err = s.raw.Write(func(fd uintptr) bool {
		for n < len(text) {
			written, failed := syscall.Write(int(fd), text[n:])
			switch {
			case errors.Is(failed, syscall.EINTR):
			case errors.Is(failed, syscall.EAGAIN):
				return true
			case failed != nil:
				err = failed
				return true
			default:
				n += written
			}
		}
		return true // never wait
	})
	return n, err
}

// gone reports whether the other side has closed its end. What it sent is
// thrown away: a stream has nothing to hear.
func (s *stream) gone() bool {
	if s.raw == nil {
		return false // a write will tell
	}
	over := false
	var scratch [512]byte
	err := s.raw.Read(func(fd uintptr) bool {
		for range 8 { // more than that per sweep nobody has to say
			n, failed := syscall.Read(int(fd), scratch[:])
			if failed != nil {
				over = !errors.Is(failed, syscall.EAGAIN) && !errors.Is(failed, syscall.EINTR)
				return true
			}
			if n == 0 {
				over = true
				return true
			}
		}
		return true
	})
	return over || err != nil
}

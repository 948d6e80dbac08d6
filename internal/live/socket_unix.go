//go:build unix

package live

import (
	"errors"
	"syscall"
)

func (s *socket) offer(text []byte) (n int, err error) {
	if s.raw == nil {
		return s.offerBriefly(text)
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
		return true // never block
	})
	return n, err
}

// peerClosed discards what the client sent, since a stream expects no input.
func (s *socket) peerClosed() bool {
	if s.raw == nil {
		return false // a write will find out
	}
	over := false
	var scratch [512]byte
	err := s.raw.Read(func(fd uintptr) bool {
		for range 8 { // enough per sweep
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

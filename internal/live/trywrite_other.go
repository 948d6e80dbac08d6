//go:build !unix

package live

func (s *stream) tryWrite(text []byte) (int, error) { return s.writeBriefly(text) }

func (s *stream) gone() bool { return false } // a write will tell

package backup

import (
	"fmt"
	"io"
	"os"
)

// A held writer keeps what is written in a temporary file until release. Then it
// writes to out.
type held struct {
	out   io.Writer
	draft *os.File // nil behind release
	named bool     // the system has no files without a name
}

func newHeld(out io.Writer) (*held, error) {
	draft, err := os.CreateTemp("", "parley-backup-")
	if err != nil {
		return nil, fmt.Errorf("make a file for the rows: %w", err)
	}
	// Without a name, a crash leaves nothing.
	return &held{out: out, draft: draft, named: os.Remove(draft.Name()) != nil}, nil
}

func (h *held) Write(b []byte) (int, error) {
	if h.draft != nil {
		return h.draft.Write(b)
	}
	return h.out.Write(b)
}

// release writes what was kept.
func (h *held) release() error {
	defer h.discard()
	if _, err := h.draft.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(h.out, h.draft)
	return err
}

// discard deletes what was kept.
func (h *held) discard() {
	if h.draft == nil {
		return
	}
	_ = h.draft.Close() // it is of no use any more
	if h.named {
		_ = os.Remove(h.draft.Name())
	}
	h.draft = nil
}

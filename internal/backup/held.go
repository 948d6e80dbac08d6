package backup

import (
	"fmt"
	"io"
	"os"
)

// A held writer buffers what is written in a temporary file until release. After
// that it writes to out.
type held struct {
	out   io.Writer
	draft *os.File // nil after release
	named bool     // the system cannot remove the name of an open file
}

func newHeld(out io.Writer) (*held, error) {
	draft, err := os.CreateTemp("", "parley-backup-")
	if err != nil {
		return nil, fmt.Errorf("create a temporary file for the rows: %w", err)
	}
	// A file without a name disappears in a crash.
	return &held{out: out, draft: draft, named: os.Remove(draft.Name()) != nil}, nil
}

func (h *held) Write(b []byte) (int, error) {
	if h.draft != nil {
		return h.draft.Write(b)
	}
	return h.out.Write(b)
}

// release writes the buffer to out.
func (h *held) release() error {
	defer h.discard()
	if _, err := h.draft.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := io.Copy(h.out, h.draft)
	return err
}

// discard deletes the buffer.
func (h *held) discard() {
	if h.draft == nil {
		return
	}
	_ = h.draft.Close() // its content is no longer needed
	if h.named {
		_ = os.Remove(h.draft.Name())
	}
	h.draft = nil
}

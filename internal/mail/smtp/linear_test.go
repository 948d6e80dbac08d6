package smtp

import (
	"bufio"
	"io"
	"strings"
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what reads a server's answers and writes a mail.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{{Functions: []string{"body"}, Run: func(text string) {
		x := exchange{out: bufio.NewWriter(io.Discard)}
		_ = x.body([]byte(text)) // only its cost counts
	}}, {Functions: []string{"readReply", "printable"}, Run: func(text string) {
		_, _ = readReply(bufio.NewReader(strings.NewReader(text)))
		_ = printable(text)
	}}}, nil)
}

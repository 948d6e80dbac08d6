package media

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures what reads files and what is said of them.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"Examine", "typeOf", "container"}, Run: func(text string) {
			for _, head := range []string{"", "GIF89a", "\x89PNG\r\n\x1a\n", "\xff\xd8\xff", "RIFF0000WEBPVP8 ", "OggS\x00", "\x1a\x45\xdf\xa3", "0000ftyp", "<?xml"} {
				Examine([]byte(head+text), "image/png")
			}
		}},
		{Functions: []string{"bareType", "declarable"}, Run: func(text string) {
			bareType(text)
			bareType("a/b;" + text)
			declarable(text)
		}},
	}, nil)
}

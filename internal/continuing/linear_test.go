package continuing

import (
	"strings"
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures what writes texts of members into mails.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{{Functions: []string{"content", "text", "website", "readTimerName"}, Run: func(written string) {
		l := letter{company: written, place: place{origin: "https://" + written}}
		for line := range strings.SplitSeq(written, "\n") {
			if l.messages = append(l.messages, parley.Message{Content: line}); len(l.messages) > told {
				break
			}
		}
		l.content()
		website(written)
		readTimerName(written)
	}}}, nil)
}

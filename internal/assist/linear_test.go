package assist

import (
	"strings"
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures the functions that read what models and customers write. Claims
// and languages are measured in their packages.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"take", "begins", "whole"}, Run: func(text string) {
			for _, thinking := range []string{"", "  ", thinks} {
				s := speech{emit: func(string) error { return nil }}
				for _, piece := range strings.SplitAfter(thinking+text, "") {
					if s.take(piece) != nil {
						break
					}
				}
				s.whole()
			}
		}},
		{Functions: []string{"cut"}, Run: func(text string) {
			talk := talk{messages: []parley.Message{{Content: text, ContentType: parley.Text, Direction: parley.Incoming, Sender: parley.Sender{Type: parley.SenderContact}}}}
			talk.asked()
			talk.transcript(false)
		}},
	}, nil)
}

// TestThoughts leaves out what a model thinks aloud, however it is cut.
func TestThoughts(t *testing.T) {
	for said, want := range map[string]string{
		"Hello": "Hello", "<think>a < b</think>\n Hello ": "Hello", " \n<think></think>Hi": "Hi", "<think>still": "", "<b>Hi": "<b>Hi", "<th": "", "": "",
	} {
		var shown strings.Builder
		s := speech{emit: func(piece string) error { shown.WriteString(piece); return nil }}
		for piece := range strings.SplitSeq(said, "") {
			if err := s.take(piece); err != nil {
				t.Fatal(err)
			}
		}
		if s.whole() != want || strings.TrimSpace(shown.String()) != want {
			t.Errorf("%q: %q, shown %q", said, s.whole(), shown.String())
		}
	}
}

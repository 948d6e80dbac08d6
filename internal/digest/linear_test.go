package digest

import (
	"testing"

	"parley"
	"parley/internal/lineartest"
)

// TestLinear measures what quotes people's texts.
func TestLinear(t *testing.T) {
	svc := &Service{publicURL: "https://support.example"}
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"content"}, Run: func(text string) {
			svc.content(&parley.NoticePreferences{Language: "en"}, text, []Pending{{Kind: parley.NoticeNote, ContactName: text, Text: text}})
		}},
	}, nil)
}

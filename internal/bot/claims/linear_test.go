package claims

import (
	"strings"
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read articles and answers.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{{Functions: []string{
		"Read", "promises", "normal", "values", "grouped", "unitAt", "joins", "glued", "words", "firstWord", "compatible", "linkClaim",
	}, Run: func(text string) { Read(text, ""); promises(text) }}}, map[string]string{
		"Check": "calls Read", "day": "reads parts of a date", "numbered": "reads tables of this package",
	})
}

// FuzzCheck demands that a text supports itself, but for what no answer may
// contain.
func FuzzCheck(f *testing.F) {
	for _, text := range []string{"1.299,00 € in 14 Tagen", "24 December 2026, 9 am", "https://a.example/x?y=1#z", "+49 30 1234567", "3-5 business days", "A4 1st 2. x\n3. y", "\u00a0,5 9%\u200b 5,-"} {
		f.Add(text, "en")
		f.Add(text, "")
	}
	f.Fuzz(func(t *testing.T, text, language string) {
		for _, c := range Collect([]Source{{Text: text, Language: language}}).Check(text, Rules{Language: language}) {
			if c.Kind != Link && c.Kind != Promise {
				t.Errorf("%q does not support its own %s %q", text, c.Kind, c.Text)
			}
		}
		for _, c := range Read(text, language) {
			if strings.TrimSpace(c.Text) == "" && c.Kind != Link {
				t.Errorf("%q has an empty %s", text, c.Kind)
			}
		}
	})
}

package importing

import (
	"testing"

	"parley/internal/lineartest"
)

// TestLinear measures the readers of files that strangers wrote.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{
		{Functions: []string{"readMarkdown", "cutFrontMatter", "fieldsOf", "singleQuoted", "doubleQuoted", "addKeywords"}, Run: func(text string) {
			for _, head := range []string{"---\n", "---\ntitle: ", "---\nkeywords: [", "---\nkeywords: '", "---\nkeywords: \"", "---\nkeywords:\n- "} {
				_ = new(File).readMarkdown(head + text + "\n---\n") // only its cost counts
			}
		}},
		{Functions: []string{"readHTML", "tokens", "attribute", "escape"}, Run: func(text string) {
			_ = new(File).readHTML("<main>" + text) // only its cost counts
		}},
		{Functions: []string{"firstBroken"}, Run: func(text string) { firstBroken([]byte(text)) }},
	}, map[string]string{"Run": "reads files one by one"})
}

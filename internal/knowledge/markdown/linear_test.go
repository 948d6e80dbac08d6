package markdown

import (
	"strings"
	"testing"
	"time"

	"parley/internal/lineartest"
)

// TestLinear measures the functions that read authors' texts.
func TestLinear(t *testing.T) {
	lineartest.Check(t, []lineartest.Scanner{{
		Functions: []string{"Render", "check", "number", "headingID", "costly", "unescapePipes", "target", "Sections", "writeText", "Links"},
		Run: func(text string) {
			Render(text, "/help/shop/en/")
			Sections(text)
		},
	}}, nil)
}

// hostile are units that made the parser take quadratic time or space.
var hostile = []string{
	"[", "[a](", "*a_", "***a ** a", "`a``b```", "<a b='", "> ", ">", "1. ", "* - + ", "a|b\n-|-\n", "[a]: b\n", "[](", "[x](<b", "[[a]](",
	"`\\|`|", "# [a](\n", "*a_\n===\n", "> > > > - - - a\n", "# a\n\n", "[a]: b 'c\n", "\xff",
}

// TestHostileTexts bounds time and output for texts of the greatest size. A
// parser without the limits takes minutes for some of them.
func TestHostileTexts(t *testing.T) {
	texts := map[string]string{
		"cells":   strings.Repeat("|", 3000) + "\n" + strings.Repeat("-|", 3000) + "\n" + strings.Repeat("a\n", 60_000),
		"tables":  strings.Repeat(strings.Repeat("a|", 60)+"\n"+strings.Repeat("-|", 60)+"\n"+strings.Repeat("a\n", 300)+"\n", 200),
		"address": "[a]: /help/" + strings.Repeat("a", 2000) + "\n\n" + strings.Repeat("[a]\n\n", 40_000),
		"title":   "[a]: /help/a '" + strings.Repeat("a", 100_000) + "'\n\n" + strings.Repeat("[a]\n\n", 30_000),
		"depth":   strings.Repeat("> ", 500) + "a\n" + strings.Repeat("a\n", 100_000),
		"items":   indented(500),
		"ticks":   ticks(),
	}
	for _, unit := range hostile {
		texts[unit] = strings.Repeat(unit, MaxSource/len(unit))
	}
	for name, text := range texts {
		begin := time.Now()
		html := Render(text, "").HTML
		if took := time.Since(begin); took > 15*time.Second { // half a second where nothing else runs
			t.Errorf("%.20q takes %v", name, took)
		}
		if len(html) > 30*MaxSource {
			t.Errorf("%.20q becomes %d bytes", name, len(html))
		}
	}
}

// indented nests a list.
func indented(depth int) string {
	var b strings.Builder
	for i := range depth {
		b.WriteString(strings.Repeat("  ", i) + "- a\n")
	}
	return b.String()
}

// ticks are openings of code with as many lengths as fit.
func ticks() string {
	var b strings.Builder
	for i := 1; b.Len()+i < MaxSource; i++ {
		b.WriteString(strings.Repeat("`", i) + "a")
	}
	return b.String()
}

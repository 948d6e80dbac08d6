package numbers

import (
	"testing"

	"parley"
)

// TestTextFor writes messages with the marks of the messaging application.
func TestTextFor(t *testing.T) {
	for text, want := range map[string]string{
		"Hello **Bo**":                     "Hello *Bo*",
		"*a* _b_ `*c*` d":                  "_a_ _b_ `*c*` d",
		"**b *i* b**":                      "*b _i_ b*",
		"2 * 3 * 4, snake_case_name, a**b": "2 * 3 * 4, snake_case_name, a**b",
		"*open and **shut**":               "*open and *shut*",
		"***both***":                       "*_both_*",
		"see [our page](https://a.example/x_y) **https://b.example/_c_ d**": "see our page (https://a.example/x_y) *https://b.example/_c_ d*",
		"[x](javascript:alert(1)) [y":                                       "[x](javascript:alert(1)) [y",
		"- **a**\n> *b*\n```\n**c**\n```\n*d*\n```\n**e**":                  "- *a*\n> _b_\n```\n**c**\n```\n_d_\n```\n*e*",
	} {
		if got := textFor(&parley.Message{Content: text, ContentType: parley.Markdown}); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
		if got := textFor(&parley.Message{Content: text, ContentType: parley.Text}); got != text {
			t.Errorf("a text of no markup becomes %q", got)
		}
	}
}

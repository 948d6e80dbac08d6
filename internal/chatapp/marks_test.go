package chatapp_test

import (
	"testing"

	"parley/internal/chatapp"
)

// TestMarked writes messages with the marks of the messaging application.
func TestMarked(t *testing.T) {
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
		if got := chatapp.Marked(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

package parley

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Composed returns the composed form of a text (Unicode NFC), in which texts
// are compared: an é may be one character or two.
func Composed(s string) string { return norm.NFC.String(s) }

// OneLine returns a name in its stored form: trimmed, with each line break and
// control character replaced by a space. A blank name becomes "".
func OneLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n")))
}

// LabelName returns the name of a label in its stored form: composed, on one
// line, trimmed. It keeps the case.
func LabelName(s string) string { return Composed(OneLine(s)) }

// LabelSpellings returns the stored spellings of a label to search for: the
// current one, and the decomposed one that may have been stored before labels
// were composed.
func LabelSpellings(name string) []string {
	spellings := []string{LabelName(name)}
	if apart := norm.NFD.String(spellings[0]); apart != spellings[0] {
		spellings = append(spellings, apart)
	}
	return spellings
}

// JSONSize returns the length of a text inside the quotes of a JSON string, as
// the server encodes it: between its own length, for plain text, and six times
// that, for control characters.
func JSONSize(s string) int {
	size := len(s)
	for i, c := range s {
		switch {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t':
			size++
		case c < ' ' || c == '<' || c == '>' || c == '&':
			size += len(`\u003c`) - 1
		case c == '\u2028' || c == '\u2029':
			size += len(`\u2028`) - len("\u2028")
		case c == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd"): // a byte that is not UTF-8
			size += len("\ufffd") - 1
		}
	}
	return size
}

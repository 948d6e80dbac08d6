package parley

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Composed returns the composed form of a text (Unicode's NFC), in which texts
// are compared: an é of one character and one of two look the same.
func Composed(s string) string { return norm.NFC.String(s) }

// OneLine returns a name as it is kept: without blanks around it, and with a
// space for each line break and other control character inside. What is blank
// becomes "".
func OneLine(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n")))
}

// LabelName returns the name of a label as it is kept and compared: composed, on
// one line, without blanks around it. Its case stays.
func LabelName(s string) string { return Composed(OneLine(s)) }

// LabelSpellings returns the spellings of a label that are looked for: as it is
// kept now, and with accents as characters of their own, as it may have been
// stored before labels were composed.
func LabelSpellings(name string) []string {
	spellings := []string{LabelName(name)}
	if apart := norm.NFD.String(spellings[0]); apart != spellings[0] {
		spellings = append(spellings, apart)
	}
	return spellings
}

// JSONSize returns how many bytes a text takes within the quotes of a JSON string
// as answers write it: from as many as it has, for plain text, to six times as
// many, for control characters.
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

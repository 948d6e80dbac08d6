package reply

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// escaped reads an escape of a string (RFC 8259, section 7), and reports false
// if it has no end yet. What is no escape stands for itself.
func (s *scanner) escaped() (rune, bool) {
	if s.at+1 >= len(s.text) {
		return 0, false
	}
	c := s.text[s.at+1]
	if i := strings.IndexByte("nrtbf", c); i >= 0 {
		s.at += 2
		return rune("\n\r\t\b\f"[i]), true
	}
	if c != 'u' {
		r, size := utf8.DecodeRuneInString(s.text[s.at+1:])
		s.at += 1 + size
		return r, true
	}
	first, ok := s.unit(s.at)
	if !ok {
		return 0, false
	}
	s.at += 6
	if !utf16.IsSurrogate(first) {
		return visible(first), true
	}
	if rest := s.text[s.at:]; len(rest) < 6 && (rest == "" || rest == `\` || strings.HasPrefix(rest, `\u`)) {
		s.at -= 6 // the second half is still missing
		return 0, false
	}
	second, ok := s.unit(s.at)
	if pair := utf16.DecodeRune(first, second); ok && pair != utf8.RuneError {
		s.at += 6
		return pair, true
	}
	return utf8.RuneError, true
}

// visible returns a character that texts may contain.
func visible(r rune) rune {
	if r == 0 {
		return utf8.RuneError
	}
	return r
}

// unit reads the escape of a UTF-16 code unit.
func (s *scanner) unit(at int) (rune, bool) {
	if len(s.text)-at < 6 || s.text[at] != '\\' || s.text[at+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(s.text[at+2:at+6], 16, 16)
	if err != nil {
		return utf8.RuneError, true
	}
	return rune(n), true
}

package parley

import (
	"bytes"
	"strings"
	"unicode"
)

// A Phone is a telephone number as the messaging application writes it: 7 to 15
// digits, country code first, without "+". The empty Phone means "none".
type Phone string

// ParsePhone parses a phone number that starts with its country code. It
// ignores plus, spaces, dashes, parentheses, dots and slashes (contract,
// section 4, groups), a leading international prefix "00", and a "(0)" after
// the country code, which is dialed from abroad only for Italy and San Marino.
// It rejects anything else, and numbers that cannot start with a country code.
// It neither guesses a country nor checks a numbering plan: plans reject
// numbers that the application does have.
func ParsePhone(s string) (Phone, bool) {
	if country, rest, ok := strings.Cut(s, "(0)"); ok && strings.ContainsAny(country, "123456789") && !keepsZero(country) {
		s = country + rest
	}
	digits := make([]byte, 0, 17)
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			if len(digits) == cap(digits) {
				return "", false
			}
			digits = append(digits, byte(r))
		case !phoneSeparator(r):
			return "", false
		}
	}
	if !strings.Contains(s, "+") {
		digits = bytes.TrimPrefix(digits, []byte("00"))
	}
	if len(digits) < 7 || len(digits) > 15 || digits[0] == '0' {
		return "", false
	}
	return Phone(digits), true
}

// keepsZero reports whether numbers of the country keep their leading zero when
// dialed from abroad (ITU-T E.164, national numbering plans of +39 and +378).
func keepsZero(country string) bool {
	code := strings.TrimLeft(country, "+0 ")
	return strings.HasPrefix(code, "39") || strings.HasPrefix(code, "378")
}

// phoneSeparator reports whether a character between digits has no meaning.
// Besides the usual ones these are spaces, dashes and invisible marks from
// address books.
func phoneSeparator(r rune) bool {
	return strings.ContainsRune("+-(). /", r) || r >= 0x80 && unicode.In(r, unicode.Zs, unicode.Pd, unicode.Cf)
}

// PhoneRule completes "must …" for a field that holds a phone number.
const PhoneRule = "be a phone number: country code plus number, 7 to 15 digits, not starting with 0"

// Display returns the number with "+", or "" for none.
func (p Phone) Display() string {
	if p == "" {
		return ""
	}
	return "+" + string(p)
}

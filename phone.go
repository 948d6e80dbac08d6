package parley

import (
	"bytes"
	"strings"
	"unicode"
)

// A Phone is a telephone number as the messaging application writes it: 7 to
// 15 digits, country code first, no "+". The empty Phone means "none".
type Phone string

// ParsePhone reads a phone number, with its country code first. Plus, spaces,
// dashes, parentheses, dots and slashes are ignored (contract, section 4,
// groups), and so is what leads abroad, "00" in front, and the "(0)" behind a
// country code, which is not dialed from abroad but to Italy and San Marino.
// Anything else is refused, and a
// number that cannot begin with a country code. No country is guessed, and no
// numbering plan asked: plans call real numbers of the application impossible.
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

// keepsZero reports whether numbers of the country begin with a zero from abroad
// too (ITU-T E.164, national numbering plans of +39 and +378).
func keepsZero(country string) bool {
	code := strings.TrimLeft(country, "+0 ")
	return strings.HasPrefix(code, "39") || strings.HasPrefix(code, "378")
}

// phoneSeparator reports whether a character is nothing between the digits of a
// number: also the spaces, dashes and invisible marks that address books put
// there.
func phoneSeparator(r rune) bool {
	return strings.ContainsRune("+-(). /", r) || r >= 0x80 && unicode.In(r, unicode.Zs, unicode.Pd, unicode.Cf)
}

// PhoneRule completes "must …" for a field that holds a phone number.
const PhoneRule = "be a phone number: country code plus number, 7 to 15 digits, not starting with 0"

// Display returns the number with its "+", or "" where there is none.
func (p Phone) Display() string {
	if p == "" {
		return ""
	}
	return "+" + string(p)
}

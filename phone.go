package parley

import "strings"

// A Phone is a telephone number as the messaging application writes it: 7 to
// 15 digits, country code first, no "+". The empty Phone means "none".
type Phone string

// ParsePhone reads a phone number. Plus, spaces, dashes, parentheses, dots and
// slashes are ignored (contract, section 4, groups); anything else is refused,
// and so is a number that cannot begin with a country code. It does not ask a
// numbering plan: plans call real numbers of the application impossible.
func ParsePhone(s string) (Phone, bool) {
	digits := make([]byte, 0, 15)
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits = append(digits, c)
		case strings.IndexByte("+-(). /", c) < 0:
			return "", false
		}
	}
	if len(digits) < 7 || len(digits) > 15 || digits[0] == '0' {
		return "", false
	}
	return Phone(digits), true
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

package fulltext

import "strings"

// Phone numbers have 7 to 15 digits (ITU-T E.164). A number is found by its
// ending of at least minPhoneEnd digits, because people leave out the country
// code.
const (
	minPhone    = 7
	maxPhone    = 15
	minPhoneEnd = 5
)

// phones calls each with the endings of what looks like a phone number in a
// text: digits with separators between them, starting with "+", "0" or "(". It
// visits each byte only a few times: no number can start after the last digit
// of a run within that run, so the search continues after the whole run.
func phones(text string, each func(token)) {
	var stop int
	for at := 0; at < len(text); at = stop {
		stop = at + 1
		if c := text[at]; c != '+' && c != '0' && c != '(' || at > 0 && alphanumeric(text[at-1]) {
			continue
		}
		end := at // after the last digit
		if isDigit(text[at]) {
			end = stop
		}
		for stop < len(text) && (isDigit(text[stop]) || strings.IndexByte(" ()./-", text[stop]) >= 0) {
			if stop++; isDigit(text[stop-1]) {
				end = stop
			}
		}
		if end < len(text) && alphanumeric(text[end]) {
			continue
		}
		phoneEnds(token{digitsOf(text[at:end]), at, end}, each)
	}
}

// phoneEnds calls each with the endings of a number, longest first.
func phoneEnds(number token, each func(token)) {
	if len(number.word) < minPhone || len(number.word) > maxPhone {
		return
	}
	for from := range len(number.word) - minPhoneEnd + 1 {
		each(token{number.word[from:], number.start, number.end})
	}
}

// phoneQuery returns the digits to search for if a query looks like a phone
// number, else "". Leading zeros are dialing prefixes and not part of a number.
func phoneQuery(q string) string {
	q = strings.TrimSpace(strings.ReplaceAll(q, "(0)", ""))
	for i := range len(q) {
		if !isDigit(q[i]) && strings.IndexByte("+-(). /", q[i]) < 0 {
			return ""
		}
	}
	digits := strings.TrimLeft(digitsOf(q), "0")
	if len(digits) < minPhoneEnd || len(digits) > maxPhone {
		return ""
	}
	return digits
}

// digitsOf returns the digits of a number without leading zeros and without the
// "(0)" of "+49 (0) 151".
func digitsOf(number string) string {
	number = strings.ReplaceAll(number, "(0)", "")
	return strings.TrimLeft(strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, number), "0")
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func alphanumeric(c byte) bool {
	return isDigit(c) || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

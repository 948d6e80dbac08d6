package wire

import (
	"time"
	"unicode/utf8"
)

const hexDigits = "0123456789abcdef"

// appendText appends a JSON string. Besides what JSON requires, it escapes <,
// >, & and the line separators U+2028 and U+2029, so that the text is never
// markup or a statement when it is copied into a page. Bytes that are not UTF-8
// become U+FFFD.
func appendText(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && c != '<' && c != '>' && c != '&' {
				i++
				continue
			}
			b = appendEscape(append(b, s[start:i]...), c)
			i++
			start = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			b = append(append(b, s[start:i]...), "\ufffd"...)
		case r == '\u2028' || r == '\u2029':
			b = append(append(b, s[start:i]...), '\\', 'u', '2', '0', '2', hexDigits[r&0xf])
		default:
			i += size
			continue
		}
		i += size
		start = i
	}
	return append(append(b, s[start:]...), '"')
}

func appendEscape(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\r':
		return append(b, '\\', 'r')
	case '\t':
		return append(b, '\\', 't')
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}

// appendTime appends a time in UTC with milliseconds. It is a specialised
// time.AppendFormat that takes a third of the time.
func appendTime(b []byte, at time.Time) []byte {
	at = at.UTC()
	year, month, day := at.Date()
	if year < 0 || year > 9999 {
		return at.AppendFormat(b, "2006-01-02T15:04:05.000Z")
	}
	hour, minute, second := at.Clock()
	b = appendPair(appendPair(b, year/100), year%100)
	b = appendPair(append(b, '-'), int(month))
	b = appendPair(append(b, '-'), day)
	b = appendPair(append(b, 'T'), hour)
	b = appendPair(append(b, ':'), minute)
	b = appendPair(append(b, ':'), second)
	millisecond := at.Nanosecond() / int(time.Millisecond)
	b = append(b, '.', '0'+byte(millisecond/100))
	return append(appendPair(b, millisecond%100), 'Z')
}

// appendPair appends a number below 100 as two digits.
func appendPair(b []byte, n int) []byte { return append(b, '0'+byte(n/10), '0'+byte(n%10)) }

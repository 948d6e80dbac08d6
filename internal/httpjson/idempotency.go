package httpjson

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// IdempotencyKey returns the header Idempotency-Key, of 1 to limit characters,
// or "" when absent. A bare value and a quoted one (RFC 8941, section 3.3.3)
// are equal. Control characters break the rule.
func (in *Reader) IdempotencyKey(limit int) string {
	values := in.request.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return ""
	}
	key, ok := unquote(values[0])
	if !ok || len(values) > 1 || key == "" || utf8.RuneCountInString(key) > limit || !printable(key) {
		in.Refuse("Idempotency-Key", "be one value of 1 to "+strconv.Itoa(limit)+" printable characters")
		return ""
	}
	return key
}

func printable(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, unicode.IsControl) < 0
}

// unquote removes the quotes of an RFC 8941 string. A text that does not begin
// with a quote is bare.
func unquote(s string) (string, bool) {
	if !strings.HasPrefix(s, `"`) {
		return s, true
	}
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), i == len(s)-1
		case '\\':
			i++
			if i == len(s) || s[i] != '"' && s[i] != '\\' {
				return "", false
			}
		}
		b.WriteByte(s[i])
	}
	return "", false
}

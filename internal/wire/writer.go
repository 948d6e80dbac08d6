// Package wire is the JSON of Parley's resources, shared by the public API,
// the dashboard, the event log and webhooks, so that a resource looks the same
// wherever it shows (contract, section 2; null rules in docs/api.md).
//
// It imports the vocabulary alone. Values are appended to a buffer by hand:
// that takes a fifth of the time of encoding/json and no memory.
package wire

import (
	"strconv"
	"time"
	"unicode/utf8"

	"parley"
)

// An object appends the members of a JSON object to a buffer.
type object struct{ b []byte }

func open(b []byte) object { return object{append(b, '{')} }

func (o *object) close() []byte { return append(o.b, '}') }

// name starts a member. Names are constants of this package that need no
// escaping.
func (o *object) name(name string) {
	if o.b[len(o.b)-1] != '{' {
		o.b = append(o.b, ',')
	}
	o.b = append(o.b, '"')
	o.b = append(o.b, name...)
	o.b = append(o.b, '"', ':')
}

func (o *object) text(name, value string) {
	o.name(name)
	o.b = appendText(o.b, value)
}

// textOrNull writes null for "".
func (o *object) textOrNull(name, value string) {
	o.name(name)
	if value == "" {
		o.b = append(o.b, "null"...)
		return
	}
	o.b = appendText(o.b, value)
}

func (o *object) pointer(name string, value *string) {
	o.name(name)
	if value == nil {
		o.b = append(o.b, "null"...)
		return
	}
	o.b = appendText(o.b, *value)
}

func (o *object) integer(name string, value int64) {
	o.name(name)
	o.b = strconv.AppendInt(o.b, value, 10)
}

func (o *object) boolean(name string, value bool) {
	o.name(name)
	o.b = strconv.AppendBool(o.b, value)
}

func (o *object) null(name string) {
	o.name(name)
	o.b = append(o.b, "null"...)
}

// raw writes a value that is JSON already.
func (o *object) raw(name, json string) {
	o.name(name)
	o.b = append(o.b, json...)
}

func (o *object) id(name string, id parley.ID) {
	o.name(name)
	o.b = append(id.Append(append(o.b, '"')), '"')
}

// idOrNull writes null for the zero id.
func (o *object) idOrNull(name string, id parley.ID) {
	if id.IsZero() {
		o.null(name)
		return
	}
	o.id(name, id)
}

// time writes a time in UTC with milliseconds, as in 2026-11-20T08:15:30.123Z.
func (o *object) time(name string, at time.Time) {
	o.name(name)
	o.b = at.UTC().AppendFormat(append(o.b, '"'), "2006-01-02T15:04:05.000Z")
	o.b = append(o.b, '"')
}

// timeOrNull writes null for the zero time.
func (o *object) timeOrNull(name string, at time.Time) {
	if at.IsZero() {
		o.null(name)
		return
	}
	o.time(name, at)
}

// texts writes an array of strings, [] where there are none.
func texts[T ~string](o *object, name string, values []T) {
	o.name(name)
	o.b = append(o.b, '[')
	for i, value := range values {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = appendText(o.b, string(value))
	}
	o.b = append(o.b, ']')
}

// list writes an array of resources.
func list[T any](o *object, name string, items []T, item func([]byte, *T) []byte) {
	o.name(name)
	o.b = append(o.b, '[')
	for i := range items {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = item(o.b, &items[i])
	}
	o.b = append(o.b, ']')
}

const hexDigits = "0123456789abcdef"

// appendText appends a JSON string. Besides what JSON asks for, it escapes <,
// >, & and the line separators U+2028 and U+2029, so that the text is never
// markup or a statement where someone puts it into a page. Bytes that are not
// UTF-8 become U+FFFD.
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

// Package wire is the JSON of Parley's resources, shared by the public API, the
// dashboard, the widget and the event log, so that a resource looks the same
// wherever it is shown (contract, section 2).
//
// It imports only the vocabulary, that of the audit log included. Like append, every function appends to a
// given buffer and returns it. Values are written by hand, one line per member,
// which takes a fraction of the time of encoding/json and no memory (see the
// benchmark). The golden files in testdata show every shape.
//
// All times have the form 2026-11-20T08:15:30.123Z. An array is never null. A
// string is never null unless its line here says OrNull.
package wire

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"parley"
)

// An object appends the members of a JSON object to a buffer.
type object struct{ b []byte }

func open(b []byte) object { return object{append(b, '{')} }

func (o *object) close() []byte { return append(o.b, '}') }

// object starts an object as a member. It must be ended with put, which returns
// the buffer.
func (o *object) object(name string) object {
	o.name(name)
	return open(o.b)
}

func (o *object) put(member object) { o.b = member.close() }

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

// raw writes a value that is already JSON, and null if it is empty, since a
// missing value would make the whole answer invalid.
func raw[T string | []byte](o *object, name string, value T) {
	if len(value) == 0 {
		o.null(name)
		return
	}
	o.name(name)
	o.b = append(o.b, value...)
}

// attributes writes custom attributes. Their content is escaped like any text;
// see appendText.
func (o *object) attributes(name string, a parley.Attributes) {
	text := a.JSON()
	if !strings.ContainsAny(text, "<>&\u2028\u2029") {
		raw(o, name, text)
		return
	}
	var safe bytes.Buffer
	json.HTMLEscape(&safe, []byte(text))
	raw(o, name, safe.Bytes())
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
	o.b = append(appendTime(append(o.b, '"'), at), '"')
}

// timeOrNull writes null for the zero time.
func (o *object) timeOrNull(name string, at time.Time) {
	if at.IsZero() {
		o.null(name)
		return
	}
	o.time(name, at)
}

// texts writes an array of strings, [] if there are none.
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

func appendID(b []byte, id *parley.ID) []byte { return appendText(b, id.String()) }

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

package identity

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// An attempt is the verification of one token.
type attempt struct {
	ctx   context.Context
	token string
	keys  Keys
	now   time.Time

	parts     []string // as received, at least three
	head      object
	body      object
	headJSON  []byte
	bodyJSON  []byte
	signature []byte
	key       Key // after choose
}

// An object is a JSON object with the texts of its members. Names are compared
// byte by byte.
type object map[string]json.RawMessage

// read splits a token as far as possible. It judges nothing, so that each rule
// is in exactly one check; what cannot be read stays empty.
func (a *attempt) read() {
	a.parts = append(strings.Split(a.token, "."), "", "")
	a.headJSON, a.bodyJSON, a.signature = loose(a.parts[0]), loose(a.parts[1]), loose(a.parts[2])
	a.head, a.body = members(a.headJSON), members(a.bodyJSON)
}

// loose decodes base64 of either alphabet, with or without padding.
func loose(part string) []byte {
	part = strings.NewReplacer("+", "-", "/", "_", "=", "", "\r", "", "\n", "").Replace(part)
	b, err := base64.RawURLEncoding.DecodeString(part)
	if err != nil {
		return nil
	}
	return b
}

// members returns the members of the object at the start of a text.
func members(text []byte) object {
	var o object
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&o); err != nil {
		return nil
	}
	return o
}

func (a *attempt) run(list []check) *Rejected {
	for _, c := range list {
		if err := c.run(a); err != nil {
			return err
		}
	}
	return nil
}

func refuse(reason Reason, format string, args ...any) *Rejected {
	return &Rejected{Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// given reports whether the object has a member that is not null.
func (o object) given(name string) bool {
	raw, ok := o[name]
	return ok && string(raw) != "null"
}

// text returns a member that is a string.
func (o object) text(name string) (string, bool) {
	return textOf(o[name])
}

// textOf reads a string.
func textOf(raw json.RawMessage) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	var s string
	err := json.Unmarshal(raw, &s)
	return s, err == nil
}

// idOf reads an id: a string, or the digits of an integer.
func idOf(raw json.RawMessage) (string, bool) {
	if s, ok := textOf(raw); ok {
		return s, true
	}
	digits := bytes.TrimPrefix(raw, []byte("-"))
	if len(digits) == 0 || slices.ContainsFunc(digits, func(c byte) bool { return c < '0' || c > '9' }) {
		return "", false
	}
	return string(raw), true
}

// fits reports whether a text has 1 to limit characters, not all blank.
func fits(s string, limit int) bool {
	return strings.TrimSpace(s) != "" && utf8.RuneCountInString(s) <= limit
}

// oneLine reports whether a text has no control characters, which could
// distinguish two ids invisibly.
func oneLine(s string) bool { return strings.IndexFunc(s, unicode.IsControl) < 0 }

// shown is an unverified claim in the form that a developer may see: one line
// of at most 100 characters.
func shown(raw json.RawMessage) string {
	const most = 100
	s, ok := idOf(raw)
	if !ok {
		s = string(raw)
	}
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	if utf8.RuneCountInString(s) > most {
		s = string([]rune(s)[:most-1]) + "…"
	}
	return s
}

// maxNesting is the greatest depth of objects and arrays in a token, including
// the outermost.
const maxNesting = 16

// wellFormed returns what is wrong with a text that must be one JSON object: in
// UTF-8, with nothing after it, nested at most 16 deep, without duplicate names
// in an object, and without halves of surrogate pairs or NUL, which parsers
// treat differently.
func wellFormed(text []byte) string {
	switch {
	case !utf8.Valid(text):
		return "is not UTF-8"
	case !json.Valid(text) || members(text) == nil:
		return "is not one JSON object"
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var names []map[string]bool // of the open objects; nil for an array
	name := false               // the next token is a name, unless it ends the object
	for {
		token, err := d.Token()
		if err != nil {
			return "" // the end: the text is valid
		}
		switch t := token.(type) {
		case json.Delim:
			if t == '}' || t == ']' {
				names = names[:len(names)-1]
			} else {
				names = append(names, nil)
				if t == '{' {
					names[len(names)-1] = map[string]bool{}
				}
				if len(names) > maxNesting {
					return fmt.Sprintf("nests deeper than %d", maxNesting)
				}
			}
		case string:
			if strings.ContainsAny(t, "\x00\uFFFD") {
				return `holds NUL or a character that is none`
			}
			if name {
				open := names[len(names)-1]
				if open[t] {
					return fmt.Sprintf("has the member %.40q twice", t)
				}
				open[t] = true
				name = false
				continue // its value follows
			}
		}
		name = len(names) > 0 && names[len(names)-1] != nil
	}
}

package httpjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"parley"
)

// Limits of a request's body.
const (
	MaxBody  = 1 << 20 // bytes
	MaxDepth = 100     // objects and arrays inside each other, the body included
)

// A member is a member of the body.
type member struct {
	name  string
	value json.RawMessage // a part of the body's bytes
	taken bool            // the handler knows it
	odd   bool            // it cannot be stored; ReadBody reported it
}

// ReadBody reads the body, which must be a JSON object in UTF-8 with a JSON
// media type. A POST must have one. For other methods an absent body counts as
// the empty object, so that an update may change nothing, unless its media type
// contradicts that. A name must not occur twice (RFC 8259, section 4, does not
// define the meaning). A member whose name or value cannot be stored, because
// it contains NUL or half of a surrogate pair, breaks a rule whether or not the
// handler knows it.
func (in *Reader) ReadBody() { in.readBody(in.request.Method == http.MethodPost) }

// ReadOptionalBody is [Reader.ReadBody] for an operation that requires no
// member: an absent body counts as the empty object in a POST too.
func (in *Reader) ReadOptionalBody() { in.readBody(false) }

func (in *Reader) readBody(needed bool) {
	h := in.request.Header
	raw, err := readAll(in.request)
	switch {
	case (len(raw) > 0 || h.Get("Content-Type") != "") && !jsonType(h.Get("Content-Type")):
		in.fatal = parley.FieldErrorf(parley.Unsupported, "Content-Type", "%s", mediaRule(h.Get("Content-Type")))
	case len(raw) > 0 && h.Get("Content-Encoding") != "" && h.Get("Content-Encoding") != "identity":
		in.fatal = parley.FieldErrorf(parley.Unsupported, "Content-Encoding", "must be absent")
	case err != nil:
		in.fatal = err
	case !utf8.Valid(raw):
		in.fatal = parley.InvalidField("body", "be UTF-8")
	case len(raw) > 0 && !json.Valid(raw):
		in.fatal = notJSON(raw)
	case len(raw) == 0 && needed:
		in.fatal = parley.InvalidField("body", "be a JSON object; there is none")
	}
	if in.fatal != nil || len(raw) == 0 {
		return
	}
	in.raw = raw
	in.split()
}

// split cuts the body, which is valid JSON, into its members.
func (in *Reader) split() {
	c := cursor{text: in.raw}
	c.space()
	if c.text[c.at] != '{' {
		in.fatal = parley.InvalidField("body", "be a JSON object")
		return
	}
	for c.enter(); !c.leave(); {
		name, nameFlaw := c.value()
		c.enter() // the colon
		value, flaw := c.value()
		m := member{value: value}
		m.name, _ = stringOf(name)
		if flaw == deep {
			in.members, in.fatal = nil, parley.InvalidField("body", deep.rule())
			return
		}
		if m.odd = flaw != none || nameFlaw != none; m.odd {
			in.Refuse(headerName(m.name), max(flaw, nameFlaw).rule())
		}
		in.members = append(in.members, m)
	}
	names := make([]string, len(in.members))
	for i := range in.members {
		names[i] = in.members[i].name
	}
	if name, twice := repeated(names); twice {
		in.Refuse(headerName(name), "be given once")
	}
}

// take returns the value of a member and marks it as known. A member that
// cannot be stored counts as given, but has no value.
func (in *Reader) take(name string) (value json.RawMessage, given bool) {
	for i := range in.members {
		if m := &in.members[i]; m.name == name {
			m.taken, given, value = true, true, m.value
			if m.odd {
				value = nil
			}
		}
	}
	return value, given
}

// notJSON returns the error for a body that is not JSON, with the place.
func notJSON(raw []byte) error {
	at := ""
	var syntax *json.SyntaxError
	var v json.RawMessage
	if errors.As(json.Unmarshal(raw, &v), &syntax) {
		at = "; the JSON is wrong at byte " + strconv.FormatInt(syntax.Offset, 10)
	}
	return parley.InvalidField("body", "be a JSON object"+at)
}

// jsonType reports whether a media type is JSON in UTF-8.
func jsonType(contentType string) bool {
	if contentType == "application/json" {
		return true
	}
	_, params, err := mime.ParseMediaType(contentType)
	charset, given := params["charset"]
	return err == nil && jsonKind(contentType) && (!given || strings.EqualFold(charset, "utf-8"))
}

// jsonKind reports whether a media type is JSON, whatever its parameters.
func jsonKind(contentType string) bool {
	kind, _, _ := strings.Cut(contentType, ";")
	kind = strings.ToLower(strings.TrimSpace(kind))
	return kind == "application/json" || strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")
}

// mediaRule returns the rule that a media type breaks if it is not JSON in
// UTF-8.
func mediaRule(contentType string) string {
	if _, params, err := mime.ParseMediaType(contentType); err == nil && jsonKind(contentType) && params["charset"] != "" {
		return "must be application/json in UTF-8, not with charset=" + headerName(params["charset"])
	}
	return "must be application/json"
}

// readAll returns the bytes of the body, with a TooLarge error those that fit.
// It never closes the body: if a wrapped body is closed before its end,
// net/http reads the rest of it as the next request of the connection.
func readAll(r *http.Request) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	// The stated length is not trusted, so it does not reserve memory beyond
	// this.
	const trust = 64 << 10
	var b bytes.Buffer
	if r.ContentLength > 0 {
		b.Grow(int(min(r.ContentLength, trust)) + bytes.MinRead)
	}
	n, err := b.ReadFrom(io.LimitReader(r.Body, MaxBody+1))
	switch {
	case err != nil:
		return nil, parley.InvalidField("body", "arrive as a whole")
	case n > MaxBody:
		return b.Bytes(), parley.FieldErrorf(parley.TooLarge, "body", "must be at most %d bytes", MaxBody)
	}
	return b.Bytes(), nil
}

package httpjson

import (
	"mime"
	"net/url"
	"unicode/utf8"

	"parley"
)

// Form reads the body as a form (application/x-www-form-urlencoded), and returns its one
// field, which must be given once and have 1 to limit characters. Others are ignored. It is
// for requests of other programs whose form their protocol says.
func (in *Reader) Form(name string, limit int) string {
	h := in.request.Header
	kind, _, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		in.fatal = parley.FieldErrorf(parley.Unsupported, "Content-Type", "must be application/x-www-form-urlencoded")
		return ""
	}
	if h.Get("Content-Encoding") != "" && h.Get("Content-Encoding") != "identity" {
		in.fatal = parley.FieldErrorf(parley.Unsupported, "Content-Encoding", "must be absent")
		return ""
	}
	raw, err := readAll(in.request)
	if err != nil {
		in.fatal = err
		return ""
	}
	fields, err := url.ParseQuery(string(raw))
	if err != nil {
		in.fatal = parley.InvalidField("body", "be an encoded form")
		return ""
	}
	values := fields[name]
	if len(values) != 1 || values[0] == "" || !plain(values[0]) || utf8.RuneCountInString(values[0]) > limit {
		in.Refuse(name, "be given once")
		return ""
	}
	return values[0]
}

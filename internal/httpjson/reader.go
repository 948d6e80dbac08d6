// Package httpjson is how the HTTP packages read requests and write answers:
// parameters and bodies by name and rule, answers and errors in JSON, the one
// table from kinds of errors to statuses, request ids, limits, and a router
// whose refusals are JSON too.
//
// It imports the vocabulary alone. A handler makes a Reader, takes its inputs
// from it one by one, asks Err once, calls the desk, and returns a Reply.
// Whatever the handler did not ask for is named in the header Parley-Ignored.
package httpjson

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley"
)

// MaxBody is the most bytes that a request's body may take.
const MaxBody = 1 << 20

// A Reader takes the inputs of one request. What is wrong with them is
// collected; Err returns it all at once.
type Reader struct {
	request  *http.Request
	query    url.Values
	asked    []string // query parameters that the handler knows
	problems []string
	ignored  []string
	fatal    error // the body cannot be read at all
	raw      []byte
	members  map[string]json.RawMessage // of the body, without those taken
}

// NewReader returns a Reader of the request.
func NewReader(r *http.Request) *Reader {
	in := &Reader{request: r}
	var err error
	if in.query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		in.problem("query", "be encoded correctly")
	}
	for name, values := range in.query {
		if !plain(name) || !plain(strings.Join(values, "")) {
			in.problem("query", "be UTF-8 without the NUL character")
			in.query.Del(name)
		}
	}
	return in
}

// plain reports whether a text can be stored: UTF-8 without NUL.
func plain(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

// Request returns the request.
func (in *Reader) Request() *http.Request { return in.request }

func (in *Reader) problem(field, rule string) {
	in.problems = append(in.problems, field+": must "+rule)
}

// Refuse notes that a field breaks a rule that only the handler knows. The
// rule completes "must …".
func (in *Reader) Refuse(field, rule string) { in.problem(field, rule) }

// Err returns what is wrong with the inputs taken so far, or nil.
func (in *Reader) Err() error {
	if in.fatal != nil {
		return in.fatal
	}
	if len(in.problems) == 0 {
		return nil
	}
	return &parley.Error{Kind: parley.Invalid, Message: strings.Join(in.problems, "; ")}
}

// Ignore notes that a known input has no effect on this request.
func (in *Reader) Ignore(name string) { in.ignored = append(in.ignored, name) }

// Ignored returns the names of the inputs that had no effect.
func (in *Reader) Ignored() []string {
	names := slices.Clone(in.ignored)
	for name := range in.query {
		if !slices.Contains(in.asked, name) {
			names = append(names, name)
		}
	}
	names = slices.AppendSeq(names, maps.Keys(in.members))
	slices.Sort(names)
	return slices.Compact(names)
}

// PathID returns an id from the path. A malformed one breaks a rule.
func (in *Reader) PathID(name string) parley.ID {
	id, ok := parley.ParseID(in.request.PathValue(name))
	if !ok {
		in.problem(name, "be a UUID")
	}
	return id
}

// PathText returns a text from the path.
func (in *Reader) PathText(name string) string { return in.request.PathValue(name) }

// Query returns a query parameter and whether it was given. One that is given
// twice breaks a rule.
func (in *Reader) Query(name string) (string, bool) {
	in.asked = append(in.asked, name)
	values, ok := in.query[name]
	if len(values) > 1 {
		in.problem(name, "be given once")
	}
	if !ok {
		return "", false
	}
	return values[0], true
}

// QueryInt returns an integer from min to max, or fallback when absent.
func (in *Reader) QueryInt(name string, fallback, low, high int) int {
	text, ok := in.Query(name)
	if !ok {
		return fallback
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high || strings.HasPrefix(text, "+") {
		in.problem(name, "be an integer from "+strconv.Itoa(low)+" to "+strconv.Itoa(high))
		return fallback
	}
	return n
}

// QueryID returns an id, or the zero id when absent.
func (in *Reader) QueryID(name string) parley.ID {
	text, ok := in.Query(name)
	if !ok {
		return parley.ID{}
	}
	id, valid := parley.ParseID(text)
	if !valid {
		in.problem(name, "be a UUID")
	}
	return id
}

// QueryIDOrNone returns an id, or null for the literal "none".
func (in *Reader) QueryIDOrNone(name string) parley.Optional[parley.ID] {
	text, ok := in.Query(name)
	switch {
	case !ok:
		return parley.Optional[parley.ID]{}
	case text == "none":
		return parley.Null[parley.ID]()
	}
	id, valid := parley.ParseID(text)
	if !valid {
		in.problem(name, "be a UUID or none")
	}
	return parley.Some(id)
}

// QueryBool returns true or false, or false when absent.
func (in *Reader) QueryBool(name string) bool {
	text, ok := in.Query(name)
	if ok && text != "true" && text != "false" {
		in.problem(name, "be true or false")
	}
	return text == "true"
}

// QueryTime returns a time, or the zero time when absent.
func (in *Reader) QueryTime(name string) time.Time {
	text, ok := in.Query(name)
	if !ok {
		return time.Time{}
	}
	at, rule := parseTime(text)
	if rule != "" {
		in.problem(name, rule)
	}
	return at
}

// QueryOneOf returns one of some values, or "" when absent.
func QueryOneOf[T ~string](in *Reader, name string, values []T) T {
	text, ok := in.Query(name)
	if !ok {
		return ""
	}
	if !slices.Contains(values, T(text)) {
		in.problem(name, oneOf(values))
	}
	return T(text)
}

// QueryText returns a text of 1 to max characters, or "" when absent or, if
// empty says that this means the same, empty.
func (in *Reader) QueryText(name string, limit int, empty bool) string {
	text, ok := in.Query(name)
	if !ok || text == "" && empty {
		return ""
	}
	if n := utf8.RuneCountInString(text); n < 1 || n > limit {
		in.problem(name, "be 1 to "+strconv.Itoa(limit)+" characters")
	}
	return text
}

// IdempotencyKey returns the header Idempotency-Key, or "" when absent. A bare
// value and a quoted one (RFC 8941, section 3.3.3) mean the same.
func (in *Reader) IdempotencyKey(limit int) string {
	values := in.request.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return ""
	}
	key, ok := unquote(values[0])
	if !ok || len(values) > 1 || key == "" || utf8.RuneCountInString(key) > limit || !printable(key) {
		in.problem("Idempotency-Key", "be one value of 1 to "+strconv.Itoa(limit)+" printable characters")
		return ""
	}
	return key
}

func printable(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f }) < 0
}

// unquote takes the quotes off a string of RFC 8941; what does not begin with
// one is bare.
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

// ReadBody reads the body, which must be a JSON object. A request without a
// body counts as the empty object, so that an update may change nothing.
func (in *Reader) ReadBody() {
	in.raw, in.fatal = readAll(in.request)
	if in.fatal != nil {
		return
	}
	if len(in.raw) == 0 {
		in.members = map[string]json.RawMessage{}
		return
	}
	switch {
	case !jsonType(in.request.Header):
		in.fatal = parley.Errorf(parley.Unsupported, "Content-Type: must be application/json")
	case !utf8.Valid(in.raw):
		in.fatal = parley.InvalidField("body", "be UTF-8")
	case json.Unmarshal(in.raw, &in.members) != nil, in.members == nil:
		in.members = nil
		in.fatal = parley.InvalidField("body", "be one JSON object")
	}
}

// BodyHash returns the hash of the body's bytes.
func (in *Reader) BodyHash() [32]byte { return sha256.Sum256(in.raw) }

// jsonType reports whether the headers name JSON in UTF-8.
func jsonType(h http.Header) bool {
	kind, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil {
		return false
	}
	if charset, ok := params["charset"]; ok && !strings.EqualFold(charset, "utf-8") {
		return false
	}
	return kind == "application/json" || strings.HasPrefix(kind, "application/") && strings.HasSuffix(kind, "+json")
}

func readAll(r *http.Request) ([]byte, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	var b bytes.Buffer
	if r.ContentLength > 0 {
		b.Grow(int(min(r.ContentLength, MaxBody)) + bytes.MinRead)
	}
	// MaxBytesReader also ends the connection, so that the rest of a body that
	// is too large is not read as the next request.
	_, err := b.ReadFrom(http.MaxBytesReader(nil, io.NopCloser(r.Body), MaxBody))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, parley.Errorf(parley.TooLarge, "body: must be at most %d bytes", MaxBody)
	case err != nil:
		return nil, parley.InvalidField("body", "arrive as a whole")
	}
	return b.Bytes(), nil
}

// Package httpjson reads requests and writes answers for the HTTP packages:
// parameters and bodies by name and rule, answers and errors in JSON, the one
// table from kinds of errors to statuses, request ids, limits, and a router
// whose refusals are JSON too.
//
// It imports only the vocabulary. A handler makes a [Reader], takes its inputs
// one by one, calls [Reader.Err] once, calls a verb, and returns a [Reply].
// Inputs that the handler did not read are named in the header Parley-Ignored.
//
// A body is checked once and cut into the values of its members, which remain
// slices of the received bytes; the rule of a member reads its value. Names of
// members are compared byte by byte, and a duplicate name is refused.
package httpjson

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"parley"
)

// A Reader reads the inputs of one request. It collects the faults, and Err
// returns all of them at once. It is for one goroutine.
type Reader struct {
	request  *http.Request
	query    url.Values
	asked    []string // query parameters that the handler knows
	problems []parley.Fault
	ignored  []string
	strict   bool  // inputs without effect are faults; see Prefer
	fatal    error // the body cannot be read at all
	raw      []byte
	members  []member // of the body, in its order
}

// NewReader returns a Reader of the request.
func NewReader(r *http.Request) *Reader {
	in := &Reader{request: r}
	if r.URL.RawQuery == "" {
		return in
	}
	var err error
	if in.query, err = url.ParseQuery(r.URL.RawQuery); err != nil {
		in.Refuse("query", "be encoded correctly")
	}
	return in
}

// plain reports whether a text can be stored: UTF-8 without NUL.
func plain(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }

const plainRule = "be UTF-8 without the NUL character"

// Request returns the request.
func (in *Reader) Request() *http.Request { return in.request }

// Refuse records that a field breaks a rule, also one that only the handler
// knows. The rule completes "must …".
func (in *Reader) Refuse(field, rule string) {
	const most = 50 // nobody reads more, and a body can break a rule 100,000 times
	if len(in.problems) == most {
		return
	}
	in.problems = append(in.problems, parley.Fault{Field: field, Rule: rule})
}

// Err returns the faults of the inputs read so far, or nil: an Invalid error
// whose message joins them with "; ". A body that could not be read is reported
// alone, as an Invalid, TooLarge or Unsupported error.
func (in *Reader) Err() error {
	if in.fatal != nil {
		return in.fatal
	}
	problems := slices.Clip(in.problems)
	if in.strict {
		for _, name := range in.Ignored() {
			problems = append(problems, parley.Fault{Field: headerName(name), Rule: "be absent, for it has no effect here"})
		}
	}
	if in.oddQuery() {
		problems = append(problems, parley.Fault{Field: "query", Rule: plainRule})
	}
	if len(problems) == 0 {
		return nil
	}
	return parley.InvalidFields(problems)
}

// oddQuery reports whether a parameter that the handler did not read cannot be
// stored. Query refuses the others by name.
func (in *Reader) oddQuery() bool {
	for name, values := range in.query {
		if !slices.Contains(in.asked, name) && !(plain(name) && !slices.ContainsFunc(values, odd)) {
			return true
		}
	}
	return false
}

func odd(s string) bool { return !plain(s) }

// Ignore records that known inputs have no effect on this request.
func (in *Reader) Ignore(names ...string) { in.ignored = append(in.ignored, names...) }

// Prefer reads the header Prefer (RFC 7240). With handling=strict, inputs that
// would be ignored are faults, and Preference-Applied in the answer says so.
// Inputs that turn out to have no effect on a particular record are named in
// Parley-Ignored in any case.
func (in *Reader) Prefer(answer http.Header) {
	for _, list := range in.request.Header.Values("Prefer") {
		for preference := range strings.SplitSeq(list, ",") {
			preference, _, _ = strings.Cut(preference, ";")
			name, value, _ := strings.Cut(preference, "=")
			if !strings.EqualFold(strings.TrimSpace(name), "handling") {
				continue
			}
			// The first one counts (section 2).
			if in.strict = strings.EqualFold(strings.Trim(value, " \t\""), "strict"); in.strict {
				answer.Set("Preference-Applied", "handling=strict")
			}
			return
		}
	}
}

// BodyErr returns the error of a body that could not be read at all, or nil.
func (in *Reader) BodyErr() error { return in.fatal }

// maxIgnored is the most names that the header Parley-Ignored shows. It helps
// to find a typing error, and a request can have a hundred thousand members.
const maxIgnored = 20

// Ignored returns the sorted names of inputs that had no effect: those passed
// to Ignore, and query parameters and members of the body that the handler did
// not read. It returns at most 20.
func (in *Reader) Ignored() []string {
	var names []string
	add := func(name string) {
		if len(names) < maxIgnored && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range in.ignored {
		add(name)
	}
	for name := range in.query {
		if !slices.Contains(in.asked, name) {
			add(name)
		}
	}
	for i := range in.members {
		if !in.members[i].taken {
			add(in.members[i].name)
		}
	}
	slices.Sort(names)
	return names
}

// PathID returns an id from the path. A malformed one breaks a rule.
func (in *Reader) PathID(name string) parley.ID {
	id, ok := parley.ParseID(in.request.PathValue(name))
	if !ok {
		in.Refuse(name, "be a UUID")
	}
	return id
}

// PathText returns a text from the path. A text that cannot be stored breaks a
// rule.
func (in *Reader) PathText(name string) string {
	text := in.request.PathValue(name)
	if !plain(text) {
		in.Refuse(name, plainRule)
	}
	return text
}

// PathIDOrNotFound returns an id from the path where the contract allows any
// string: a text that is not a UUID names no record. The error is NotFound with
// the message "no such <what> in this workspace".
func (in *Reader) PathIDOrNotFound(name, what string) (parley.ID, error) {
	id, ok := parley.ParseID(in.request.PathValue(name))
	if !ok {
		return id, parley.NotFoundf("no such %s in this workspace", what)
	}
	return id, nil
}

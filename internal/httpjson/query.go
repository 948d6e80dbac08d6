package httpjson

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley"
)

// Query returns a query parameter and whether it was given. A parameter that is
// given twice or cannot be stored breaks a rule and counts as absent.
func (in *Reader) Query(name string) (string, bool) {
	in.asked = append(in.asked, name)
	values, ok := in.query[name]
	switch {
	case !ok:
		return "", false
	case len(values) > 1:
		in.Refuse(name, "be given once")
		return "", false
	case !plain(values[0]):
		in.Refuse(name, plainRule)
		return "", false
	}
	return values[0], true
}

// QueryInt returns an integer from low to high, or fallback when absent.
func (in *Reader) QueryInt(name string, fallback, low, high int) int {
	text, ok := in.Query(name)
	if !ok {
		return fallback
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high || strings.HasPrefix(text, "+") {
		in.Refuse(name, "be an integer from "+strconv.Itoa(low)+" to "+strconv.Itoa(high))
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
	id, valid := recordID(text)
	if !valid {
		in.Refuse(name, "be a UUID")
	}
	return id
}

// QueryIDOrNone returns an id, or null for the literal "none" (contract,
// section 4).
func (in *Reader) QueryIDOrNone(name string) parley.Optional[parley.ID] {
	text, ok := in.Query(name)
	switch {
	case !ok:
		return parley.Optional[parley.ID]{}
	case text == "none":
		return parley.Null[parley.ID]()
	}
	id, valid := recordID(text)
	if !valid {
		in.Refuse(name, "be a UUID or none")
	}
	return parley.Some(id)
}

// recordID parses the id of a record. The zero UUID is refused: accepted, it
// would mean that the filter is absent.
func recordID(text string) (parley.ID, bool) {
	id, ok := parley.ParseID(text)
	return id, ok && !id.IsZero()
}

// QueryBool returns true or false, or false when absent.
func (in *Reader) QueryBool(name string) bool {
	text, ok := in.Query(name)
	if ok && text != "true" && text != "false" {
		in.Refuse(name, boolRule)
	}
	return text == "true"
}

// QueryTime returns a time of RFC 3339, not before 1970, or the zero time when
// absent.
func (in *Reader) QueryTime(name string) time.Time {
	text, ok := in.Query(name)
	if !ok {
		return time.Time{}
	}
	at, valid := parseTime(text)
	switch {
	case valid:
	case strings.Contains(text, " "): // what a + is in a query
		in.Refuse(name, timeRule+"; a + in an offset is written %2B in a query")
	default:
		in.Refuse(name, timeRule)
	}
	return at
}

// QueryOneOf returns one of some values, or "" when absent.
func QueryOneOf[T ~string](in *Reader, name string, values []T) T {
	text, ok := in.Query(name)
	if ok && !slices.Contains(values, T(text)) {
		in.Refuse(name, oneOf(values))
	}
	return T(text)
}

// QueryText returns a text of 1 to limit characters, or "" when absent. If
// empty is set, an empty parameter counts as absent.
func (in *Reader) QueryText(name string, limit int, empty bool) string {
	text, ok := in.Query(name)
	if !ok || text == "" && empty {
		return ""
	}
	if n := utf8.RuneCountInString(text); n < 1 || n > limit {
		in.Refuse(name, "be 1 to "+strconv.Itoa(limit)+" characters")
	}
	return text
}

// QueryFilled returns a text of 1 to limit characters that is not blank, or ""
// when absent.
func (in *Reader) QueryFilled(name string, limit int) string {
	text, ok := in.Query(name)
	if !ok {
		return ""
	}
	in.checkFilled(name, text, limit)
	return text
}

// QueryFilledList returns the texts of a parameter that may be given up to most
// times, each like that of QueryFilled.
func (in *Reader) QueryFilledList(name string, most, limit int) []string {
	in.asked = append(in.asked, name)
	texts := in.query[name]
	if len(texts) > most {
		in.Refuse(name, "be given at most "+strconv.Itoa(most)+" times")
		return nil
	}
	for _, text := range texts {
		if !plain(text) {
			in.Refuse(name, plainRule)
			return nil
		}
		in.checkFilled(name, text, limit)
	}
	return texts
}

func (in *Reader) checkFilled(name, text string, limit int) {
	if parley.OneLine(text) == "" || utf8.RuneCountInString(text) > limit {
		in.Refuse(name, "be 1 to "+strconv.Itoa(limit)+" characters, not blank")
	}
}

package httpjson

import (
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley"
)

// Text is a string of at most limit characters, which may be empty.
func Text(limit int) Rule[string] {
	return func(raw json.RawMessage) (string, error) {
		s, ok := stringOf(raw)
		if !ok || utf8.RuneCountInString(s) > limit {
			return "", broken("be a string of at most " + strconv.Itoa(limit) + " characters")
		}
		return s, nil
	}
}

// Filled is a string of 1 to limit characters that is not blank.
func Filled(limit int) Rule[string] {
	return func(raw json.RawMessage) (string, error) {
		s, ok := stringOf(raw)
		if !ok || blank(s) || utf8.RuneCountInString(s) > limit {
			return "", broken("be a string of 1 to " + strconv.Itoa(limit) + " characters, not blank")
		}
		return s, nil
	}
}

// Label is the name of a label that satisfies Addressable; otherwise like
// [KeptLabel].
func Label(raw json.RawMessage) (string, error) {
	name, err := KeptLabel(raw)
	if err == nil && !parley.Addressable(name) {
		return "", broken(parley.UnaddressableRule)
	}
	return name, err
}

// KeptLabel is the name of a label, of 1 to parley.MaxLabelLength characters,
// in its stored form; see parley.LabelName.
func KeptLabel(raw json.RawMessage) (string, error) {
	s, err := Filled(parley.MaxLabelLength)(raw)
	if name := parley.LabelName(s); err == nil && name != "" {
		return name, nil
	}
	return "", broken("be a string of 1 to " + strconv.Itoa(parley.MaxLabelLength) + " characters, not blank")
}

// Content is a string of 1 to limit bytes of UTF-8 that is not blank.
func Content(limit int) Rule[string] {
	return func(raw json.RawMessage) (string, error) {
		s, ok := stringOf(raw)
		if !ok || blank(s) || len(s) > limit {
			return "", broken("be a string of 1 to " + strconv.Itoa(limit) + " bytes of UTF-8, not blank")
		}
		return s, nil
	}
}

// Writing is a string of at most limit bytes of UTF-8. What is blank counts as empty.
func Writing(limit int) Rule[string] {
	return func(raw json.RawMessage) (string, error) {
		s, ok := stringOf(raw)
		if !ok || len(s) > limit {
			return "", broken("be a string of at most " + strconv.Itoa(limit) + " bytes of UTF-8")
		}
		if blank(s) {
			return "", nil
		}
		return s, nil
	}
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// Email is an e-mail address as parley.ValidEmail reads it, or "" for none.
func Email(raw json.RawMessage) (string, error) {
	s, ok := stringOf(raw)
	if !ok || s != "" && !parley.ValidEmail(s) {
		return "", broken(parley.EmailRule)
	}
	return s, nil
}

// EmailOrStored is an e-mail address like [Email], or one that only earlier
// versions accepted. Callers may use the latter only to match what is already
// stored.
func EmailOrStored(raw json.RawMessage) (string, error) {
	if s, ok := stringOf(raw); ok && parley.StoredEmail(s) {
		return s, nil
	}
	return Email(raw)
}

// URL is an absolute http or https address of at most 2048 characters, or ""
// for none.
func URL(raw json.RawMessage) (string, error) {
	s, ok := stringOf(raw)
	if !ok || s != "" && !webAddress(s) {
		return "", broken("be an http or https address of at most 2048 characters")
	}
	return s, nil
}

func webAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && utf8.RuneCountInString(s) <= 2048 && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}

// Count is an integer from 0 to most.
func Count(most int) Rule[int] {
	return func(raw json.RawMessage) (int, error) {
		n, err := strconv.Atoi(string(raw))
		if err != nil || n < 0 || n > most {
			return 0, broken("be an integer from 0 to " + strconv.Itoa(most))
		}
		return n, nil
	}
}

// Phone is a phone number as parley.ParsePhone reads it.
func Phone(raw json.RawMessage) (parley.Phone, error) {
	s, _ := stringOf(raw)
	phone, ok := parley.ParsePhone(s)
	if !ok {
		return "", broken(parley.PhoneRule)
	}
	return phone, nil
}

// PhoneText is a phone number as the caller wrote it, in at most 40
// bytes, or "" for none.
func PhoneText(raw json.RawMessage) (string, error) {
	s, ok := stringOf(raw)
	if ok && s != "" {
		_, ok = parley.ParsePhone(s)
	}
	if !ok || len(s) > 40 {
		return "", broken(parley.PhoneRule)
	}
	return s, nil
}

// ID is the UUID of a record; the zero UUID names none.
func ID(raw json.RawMessage) (parley.ID, error) {
	s, _ := stringOf(raw)
	id, ok := recordID(s)
	if !ok {
		return parley.ID{}, broken("be a UUID")
	}
	return id, nil
}

// User is the id of a member: opaque, at most 255 characters.
func User(raw json.RawMessage) (parley.UserID, error) {
	s, err := Filled(parley.MaxName)(raw)
	if err != nil {
		return "", broken("be the id of a member")
	}
	return parley.UserID(s), nil
}

const boolRule = "be true or false"

// Bool is true or false.
func Bool(raw json.RawMessage) (bool, error) {
	switch string(raw) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, broken(boolRule)
}

// Whole is a whole number from low to high, written without fraction and
// exponent.
func Whole(low, high int) Rule[int] {
	return func(raw json.RawMessage) (int, error) {
		n, err := strconv.Atoi(string(raw))
		if err != nil || n < low || n > high {
			return 0, broken("be a whole number from " + strconv.Itoa(low) + " to " + strconv.Itoa(high))
		}
		return n, nil
	}
}

const timeRule = "be a time such as 2026-11-20T08:15:30Z, not before 1970"

// Time is a time with its offset (RFC 3339, except leap seconds), later than
// the start of 1970, which stands for "none" in the store. It is truncated to
// milliseconds.
func Time(raw json.RawMessage) (time.Time, error) {
	s, _ := stringOf(raw)
	at, ok := parseTime(s)
	if !ok || at.UnixMilli() == 0 {
		return time.Time{}, broken(timeRule)
	}
	return at, nil
}

func parseTime(s string) (time.Time, bool) {
	s = strings.ToUpper(s) // t and z may be lower case (RFC 3339, section 5.6)
	at, err := time.Parse(time.RFC3339, s)
	// time.Parse also accepts an hour of one digit and a comma before the
	// fraction (go.dev/issue/54580).
	if err != nil || s[13] != ':' || strings.Contains(s, ",") || at.UnixMilli() < 0 {
		return time.Time{}, false
	}
	return at.UTC().Truncate(time.Millisecond), true
}

// OneOf is one of some values.
func OneOf[T ~string](values []T) Rule[T] {
	return func(raw json.RawMessage) (T, error) {
		s, ok := stringOf(raw)
		if !ok || !slices.Contains(values, T(s)) {
			return "", broken(oneOf(values))
		}
		return T(s), nil
	}
}

func oneOf[T ~string](values []T) string {
	names := make([]string, len(values))
	for i, value := range values {
		names[i] = string(value)
	}
	return "be one of " + strings.Join(names, ", ")
}

// ListOf is an array of low to high values, each of which satisfies a rule.
func ListOf[T any](low, high int, rule Rule[T]) Rule[[]T] {
	return func(raw json.RawMessage) ([]T, error) {
		size := func() string { return "be an array of " + strconv.Itoa(low) + " to " + strconv.Itoa(high) + " items" }
		all, ok := items(raw, high)
		if !ok || len(all) < low || len(all) > high {
			return nil, broken(size())
		}
		values := make([]T, len(all))
		for i, item := range all {
			var err error
			if values[i], err = rule(item); err != nil {
				return nil, broken(size() + "; item " + strconv.Itoa(i+1) + " must " + err.Error())
			}
		}
		return values, nil
	}
}

// Attributes is a JSON object of at most parley.MaxAttributes bytes, returned
// unchanged; merging makes it compact. A name must not occur twice in an
// object. Its numbers must fit a double, because many clients cannot read
// larger ones (RFC 8259, section 6).
func Attributes(raw json.RawMessage) (parley.Attributes, error) {
	if len(raw) == 0 || raw[0] != '{' || len(raw) > parley.MaxAttributes {
		return "", broken("be an object of at most " + strconv.Itoa(parley.MaxAttributes) + " bytes")
	}
	if repeats(raw) {
		return "", broken("hold each name once")
	}
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return "", broken("hold no number that is too large for a double")
	}
	return parley.Attributes(raw), nil
}

// Facts is a JSON object of at most parley.MaxVisitFacts texts, numbers, true and false,
// which takes at most parley.MaxVisitBytes. Null members count as absent.
func Facts(raw json.RawMessage) (parley.Attributes, error) {
	rule := broken("be an object of at most " + strconv.Itoa(parley.MaxVisitFacts) + " texts, numbers, true and false, of at most " +
		strconv.Itoa(parley.MaxVisitBytes) + " bytes")
	if len(raw) > parley.MaxVisitBytes {
		return "", rule
	}
	if _, err := Attributes(raw); err != nil {
		return "", rule
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil || len(members) > parley.MaxVisitFacts {
		return "", rule
	}
	for _, value := range members {
		if value[0] == '{' || value[0] == '[' {
			return "", rule
		}
	}
	return parley.Attributes("").Merge(parley.Attributes(raw))
}

package httpjson

import (
	"encoding/json"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"parley"
)

// A Rule reads a JSON value. It returns the value, or the rule that it breaks,
// which completes "must …".
type Rule[T any] func(json.RawMessage) (value T, broken string)

// Required takes a member of the body that must be given.
func Required[T any](in *Reader, name string, rule Rule[T]) T {
	o := Change(in, name, rule)
	if !o.Set && in.fatal == nil {
		in.problem(name, "be given")
	}
	return o.Value
}

// Default takes a member of the body that has a value when absent.
func Default[T any](in *Reader, name string, rule Rule[T], fallback T) T {
	return Change(in, name, rule).Or(fallback)
}

// Change takes a member of the body that may be absent. Null breaks the rule.
func Change[T any](in *Reader, name string, rule Rule[T]) parley.Optional[T] {
	raw, ok := in.take(name)
	if !ok {
		return parley.Optional[T]{}
	}
	value, broken := rule(raw)
	if broken != "" {
		in.problem(name, broken)
	}
	return parley.Some(value)
}

// ChangeOrNull takes a member of the body that may be absent or null.
func ChangeOrNull[T any](in *Reader, name string, rule Rule[T]) parley.Optional[T] {
	raw, ok := in.take(name)
	if ok && isNull(raw) {
		return parley.Null[T]()
	}
	if !ok {
		return parley.Optional[T]{}
	}
	value, broken := rule(raw)
	if broken != "" {
		in.problem(name, broken+", or null")
	}
	return parley.Some(value)
}

func (in *Reader) take(name string) (json.RawMessage, bool) {
	raw, ok := in.members[name]
	delete(in.members, name)
	return raw, ok
}

func isNull(raw json.RawMessage) bool { return string(raw) == "null" }

// text reads a string without NUL, or says "be a string" and what comes after.
func text(raw json.RawMessage, broken string) (string, string) {
	var s string
	if isNull(raw) || json.Unmarshal(raw, &s) != nil {
		return "", broken
	}
	if strings.IndexByte(s, 0) >= 0 {
		return "", "not contain the NUL character"
	}
	return s, ""
}

// Text is a string of at most limit characters, which may be empty.
func Text(limit int) Rule[string] {
	return func(raw json.RawMessage) (string, string) {
		rule := "be a string of at most " + strconv.Itoa(limit) + " characters"
		s, broken := text(raw, rule)
		if broken == "" && utf8.RuneCountInString(s) > limit {
			broken = rule
		}
		return s, broken
	}
}

// Filled is a string of 1 to limit characters that is not blank.
func Filled(limit int) Rule[string] {
	return func(raw json.RawMessage) (string, string) {
		rule := "be a string of 1 to " + strconv.Itoa(limit) + " characters, not blank"
		s, broken := text(raw, rule)
		if broken == "" && (blank(s) || utf8.RuneCountInString(s) > limit) {
			broken = rule
		}
		return s, broken
	}
}

// Content is a string of 1 to limit bytes of UTF-8 that is not blank.
func Content(limit int) Rule[string] {
	return func(raw json.RawMessage) (string, string) {
		rule := "be a string of 1 to " + strconv.Itoa(limit) + " bytes of UTF-8, not blank"
		s, broken := text(raw, rule)
		if broken == "" && (blank(s) || len(s) > limit) {
			broken = rule
		}
		return s, broken
	}
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// maxEmail is the longest address that mail can be sent to (RFC 5321, section
// 4.5.3.1.3, without the angle brackets).
const maxEmail = 254

// Email is an e-mail address, or "" for none.
func Email(raw json.RawMessage) (string, string) {
	const rule = "be an e-mail address"
	s, broken := text(raw, rule)
	if broken != "" || s == "" {
		return s, broken
	}
	parsed, err := mail.ParseAddress(s)
	if err != nil || parsed.Address != s || len(s) > maxEmail || !strings.Contains(s, "@") {
		return "", rule
	}
	local, domain, _ := strings.Cut(s, "@")
	if len(local) > 64 || !hostname(domain) || strings.ContainsFunc(local, func(r rune) bool { return r <= ' ' || r > '~' || r == '"' }) {
		return "", rule
	}
	return s, ""
}

// hostname reports whether a domain is made of labels of letters, digits and
// inner dashes (RFC 1123, section 2.1).
func hostname(domain string) bool {
	if len(domain) > 253 {
		return false
	}
	for label := range strings.SplitSeq(domain, ".") {
		ok := len(label) >= 1 && len(label) <= 63 && label[0] != '-' && label[len(label)-1] != '-' &&
			strings.IndexFunc(label, func(r rune) bool {
				return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-'
			}) < 0
		if !ok {
			return false
		}
	}
	return true
}

// URL is an absolute http or https address of at most 2048 characters, or ""
// for none.
func URL(raw json.RawMessage) (string, string) {
	const rule = "be an http or https address of at most 2048 characters"
	s, broken := text(raw, rule)
	if broken != "" || s == "" {
		return s, broken
	}
	u, err := url.Parse(s)
	if err != nil || len(s) > 2048 || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return "", rule
	}
	return s, ""
}

// Phone is a phone number as parley.ParsePhone reads it.
func Phone(raw json.RawMessage) (parley.Phone, string) {
	s, broken := text(raw, parley.PhoneRule)
	if broken != "" {
		return "", broken
	}
	phone, ok := parley.ParsePhone(s)
	if !ok {
		return "", parley.PhoneRule
	}
	return phone, ""
}

// PhoneText is a phone number as the caller wrote it, or "" for none.
func PhoneText(raw json.RawMessage) (string, string) {
	s, broken := text(raw, parley.PhoneRule)
	if broken != "" || s == "" {
		return s, broken
	}
	if _, ok := parley.ParsePhone(s); !ok || len(s) > 40 {
		return "", parley.PhoneRule
	}
	return s, ""
}

// ID is a UUID.
func ID(raw json.RawMessage) (parley.ID, string) {
	const rule = "be a UUID"
	s, broken := text(raw, rule)
	if broken != "" {
		return parley.ID{}, broken
	}
	id, ok := parley.ParseID(s)
	if !ok || id.IsZero() {
		return parley.ID{}, rule
	}
	return id, ""
}

// User is the id of a member.
func User(raw json.RawMessage) (parley.UserID, string) {
	s, broken := Filled(parley.MaxName)(raw)
	if broken != "" {
		broken = "be the id of a member"
	}
	return parley.UserID(s), broken
}

// Bool is true or false.
func Bool(raw json.RawMessage) (bool, string) {
	switch string(raw) {
	case "true":
		return true, ""
	case "false":
		return false, ""
	}
	return false, "be true or false"
}

// Time is a time with its offset (RFC 3339), not before 1970.
func Time(raw json.RawMessage) (time.Time, string) {
	s, broken := text(raw, timeRule)
	if broken != "" {
		return time.Time{}, broken
	}
	return parseTime(s)
}

const timeRule = "be a time such as 2026-11-20T08:15:30Z, not before 1970"

func parseTime(s string) (time.Time, string) {
	at, err := time.Parse(time.RFC3339, s)
	if err != nil || at.UnixMilli() <= 0 {
		return time.Time{}, timeRule
	}
	return at.UTC().Truncate(time.Millisecond), ""
}

// OneOf is one of some values.
func OneOf[T ~string](values []T) Rule[T] {
	return func(raw json.RawMessage) (T, string) {
		s, broken := text(raw, oneOf(values))
		if broken == "" && !slices.Contains(values, T(s)) {
			broken = oneOf(values)
		}
		return T(s), broken
	}
}

func oneOf[T ~string](values []T) string {
	names := make([]string, len(values))
	for i, value := range values {
		names[i] = string(value)
	}
	return "be one of " + strings.Join(names, ", ")
}

// ListOf is an array of low to high values that follow a rule.
func ListOf[T any](low, high int, rule Rule[T]) Rule[[]T] {
	return func(raw json.RawMessage) ([]T, string) {
		size := "be an array of " + strconv.Itoa(low) + " to " + strconv.Itoa(high) + " items"
		var items []json.RawMessage
		if isNull(raw) || json.Unmarshal(raw, &items) != nil || len(items) < low || len(items) > high {
			return nil, size
		}
		values := make([]T, len(items))
		for i, item := range items {
			var broken string
			if values[i], broken = rule(item); broken != "" {
				return nil, size + "; item " + strconv.Itoa(i+1) + " must " + broken
			}
		}
		return values, ""
	}
}

// Attributes is a JSON object that is kept as it is.
func Attributes(raw json.RawMessage) (parley.Attributes, string) {
	const rule = "be an object of at most 65536 bytes"
	if len(raw) == 0 || raw[0] != '{' || len(raw) > parley.MaxAttributes {
		return "", rule
	}
	if strings.Contains(string(raw), `\u0000`) {
		return "", "not contain the NUL character"
	}
	return parley.Attributes(raw), ""
}

package search

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"parley"
)

// The operators of a query. Everything else is a word.
const (
	opFrom     = "from"     // me, customer, team, bot, or a name
	opLabel    = "label"    // the name of a label
	opIs       = "is"       // one of states
	opBefore   = "before"   // a date
	opAfter    = "after"    // a date
	opIn       = "in"       // an inbox, a product or a channel
	opAssignee = "assignee" // me, none, or a name
	opTeam     = "team"     // none, or a name
	opHas      = "has"      // file
)

var operatorNames = []string{opFrom, opLabel, opIs, opBefore, opAfter, opIn, opAssignee, opTeam, opHas}

// states are the values of "is:".
var states = []string{
	string(parley.Open), string(parley.Pending), string(parley.Resolved),
	"unread", "waiting", "snoozed", "spam", "note", "unassigned", "mine",
}

// An operator is a condition of a query, such as -from:"Ann Lee".
type operator struct {
	name  string // in lower case
	value string // without its quotes
	not   bool   // the operator begins with a minus
}

// A query is what a member typed, in two parts.
type query struct {
	words     string // the text without the operators
	operators []operator
}

// parseQuery separates the operators of a text from its words. An operator
// stands at the beginning of a word. Its value ends at a space, or at a quote if it
// begins with one. An operator without a value is still being typed, and is left
// out; an unknown one is a word.
func parseQuery(text string) query {
	var q query
	var words strings.Builder
	for text != "" {
		rest := strings.TrimLeftFunc(text, unicode.IsSpace)
		words.WriteString(text[:len(text)-len(rest)])
		op, after, ok := cutOperator(rest)
		switch {
		case !ok:
			end := strings.IndexFunc(rest, unicode.IsSpace)
			if end < 0 {
				end = len(rest)
			}
			words.WriteString(rest[:end])
			text = rest[end:]
		default:
			if op.value != "" {
				q.operators = append(q.operators, op)
			}
			text = after
		}
	}
	q.words = strings.TrimSpace(words.String())
	return q
}

// cutOperator returns the operator at the beginning of a text, and the text after it.
func cutOperator(text string) (op operator, after string, ok bool) {
	rest, not := strings.CutPrefix(text, "-")
	for _, name := range operatorNames {
		if len(rest) <= len(name) || rest[len(name)] != ':' || !strings.EqualFold(rest[:len(name)], name) {
			continue
		}
		value, after := cutValue(rest[len(name)+1:])
		return operator{name: name, value: value, not: not}, after, true
	}
	return operator{}, text, false
}

// cutValue returns the value at the beginning of a text. A missing closing quote
// is still being typed, so the value extends to the end.
func cutValue(text string) (value, after string) {
	first, size := utf8.DecodeRuneInString(text)
	if !isQuote(first) {
		end := strings.IndexFunc(text, unicode.IsSpace)
		if end < 0 {
			end = len(text)
		}
		return text[:end], text[end:]
	}
	value = text[size:]
	if end := strings.IndexFunc(value, isQuote); end >= 0 {
		_, size := utf8.DecodeRuneInString(value[end:])
		value, after = value[:end], value[end+size:]
	}
	return strings.TrimSpace(value), after
}

func isQuote(r rune) bool { return r == '"' || r == '“' || r == '”' || r == '„' }

// A span of time in which messages were written: from after, inclusive, to before,
// exclusive. Zero times do not limit.
type span struct{ after, before time.Time }

// limit narrows the span by an operator with a date.
func (s *span) limit(op operator) error {
	at, ok := dateOf(op.value)
	if !ok {
		return parley.InvalidField("q", "have a date such as 2026-11-23 after "+op.name+":")
	}
	if (op.name == opBefore) == op.not { // what is not before a time is from it on
		if s.after.Before(at) {
			s.after = at
		}
	} else if s.before.IsZero() || at.Before(s.before) {
		s.before = at
	}
	return nil
}

// dateOf reads a day, a month or a year, which begin at midnight UTC, or a time of
// RFC 3339.
func dateOf(text string) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02", "2006-01", "2006", time.RFC3339} {
		if at, err := time.Parse(layout, strings.ToUpper(text)); err == nil && at.Year() >= 1970 && at.Year() < 2200 {
			return at.UTC(), true
		}
	}
	return time.Time{}, false
}

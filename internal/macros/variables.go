package macros

import (
	"slices"
	"strings"

	"parley"
	"parley/internal/desk"
)

// variables are what a text of a macro may contain in double braces.
var variables = []string{"contact.name", "me.name", "conversation.id"}

// UnknownVariable returns the first variable of a text that no macro has, or "".
func UnknownVariable(text string) (unknown string) {
	eachVariable(text, func(name string) string {
		if unknown == "" && !slices.Contains(variables, name) {
			unknown = name
		}
		return ""
	})
	return unknown
}

// fill returns a text with the values of its variables. A visitor about whom nothing is
// known has no name; then the space in front of it goes too.
func fill(text string, c *parley.Conversation, me *parley.Member) string {
	name := c.Contact.Name
	if name == desk.VisitorName {
		name = ""
	}
	values := map[string]string{"contact.name": name, "me.name": me.Name, "conversation.id": c.ID.String()}
	return eachVariable(text, func(name string) string { return values[name] })
}

// eachVariable replaces each {{name}} of a text by the value of its name. In front of
// an empty value a space goes too.
func eachVariable(text string, value func(name string) string) string {
	var b strings.Builder
	for {
		before, rest, open := strings.Cut(text, "{{")
		name, after, closed := strings.Cut(rest, "}}")
		if !open || !closed {
			b.WriteString(text)
			return b.String()
		}
		filled := value(strings.TrimSpace(name))
		if filled == "" {
			before = strings.TrimSuffix(before, " ")
		}
		b.WriteString(before)
		b.WriteString(filled)
		text = after
	}
}

// Package reply reads what a model answers: an object with an action, the marks
// of its sources and a text. Models decorate it, break it off and forget parts,
// so the package reads what can be read, also while the answer still arrives.
//
// What it returns is a proposal. Whether the sources exist, and whether the text
// is true to them, is checked by others. The package imports nothing of this
// module.
package reply

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// An Action is what a model proposes to do.
type Action string

// The actions. Whatever else a model proposes is a Handover.
const (
	Answer   Action = "answer"
	Clarify  Action = "clarify" // ask back
	Handover Action = "handover"
)

// A Reply is what a model answered.
type Reply struct {
	Action   Action
	Sources  []string // marks, without repetition, as far as they came before the text
	Text     string   // plain text
	Complete bool     // the text has its end
}

// Parse reads a whole answer. One without a text is a Handover. It reports false if there is nothing to do: no
// action is recognized and there is no text. An answer without an object is a
// text that cites the marks in it.
func Parse(text string) (Reply, bool) {
	r, found := read(text)
	if !found {
		r = plain(thought(text))
	}
	r.Text = strings.TrimSpace(r.Text)
	if r.Action == "" {
		r.Action = Answer
	}
	if r.Text == "" {
		r.Action = Handover
	}
	return r, found || r.Text != ""
}

// Partial reads the beginning of an answer that is streamed. It reports false
// until the action and the sources are known and the text has begun, which
// prompts demand to come last.
func Partial(text string) (Reply, bool) {
	r, found := read(text)
	return r, found && r.Action != "" && r.Sources != nil && r.Text != ""
}

// thought returns a text without what a model thought aloud before it.
func thought(text string) string {
	if i := strings.LastIndex(text, "</think>"); i >= 0 {
		return text[i+len("</think>"):]
	}
	if strings.HasPrefix(strings.TrimSpace(text), "<think>") {
		return "" // it still thinks
	}
	return text
}

// read reads the first object of a text.
func read(text string) (Reply, bool) {
	text = thought(text)
	start := strings.IndexByte(text, '{')
	if start < 0 {
		return Reply{}, false
	}
	var r Reply
	s := scanner{text: text, at: start + 1}
	known := false
	for {
		key, ok := s.key()
		if !ok {
			return r, known
		}
		switch strings.ToLower(key) {
		case "action":
			var value string
			if value, ok = s.value(); ok {
				r.Action, known = action(value), true
			}
		case "sources", "source":
			var list []string
			if list, ok = s.list(); ok {
				r.Sources, known = marks(list), true
			}
		case "answer":
			r.Text, r.Complete = s.value()
			ok, known = r.Complete, true
		default:
			ok = s.skip()
		}
		if !ok {
			return r, known
		}
	}
}

// action returns the action of a word.
func action(word string) Action {
	switch a := Action(strings.ToLower(strings.TrimSpace(word))); a {
	case Answer, Clarify:
		return a
	}
	return Handover
}

// mark finds marks of sources.
var mark = regexp.MustCompile(`\bs[0-9a-f]{8}\b`)

const (
	maxSources = 50  // how many sources an answer can cite
	maxEntry   = 100 // the bytes in which a mark is looked for
)

// marks returns the marks in the entries of a list, which models decorate.
func marks(list []string) []string {
	all := []string{}
	for _, entry := range list[:min(len(list), maxSources)] {
		found := mark.FindString(entry[:min(len(entry), maxEntry)])
		if found == "" {
			found = "?" // it is unknown, and refused as such
		}
		if !slices.Contains(all, found) {
			all = append(all, found)
		}
	}
	return all
}

// plain reads an answer without an object: the marks in it are its sources, and
// go out of the text with their brackets.
func plain(text string) Reply {
	var b strings.Builder
	var found []string
	last := 0
	for _, at := range mark.FindAllStringIndex(text, -1) {
		before := strings.TrimRight(strings.TrimRight(text[last:at[0]], " ([【"), " ")
		b.WriteString(before)
		found = append(found, text[at[0]:at[1]])
		last = at[1] + len(text[at[1]:]) - len(strings.TrimLeft(text[at[1]:], ")]】"))
	}
	b.WriteString(text[last:])
	return Reply{Sources: marks(found), Text: b.String(), Complete: true}
}

// A scanner reads JSON that may be broken off anywhere.
type scanner struct {
	text string
	at   int
}

// space skips white space and any of more.
func (s *scanner) space(more string) {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n"+more, s.text[s.at]) >= 0 {
		s.at++
	}
}

// key reads the name of the next member, and what stands before its value.
func (s *scanner) key() (string, bool) {
	s.space(",")
	name, ok := s.quoted()
	if !ok {
		return "", false
	}
	s.space("")
	if s.at >= len(s.text) || s.text[s.at] != ':' {
		return "", false
	}
	s.at++
	s.space("")
	return name, s.at < len(s.text)
}

// value reads a string, or what was there of it, and reports whether it has its
// end. Any other value is an empty string.
func (s *scanner) value() (string, bool) {
	if s.text[s.at] == '"' {
		return s.quoted()
	}
	return "", s.skip()
}

// list reads a list of strings, or one string, and reports whether it has its
// end.
func (s *scanner) list() ([]string, bool) {
	list := []string{}
	if s.text[s.at] != '[' {
		one, ok := s.value()
		return append(list, one), ok
	}
	s.at++
	for {
		s.space(",")
		if s.at >= len(s.text) {
			return list, false
		}
		if s.text[s.at] == ']' {
			s.at++
			return list, true
		}
		start := s.at
		one, ok := s.value()
		if !ok {
			return list, false
		}
		if one == "" {
			one = s.text[start:s.at] // a number, or an object
		}
		list = append(list, one)
		if s.at == start {
			return list, false
		}
	}
}

// skip skips a value, and reports whether it has its end.
func (s *scanner) skip() bool {
	depth := 0
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '"':
			if _, ok := s.quoted(); !ok {
				return false
			}
			if depth == 0 {
				return true
			}
			continue
		case c == '{' || c == '[':
			depth++
		case depth == 0 && strings.IndexByte(",}]", c) >= 0:
			return true
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				s.at++
				return true
			}
		}
		s.at++
	}
	return false
}

// quoted reads a string, or what was there of it, and reports whether it has its
// end. Line breaks that should be escaped are taken as they are.
func (s *scanner) quoted() (string, bool) {
	if s.at >= len(s.text) || s.text[s.at] != '"' {
		return "", false
	}
	s.at++
	var b strings.Builder
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case '"':
			s.at++
			return b.String(), true
		case '\\':
			r, ok := s.escaped()
			if !ok {
				return b.String(), false
			}
			b.WriteRune(r)
		default:
			r, size := utf8.DecodeRuneInString(s.text[s.at:])
			if r != utf8.RuneError && r != 0 {
				b.WriteRune(r)
			}
			s.at += size
		}
	}
	return b.String(), false
}

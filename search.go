package parley

import (
	"strings"
	"time"
)

// A SearchKind says what a search found.
type SearchKind string

// The kinds of what a search finds.
const (
	SearchMessage SearchKind = "message"
	SearchContact SearchKind = "contact"
	SearchCompany SearchKind = "company"
)

// SearchKinds lists the kinds.
var SearchKinds = []SearchKind{SearchMessage, SearchContact, SearchCompany}

// Limits of a search.
const (
	MaxSearchQuery = 200  // characters
	MaxSearchHits  = 1000 // that can be paged through
)

// A SearchHit is a record that has all words of a search.
type SearchHit struct {
	Kind           SearchKind
	ID             ID
	ConversationID ID     // of a message
	Title          string // of a message, its contact; else the record's own name
	Snippet        []Segment
	Contact        ContactRef // of a message
	At             time.Time  // when the message was written, or the record last changed
}

// A Segment is a part of a snippet: text, never markup. Match says that a word
// of the search stands there.
type Segment struct {
	Text  string
	Match bool
}

// A SearchTerm is a folded word to look for; with Prefix, every word that
// begins with it.
type SearchTerm struct {
	Word   string
	Prefix bool
}

// Finds reports whether the term finds a word.
func (t SearchTerm) Finds(word string) bool {
	return word == t.Word || t.Prefix && strings.HasPrefix(word, t.Word)
}

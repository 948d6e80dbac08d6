package parley

import (
	"strings"
	"time"
)

// A SearchKind is the kind of a search hit.
type SearchKind string

// The kinds of search hits.
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
	MaxSearchHits  = 1000 // reachable by paging
)

// A SearchHit is a record that contains all words of a search.
type SearchHit struct {
	Kind           SearchKind
	ID             ID
	ConversationID ID     // of a message
	Title          string // for a message, its contact; else the name of the record
	Snippet        []Segment
	Contact        ContactRef // of a message
	At             time.Time  // when the message was written, or the record last changed
}

// A Segment is a part of a snippet: text, never markup. Match says that it
// matches a word of the search.
type Segment struct {
	Text  string
	Match bool
}

// A SearchTerm is a folded word to search for; with Prefix, any word that
// starts with it.
type SearchTerm struct {
	Word   string
	Prefix bool
}

// Finds reports whether the term matches a word.
func (t SearchTerm) Finds(word string) bool {
	return word == t.Word || t.Prefix && strings.HasPrefix(word, t.Word)
}

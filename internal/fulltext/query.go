package fulltext

import (
	"slices"
	"strings"
	"unicode/utf8"

	"parley"
)

// maxTerms is how many words of a query count. Nobody types more, and each
// costs an index lookup.
const maxTerms = 16

// A Query matches the documents that contain all terms of at least one
// alternative.
type Query struct {
	Alternatives [][]parley.SearchTerm
	sequence     []parley.SearchTerm // the words as typed
}

// Parse parses what a user typed. All words must match, and the last one may be
// the beginning of a word. There are no operators: quotes, asterisks and the
// like are ignored. It returns false if there are no words.
func Parse(text string) (Query, bool) {
	var q Query
	for _, t := range sequence(normal(text)) {
		if len(q.sequence) < maxTerms {
			q.sequence = append(q.sequence, t)
		}
	}
	if len(q.sequence) == 0 {
		return q, false
	}
	last := &q.sequence[len(q.sequence)-1]
	last.Prefix = true
	all := slices.Clone(q.sequence)
	slices.SortFunc(all, func(a, b parley.SearchTerm) int { return strings.Compare(a.Word, b.Word) })
	q.Alternatives = append(q.Alternatives, slices.Compact(all))
	if digits := phoneQuery(text); digits != "" {
		q.Alternatives = append(q.Alternatives, []parley.SearchTerm{{Word: digits, Prefix: true}})
	}
	return q, true
}

// Whole returns the query without prefix matching. It matches a subset of what
// q matches.
func (q Query) Whole() Query {
	whole := Query{sequence: q.sequence}
	for _, alternative := range q.Alternatives {
		terms := slices.Clone(alternative)
		for i := range terms {
			terms[i].Prefix = false
		}
		whole.Alternatives = append(whole.Alternatives, terms)
	}
	return whole
}

// Short reports whether the query ends with a single letter, which may be the
// prefix of a large share of all words.
func (q Query) Short() bool {
	last := q.sequence[len(q.sequence)-1].Word
	r, size := utf8.DecodeRuneInString(last)
	return size == len(last) && !unspaced(r)
}

// sequence returns the words of a text in order, without overlap between a
// whole and its parts. A single character of a script without spaces becomes a
// prefix.
func sequence(text string) []parley.SearchTerm {
	var terms []parley.SearchTerm
	add := func(t token) { terms = append(terms, parley.SearchTerm{Word: t.word}) }
	chunks(text, func(c *chunk) {
		switch {
		case c.unspaced && len(c.parts) == 1:
			terms = append(terms, parley.SearchTerm{Word: c.parts[0].word, Prefix: true})
		case c.unspaced:
			pairs(c.parts, add)
		case c.whole.word != "":
			add(c.whole)
		default:
			for _, part := range c.parts {
				add(part)
			}
		}
	})
	return terms
}

// Closeness grades how well a name matches the query: 3 if it equals the query,
// 2 if it contains the words of the query whole and in sequence, 1 if it
// contains all of them, else 0.
func (q Query) Closeness(name string) int {
	words := sequence(normal(name))
	at := q.run(words, false)
	switch {
	case at >= 0 && len(words) == len(q.sequence):
		return 3
	case at >= 0:
		return 2
	}
	for _, term := range q.sequence {
		if !slices.ContainsFunc(words, func(word parley.SearchTerm) bool { return term.Finds(word.Word) }) {
			return 0
		}
	}
	return 1
}

// Phrase reports whether a text contains the words of the query in sequence,
// the last one at least by its beginning. A single word is not a phrase.
func (q Query) Phrase(text string) bool {
	return len(q.sequence) > 1 && q.run(sequence(normal(text)), true) >= 0
}

// run returns the position at which the words of the query are in sequence, or
// -1.
func (q Query) run(words []parley.SearchTerm, prefix bool) int {
	for at := 0; at+len(q.sequence) <= len(words); at++ {
		matches := true
		for i, term := range q.sequence {
			term.Prefix = term.Prefix && prefix
			if !term.Finds(words[at+i].Word) {
				matches = false
				break
			}
		}
		if matches {
			return at
		}
	}
	return -1
}

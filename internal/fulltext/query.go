package fulltext

import (
	"slices"
	"strings"
	"unicode/utf8"

	"parley"
)

// maxTerms is how many words of a query count; nobody types more, and each
// costs a look into the index.
const maxTerms = 16

// A Query finds the documents that have all terms of one of its alternatives.
type Query struct {
	Alternatives [][]parley.SearchTerm
	sequence     []parley.SearchTerm // the words in the order in which they were typed
}

// Parse reads what somebody typed. All words must be found; the last one may be
// the beginning of a word. There are no operators: quotes, stars and the like
// are not words. It returns false where there is no word.
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

// Whole returns the query without beginnings of words: it finds a part of what
// q finds.
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

// Short reports whether the query ends with a single letter: a great part of all
// words may begin with it.
func (q Query) Short() bool {
	last := q.sequence[len(q.sequence)-1].Word
	r, size := utf8.DecodeRuneInString(last)
	return size == len(last) && !unspaced(r)
}

// sequence returns the words of a text, one behind the other without overlap of
// whole and parts. A single character of a script without spaces begins words.
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

// Closeness says how well a name fits the query: 3 where it is the query, 2
// where it has its words next to each other and whole, 1 where it has all of
// them, else 0.
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

// Phrase reports whether a text has the words of the query one behind the
// other, the last one at least by its beginning. A single word is no phrase.
func (q Query) Phrase(text string) bool {
	return len(q.sequence) > 1 && q.run(sequence(normal(text)), true) >= 0
}

// run returns where the words of the query stand one behind the other, or -1.
func (q Query) run(words []parley.SearchTerm, prefix bool) int {
	for at := 0; at+len(q.sequence) <= len(words); at++ {
		fits := true
		for i, term := range q.sequence {
			term.Prefix = term.Prefix && prefix
			if !term.Finds(words[at+i].Word) {
				fits = false
				break
			}
		}
		if fits {
			return at
		}
	}
	return -1
}

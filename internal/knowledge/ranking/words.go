package ranking

import (
	"slices"
	"strings"

	"parley/internal/fulltext"
)

// maxKey is the most words of [Index.Words].
const maxKey = 12

// Words returns the stems of the words that say what a question is about, sorted
// and separated by spaces, so that equal questions in other words are counted
// together: without stop words, common words, numbers, and everyday words that no
// document has. A language that the index does not have counts as the default.
func (x *Index) Words(question, language string) string {
	at := x.language(language)
	if at < 0 {
		at = x.language(x.fallback)
	}
	if at < 0 {
		return wordsOf(newLexicon(primary(language)), question, func(word) bool { return false })
	}
	b := x.bases[at]
	return wordsOf(b.lexicon, question, func(w word) bool {
		terms, _ := b.near(w)
		return len(terms) > 0
	})
}

// Strange reports whether a question has a telling word that no document has in
// any form, so that it is about something else. Without documents in its language,
// or without a list of its stop words, nobody can say.
func (x *Index) Strange(question, language string) bool {
	at := x.language(language)
	if at < 0 || len(x.bases[at].lexicon.stop) == 0 {
		return false
	}
	b := x.bases[at]
	return slices.ContainsFunc(b.parse(question).words, func(a asked) bool { return !a.known && a.worth == b.unknown })
}

// wordsOf returns the words of a question, given what tells the words that a
// document has.
func wordsOf(l *lexicon, question string, known func(word) bool) string {
	var telling, common []string
	fulltext.Parts(beginningOf(question), func(p fulltext.Part) {
		w := l.word(p)
		if l.stop[w.surface] || w.surface[0] >= '0' && w.surface[0] <= '9' || len(w.surface) < 2 {
			return
		}
		if l.common[w.surface] || l.everyday[w.surface] && !known(w) {
			common = append(common, w.plain)
		} else {
			telling = append(telling, w.plain)
		}
	})
	if len(telling) == 0 {
		telling = common
	}
	telling = telling[:min(len(telling), maxKey)]
	slices.Sort(telling)
	return strings.Join(slices.Compact(telling), " ")
}

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
	telling, common := x.split(question, language, nil)
	if len(telling) == 0 {
		telling = common
	}
	telling = telling[:min(len(telling), maxKey)]
	slices.Sort(telling)
	return strings.Join(slices.Compact(telling), " ")
}

// Strange reports whether a question has a telling word that no document has,
// not even in another form: it is about something else.
func (x *Index) Strange(question, language string) bool {
	strange := false
	x.split(question, language, func(known bool) { strange = strange || !known })
	return strange
}

// split returns the words that say what a question is about, and the common
// ones. It tells of each of the former whether a document has it.
func (x *Index) split(question, language string, tell func(known bool)) (telling, common []string) {
	at := x.language(language)
	if at < 0 {
		at = x.language(x.fallback)
	}
	lexicon, known := newLexicon(primary(language)), func(word) bool { return false }
	if at >= 0 {
		b := x.bases[at]
		lexicon, known = b.lexicon, func(w word) bool {
			terms, _ := b.near(w)
			return len(terms) > 0
		}
	}
	fulltext.Parts(beginningOf(question), func(p fulltext.Part) {
		w := lexicon.word(p)
		if lexicon.stop[w.surface] || w.surface[0] >= '0' && w.surface[0] <= '9' || len(w.surface) < 2 {
			return
		}
		has := (tell != nil || lexicon.everyday[w.surface]) && known(w)
		if lexicon.common[w.surface] || lexicon.everyday[w.surface] && !has {
			common = append(common, w.plain)
			return
		}
		telling = append(telling, w.plain)
		if tell != nil {
			tell(has)
		}
	})
	return telling, common
}

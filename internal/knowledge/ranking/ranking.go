// Package ranking finds the articles that answer a question, without a model
// and without a store.
//
// It owns the index of one knowledge base in memory and imports only the
// splitting of texts into words. [New] builds an index from documents; an Index
// never changes, so any number of goroutines may search it.
//
// Each language has an index of its own with its own stop words, stems and
// frequencies. A document's score adds what each word of the question is worth
// (rare words more) times how well the document's fields have it (titles and
// keywords more), and a bonus if the question contains a keyword of several
// words. Words that no document has are corrected by one letter, split as
// compounds, or else count against every document. [Hit.Likely] says whether
// the best documents probably answer the question at all.
//
// Scores are integers and no map is iterated, so that every machine returns the
// same hits in the same order.
package ranking

import (
	"cmp"
	"slices"
	"strings"
)

// A Document is an article's text in one language.
type Document struct {
	ID          string // of the article; the same in all languages
	Language    string // BCP 47
	Title       string
	Description string
	Keywords    []string // words and phrases that customers use
	Headings    []string
	Body        string // plain text
}

// A Hit is a document that has words of a question.
type Hit struct {
	ID string
	// Score orders the hits of one search. It compares with no other search.
	Score int
	// Coverage is the share of the question's words that the document has, in
	// thousandths. Rare words count more, stop words nothing.
	Coverage int
	// Likely reports that the document probably answers the question.
	Likely bool
}

// A Result is the answer to a search.
type Result struct {
	// Language is the one that was searched: the question's, or the default
	// if the index has no document in the question's; "" if in neither.
	Language string
	Hits     []Hit
}

// An Index finds documents. It is immutable.
type Index struct {
	fallback  string
	languages []string // sorted
	bases     []*base  // of languages
}

// New builds an index. The fallback is the language that is searched for
// questions in a language without documents. Of several documents with the same
// ID and language, the last one counts.
func New(documents []Document, fallback string) *Index {
	return build(documents, fallback, standard)
}

func build(documents []Document, fallback string, by tuning) *Index {
	documents = slices.Clone(documents)
	slices.SortStableFunc(documents, func(a, b Document) int {
		return cmp.Or(strings.Compare(a.Language, b.Language), strings.Compare(a.ID, b.ID))
	})
	x := &Index{fallback: fallback}
	for start := 0; start < len(documents); {
		language := documents[start].Language
		end := start
		var own []Document
		for ; end < len(documents) && documents[end].Language == language; end++ {
			if len(own) > 0 && own[len(own)-1].ID == documents[end].ID {
				own = own[:len(own)-1]
			}
			own = append(own, documents[end])
		}
		x.languages = append(x.languages, language)
		x.bases = append(x.bases, newBase(primary(language), own, by))
		start = end
	}
	return x
}

// Search returns the documents that fit a question best, at most limit, ordered
// by score, then ID. Only the first 4 KB of the question count.
func (x *Index) Search(question, language string, limit int) Result {
	at := x.language(language)
	if at < 0 {
		at = x.language(x.fallback)
	}
	if at < 0 {
		return Result{}
	}
	return Result{Language: x.languages[at], Hits: x.bases[at].search(question, limit)}
}

// language returns the position of a language: the same, or one that differs
// only in the region; -1 for none.
func (x *Index) language(language string) int {
	if at, ok := slices.BinarySearch(x.languages, language); ok {
		return at
	}
	if language == "" {
		return -1
	}
	return slices.IndexFunc(x.languages, func(other string) bool { return primary(other) == primary(language) })
}

func primary(language string) string {
	primary, _, _ := strings.Cut(language, "-")
	return strings.ToLower(primary)
}

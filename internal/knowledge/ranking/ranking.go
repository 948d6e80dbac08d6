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
	// Likely reports that the document probably answers the question: the best
	// one is above the floor, and this one scores at least half as much.
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
	size      int
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
	w := &Builder{by: by}
	for i := range documents {
		if next := i + 1; next == len(documents) || documents[next].ID != documents[i].ID || documents[next].Language != documents[i].Language {
			w.Add(&documents[i])
		}
	}
	return w.Index(fallback)
}

// A Builder makes an index of documents that come one at a time, so that their
// texts need not be in memory together. The zero Builder is not usable; see
// [NewBuilder].
type Builder struct {
	by        tuning
	languages []string
	bases     []*base
	now       *builder // of the last language
	size      int      // of the finished languages
}

// NewBuilder returns a Builder without documents.
func NewBuilder() *Builder { return &Builder{by: standard} }

// Add adds a document and keeps none of its texts. Documents must come in the
// order of their languages and, within a language, of their IDs.
func (w *Builder) Add(d *Document) {
	if last := len(w.languages) - 1; last < 0 || w.languages[last] != d.Language {
		w.end()
		w.languages = append(w.languages, d.Language)
		w.now = newBuilder(primary(d.Language), w.by)
	}
	w.now.read(d)
}

// end finishes the index of a language.
func (w *Builder) end() {
	if w.now != nil {
		b := w.now.finish()
		w.bases = append(w.bases, b)
		w.size += b.size()
		w.now = nil
	}
}

// Size returns about how many bytes the documents take so far. While a language
// is built it takes more than afterwards.
func (w *Builder) Size() int {
	if w.now == nil {
		return w.size
	}
	return w.size + w.now.size
}

// Index returns the index of the documents. The Builder must not be used
// afterwards.
func (w *Builder) Index(fallback string) *Index {
	w.end()
	return &Index{fallback: fallback, languages: w.languages, bases: w.bases, size: w.size}
}

// Size returns about how many bytes the index takes.
func (x *Index) Size() int { return x.size }

// Largest returns the language with the most documents, of several the first by
// name; "" if there are none.
func (x *Index) Largest() string {
	largest, most := "", 0
	for i, b := range x.bases {
		if len(b.documents) > most {
			largest, most = x.languages[i], len(b.documents)
		}
	}
	return largest
}

// WithFallback returns the index with another default language. They share their
// memory.
func (x *Index) WithFallback(fallback string) *Index {
	other := *x
	other.fallback = fallback
	return &other
}

// Has reports whether the index has an article in any language.
func (x *Index) Has(id string) bool {
	return slices.ContainsFunc(x.bases, func(b *base) bool {
		_, ok := slices.BinarySearch(b.documents, id)
		return ok
	})
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

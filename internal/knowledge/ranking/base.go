package ranking

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"parley/internal/fulltext"
)

// unit is 1 as an integer: scores and weights are thousandths, because sums of
// floating-point numbers may differ between machines.
const unit = 1000

// maxWords is how many different words of one document are indexed.
const maxWords = 4096

// Fields of a document.
const (
	inTitle = iota
	inKeywords
	inHeadings
	inDescription
	inBody
	fieldCount
)

// A posting says how well a document has a term.
type posting struct{ document, weight int32 }

// A phrase is a keyword of several words, or a title.
type phrase struct {
	document int32
	words    []int32 // terms, stop words included
}

// A surface is a word as it stands in texts, folded, with its term.
type surface struct {
	word string
	term int32
}

// A base is the index of one language.
type base struct {
	by        tuning
	lexicon   *lexicon
	documents []string         // IDs
	terms     map[string]int32 // by stem
	worth     []int32          // by term: its idf
	postings  [][]posting      // by term, ordered by document
	surfaces  []surface        // sorted by word, without stop words
	backwards []int32          // positions in surfaces, sorted by the reversed word
	phrases   []phrase
	rarest    [][]int32 // by term: the phrases whose rarest word it is
	unknown   int32     // worth of a word that no document has
}

// Sizes in bytes on 64-bit machines, with what maps and slices take beside their
// elements.
const (
	sizeOfPosting  = 8
	sizeOfSurface  = 24 + 4 // with its place in backwards
	sizeOfTerm     = 24 + 24 + 4 + 48
	sizeOfPhrase   = 32 + 8
	sizeOfDocument = 16
	sizeOfCount    = 24
	sizeOfWord     = 48 + 48 + 96 // in words, known and stems
)

// size returns about how many bytes the index takes.
func (b *base) size() int {
	size := len(b.postings)*sizeOfTerm + len(b.surfaces)*sizeOfSurface + len(b.phrases)*sizeOfPhrase + len(b.documents)*sizeOfDocument
	for _, id := range b.documents {
		size += len(id)
	}
	for _, all := range b.postings {
		size += cap(all) * sizeOfPosting
	}
	for i := range b.surfaces {
		size += 3 * len(b.surfaces[i].word) // with its two stems
	}
	for i := range b.phrases {
		size += 4 * cap(b.phrases[i].words)
	}
	return size
}

// worthOf returns the idf of a term that is in so many documents.
func (b *base) worthOf(documents int) int32 {
	n, df := float64(len(b.documents)), float64(documents)
	return int32(math.Round(unit * math.Log(1+(n-df+0.5)/(df+0.5))))
}

// A builder collects the words of documents before their numbers are known.
type builder struct {
	base    *base
	known   map[string]int32 // positions in words, by surface
	words   []word
	above   []int32           // union-find over words: the same term
	stems   map[string]int32  // the first word with this stem
	counts  [][]count         // by document
	lengths [][fieldCount]int // by document
	total   [fieldCount]int   // of lengths
	phrases []phrase          // of words, not yet terms
	terms   []int32           // by word
	size    int               // in bytes, about
}

func newBuilder(language string, by tuning) *builder {
	return &builder{
		base:  &base{by: by, lexicon: newLexicon(language), terms: map[string]int32{}},
		known: map[string]int32{}, stems: map[string]int32{},
	}
}

// finish returns the index of the documents that were read.
func (w *builder) finish() *base {
	w.number()
	w.weigh()
	w.indexPhrases()
	return w.base
}

// A count is how often a word occurs in the fields of a document.
type count struct {
	word int32
	in   [fieldCount]int32
}

// read adds a document. Documents come in the order of their IDs.
func (w *builder) read(d *Document) {
	w.base.documents = append(w.base.documents, strings.Clone(d.ID))
	seen := map[int32]int{} // positions in counts
	var counts []count
	var lengths [fieldCount]int
	add := func(field int, id int32) {
		lengths[field]++
		at, ok := seen[id]
		if !ok {
			if len(counts) == maxWords {
				return
			}
			at = len(counts)
			seen[id] = at
			counts = append(counts, count{word: id})
		}
		counts[at].in[field]++
	}
	read := func(field int, text string) []int32 {
		var sequence []int32
		before := ""
		fulltext.Parts(text, func(p fulltext.Part) {
			id := w.word(p)
			if field == inTitle || field == inKeywords {
				sequence = append(sequence, id)
			}
			add(field, id)
			if p.Joined && len(before)+len(p.Word) <= maxJoined {
				add(field, w.word(fulltext.Part{Word: before + p.Word, Text: before + p.Word}))
			}
			before = p.Word
		})
		return sequence
	}
	document := int32(len(w.counts))
	w.add(phrase{document, read(inTitle, d.Title)})
	for _, keyword := range d.Keywords {
		w.add(phrase{document, read(inKeywords, keyword)})
	}
	read(inDescription, d.Description)
	for _, heading := range d.Headings {
		read(inHeadings, heading)
	}
	read(inBody, d.Body)
	w.counts, w.lengths = append(w.counts, slices.Clip(counts)), append(w.lengths, lengths)
	w.size += sizeOfDocument + len(d.ID) + len(counts)*sizeOfCount
	for field, length := range lengths {
		w.total[field] += length
	}
}

// add adds a phrase, unless it is a single word.
func (w *builder) add(p phrase) {
	if len(p.words) > 1 {
		w.phrases = append(w.phrases, p)
		w.size += sizeOfPhrase + 4*cap(p.words)
	}
}

// maxJoined is the length of the longest word, in bytes, that is also known
// without its hyphens (e-mail, email).
const maxJoined = 20

// word returns the number of a word. Words with a stem in common are one term.
func (w *builder) word(p fulltext.Part) int32 {
	if id, ok := w.known[p.Text]; ok {
		return id
	}
	parsed := w.base.lexicon.word(p).cloned()
	id := int32(len(w.words))
	w.known[strings.Clone(p.Text)] = id // a part of the document's text
	w.size += sizeOfWord + 4*len(p.Text)
	w.words = append(w.words, parsed)
	w.above = append(w.above, id)
	for _, stem := range []string{parsed.stem, parsed.plain} {
		if other, ok := w.stems[stem]; ok {
			w.above[w.top(id)] = w.top(other)
		} else {
			w.stems[stem] = id
		}
	}
	return id
}

func (w *builder) top(id int32) int32 {
	for w.above[id] != id {
		w.above[id] = w.above[w.above[id]]
		id = w.above[id]
	}
	return id
}

// number gives terms their numbers, in the order in which the documents first
// have them.
func (w *builder) number() {
	b := w.base
	terms := make([]int32, len(w.words))
	for i := range terms {
		terms[i] = -1
	}
	count := int32(0)
	for id, parsed := range w.words {
		top := w.top(int32(id))
		if terms[top] < 0 {
			terms[top] = count
			count++
		}
		term := terms[top]
		b.terms[parsed.stem], b.terms[parsed.plain] = term, term
	}
	b.postings = make([][]posting, count)
	w.terms = make([]int32, len(w.words))
	for id := range w.words {
		w.terms[id] = terms[w.top(int32(id))]
	}
	for id, parsed := range w.words {
		if !b.lexicon.stop[parsed.surface] {
			b.surfaces = append(b.surfaces, surface{parsed.surface, w.terms[id]})
		}
	}
	slices.SortFunc(b.surfaces, func(x, y surface) int { return cmp.Or(strings.Compare(x.word, y.word), cmp.Compare(x.term, y.term)) })
	b.surfaces = slices.Compact(b.surfaces)
	b.backwards = make([]int32, len(b.surfaces))
	for i := range b.backwards {
		b.backwards[i] = int32(i)
	}
	slices.SortStableFunc(b.backwards, func(x, y int32) int { return compareBackwards(b.surfaces[x].word, b.surfaces[y].word) })
}

// weigh makes the postings, the terms' worth, and adds the parts of compounds.
func (w *builder) weigh() {
	b := w.base
	n := len(b.postings)
	parts := make([][]int32, len(w.words))
	for id := range w.words {
		if !b.lexicon.stop[w.words[id].surface] {
			parts[id] = b.parts(w.words[id].surface, w.terms[id])
		}
	}
	sums := make([]float64, n)
	var touched []int32
	for document, counts := range w.counts {
		touched = touched[:0]
		add := func(term int32, amount float64) {
			if sums[term] == 0 {
				touched = append(touched, term)
			}
			sums[term] += amount
		}
		for _, c := range counts {
			amount := w.amount(document, c)
			if b.lexicon.stop[w.words[c.word].surface] {
				continue
			}
			add(w.terms[c.word], amount)
			for _, part := range parts[c.word] {
				add(part, float64(b.by.part*amount))
			}
		}
		slices.Sort(touched)
		for _, term := range touched {
			weight := sums[term] / (b.by.saturation + sums[term])
			b.postings[term] = append(b.postings[term], posting{int32(document), int32(math.Round(unit * weight))})
			sums[term] = 0
		}
	}
	b.worth = make([]int32, n)
	for term := range b.worth {
		b.worth[term] = b.worthOf(len(b.postings[term]))
	}
	b.unknown = b.worthOf(0)
	for id, parsed := range w.words {
		if b.lexicon.common[parsed.surface] {
			b.worth[w.terms[id]] = min(b.worth[w.terms[id]], int32(b.by.common*float64(b.unknown)))
		}
	}
}

// amount is the weighted frequency of a word in a document (BM25F). Only in the
// body does length count: there, long texts have more words by chance.
func (w *builder) amount(document int, c count) float64 {
	by := &w.base.by
	average := float64(w.total[inBody]) / float64(len(w.counts))
	body := float64(c.in[inBody])
	if body > 0 {
		body /= 1 - by.length + float64(by.length*float64(w.lengths[document][inBody])/average)
	}
	sum := float64(by.body * body)
	for field, weight := range [inBody]float64{by.title, by.keywords, by.headings, by.description} {
		// The conversions forbid fused operations, which some machines lack.
		sum += float64(weight * float64(c.in[field]))
	}
	return sum
}

// indexPhrases files each phrase under its rarest word, so that a question
// looks at few.
func (w *builder) indexPhrases() {
	b := w.base
	b.rarest = make([][]int32, len(b.postings))
	for _, p := range w.phrases {
		rarest, fewest := int32(-1), math.MaxInt
		for i, id := range p.words {
			term := w.terms[id]
			p.words[i] = term
			found := len(b.postings[term])
			if found == 0 { // a stop word
				found = math.MaxInt - 1
			}
			if found < fewest {
				rarest, fewest = term, found
			}
		}
		b.rarest[rarest] = append(b.rarest[rarest], int32(len(b.phrases)))
		b.phrases = append(b.phrases, p)
	}
}

package ranking

import (
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"parley/internal/fulltext"
)

// Limits of a question.
const (
	maxQuestion = 4 << 10 // bytes that are read
	maxAsked    = 48      // different words that count
)

// An asked is a word of the question with what stands for it.
type asked struct {
	worth int32
	known bool // the base has it, or something near
	terms []substitute
}

// A question is a parsed question.
type question struct {
	words    []asked
	sequence []int32 // terms of all words, stop words included; -1 for unknown ones
	has      []bool  // by term
	total    int     // worth of all words
	subject  int64   // squared worth of all words, twice for those that the base does not know
}

// beginningOf returns what is read of a question.
func beginningOf(text string) string {
	if len(text) <= maxQuestion {
		return text
	}
	end := maxQuestion
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

func (b *base) parse(text string) question {
	text = beginningOf(text)
	q := question{has: make([]bool, len(b.postings))}
	seen := map[string]bool{}
	before := ""
	fulltext.Parts(text, func(p fulltext.Part) {
		w := b.lexicon.word(p)
		term, ok := b.terms[w.plain]
		if !ok {
			term = -1
		}
		q.sequence = append(q.sequence, term)
		if term >= 0 {
			q.has[term] = true
		}
		q.ask(b, w, seen)
		if joined := before + w.surface; before != "" && len(joined) <= maxJoined {
			if _, ok := b.surface(joined); ok {
				q.ask(b, word{joined, b.lexicon.stemmed(joined), b.lexicon.stemmed(joined)}, seen)
			}
		}
		before = w.surface
	})
	return q
}

// ask adds a word unless it is a stop word, a number or a repetition.
func (q *question) ask(b *base, w word, seen map[string]bool) {
	if len(q.words) == maxAsked || b.lexicon.stop[w.surface] || seen[w.plain] || w.surface[0] >= '0' && w.surface[0] <= '9' || len(w.surface) < 2 {
		return
	}
	seen[w.plain] = true
	terms, _ := b.near(w)
	a := asked{terms: terms, known: len(terms) > 0, worth: b.unknown}
	for i, s := range terms {
		q.has[s.term] = q.has[s.term] || s.weight >= int32(b.by.typo*unit)
		if worth := b.worth[s.term]; i == 0 || worth > a.worth {
			a.worth = worth
		}
	}
	if b.lexicon.common[w.surface] || !a.known && b.lexicon.everyday[w.surface] {
		a.worth = min(a.worth, int32(b.by.common*float64(b.unknown)))
	}
	q.words = append(q.words, a)
	q.total += int(a.worth)
	q.subject += int64(a.worth) * int64(a.worth)
	if !a.known {
		q.subject += int64(a.worth) * int64(a.worth)
	}
}

// A tally is what a document scores.
type tally struct {
	document int32
	score    int // worth of the words × how well the document has them
	found    int // worth of the words that it has
	phrase   int // bonus
}

func (t *tally) sum() int { return t.score + t.phrase }

// search returns the best documents.
func (b *base) search(text string, limit int) []Hit {
	q := b.parse(text)
	tallies := b.tally(&q)
	hits := make([]Hit, 0, min(limit, len(tallies)))
	answered := len(tallies) > 0 && b.certainty(&q, &tallies[0]) >= int(b.by.floor*unit)
	for i := range tallies {
		if len(hits) >= limit {
			break
		}
		t := &tallies[i]
		hits = append(hits, Hit{
			ID: b.documents[t.document], Score: t.sum(),
			Coverage: unit * t.found / max(1, q.total),
			Likely:   answered && t.sum() >= int(b.by.beside*float64(tallies[0].sum())),
		})
	}
	return hits
}

// tally returns the documents that have a word of the question, the best first.
func (b *base) tally(q *question) []tally {
	all := make([]tally, len(b.documents))
	for i := range all {
		all[i].document = int32(i)
	}
	best := make([]int32, len(b.documents)) // of the substitutes of one word
	found := make([]int32, len(b.documents))
	var touched []int32
	for _, a := range q.words {
		touched = touched[:0]
		for _, s := range a.terms {
			for _, p := range b.postings[s.term] {
				if best[p.document] == 0 {
					touched = append(touched, p.document)
				}
				best[p.document] = max(best[p.document], 1+p.weight*s.weight/unit)
				found[p.document] = max(found[p.document], s.weight)
			}
		}
		for _, document := range touched {
			all[document].score += int(a.worth) * int(best[document]) / unit
			all[document].found += int(a.worth) * int(found[document]) / unit
			best[document], found[document] = 0, 0
		}
	}
	b.addPhrases(q, all)
	all = slices.DeleteFunc(all, func(t tally) bool { return t.sum() == 0 })
	slices.SortFunc(all, func(x, y tally) int {
		return cmp.Or(cmp.Compare(y.sum(), x.sum()), cmp.Compare(x.document, y.document))
	})
	return all
}

// addPhrases gives a document a bonus for its best phrase in the question: all
// its words if it has two that are no stop words, else the phrase as written.
func (b *base) addPhrases(q *question, all []tally) {
	looked := map[int32]bool{}
	for _, term := range q.sequence {
		if term >= 0 && !looked[term] {
			looked[term] = true
			b.addPhrasesOf(q, term, all)
		}
	}
	for _, a := range q.words {
		for _, s := range a.terms {
			if q.has[s.term] && !looked[s.term] {
				looked[s.term] = true
				b.addPhrasesOf(q, s.term, all)
			}
		}
	}
}

func (b *base) addPhrasesOf(q *question, term int32, all []tally) {
	for _, at := range b.rarest[term] {
		p := &b.phrases[at]
		worth, words, missing := 0, 0, false
		for _, w := range p.words {
			content := len(b.postings[w]) > 0
			if missing = content && !q.has[w]; missing {
				break
			}
			if content {
				words++
				worth += int(b.worth[w])
			}
		}
		if missing {
			continue
		}
		if contiguous(q.sequence, p.words) {
			worth += int(b.by.filler*float64(b.unknown)) * (len(p.words) - words)
		} else if words < 2 {
			continue
		}
		t := &all[p.document]
		t.phrase = max(t.phrase, int(math.Round(b.by.phrase*float64(worth))))
	}
}

// contiguous reports whether a sequence contains a part in its order.
func contiguous(sequence, part []int32) bool {
	for i := 0; i+len(part) <= len(sequence); i++ {
		if slices.Equal(sequence[i:i+len(part)], part) {
			return true
		}
	}
	return false
}

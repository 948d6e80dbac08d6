package ranking

import (
	"cmp"
	"slices"
	"strings"
)

// Limits of what a word is compared with, in bytes.
const (
	minPart    = 4  // of a part of a compound
	minWhole   = 8  // of a compound
	minTypo    = 5  // of a word that may be misspelt
	minRelated = 5  // of a beginning that makes two words related
	maxNear    = 24 // words that stand for one of the question
)

// compareBackwards compares two words from their ends.
func compareBackwards(a, b string) int {
	for i := 1; i <= len(a) && i <= len(b); i++ {
		if order := cmp.Compare(a[len(a)-i], b[len(b)-i]); order != 0 {
			return order
		}
	}
	return cmp.Compare(len(a), len(b))
}

// surface returns the first term of a word as it stands in texts.
func (b *base) surface(w string) (int32, bool) {
	at, ok := slices.BinarySearchFunc(b.surfaces, w, func(s surface, w string) int { return strings.Compare(s.word, w) })
	if !ok {
		return 0, false
	}
	return b.surfaces[at].term, true
}

// beginning returns the surfaces that begin with a text.
func (b *base) beginning(text string) []surface {
	from, _ := slices.BinarySearchFunc(b.surfaces, text, func(s surface, w string) int { return strings.Compare(s.word, w) })
	to := from
	for to < len(b.surfaces) && strings.HasPrefix(b.surfaces[to].word, text) {
		to++
	}
	return b.surfaces[from:to]
}

// ending returns the positions of the surfaces that end with a text.
func (b *base) ending(text string) []int32 {
	from, _ := slices.BinarySearchFunc(b.backwards, text, func(at int32, w string) int { return compareBackwards(b.surfaces[at].word, w) })
	to := from
	for to < len(b.backwards) && strings.HasSuffix(b.surfaces[b.backwards[to]].word, text) {
		to++
	}
	return b.backwards[from:to]
}

// parts returns the terms of which a compound consists, other than the
// compound's own: the longest known words with which it begins and ends, and a
// separable verb without its prefix.
func (b *base) parts(w string, own int32) []int32 {
	var found []int32
	add := func(part string) bool {
		if b.lexicon.stop[part] {
			return false
		}
		term, ok := b.surface(part)
		if !ok {
			stem := b.lexicon.stemmed(part)
			if term, ok = b.terms[stem]; !ok || len(stem) < minPart {
				return false
			}
		}
		if term != own && !slices.Contains(found, term) {
			found = append(found, term)
		}
		return true
	}
	if !b.lexicon.german || len(w) < minWhole || len(w) > maxStemmed {
		return nil
	}
	if prefix, rest := separate(w); prefix != "" {
		add(rest)
	}
	for size := len(w) - minPart + 1; size >= minPart; size-- {
		if add(w[:size]) {
			break
		}
	}
	for size := len(w) - minPart + 1; size >= minPart; size-- {
		if add(w[len(w)-size:]) {
			break
		}
	}
	return found
}

// A substitute is a term that stands for a word of the question.
type substitute struct {
	term   int32
	weight int32 // thousandths
}

// near returns the terms that stand for a word, the best weight of each; none
// if the base does not know the word. known says that it has the word itself.
func (b *base) near(w word) (all []substitute, known bool) {
	add := func(term int32, weight float64) {
		if len(all) < maxNear && !slices.ContainsFunc(all, func(s substitute) bool { return s.term == term }) {
			all = append(all, substitute{term, int32(weight * unit)})
		}
	}
	for _, stem := range []string{w.stem, w.plain} {
		if term, ok := b.terms[stem]; ok && len(b.postings[term]) > 0 {
			add(term, 1)
		}
	}
	if term, ok := b.surface(w.surface); ok {
		add(term, 1)
	}
	known = len(all) > 0
	if !known {
		b.misspelt(w.surface, func(term int32) { add(term, b.by.typo) })
	}
	if !known && len(all) == 0 {
		for _, term := range b.parts(w.surface, -1) {
			add(term, b.by.part)
		}
	}
	if len(w.plain) >= minRelated {
		for _, s := range b.beginning(w.plain) {
			if len(all) == maxNear {
				break
			}
			add(s.term, b.by.related)
		}
	}
	if !known && len(w.surface) >= minRelated {
		for _, at := range b.ending(w.surface) {
			add(b.surfaces[at].term, b.by.related)
		}
	}
	return all, known
}

// misspelt calls each with the terms of the words that differ from w in one
// letter: another, one more, one less, or two swapped. The half of the word
// without the difference finds them.
func (b *base) misspelt(w string, each func(int32)) {
	if len(w) < minTypo || len(w) > maxStemmed || strings.ContainsAny(w, "0123456789") {
		return
	}
	half := len(w) / 2
	for _, s := range b.beginning(w[:half]) {
		if oneEdit(w, s.word) {
			each(s.term)
		}
	}
	for _, at := range b.ending(w[half:]) {
		if s := b.surfaces[at]; oneEdit(w, s.word) {
			each(s.term)
		}
	}
	swapped := []byte(w)
	swapped[half-1], swapped[half] = swapped[half], swapped[half-1]
	if term, ok := b.surface(string(swapped)); ok {
		each(term)
	}
}

// oneEdit reports whether two words differ in one letter or in two neighbours
// that are swapped. It compares bytes: letters that stay after folding are
// mostly ASCII.
func oneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || len(a) < minTypo-1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	switch {
	case len(a) < len(b):
		return a[i:] == b[i+1:]
	case i == len(a):
		return false
	case a[i+1:] == b[i+1:]:
		return true
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

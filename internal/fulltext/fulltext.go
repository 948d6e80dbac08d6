// Package fulltext splits text into words for the search index, and queries
// into words to search for. Both engines of the store receive finished words,
// so a search finds the same on either.
//
// It imports only the vocabulary and has no state. Words consist of letters,
// digits and marks; everything else separates them. Words are folded: lower
// case, without accents, in compatibility form, so that "Größe", "GRÖSSE" and
// "grosse" are the same word. Scripts without spaces between words (Chinese,
// Japanese, Thai and others; also Korean, for its endings) are split into
// overlapping pairs of characters. Addresses and domains, joined by "@" or ".",
// are indexed both as a whole and in parts, and phone numbers by their endings.
package fulltext

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Version identifies the algorithm of this package. A store that was indexed
// with another version is indexed again.
const Version = 2

// Limits of a word. A longer word is known by its beginning, and a longer
// address only by its parts.
const (
	maxWord  = 64  // characters
	maxWhole = 254 // bytes; the longest e-mail address (RFC 5321, section 4.5.3.1.3)
)

// maxWords is how many different words of a document are indexed. 64 KB of
// prose has about 3,000. A document with more is rarely text, and every word
// costs as much in the index as a word of a short message.
const maxWords = 4096

// A Document is the indexed content of one record.
type Document struct {
	Texts []string
	Phone string // a phone number, in any form; "" for none
}

// Words returns the words of a document, without duplicates. They consist of
// letters, digits, marks and "@", ".", "_", "+", "-". Only the first 4,096
// words of the texts are included.
func (d Document) Words() []string {
	var words []string
	known := map[string]bool{}
	space := maxWords
	add := func(t token) {
		if len(words) < space && !known[t.word] {
			known[t.word] = true
			words = append(words, t.word)
		}
	}
	for _, text := range d.Texts {
		scan(normal(text), add)
	}
	space = len(words) + maxPhone // reserve space for the phone number
	phoneEnds(token{word: digitsOf(d.Phone)}, add)
	return words
}

// Size returns the size of the document in bytes.
func (d Document) Size() int {
	size := len(d.Phone)
	for _, text := range d.Texts {
		size += len(text)
	}
	return size
}

// Fold returns a text folded as its words are, including everything between
// them. Two texts that differ only in accents and case become equal.
func Fold(text string) string {
	folded := make([]byte, 0, len(text))
	var one []byte
	for _, r := range normal(text) {
		one = fold(one[:0], r)
		folded = append(folded, one...)
	}
	return string(folded)
}

// A token is a word with its position in the text, in bytes.
type token struct {
	word       string
	start, end int
}

// A chunk is a run of words joined by single "@", ".", "_", "+" or "-", or a
// run of characters of a script without spaces.
type chunk struct {
	parts    []token
	whole    token // the whole run, if it is an address or a domain
	unspaced bool  // each part is one character
}

// normal returns the text in composed form, to which all positions refer.
func normal(text string) string { return norm.NFC.String(text) }

// scan calls each with every word of a text that a search can match.
func scan(text string, each func(token)) {
	chunks(text, func(c *chunk) {
		if c.unspaced {
			pairs(c.parts, each)
			// The last character on its own, so that every character starts
			// some word.
			each(c.parts[len(c.parts)-1])
			return
		}
		for _, part := range c.parts {
			each(part)
		}
		if c.whole.word != "" {
			each(c.whole)
			domains(c.whole, each)
		}
	})
	phones(text, each)
}

// A Part is a word of a text, in the order of the text.
type Part struct {
	Word   string // folded
	Text   string // as written, in composed form
	Joined bool   // one of "@._+-" is all that separates it from the part before
}

// Parts calls each with the words of a text, in order and with repetitions.
// Unlike [Document.Words], it passes addresses and phone numbers only as the
// words of which they consist. Scripts without spaces become overlapping pairs
// of characters.
func Parts(text string, each func(Part)) {
	text = normal(text)
	chunks(text, func(c *chunk) {
		parts := c.parts
		if c.unspaced && len(parts) > 1 {
			pairs(parts, func(t token) { each(Part{Word: t.word, Text: text[t.start:t.end]}) })
			return
		}
		for i, part := range parts {
			each(Part{Word: part.word, Text: text[part.start:part.end], Joined: i > 0})
		}
	})
}

// pairs calls each with the overlapping pairs of characters of a run, if it has
// at least two.
func pairs(parts []token, each func(token)) {
	for i := 1; i < len(parts); i++ {
		each(token{parts[i-1].word + parts[i].word, parts[i-1].start, parts[i].end})
	}
}

// domains calls each with the domain of an address and its parent domains.
func domains(whole token, each func(token)) {
	rest := whole
	if _, domain, ok := strings.Cut(rest.word, "@"); ok {
		rest.word = domain
		if strings.Contains(domain, ".") {
			each(rest)
		}
	}
	for range 4 {
		_, above, ok := strings.Cut(rest.word, ".")
		if !ok || !strings.Contains(above, ".") {
			return
		}
		rest.word = above
		each(rest)
	}
}

// chunks calls each with the chunks of a text, in order.
func chunks(text string, each func(*chunk)) {
	c := splitter{each: each, known: map[rune][]byte{}}
	for at := 0; at < len(text); {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		c.add(r, at, at+size)
		at += size
	}
	c.endChunk()
}

// A splitter splits a text into chunks, character by character.
type splitter struct {
	each   func(*chunk)
	now    chunk
	word   []byte // the current word, folded
	count  int    // characters in word
	start  int
	end    int
	joined []byte // the chunk as a whole
	joint  byte   // the character after the last word, if it may join; else 0
	folded []byte
	known  map[rune][]byte // folded forms of non-ASCII characters
}

// fold folds a character and caches the result: folding can be expensive, since
// U+FDFA alone expands to 18 letters.
func (c *splitter) fold(r rune) []byte {
	if r < utf8.RuneSelf {
		c.folded = fold(c.folded[:0], r)
		return c.folded
	}
	folded, ok := c.known[r]
	if !ok {
		folded = fold(nil, r)
		c.known[r] = folded
	}
	return folded
}

func (c *splitter) add(r rune, start, end int) {
	if ignored(r) {
		return
	}
	folded := c.fold(r)
	first, _ := utf8.DecodeRune(folded)
	switch {
	case len(folded) == 0: // a combining accent
		if len(c.word) > 0 {
			c.end = end
		}
	case unspaced(first):
		if !c.now.unspaced {
			c.endChunk()
			c.now.unspaced = true
		}
		c.now.parts = append(c.now.parts, token{string(folded), start, end})
	case isWordRune(first):
		if c.now.unspaced {
			c.endChunk()
		}
		if len(c.word) == 0 {
			c.start = start
			if c.joint != 0 {
				c.joined = append(c.joined, c.joint)
				c.joint = 0
			}
		}
		if c.count < maxWord {
			c.word = append(c.word, folded...)
			c.count++
		}
		c.end = end
		if len(c.joined) <= maxWhole { // longer runs have no whole
			c.joined = append(c.joined, folded...)
		}
	case len(c.word) > 0 && strings.IndexByte("@._+-", byte(r)) >= 0 && r < utf8.RuneSelf:
		c.endWord()
		c.joint = byte(r)
	default:
		c.endChunk()
	}
}

func (c *splitter) endWord() {
	if len(c.word) > 0 {
		c.now.parts = append(c.now.parts, token{string(c.word), c.start, c.end})
		c.word, c.count = c.word[:0], 0
	}
}

func (c *splitter) endChunk() {
	c.endWord()
	if n := len(c.now.parts); n > 0 {
		if n > 1 && !c.now.unspaced && len(c.joined) <= maxWhole && bytes.ContainsAny(c.joined, "@.") {
			c.now.whole = token{string(c.joined), c.now.parts[0].start, c.now.parts[n-1].end}
		}
		c.each(&c.now)
	}
	c.now = chunk{parts: c.now.parts[:0]}
	c.joined, c.joint = c.joined[:0], 0
}

// spaceless are the scripts whose words are not always separated by spaces.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

func unspaced(r rune) bool {
	return r > 0x0e00 && (unicode.In(r, spaceless...) && !unicode.IsPunct(r) || r == 'ー')
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// ignored reports whether a character is invisible to readers, like a soft
// hyphen.
func ignored(r rune) bool {
	return r > 0x7f && r != '\u200b' && (unicode.Is(unicode.Cf, r) || r == 'ـ') // the tatweel only stretches a word
}

// fold appends a character in lower case and compatibility form, without
// accents.
func fold(b []byte, r rune) []byte {
	switch {
	case r >= 'A' && r <= 'Z':
		return append(b, byte(r)+'a'-'A')
	case r < utf8.RuneSelf:
		return append(b, byte(r))
	case r >= 0xac00 && r <= 0xd7a3: // NFKD would split Hangul syllables into letters
		return utf8.AppendRune(b, r)
	}
	var one [utf8.UTFMax]byte
	size := utf8.EncodeRune(one[:], r)
	plain := norm.NFKD.Append(nil, one[:size]...)
	for len(plain) > 0 {
		part, size := utf8.DecodeRune(plain)
		plain = plain[size:]
		// A sign such as ℀ expands to characters at which the engines would
		// split the word.
		cuts := len(b) > 0 && part < utf8.RuneSelf && !alphanumeric(byte(part))
		if !cuts && !unicode.In(part, accents) {
			b = lower(b, part)
		}
	}
	return b
}

// lower appends a letter in lower case. Letters that Unicode does not decompose
// become what people type instead.
func lower(b []byte, r rune) []byte {
	r = unicode.ToLower(unicode.ToUpper(r)) // so that ς is σ and ı is i
	switch r {
	case 'ß':
		return append(b, "ss"...)
	case 'æ':
		return append(b, "ae"...)
	case 'œ':
		return append(b, "oe"...)
	case 'ø':
		return append(b, 'o')
	case 'đ', 'ð':
		return append(b, 'd')
	case 'ł':
		return append(b, 'l')
	case 'þ':
		return append(b, "th"...)
	}
	return utf8.AppendRune(b, r)
}

// accents are the marks that a search ignores: those of Latin, Greek, Cyrillic,
// Hebrew, Arabic and Japanese. In other scripts, marks are vowels.
var accents = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0300, Hi: 0x036f, Stride: 1}, {Lo: 0x0483, Hi: 0x0489, Stride: 1}, {Lo: 0x0591, Hi: 0x05bd, Stride: 1},
		{Lo: 0x05bf, Hi: 0x05bf, Stride: 1}, {Lo: 0x05c1, Hi: 0x05c2, Stride: 1}, {Lo: 0x05c4, Hi: 0x05c5, Stride: 1},
		{Lo: 0x05c7, Hi: 0x05c7, Stride: 1}, {Lo: 0x0610, Hi: 0x061a, Stride: 1}, {Lo: 0x064b, Hi: 0x065f, Stride: 1},
		{Lo: 0x0670, Hi: 0x0670, Stride: 1}, {Lo: 0x1ab0, Hi: 0x1aff, Stride: 1}, {Lo: 0x1dc0, Hi: 0x1dff, Stride: 1},
		{Lo: 0x20d0, Hi: 0x20ff, Stride: 1}, {Lo: 0x3099, Hi: 0x309a, Stride: 1}, {Lo: 0xfe00, Hi: 0xfe0f, Stride: 1},
	},
}

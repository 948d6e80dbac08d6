// Package fulltext turns text into the words of the search index, and queries
// into the words to look for. Both engines of the store are given finished
// words, so a search finds the same on either.
//
// It imports the vocabulary alone and keeps nothing. Text is cut into words at
// everything but letters, digits and marks. A word is folded: without accents,
// in lower case, in its compatible form, so that "Größe", "GRÖSSE" and "grosse"
// are one word. Scripts without spaces between words (Chinese, Japanese, Thai
// and others; Korean too, for its endings) are cut into overlapping pairs of
// characters. What is joined by "@" or "." (addresses, domains) is a word as a
// whole as well as in its parts, and a phone number is found by its end.
package fulltext

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Version names the way in which words are made. A store whose index has
// another one is indexed anew.
const Version = 2

// Limits of a word. A longer run of letters is known by its beginning; a
// longer address only in its parts.
const (
	maxWord  = 64  // characters
	maxWhole = 254 // bytes; the longest e-mail address (RFC 5321, section 4.5.3.1.3)
)

// maxWords is how many different words of a document's texts are found. Prose
// of 64 KB has some 3,000; what has more is mostly no text, and each word costs
// the index as much as that of a short message.
const maxWords = 4096

// A Document is what is put into the index of one record.
type Document struct {
	Texts []string
	Phone string // a phone number, in any form; "" for none
}

// Words returns the words of a document, each once. They consist of letters,
// digits, marks and "@", ".", "_", "+", "-". Of the texts there are the first
// 4,096.
func (d Document) Words() []string {
	var words []string
	known := map[string]bool{}
	room := maxWords
	add := func(t token) {
		if len(words) < room && !known[t.word] {
			known[t.word] = true
			words = append(words, t.word)
		}
	}
	for _, text := range d.Texts {
		scan(normal(text), add)
	}
	room = len(words) + maxPhone // the number has its room, however long the texts are
	phoneEnds(token{word: digitsOf(d.Phone)}, add)
	return words
}

// Size returns how many bytes the document has.
func (d Document) Size() int {
	size := len(d.Phone)
	for _, text := range d.Texts {
		size += len(text)
	}
	return size
}

// Fold returns a text as its words are folded, with all between them: two texts
// that look alike but for accents and case become one.
func Fold(text string) string {
	folded := make([]byte, 0, len(text))
	var one []byte
	for _, r := range normal(text) {
		one = fold(one[:0], r)
		folded = append(folded, one...)
	}
	return string(folded)
}

// A token is a word with its place in the text, in bytes.
type token struct {
	word       string
	start, end int
}

// A chunk is a run of words that are joined by single "@", ".", "_", "+" or
// "-", or a run of characters of a script without spaces.
type chunk struct {
	parts    []token
	whole    token // the run as a whole, where it is an address or a domain
	unspaced bool  // each part is one character
}

// normal returns the text in its composed form, in which places are counted.
func normal(text string) string { return norm.NFC.String(text) }

// scan calls each with all words of a text that a search can look for.
func scan(text string, each func(token)) {
	chunks(text, func(c *chunk) {
		if c.unspaced {
			pairs(c.parts, each)
			// The last character alone, so that each one begins a word.
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

// pairs calls each with the overlapping pairs of characters of a run, if there
// are two.
func pairs(parts []token, each func(token)) {
	for i := 1; i < len(parts); i++ {
		each(token{parts[i-1].word + parts[i].word, parts[i-1].start, parts[i].end})
	}
}

// domains calls each with the domain of an address and with those above it.
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

// chunks calls each with the chunks of a text, in their order.
func chunks(text string, each func(*chunk)) {
	c := cutter{each: each, known: map[rune][]byte{}}
	for at := 0; at < len(text); {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		c.take(r, at, at+size)
		at += size
	}
	c.endChunk()
}

// A cutter cuts a text into chunks, character by character.
type cutter struct {
	each   func(*chunk)
	now    chunk
	word   []byte // the word that grows, folded
	count  int    // its characters
	start  int
	end    int
	joined []byte // the chunk as a whole
	joint  byte   // the character behind the last word, if it may join; else 0
	folded []byte
	known  map[rune][]byte // what other characters than ASCII fold to
}

// fold folds a character. One that the text has many times is looked up once:
// U+FDFA alone becomes 18 letters.
func (c *cutter) fold(r rune) []byte {
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

func (c *cutter) take(r rune, start, end int) {
	if ignored(r) {
		return
	}
	folded := c.fold(r)
	first, _ := utf8.DecodeRune(folded)
	switch {
	case len(folded) == 0: // an accent of its own
		if len(c.word) > 0 {
			c.end = end
		}
	case unspaced(first):
		if !c.now.unspaced {
			c.endChunk()
			c.now.unspaced = true
		}
		c.now.parts = append(c.now.parts, token{string(folded), start, end})
	case wordly(first):
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
		if len(c.joined) <= maxWhole { // what is longer is no whole
			c.joined = append(c.joined, folded...)
		}
	case len(c.word) > 0 && strings.IndexByte("@._+-", byte(r)) >= 0 && r < utf8.RuneSelf:
		c.endWord()
		c.joint = byte(r)
	default:
		c.endChunk()
	}
}

func (c *cutter) endWord() {
	if len(c.word) > 0 {
		c.now.parts = append(c.now.parts, token{string(c.word), c.start, c.end})
		c.word, c.count = c.word[:0], 0
	}
}

func (c *cutter) endChunk() {
	c.endWord()
	if n := len(c.now.parts); n > 0 {
		if n > 1 && !c.now.unspaced && len(c.joined) <= maxWhole && strings.ContainsAny(string(c.joined), "@.") {
			c.now.whole = token{string(c.joined), c.now.parts[0].start, c.now.parts[n-1].end}
		}
		c.each(&c.now)
	}
	c.now = chunk{parts: c.now.parts[:0]}
	c.joined, c.joint = c.joined[:0], 0
}

// spaceless are the scripts whose words are not, or not only, found at spaces.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan,
}

func unspaced(r rune) bool {
	return r > 0x0e00 && (unicode.In(r, spaceless...) && !unicode.IsPunct(r) || r == 'ー')
}

func wordly(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= '0' && r <= '9' || r >= 'a' && r <= 'z'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// ignored reports whether a character is nothing to a reader of the text, as a
// soft hyphen is.
func ignored(r rune) bool {
	return r > 0x7f && r != '\u200b' && (unicode.Is(unicode.Cf, r) || r == 'ـ') // the last one only lengthens a line
}

// fold appends a character without accents, in lower case and compatible form.
func fold(b []byte, r rune) []byte {
	switch {
	case r >= 'A' && r <= 'Z':
		return append(b, byte(r)+'a'-'A')
	case r < utf8.RuneSelf:
		return append(b, byte(r))
	case r >= 0xac00 && r <= 0xd7a3: // Hangul syllables come apart into letters
		return utf8.AppendRune(b, r)
	}
	var one [utf8.UTFMax]byte
	size := utf8.EncodeRune(one[:], r)
	plain := norm.NFKD.Append(nil, one[:size]...)
	for len(plain) > 0 {
		part, size := utf8.DecodeRune(plain)
		plain = plain[size:]
		// A sign such as ℀ holds what would cut the word for the engines.
		cuts := len(b) > 0 && part < utf8.RuneSelf && !alphanumeric(byte(part))
		if !cuts && !unicode.In(part, accents) {
			b = lower(b, part)
		}
	}
	return b
}

// lower appends a letter in lower case. Letters that Unicode does not take
// apart become those which people type for them.
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

// accents are the marks that a search does not look at: those of Latin, Greek,
// Cyrillic, Hebrew, Arabic and Japanese. In other scripts marks are vowels.
var accents = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0300, Hi: 0x036f, Stride: 1}, {Lo: 0x0483, Hi: 0x0489, Stride: 1}, {Lo: 0x0591, Hi: 0x05bd, Stride: 1},
		{Lo: 0x05bf, Hi: 0x05bf, Stride: 1}, {Lo: 0x05c1, Hi: 0x05c2, Stride: 1}, {Lo: 0x05c4, Hi: 0x05c5, Stride: 1},
		{Lo: 0x05c7, Hi: 0x05c7, Stride: 1}, {Lo: 0x0610, Hi: 0x061a, Stride: 1}, {Lo: 0x064b, Hi: 0x065f, Stride: 1},
		{Lo: 0x0670, Hi: 0x0670, Stride: 1}, {Lo: 0x1ab0, Hi: 0x1aff, Stride: 1}, {Lo: 0x1dc0, Hi: 0x1dff, Stride: 1},
		{Lo: 0x20d0, Hi: 0x20ff, Stride: 1}, {Lo: 0x3099, Hi: 0x309a, Stride: 1}, {Lo: 0xfe00, Hi: 0xfe0f, Stride: 1},
	},
}

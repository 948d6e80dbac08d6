package answering

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// next returns the first sentence of a text, with the space before it. Of a text
// that still grows it returns "" until the next sentence has begun. In doubt two
// sentences are one: a number must not be cut in two.
func next(text string, complete bool) string {
	said := false
	for i, r := range text {
		after := i + utf8.RuneLen(r)
		said = said || !unicode.IsSpace(r)
		if !said || !strings.ContainsRune(ends, r) {
			continue
		}
		if end, ok := ending(text, i, after); ok {
			return text[:end]
		}
	}
	if complete {
		return text
	}
	return ""
}

// ending reports whether a sentence ends with the character before after, and
// where: brackets and quotes belong to it.
func ending(text string, at, after int) (int, bool) {
	r, _ := utf8.DecodeRuneInString(text[at:])
	switch r {
	case '\n', '。', '！', '？':
		return after, after < len(text)
	case '.':
		if abbreviated(text[:at]) {
			return 0, false
		}
	}
	rest := strings.TrimLeft(text[after:], `"')]”’»`)
	end := len(text) - len(rest)
	if first, size := utf8.DecodeRuneInString(rest); size == 0 || !unicode.IsSpace(first) {
		return 0, false
	}
	if first, size := utf8.DecodeRuneInString(strings.TrimLeftFunc(rest, unicode.IsSpace)); size == 0 || !unicode.IsUpper(first) && !strings.ContainsRune(`"'([“„«¿¡•-`, first) {
		return 0, false
	}
	return end, true
}

// abbreviations are words before a full stop that ends no sentence. Those of one
// or two letters are too many to list.
var abbreviations = set("bzw usw inkl exkl zzgl evtl ggf approx incl excl etc max min tel str abs art vgl sog mrs prof www resp env ex av jan feb mar apr jun jul aug sep sept oct nov dec okt dez no nr ca")

// maxAbbreviation is how many bytes before a full stop are read, and maxDotted
// those of a form like "i.e".
const maxAbbreviation, maxDotted = 24, 6

// abbreviated reports whether what stands before a full stop is a number or a
// short form.
func abbreviated(before string) bool {
	before = before[max(0, len(before)-maxAbbreviation):]
	word := before[strings.LastIndexAny(before, " \n\t\u00a0([")+1:]
	last, _ := utf8.DecodeLastRuneInString(word)
	return unicode.IsDigit(last) || utf8.RuneCountInString(word) <= 2 || len(word) <= maxDotted && strings.Contains(word, ".") || abbreviations[strings.ToLower(word)]
}

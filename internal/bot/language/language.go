// Package language tells the language of a text, by its script, its letters and
// its frequent words: enough to answer in the language of a question, or to
// prefer articles in it. It knows English, German, French, Spanish, Italian,
// Portuguese, Dutch, Polish, Turkish, Swedish, Danish and Czech, and the
// languages that have a script of their own.
//
// A wrong language is worse than none, so it answers "" in doubt. The package
// imports internal/fulltext for folding letters.
package language

import (
	"slices"
	"strings"
	"unicode"

	"parley/internal/fulltext"
)

// maxRead is how many bytes of a text are read.
const maxRead = 4 << 10

// Of returns the language of a text, as a primary subtag of BCP 47, or "" if it
// is not clear.
func Of(text string) string {
	if len(text) > maxRead {
		text = strings.ToValidUTF8(text[:maxRead], "")
	}
	latin, others := 0, map[string]int{}
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r):
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
			others[script(r)]++
		}
	}
	most, count := "", 0
	for name, n := range others {
		if n > count || n == count && name < most {
			most, count = name, n
		}
	}
	if 2*count > latin { // a word of another script says more than a letter of Latin
		return ofScript(most, others)
	}
	return ofWords(text)
}

// script names the script of a letter.
func script(r rune) string {
	for _, one := range scripts {
		if unicode.Is(one.table, r) {
			return one.name
		}
	}
	return ""
}

// scripts are those with a language of their own, or a most frequent one.
var scripts = []struct {
	name  string
	table *unicode.RangeTable
}{
	{"ru", unicode.Cyrillic}, {"zh", unicode.Han}, {"ja", unicode.Hiragana}, {"ja", unicode.Katakana}, {"ko", unicode.Hangul}, {"ar", unicode.Arabic},
	{"el", unicode.Greek}, {"he", unicode.Hebrew}, {"th", unicode.Thai}, {"hi", unicode.Devanagari}, {"ka", unicode.Georgian}, {"hy", unicode.Armenian},
	{"bn", unicode.Bengali}, {"ta", unicode.Tamil}, {"te", unicode.Telugu}, {"km", unicode.Khmer},
}

// ofScript returns the language of the most frequent script. Japanese has more
// Han characters than others; Cyrillic and Arabic letters serve many languages,
// so they are not told apart.
func ofScript(most string, counts map[string]int) string {
	if most == "zh" && counts["ja"] > 0 {
		return "ja"
	}
	if most == "ru" || most == "ar" {
		return ""
	}
	return most
}

// ofWords returns the language whose frequent words and letters a text has. One
// point must lie between it and the next.
func ofWords(text string) string {
	points := map[string]int{}
	for field := range strings.FieldsSeq(fulltext.Fold(text)) {
		if strings.ContainsAny(strings.TrimRight(field, "./"), "@./") {
			continue // an address
		}
		for word := range strings.FieldsFuncSeq(field, func(r rune) bool { return !unicode.IsLetter(r) }) {
			for _, language := range byWord[word] {
				points[language] += 2
			}
		}
	}
	lower := strings.ToLower(text)
	for language, letters := range ownLetters {
		if strings.ContainsAny(lower, letters) {
			points[language] += 2
		}
	}
	names := make([]string, 0, len(points))
	for name := range points {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return points[b] - points[a] })
	if len(names) == 0 || points[names[0]] < 2 || len(names) > 1 && points[names[0]] == points[names[1]] {
		return ""
	}
	return names[0]
}

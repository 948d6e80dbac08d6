package knowledge

import (
	"strings"
	"unicode"
)

// Struck replaces what could identify a person.
const Struck = "…"

// maxPlainDigits is the most digits of a number that is no phone number, card or
// account: prices, years and sizes stay.
const maxPlainDigits = 5

// Strike returns a text in which e-mail addresses, web addresses, and numbers
// with more than five digits, also with separators between them, are replaced by
// [Struck]. Names stay: nothing tells them from other words. White space becomes
// single spaces.
func Strike(text string) string {
	words := strings.Fields(text)
	var kept []string
	for i := 0; i < len(words); {
		digits, end := numberAt(words, i)
		switch {
		case digits > maxPlainDigits:
			kept = append(kept, Struck)
			i = end
		case end > i:
			kept = append(kept, words[i:end]...)
			i = end
		default:
			kept = append(kept, strikeWord(words[i]))
			i++
		}
	}
	return strings.Join(kept, " ")
}

func strikeWord(word string) string {
	if strings.ContainsRune(word, '@') || strings.Contains(word, "://") || strings.HasPrefix(strings.ToLower(word), "www.") ||
		countDigits(word) > maxPlainDigits {
		return Struck
	}
	return word
}

// numberAt returns the digits of the number that begins at a word, and the word
// after it: a number can be written as several words, such as +49 151 234 56.
func numberAt(words []string, at int) (digits, end int) {
	for end = at; end < len(words) && numeric(words[end]); end++ {
		digits += countDigits(words[end])
	}
	return digits, end
}

// numeric reports whether a word has digits and otherwise only what stands
// between the digits of a number.
func numeric(word string) bool {
	return countDigits(word) > 0 && !strings.ContainsFunc(word, unicode.IsLetter) || word == "-" || word == "/" || word == "+"
}

func countDigits(word string) int {
	n := 0
	for _, r := range word {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

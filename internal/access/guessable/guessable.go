// Package guessable recognizes passwords that somebody who guesses tries early:
// common ones and what people make of them, sequences and repetitions, and
// what anybody knows about the member.
//
// It imports nothing of this module. A check takes time proportional to the
// length of its texts, and the first one reads the list. The list is the one of
// passwords in the npm package @zxcvbn-ts/language-common, of version 4.1.3,
// sorted.
package guessable

import (
	"slices"
	"strings"
	"unicode"
)

// A Reason says why a password can be guessed.
type Reason string

// The reasons, in the order in which they are looked for.
const (
	None     Reason = ""
	Common   Reason = "common"   // a common password, also doubled or with characters around it
	Pattern  Reason = "pattern"  // a sequence, or a repetition of a few characters
	Personal Reason = "personal" // mostly words that anybody knows of the member
)

const (
	// fewest is how many characters must remain where each sequence counts as
	// two, and how many a repetition must repeat.
	fewest, fewestRepeated = 7, 12
	// leastKnown is the length of the shortest known word, in characters.
	leastKnown = 3
)

// Find returns why a password can be guessed, or None. Known are texts
// that anybody knows of the member: a name, an e-mail address, the name of the
// workspace.
func Find(password string, known ...string) Reason {
	lower := []rune(strings.ToLower(password))
	bare := slices.DeleteFunc(slices.Clone(lower), notAlphanumeric)
	switch {
	case common(lower), common(bare):
		return Common
	case pattern(lower), 2*len(bare) >= len(lower) && pattern(bare):
		return Pattern
	case personal(bare, known):
		return Personal
	}
	return None
}

func notAlphanumeric(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
func notLetter(r rune) bool       { return !unicode.IsLetter(r) }

// common reports whether the list has a password, or what is left of it if it
// is halved, and freed of digits and other characters around it, as often as
// that goes.
func common(password []rune) bool {
	text := string(password)
	for {
		if listed(text) || listed(strings.TrimRightFunc(text, notLetter)) {
			return true
		}
		runes := []rune(text)
		next := string(runes[:period(runes)])
		if next == text {
			next = strings.TrimFunc(text, notLetter)
		}
		if next == text {
			return false
		}
		text = next
	}
}

// pattern reports whether few characters remain of a password without its
// sequences, or whether it repeats few.
func pattern(password []rune) bool {
	if n := period(password); n < len(password) && n < fewestRepeated {
		return true
	}
	left := withoutSequences(password)
	return left < fewest && 2*left <= len(password)
}

// personal reports whether more than half of a password without its punctuation
// are known words.
func personal(bare []rune, known []string) bool {
	rest := string(bare)
	for _, word := range wordsOf(known) {
		rest = strings.ReplaceAll(rest, word, " ")
	}
	left := 0
	for _, r := range rest {
		if r != ' ' {
			left++
		}
	}
	return 2*left < len(bare)
}

// wordsOf returns the words of texts, and the texts as one word, from the
// longest to the shortest.
func wordsOf(known []string) (words []string) {
	for _, text := range known {
		split := strings.FieldsFunc(strings.ToLower(text), notAlphanumeric)
		words = append(append(words, split...), strings.Join(split, ""))
	}
	words = slices.DeleteFunc(words, func(w string) bool { return len([]rune(w)) < leastKnown })
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
	return slices.Compact(words)
}

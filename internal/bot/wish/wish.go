// Package wish finds out whether a customer asks for a person instead of a
// machine, in twelve languages and without a model: the way to a person must
// work when nothing else does.
//
// Each language has a table of words ([languages]). A wish is a verb such as
// "speak" near a noun such as "agent" in the same clause, a short message that
// consists of such a noun, or a machine that is not wanted. Negations that
// belong to the verb or the noun turn it around. In doubt the answer is yes: a
// needless hand-over costs less than a customer who cannot escape.
//
// It imports internal/fulltext for folding letters.
package wish

import (
	"strings"
	"unicode"

	"parley/internal/fulltext"
)

const (
	maxRead  = 4 << 10 // bytes of a text that are read, from its end
	maxAlone = 8       // words of a message that may be only a noun
	farthest = 6       // words between a verb that means talking, and who is talked to
	near     = 4       // words between any other verb and what is wanted
)

// ForPerson reports whether a text asks for a person. Of a long text only the
// end counts.
func ForPerson(text string) bool {
	if len(text) > maxRead {
		text = strings.ToValidUTF8(text[len(text)-maxRead:], "")
	}
	text = strings.NewReplacer("’", "'", "`", "'", "´", "'").Replace(fulltext.Fold(text))
	for _, l := range languages {
		if l.wished(text) {
			return true
		}
	}
	return false
}

// A class is a bit of what a word can be.
type class uint16

const (
	talk    class = 1 << iota // a verb that connects people: speak, transfer
	want                      // another verb of wishing: want, need
	person                    // a noun: agent, human
	anybody                   // a pronoun: someone
	machine                   // a noun: bot
	negation
	ability // a question for a possibility: can
	but     // it begins another clause
	about   // what follows is a subject, not a person to talk to
	filler  // it may stand between the others
)

// A lexicon is the table of a language.
type lexicon struct {
	words    map[string]class
	prefixes map[string]class // of words of at least four letters
	phrases  []phrase
	joined   bool // an apostrophe is part of a word: don't
	trailing bool // a negation may end the clause
}

// A phrase is a class of several words.
type phrase struct {
	words string
	class class
}

// of returns what a word can be.
func (l *lexicon) of(word string) class {
	found := l.words[word]
	for n := 4; n <= min(len(word), 14); n++ {
		found |= l.prefixes[word[:n]]
	}
	return found
}

// wished looks for a wish in a folded text.
func (l *lexicon) wished(text string) bool {
	between := " "
	if l.joined {
		between = ""
	}
	text = strings.ReplaceAll(text, "'", between)
	for _, p := range l.phrases {
		text = strings.ReplaceAll(text, p.words, strings.ReplaceAll(p.words, " ", "_"))
	}
	short := len(strings.FieldsFunc(text, apart)) <= maxAlone
	var clause []class
	for len(text) > 0 {
		word, rest := next(text)
		end := strings.ContainsAny(text[:len(text)-len(rest)-len(word)], ".,;:!?\n")
		text = rest
		c := l.of(word)
		if c&but != 0 || end {
			if l.wish(clause, short, false) {
				return true
			}
			clause = clause[:0]
		}
		if c&but == 0 && word != "" {
			clause = append(clause, c)
		}
		if strings.HasPrefix(strings.TrimLeft(rest, " "), "?") && l.wish(clause, short, true) {
			return true
		}
	}
	return l.wish(clause, short, false)
}

// apart reports whether a character separates words.
func apart(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }

// next returns the next word of a text, and what follows it.
func next(text string) (word, rest string) {
	start := strings.IndexFunc(text, func(r rune) bool { return !apart(r) })
	if start < 0 {
		return "", ""
	}
	if end := strings.IndexFunc(text[start:], apart); end >= 0 {
		return text[start : start+end], text[start+end:]
	}
	return text[start:], ""
}

// wish looks for a wish in a clause.
func (l *lexicon) wish(clause []class, short, question bool) bool {
	var all class
	for _, c := range clause {
		all |= c
	}
	if all&(person|anybody|machine) == 0 {
		return false
	}
	if !l.negated(clause, all, question) {
		if wanted(clause) || short && all&person != 0 && onlyFillers(clause, person) {
			return true
		}
	}
	return unwanted(clause, all, short)
}

// wanted reports whether a verb and a person belong together.
func wanted(clause []class) bool {
	for at, c := range clause {
		if c&(talk|want) == 0 {
			continue
		}
		if c&talk != 0 && found(clause, at, farthest, person|anybody, about, 0) || found(clause, at, near, person, 0, filler|talk|want|negation|ability) {
			return true
		}
	}
	return false
}

// found looks on both sides of a word for one of a class. The words on the way
// have none of the classes of never, and one of those of only, unless that is 0.
func found(clause []class, at, distance int, wanted, never, only class) bool {
	for _, step := range []int{1, -1} {
		for i, n := at+step, 0; i >= 0 && i < len(clause) && n < distance; i, n = i+step, n+1 {
			if clause[i]&wanted != 0 {
				return true
			}
			if clause[i]&never != 0 || only != 0 && clause[i]&only == 0 {
				break
			}
		}
	}
	return false
}

// onlyFillers reports whether a clause consists of words of a class, and of
// fillers.
func onlyFillers(clause []class, of class) bool {
	for _, c := range clause {
		if c&(of|filler|want) == 0 {
			return false
		}
	}
	return true
}

// unwanted reports whether a clause rejects a machine.
func unwanted(clause []class, all class, short bool) bool {
	if all&machine == 0 || all&negation == 0 {
		return false
	}
	for at, c := range clause {
		if c&machine == 0 || !found(clause, at, farthest, negation, 0, filler|talk|want|machine) {
			continue
		}
		if all&(talk|want) != 0 || short && onlyFillers(clause, machine|negation|person) {
			return true
		}
	}
	return false
}

// negated reports whether the wish of a clause is denied. "Can I not talk to a
// person?" is none, and neither is a negation that belongs to a machine or to
// another verb.
func (l *lexicon) negated(clause []class, all class, question bool) bool {
	if all&negation == 0 || question && all&ability != 0 {
		return false
	}
	for at, c := range clause {
		if c&negation == 0 {
			continue
		}
		rest := clause[at+1:]
		for i, follows := range rest {
			if follows&machine != 0 && i < farthest {
				break // not a bot
			}
			if follows&(talk|want|person|anybody) != 0 {
				return true
			}
			if follows&(filler|ability|negation) == 0 {
				break // doesn't work
			}
		}
		if l.trailing && len(rest) <= 1 && (len(rest) == 0 || rest[0]&machine == 0) {
			return true
		}
	}
	return false
}

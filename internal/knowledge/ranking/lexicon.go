package ranking

import (
	"embed"
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/spanish"

	"parley/internal/fulltext"
)

// lists are the word lists of the languages, one file for each.
//
//go:embed words/*.txt
var lists embed.FS

// maxStemmed is the length of the longest word, in bytes, that is stemmed.
const maxStemmed = 64

// A lexicon is what the index knows of a language. Its words are folded.
type lexicon struct {
	german   bool
	stem     func(*snowballstem.Env) bool // nil: the language has no stemmer
	stop     map[string]bool              // words that say nothing about a subject
	common   map[string]bool              // words that say little
	everyday map[string]bool              // words that say little unless an article has them
	forms    map[string]string            // irregular forms, and the word that they stand for
}

// A word is a word of a text in the forms by which the index knows it.
type word struct {
	surface string // folded
	stem    string // of the word with its accents, folded
	plain   string // of the folded word; people leave accents out
}

// cloned returns the word without the text of which it is a part.
func (w word) cloned() word {
	same := w.stem == w.plain
	w.surface, w.plain = strings.Clone(w.surface), strings.Clone(w.plain)
	if w.stem = strings.Clone(w.stem); same {
		w.stem = w.plain
	}
	return w
}

// newLexicon returns the lexicon of a language by its primary subtag. Without a
// list, no word is a stop word.
func newLexicon(primary string) *lexicon {
	l := &lexicon{german: primary == "de", stop: map[string]bool{}, common: map[string]bool{}, everyday: map[string]bool{}, forms: map[string]string{}}
	switch primary {
	case "en":
		l.stem = english.Stem
	case "de":
		l.stem = german.Stem
	case "fr":
		l.stem = french.Stem
	case "es":
		l.stem = spanish.Stem
	}
	list, err := lists.ReadFile("words/" + primary + ".txt")
	if err != nil {
		return l
	}
	section := ""
	for line := range strings.Lines(string(list)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
		case strings.HasPrefix(words[0], "["):
			section = words[0]
		default:
			l.add(section, words)
		}
	}
	return l
}

// add reads a line of a list.
func (l *lexicon) add(section string, words []string) {
	first := ""
	for _, written := range words {
		fulltext.Parts(written, func(p fulltext.Part) {
			w := l.fold(p.Word)
			switch section {
			case "[stop]":
				l.stop[w] = true
			case "[common]":
				l.common[w] = true
			case "[everyday]":
				l.everyday[w] = true
			case "[forms]":
				if first == "" {
					first = w
				}
				l.forms[w] = first
			}
		})
	}
}

// fold makes one spelling of two: German keyboards abroad have no umlauts.
func (l *lexicon) fold(folded string) string {
	if !l.german || !strings.Contains(folded, "e") {
		return folded
	}
	var b strings.Builder
	before := byte(0)
	for i := range len(folded) {
		c := folded[i]
		if c == 'e' && (before == 'a' || before == 'o' || before == 'u') && (i < 2 || !strings.ContainsRune("aeiouq", rune(folded[i-2]))) {
			before = 0
			continue
		}
		b.WriteByte(c)
		before = c
	}
	return b.String()
}

// word returns the forms of a part of a text.
func (l *lexicon) word(p fulltext.Part) word {
	w := word{surface: l.fold(p.Word)}
	root := w.surface
	if base, ok := l.forms[root]; ok {
		root = base
	} else if base, ok := l.verb(root); ok {
		root = base
	}
	w.plain = l.stemmed(root)
	w.stem = w.plain
	if root == w.surface && len(p.Text) != len(p.Word) {
		w.stem = l.fold(fulltext.Fold(l.stemmed(strings.ToLower(p.Text))))
	}
	return w
}

func (l *lexicon) stemmed(text string) string {
	if l.stem == nil || len(text) > maxStemmed || !utf8.ValidString(text) {
		return text
	}
	env := snowballstem.NewEnv(text)
	l.stem(env)
	return env.Current()
}

// separable are the German prefixes that verbs put elsewhere in a sentence.
// Longer ones come first.
var separable = []string{
	"zusammen", "herunter", "zuruck", "wieder", "weiter", "runter", "herein", "heraus", "nach", "frei", "fest", "raus", "rein", "auf", "aus", "bei", "ein",
	"mit", "vor", "weg", "los", "her", "hin", "ab", "an", "um", "zu",
}

// verb returns the infinitive of a German participle (abgeholt) or infinitive
// with "zu" (abzuholen).
func (l *lexicon) verb(w string) (string, bool) {
	if !l.german || len(w) < 7 || len(w) > maxStemmed {
		return "", false
	}
	prefix, rest := separate(w)
	if core, ok := strings.CutPrefix(rest, "zu"); ok && prefix != "" && strings.HasSuffix(core, "en") && len(core) >= 5 {
		return prefix + core, true
	}
	for _, part := range [][2]string{{prefix, rest}, {"", w}} {
		core, ok := strings.CutPrefix(part[1], "ge")
		if !ok {
			continue
		}
		for _, ending := range []string{"en", "et", "t"} {
			if core, ok := strings.CutSuffix(core, ending); ok && len(core) >= 3 {
				return part[0] + core + "en", true
			}
		}
	}
	return "", false
}

// separate splits a separable prefix off a German verb.
func separate(w string) (prefix, rest string) {
	for _, prefix := range separable {
		if rest, ok := strings.CutPrefix(w, prefix); ok && len(rest) >= 5 {
			return prefix, rest
		}
	}
	return "", w
}

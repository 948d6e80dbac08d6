package answering

import (
	"slices"
	"testing"
	"unicode"
)

// TestPhrasebooks requires that each of the fourteen languages has each sentence,
// in its own script and words.
func TestPhrasebooks(t *testing.T) {
	scripts := map[string]*unicode.RangeTable{"ar": unicode.Arabic, "he": unicode.Hebrew}
	sentencesOf := func(b phrasebook) []string { return []string{b.ask, b.sorry, b.cards, b.handOver, b.meantime} }
	if len(phrasebooks) != 14 {
		t.Errorf("there are %d languages", len(phrasebooks))
	}
	known := map[string]string{}
	for language, book := range phrasebooks {
		script := scripts[language]
		if script == nil {
			script = unicode.Latin
		}
		for _, sentence := range sentencesOf(book) {
			if other, twice := known[sentence]; sentence == "" || twice {
				t.Errorf("%s: %q is also %s", language, sentence, other)
			}
			known[sentence] = language
			for _, r := range sentence {
				if unicode.IsLetter(r) && !unicode.Is(script, r) {
					t.Errorf("%s: %q has the letter %q", language, sentence, r)
				}
			}
		}
	}
	if book, language := phrasesOf("he-IL"); language != "he-IL" || !slices.Equal(sentencesOf(book), sentencesOf(phrasebooks["he"])) {
		t.Errorf("he-IL is %s", language)
	}
	if _, language := phrasesOf("ka"); language != "en" {
		t.Errorf("a language without sentences is answered in %s", language)
	}
}

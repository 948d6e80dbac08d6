package words

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestCatalogues requires that each language has each text of the first, with the same
// places, in words and letters of its own.
func TestCatalogues(t *testing.T) {
	if entries, err := files.ReadDir("."); err != nil || len(entries) != len(Languages) || len(Languages) != 14 {
		t.Errorf("%d files, %d languages, %v", len(entries), len(Languages), err)
	}
	places := regexp.MustCompile(`\{[a-z]+\}`)
	found := func(text string) []string {
		all := places.FindAllString(text, -1)
		slices.Sort(all)
		return all
	}
	first, known := fileOf(t, Languages[0]), map[string]string{}
	for _, language := range Languages {
		c := fileOf(t, language)
		direction, script := directionOf(language)
		foreign := func(r rune) bool { return unicode.IsLetter(r) && !unicode.In(r, script, unicode.Lm) } // Lm: the Arabic kashida
		words := places.ReplaceAllString(everything(c), "")
		if stray := strings.IndexFunc(words, foreign); stray >= 0 {
			t.Errorf("%s has a letter of another script: %.20q", language, words[stray:])
		}
		if c["direction"] != direction {
			t.Errorf("%s is written %s", language, c["direction"])
		}
		if !slices.Equal(slices.Sorted(maps.Keys(c)), slices.Sorted(maps.Keys(first))) {
			t.Errorf("%s has the texts %v", language, slices.Sorted(maps.Keys(c)))
		}
		for name, text := range c {
			other := known[text]
			if text == "" || strings.ContainsAny(text, "\r\n") || !slices.Equal(found(text), found(first[name])) || other != "" && name != "direction" {
				t.Errorf("%s: %s is %q, as in %q", language, name, text, other)
			}
			known[text] = language
		}
		if all := reflect.ValueOf(In(language)); all.NumField() != len(c)+1 {
			t.Errorf("%d fields have %d texts", all.NumField()-1, len(c))
		}
	}
}

// fileOf reads the file of a language, whatever it has.
func fileOf(t *testing.T, language string) map[string]string {
	t.Helper()
	text, err := files.ReadFile(language + ".json")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(language, err)
	}
	return all
}

func everything(c map[string]string) string {
	var all []string
	for name, text := range c {
		if name != "direction" {
			all = append(all, text)
		}
	}
	return strings.Join(all, " ")
}

func directionOf(language string) (string, *unicode.RangeTable) {
	switch language {
	case "ar":
		return "rtl", unicode.Arabic
	case "he":
		return "rtl", unicode.Hebrew
	}
	return "ltr", unicode.Latin
}

// TestChoose reads what browsers send.
func TestChoose(t *testing.T) {
	for accepted, want := range map[string]string{
		"": "en", "de": "de", "de-AT,de;q=0.9,en;q=0.8": "de", "fr-CH, fr;q=0.9, DE;q=0.8": "fr", "ka, DE;q=0.8": "de", "he-IL": "he", "xx": "en", "en-US,de": "en", ";;,,": "en",
		strings.Repeat("xx,", 50) + "de": "en",
	} {
		if got := Choose(accepted); got != want {
			t.Errorf("%q is %s", accepted, got)
		}
	}
	if In("xx").Language != "en" || In("../de").Language != "en" {
		t.Error("an unknown language is not the first one")
	}
	if In("pt-BR").Language != "pt" || In("AR").Language != "ar" {
		t.Error("a region hides the language")
	}
	if got := Fill("{a} and {b}", "a", "{b}", "b", "c"); got != "{b} and c" {
		t.Error(got)
	}
}

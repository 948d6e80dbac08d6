package words

import (
	"slices"
	"testing"
)

// TestChat reads the files of the chat. The tests of the chat compare the languages.
func TestChat(t *testing.T) {
	for _, language := range Languages {
		if words := Chat(language); words["composer.send"] == "" || len(words) < 80 {
			t.Errorf("%s has %d texts", language, len(words))
		}
	}
	if Chat("xx") != nil || Chat("../en") != nil {
		t.Error("there are words in an unknown language")
	}
}

func TestPlaces(t *testing.T) {
	for text, want := range map[string][]string{"": nil, "a": nil, "{b} and {a} and {b}": {"a", "b", "b"}} {
		if got, ok := Places(text); !ok || !slices.Equal(got, want) {
			t.Errorf("%q has %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{"{", "}", "{}", "{a", "a}", "{{a}}", "{a b}", "{A}", "} {a}", "{a} }"} {
		if _, ok := Places(text); ok {
			t.Errorf("%q is accepted", text)
		}
	}
}

package ranking

import (
	"strings"
	"testing"
)

// TestWords gives questions about the same the same words.
func TestWords(t *testing.T) {
	x := New([]Document{{ID: "a", Language: "en", Title: "Return a parcel"}, {ID: "b", Language: "en", Title: "Hours in December"}, {ID: "a", Language: "de", Title: "Paket zurückgeben"}}, "en")
	for _, same := range []struct {
		language, want string
		questions      []string
	}{
		{"en", "gift wrap", []string{"Can you wrap gifts?", "gift wrapping", "WRAPPED as a gift, 3 of them", "wrap gift wrap", "my neighbour and my uncle both loved the gift that you wrapped in november"}},
		{"en", "decemb gift", []string{"gifts for december"}},                       // which an article has
		{"en", "novemb uncl", []string{"my uncle in november", "November? Uncle!"}}, // nothing else was said
		{"en-GB", "gift", []string{"gifts"}},
		{"fr", "gift", []string{"gifts"}}, // the default language
		{"de", "rechnung zahl", []string{"Kann ich auf Rechnung bezahlen?"}},
		{"en", "", []string{"", "?", "and the", "12 345"}},
	} {
		for _, q := range same.questions {
			if got := x.Words(q, same.language); got != same.want {
				t.Errorf("%s: %q has the words %q, want %q", same.language, q, got, same.want)
			}
		}
	}
	for _, one := range []struct {
		language, question string
		want               bool
	}{
		{"en", "What is the capital of Mongolia?", true}, {"en", "and how long does that take?", false}, {"en", "", false},
		{"de", "und in der Mongolei?", true}, {"de", "und wie lange dauert das?", false},
		{"nl", "En hoe lang duurt dat eigenlijk in Mongolië?", false}, // nothing is known of the language
	} {
		if got := x.Strange(one.question, one.language); got != one.want {
			t.Errorf("%s: %q is strange: %v, want %v", one.language, one.question, got, one.want)
		}
	}
	if got := New(nil, "").Words("Wie wickelt man Geschenke ein", "de"); got == "" || strings.Contains(got, "wie") {
		t.Errorf("without an index the words are %q", got)
	}
	if got := len(strings.Fields(x.Words(strings.Repeat("alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi ", 9), "en"))); got > maxKey {
		t.Errorf("a long question has %d words", got)
	}
}

package fulltext

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"parley"
)

func TestWords(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		" -- ?! ":                     "",
		"Größe GRÖSSE grosse":         "grosse",
		"Crème brûlée, naïve":         "creme brulee naive",
		"Cre\u0300me":                 "creme",
		"İstanbul ISTANBUL ıstanbul":  "istanbul",
		"ΣΊΣΥΦΟΣ σίσυφος":             "σισυφοσ",
		"Øre Łódź Æther":              "ore lodz aether",
		"ﬁne Ａｂｃ１":                    "fine abc1",
		"Москва":                      "москва",
		"don't e-mail":                "don t e mail",
		"soft\u00adhyphen":            "softhyphen",
		"東京都":                         "東京 京都 都",
		"京":                           "京",
		"日本ABC語":                      "日本 本 abc 語",
		"ガｶﾞ":                         "カカ カ",
		"서울에서":                        "서울 울에 에서 서",
		"ann.lee@mail.example.com":    "ann lee mail example com ann.lee@mail.example.com mail.example.com example.com",
		"see https://www.example.de/": "see https www example de www.example.de example.de",
		"The end.Next":                "the end next end.next",
		"a. b":                        "a b",
		"x_y-z 1.5":                   "x y z 1 5 1.5",
		"℀ ⑴ ½":                       "ac 1⁄2",
		"call +49 (0) 151 123":        "call 49 0 151 123 49151123 9151123 151123 51123",
		"or 0151/1234567.":            "or 0151 1234567 1511234567 511234567 11234567 234567 34567",
		"012345x 0123-456 y":          "012345x 0123 456 y",
		"0123-4567 y":                 "0123 4567 y 1234567 234567 34567",
		"0815 is none":                "0815 is none",
		"a0301234567 no":              "a0301234567 no",
		"हिन्दी":                      "हिन्दी",
		strings.Repeat("x", 100):      strings.Repeat("x", 64),
	} {
		if got := strings.Join(Document{Texts: []string{text}}.Words(), " "); got != want {
			t.Errorf("the words of %q are %q, want %q", text, got, want)
		}
	}
	got := strings.Join(Document{Texts: []string{"a b", "b c"}, Phone: "4915112"}.Words(), " ")
	if want := "a b c 4915112 915112 15112"; got != want {
		t.Errorf("the words of a document are %q, want %q", got, want)
	}
}

// TestWordsEnd gives a document more words than the limit: its number is still
// indexed.
func TestWordsEnd(t *testing.T) {
	var text strings.Builder
	for i := range 2 * maxWords {
		fmt.Fprintf(&text, "w%d ", i)
	}
	words := Document{Texts: []string{text.String(), "late"}, Phone: "4915112"}.Words()
	if len(words) != maxWords+3 || words[maxWords-1] != fmt.Sprint("w", maxWords-1) || words[maxWords+2] != "15112" {
		t.Errorf("there are %d words, %q at the end", len(words), words[len(words)-4:])
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"Müller":              "muller*",
		"order Müller":        "muller* order",
		"a a":                 "a a*",
		`"ann" OR NOT (bob*)`: "ann bob* not or",
		"ann@exa":             "ann@exa*",
		"@example.com ":       "example.com*",
		"東京都 x":               "x* 京都 東京",
		"東京":                  "東京*",
		"東 a":                 "a* 東*",
		"0151 123":            "0151 123* | 151123*",
		"+49 (0)151 12":       "0 12* 151 49 | 4915112*",
		"1234":                "1234*",
		"00":                  "00*",
		"12345678901234567":   "12345678901234567*",
	} {
		q, ok := Parse(text)
		var alternatives []string
		for _, terms := range q.Alternatives {
			var words []string
			for _, term := range terms {
				words = append(words, term.Word+map[bool]string{true: "*"}[term.Prefix])
			}
			alternatives = append(alternatives, strings.Join(words, " "))
		}
		if got := strings.Join(alternatives, " | "); !ok || got != want {
			t.Errorf("the query %q is %q, %v, want %q", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "  ", `"" * -- ()`, "\u0301", "🎈"} {
		if q, ok := Parse(text); ok {
			t.Errorf("%q gave the query %v", text, q)
		}
	}
	if q, _ := Parse(strings.Repeat("a b c d e f g h i j ", 20)); len(q.Alternatives[0]) > maxTerms {
		t.Errorf("a long query has %d terms", len(q.Alternatives[0]))
	}
}

func TestShort(t *testing.T) {
	for text, want := range map[string]bool{"a": true, "hello ö": true, "an": false, "a bc": false, "東": false} {
		if q, _ := Parse(text); q.Short() != want {
			t.Errorf("%q ends with a single letter: %v", text, !want)
		}
	}
}

func TestCloseness(t *testing.T) {
	for _, c := range []struct {
		query, name string
		want        int
	}{
		{"ann", "Ann", 3}, {"ann", "Ann Lee", 2}, {"ann", "Anna", 1}, {"ann", "Bob", 0},
		{"ann lee", "Ann Lee", 3}, {"ann lee", "Dr. Ann Lee", 2}, {"lee ann", "Ann Lee", 1}, {"ann l", "Ann Lee", 1},
		{"東京", "東京", 3}, {"ann", "", 0},
	} {
		q, _ := Parse(c.query)
		if got := q.Closeness(c.name); got != c.want {
			t.Errorf("%q fits %q by %d, want %d", c.name, c.query, got, c.want)
		}
	}
	for text, want := range map[string]bool{
		"Your refund order is here": true, "refund orders": true, "order refund": false, "refund the order": false, "refund": false,
	} {
		if q, _ := Parse("refund order"); q.Phrase(text) != want {
			t.Errorf("%q has the phrase: %v", text, !want)
		}
	}
	if q, _ := Parse("refund"); q.Phrase("refund") {
		t.Error("a single word is a phrase")
	}
}

// marked writes segments with brackets around what matches.
func marked(segments []parley.Segment) string {
	var b strings.Builder
	for _, s := range segments {
		if s.Match {
			b.WriteString("[" + s.Text + "]")
		} else {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

func TestSnippet(t *testing.T) {
	filler := strings.Repeat("lorem ipsum ", 30)
	for _, c := range []struct{ query, text, want string }{
		{"x", "", ""},
		{"x", " \n\t ", ""},
		{"nothing", "Plain  text\nhere", "Plain text here"},
		{"grosse", "Welche Größe?", "Welche [Größe]?"},
		{"gr", "Welche Größe?", "Welche [Größe]?"},
		{"creme", "Cre\u0300me fraîche", "[Crème] fraîche"},
		{"<b> script", "<b>bold</b> <script>", "<[b]>bold</[b]> <[script]>"},
		{"東京", "私は東京都です", "私は[東京]都です"},
		{"東京都", "私は東京都です", "私は[東京都]です"},
		{"ann@example.com", "to ann@example.com now", "to [ann@example.com] now"},
		{"ann", "to ann@example.com now", "to [ann@example.com] now"},
		{"015112345", "ring +49 151 12345, please", "ring [+49 151 12345], please"},
		{"a", filler + "apple", "…ipsum lorem ipsum lorem ipsum [apple]"},
	} {
		q, _ := Parse(c.query)
		got := marked(q.Snippet(c.text, 40))
		if got != c.want {
			t.Errorf("the snippet of %q for %q is %q, want %q", c.text, c.query, got, c.want)
		}
	}
	q, _ := Parse("red blue")
	got := marked(q.Snippet("red "+filler+"blue and red "+filler, 60))
	if !strings.Contains(got, "[blue] and [red]") || !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") {
		t.Errorf("the snippet is not from where all words are: %q", got)
	}
}

// FuzzText splits and searches arbitrary bytes: both engines accept the words,
// each word finds its text, and a snippet is a part of the text within its
// length.
func FuzzText(f *testing.F) {
	for _, text := range []string{"", "Größe", "a@b.c", "+49 151 123456", "東京都", "\xff\x00", "ﷺ", "İı ﬁ ½ ㎏", "e\u0301", strings.Repeat("x.", 200)} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		words := Document{Texts: []string{text}, Phone: text}.Words()
		for _, word := range words {
			if word == "" || strings.ContainsFunc(word, func(r rune) bool {
				return r < utf8.RuneSelf && !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz0123456789@._+-", r)
			}) || len(word) > 2000 {
				t.Errorf("%q gave the word %q", text, word)
			}
		}
		q, ok := Parse(text)
		if ok && !slices.ContainsFunc(q.Alternatives, func(terms []parley.SearchTerm) bool { return found(terms, words) }) {
			t.Errorf("the query %q finds not itself: %v in %q", text, q.Alternatives, words)
		}
		for _, limit := range []int{10, 160} {
			var all string
			for _, s := range q.Snippet(text, limit) {
				all += s.Text
			}
			if n := utf8.RuneCountInString(all); n > limit {
				t.Errorf("a snippet of %q has %d characters, %d at most", text, n, limit)
			}
		}
	})
}

// FuzzPhones compares the ends that the scan finds in one pass with those of a
// scan that starts over at each place.
func FuzzPhones(f *testing.F) {
	for _, text := range []string{"", "call +49 (0) 151 123", "0151/1234567.", "(((((0123456", "012345x 0123-456 y", "+0 (1) 2+345678", "0123456é"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1000 {
			return // the slow one is quadratic
		}
		var got, want []token
		phones(text, func(word token) { got = append(got, word) })
		for at, behind := 0, 0; at < len(text); at++ {
			if at < behind || !strings.ContainsRune("+0(", rune(text[at])) || at > 0 && alphanumeric(text[at-1]) {
				continue
			}
			run := len(text) - len(strings.TrimLeft(text[at+1:], "0123456789 ()./-"))
			end := at + len(strings.TrimRight(text[at:run], "+ ()./-"))
			if end == len(text) || !alphanumeric(text[end]) {
				phoneEnds(token{digitsOf(text[at:end]), at, end}, func(word token) { want = append(want, word) })
			}
			behind = end
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has the numbers %v, want %v", text, got, want)
		}
	})
}

func found(terms []parley.SearchTerm, words []string) bool {
	for _, term := range terms {
		if !slices.ContainsFunc(words, term.Finds) {
			return false
		}
	}
	return true
}

func BenchmarkWords(b *testing.B) {
	for name, text := range map[string]string{
		"ascii": strings.Repeat("Hello, how can we help you with order 4711 today? ", 10),
		"latin": strings.Repeat("Schöne Grüße aus Köln, wo ist meine Bestellung? ", 10),
	} {
		b.Run(fmt.Sprint(name, "/", len(text)), func(b *testing.B) {
			for b.Loop() {
				Document{Texts: []string{text}}.Words()
			}
		})
	}
}

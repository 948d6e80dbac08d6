package ranking

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// desk is a small base in several languages.
var desk = []Document{
	{ID: "returns", Language: "en", Title: "Return a parcel", Keywords: []string{"send it back", "wrong size"}, Headings: []string{"Print the label"}, Body: "You can return your order within 30 days. Print the label and bring the parcel to the post."},
	{ID: "refunds", Language: "en", Title: "When you get your refund", Keywords: []string{"money back"}, Body: "We pay the refund within five days after the parcel has arrived."},
	{ID: "invoice", Language: "en", Title: "Download an invoice", Body: "Open your account, choose an order and download its invoice."},
	{ID: "warranty", Language: "en", Title: "Warranty and repairs", Body: "Every tent has a warranty of two years. We repair zips and poles."},
	{ID: "returns", Language: "de", Title: "Ein Paket zurücksenden", Headings: []string{"Das Rücksendeetikett drucken"}, Body: "Bestellungen lassen sich innerhalb von 30 Tagen zurücksenden. Das Etikett liegt dem Paket bei."},
	{ID: "invoice", Language: "de", Title: "Rechnung herunterladen", Body: "Im Konto steht die Rechnung bei jeder Bestellung. Größere Firmen erhalten eine Sammelrechnung."},
	{ID: "pickup", Language: "de", Title: "Waren abholen", Body: "Die Filiale hat werktags geöffnet."},
	{ID: "returns", Language: "fr", Title: "Retourner un colis", Body: "Les chaussures peuvent être renvoyées sous 30 jours."},
	{ID: "returns", Language: "es", Title: "Devoluciones", Body: "Puedes devolver los pedidos en 30 días."},
	{ID: "payment", Language: "es", Title: "Formas de pago", Body: "Aceptamos tarjetas."},
	{ID: "hours", Language: "ja", Title: "営業時間", Body: "東京の店は九時に開きます。"},
	{ID: "parking", Language: "ja", Title: "駐車場", Body: "店の前にあります。"},
}

func TestSearch(t *testing.T) {
	x := New(desk, "en")
	tests := []struct{ name, language, question, first string }{
		{"endings", "en", "Hi! I was thinking about returning two orders, please help", "returns"},
		{"titles before bodies", "en", "refund", "refunds"},
		{"irregular forms", "en", "have you paid me?", "refunds"},
		{"phrases", "en", "how can I send it back?", "returns"},
		{"a letter wrong", "en", "waranty", "warranty"},
		{"a letter missing in the first half", "en", "ivoice", "invoice"},
		{"two letters swapped in the middle", "en", "invioce", "invoice"},
		{"case", "en", "INVOICE", "invoice"},
		{"German umlauts", "de", "paket zuruecksenden", "returns"},
		{"German parts of compounds in articles", "de", "wo ist mein etikett", "returns"},
		{"German compounds in questions", "de", "Paketabholung?", "returns"},
		{"German participles", "de", "zurückgesendet", "returns"},
		{"German infinitives with zu", "de", "um es abzuholen", "pickup"},
		{"French accents", "fr", "RENVOYEES", "returns"},
		{"Spanish accents", "es", "devolucion", "returns"},
		{"scripts without spaces", "ja", "東京の営業時間", "hours"},
		{"another region", "de-CH", "Rechnung", "invoice"},
		{"the default language", "it", "invoice", "invoice"},
		{"nothing known", "en", "kayak", ""},
		{"stop words only", "en", "what is it then?", ""},
		{"nothing at all", "en", " \x00\xff!", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			first := ""
			if hits := x.Search(test.question, test.language, 3).Hits; len(hits) > 0 {
				first = hits[0].ID
			}
			if first != test.first {
				t.Errorf("%q: first hit is %q, want %q", test.question, first, test.first)
			}
		})
	}
}

func TestLanguageOfTheResult(t *testing.T) {
	x := New(desk, "de")
	for language, want := range map[string]string{"en": "en", "de-AT": "de", "pt": "de", "": "de"} {
		if got := x.Search("Rechnung", language, 3).Language; got != want {
			t.Errorf("a question in %q searched %q, want %q", language, got, want)
		}
	}
	if got := New(nil, "en").Search("invoice", "en", 3); got.Language != "" || len(got.Hits) != 0 {
		t.Errorf("an empty index found %+v", got)
	}
}

// TestOrder says that neither the order of the documents nor of their
// publication changes a result, and that equal scores follow the IDs.
func TestOrder(t *testing.T) {
	twins := slices.Clone(desk)
	for _, id := range []string{"c", "a", "b"} {
		twins = append(twins, Document{ID: id, Language: "en", Title: "Opening hours", Body: "We open at nine."})
	}
	one := New(twins, "en")
	var ids []string
	for _, hit := range one.Search("opening hours", "en", 10).Hits {
		ids = append(ids, hit.ID)
	}
	if !slices.Equal(ids, []string{"a", "b", "c", "invoice"}) {
		t.Errorf("equal documents are in the order %v", ids)
	}
	slices.Reverse(twins)
	other := New(twins, "en")
	for _, q := range customerQuestions(t, "questions.json") {
		if a, b := one.Search(q.Question, q.Language, 5), other.Search(q.Question, q.Language, 5); !reflect.DeepEqual(a, b) {
			t.Fatalf("%q: %+v, and %+v with the documents reversed", q.Question, a, b)
		}
	}
	again := append(slices.Clone(desk), Document{ID: "invoice", Language: "en", Title: "Opening hours"})
	if hits := New(again, "en").Search("invoice", "en", 5).Hits; len(hits) != 0 {
		t.Errorf("a text that was replaced is found: %+v", hits)
	}
}

func TestLikely(t *testing.T) {
	x := New(desk, "en")
	for question, want := range map[string]bool{
		"where can I download my invoice?":                   true,
		"I want to return a parcel":                          true,
		"can your tent survive a lightning strike in Norway": false,
		"who founded the company":                            false,
	} {
		hits := x.Search(question, "en", 3).Hits
		if likely := len(hits) > 0 && hits[0].Likely; likely != want {
			t.Errorf("%q: likely is %v, want %v: %+v", question, likely, want, hits)
		}
	}
}

func FuzzSearch(f *testing.F) {
	x := New(desk, "en")
	for _, d := range desk {
		f.Add(d.Language, d.Title, d.Body)
	}
	f.Add("de", "zuruckzu\u0301geeen", "geet abzuen ß\u00adüe")
	f.Fuzz(func(t *testing.T, language, title, text string) {
		for _, x := range []*Index{x, New([]Document{{ID: "a", Language: language, Title: title, Keywords: []string{text, title}, Body: text}}, language)} {
			result := x.Search(text, language, 3)
			if len(result.Hits) > 3 {
				t.Fatalf("%d hits", len(result.Hits))
			}
			for _, hit := range result.Hits {
				if hit.Score <= 0 || hit.Coverage < 0 || hit.Coverage > unit {
					t.Fatalf("%+v", hit)
				}
			}
		}
	})
}

// large returns a base of many articles that are mixed from the demo's words. A
// third of the words have one of 40 endings, because a large base has about as
// many words: 5,000 articles have 30,000.
func large(tb testing.TB, count int) []Document {
	words := strings.Fields(func() string {
		var all strings.Builder
		for _, d := range demoDocuments(tb)["shop"] {
			if d.Language == "en" {
				all.WriteString(d.Body + " " + strings.Join(d.Keywords, " ") + " ")
			}
		}
		return all.String()
	}())
	random := rand.New(rand.NewPCG(1, 2))
	some := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(words[random.IntN(len(words))])
			if random.IntN(3) == 0 {
				fmt.Fprintf(&b, "%c%c", 'a'+rune(random.IntN(8)), 'a'+rune(random.IntN(5)))
			}
			b.WriteByte(' ')
		}
		return b.String()
	}
	documents := make([]Document, count)
	for i := range documents {
		documents[i] = Document{ID: fmt.Sprintf("%05d", i), Language: "en", Title: some(5), Description: some(12), Headings: []string{some(3), some(3)}, Body: some(250)}
		for range 60 {
			documents[i].Keywords = append(documents[i].Keywords, some(2))
		}
	}
	return documents
}

// BenchmarkSearch asks a base of 5,000 articles the English questions.
func BenchmarkSearch(b *testing.B) {
	x := New(large(b, 5000), "en")
	var questions []string
	for _, q := range customerQuestions(b, "questions.json") {
		if q.Language == "en" {
			questions = append(questions, q.Question)
		}
	}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		x.Search(questions[i%len(questions)], "en", 3)
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms/median")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms/p99")
}

// BenchmarkNew indexes 5,000 articles of 250 words.
func BenchmarkNew(b *testing.B) {
	documents := large(b, 5000)
	heap := func() uint64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before := heap()
	var x *Index
	for b.Loop() {
		x = New(documents, "en")
	}
	b.ReportMetric(float64(heap()-before)/(1<<20), "MB/index")
	runtime.KeepAlive(x)
	runtime.KeepAlive(documents)
}

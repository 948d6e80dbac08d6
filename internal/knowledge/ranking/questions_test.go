package ranking

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"parley/internal/knowledge/markdown"
)

// A customerQuestion is one of testdata/questions.json.
type customerQuestion struct {
	Product  string   `json:"product"`
	Language string   `json:"language"`
	Question string   `json:"question"`
	Articles []string `json:"articles"` // that answer it; none if no article does
	Unseen   bool     `json:"unseen"`   // of the half that nobody looked at while the ranking was tuned
}

const demoArticles = "../../demo/articles"

// demoDocuments reads the demo's articles, by product.
func demoDocuments(t testing.TB) map[string][]Document {
	t.Helper()
	products := map[string][]Document{}
	err := filepath.WalkDir(demoArticles, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".md") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		product := filepath.Base(filepath.Dir(path))
		products[product] = append(products[product], parseArticle(t, path, string(text)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return products
}

func parseArticle(t testing.TB, path, text string) Document {
	t.Helper()
	parts := strings.SplitN(text, "---\n", 3)
	if len(parts) != 3 {
		t.Fatalf("%s has no front matter", path)
	}
	var front struct {
		Key, Language, Title, Description string
		Keywords                          []string
	}
	if err := yaml.Unmarshal([]byte(parts[1]), &front); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	d := Document{ID: front.Key, Language: front.Language, Title: front.Title, Description: front.Description, Keywords: front.Keywords}
	var body strings.Builder
	for _, section := range markdown.Sections(parts[2]) {
		if len(section.Path) > 0 {
			d.Headings = append(d.Headings, section.Path[len(section.Path)-1])
		}
		body.WriteString(section.Text + "\n")
	}
	d.Body = body.String()
	return d
}

func customerQuestions(t testing.TB, file string) []customerQuestion {
	t.Helper()
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	var questions []customerQuestion
	if err := json.Unmarshal(text, &questions); err != nil {
		t.Fatal(err)
	}
	return questions
}

// A figure counts questions.
type figure struct {
	answerable, unanswerable int
	first, third             int // of the answerable: an answer is first, among the first three
	reciprocal               float64
	likely, right            int // of the answerable: the first hit is likely, and an answer
	shown                    int // of the answerable: one of the first three is likely and an answer
	false                    int // of the unanswerable: a hit is likely
}

func (f *figure) count(q customerQuestion, hits []Hit) {
	if len(q.Articles) == 0 {
		f.unanswerable++
		if slices.ContainsFunc(hits, func(h Hit) bool { return h.Likely }) {
			f.false++
		}
		return
	}
	f.answerable++
	answers := func(h Hit) bool { return slices.Contains(q.Articles, h.ID) }
	if rank := slices.IndexFunc(hits, answers); rank >= 0 {
		f.reciprocal += 1 / float64(rank+1)
		if rank == 0 {
			f.first++
		}
		if rank < 3 {
			f.third++
		}
	}
	if len(hits) > 0 && hits[0].Likely {
		f.likely++
		if answers(hits[0]) {
			f.right++
		}
	}
	if slices.ContainsFunc(hits[:min(3, len(hits))], func(h Hit) bool { return h.Likely && answers(h) }) {
		f.shown++
	}
}

func (f *figure) recall() float64 { return share(f.third, f.answerable) }
func (f *figure) wrong() float64  { return share(f.false, f.unanswerable) }

func share(part, whole int) float64 { return float64(part) / float64(max(1, whole)) }

func (f *figure) String() string {
	return fmt.Sprintf("%3d answerable: recall@3 %.3f, likely too %.3f, first %.3f, MRR %.3f; the first likely %.3f, of them right %.3f; %3d unanswerable: %d likely",
		f.answerable, f.recall(), share(f.shown, f.answerable), share(f.first, f.answerable), f.reciprocal/float64(max(1, f.answerable)),
		share(f.likely, f.answerable), share(f.right, f.likely), f.unanswerable, f.false)
}

// TestQuestions measures the ranking with questions of customers over the
// demo's articles. The authors of the articles' keywords did not see them. The
// neighbours are questions near the articles' subjects that none answers; they
// were written for the floor and are in no half.
func TestQuestions(t *testing.T) {
	indexes := map[string]*Index{}
	for product, documents := range demoDocuments(t) {
		indexes[product] = New(documents, "en")
	}
	figures := map[string]*figure{}
	kinds := []string{"", "/en", "/de", "/fr", "/es", "/app", "/rental", "/shop"}
	sets := []string{"all", "seen", "unseen", "neighbours"}
	for _, set := range sets {
		for _, kind := range kinds {
			figures[set+kind] = &figure{}
		}
	}
	count := func(q customerQuestion, sets ...string) {
		hits := indexes[q.Product].Search(q.Question, q.Language, 10).Hits
		for _, set := range sets {
			for _, kind := range []string{"", "/" + q.Language, "/" + q.Product} {
				figures[set+kind].count(q, hits)
			}
		}
	}
	for _, q := range customerQuestions(t, "questions.json") {
		half := "seen"
		if q.Unseen {
			half = "unseen"
		}
		count(q, "all", half)
	}
	for _, q := range customerQuestions(t, "neighbours.json") {
		if len(q.Articles) > 0 {
			t.Errorf("%q is answered by %v, so it is no neighbour", q.Question, q.Articles)
		}
		count(q, "neighbours")
	}
	for _, set := range sets {
		for _, kind := range kinds {
			if f := figures[set+kind]; f.answerable+f.unanswerable > 0 {
				t.Logf("%-17s%v", set+kind, f)
			}
		}
	}
	for _, set := range sets {
		f := figures[set]
		if f.answerable > 0 && f.recall() < 0.85 {
			t.Errorf("%s: recall@3 is %.3f, want at least 0.85", set, f.recall())
		}
		if f.wrong() > 0.05 {
			t.Errorf("%s: %.3f of the unanswerable questions have a likely article, want at most 0.05", set, f.wrong())
		}
	}
	// A floor that calls nothing likely has no false answers either.
	if f := figures["seen"]; share(f.shown, f.answerable) < 0.6 {
		t.Errorf("%.3f of the answerable questions have a right and likely article among three, want at least 0.6", share(f.shown, f.answerable))
	}
}

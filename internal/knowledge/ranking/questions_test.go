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

func customerQuestions(t testing.TB) []customerQuestion {
	t.Helper()
	text, err := os.ReadFile("testdata/questions.json")
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

func (f *figure) recall() float64 { return float64(f.third) / float64(max(1, f.answerable)) }

func (f *figure) String() string {
	n := float64(max(1, f.answerable))
	return fmt.Sprintf("%3d answerable: recall@3 %.3f, first %.3f, MRR %.3f; likely %.3f, of them right %.3f, right and likely among three %.3f; %2d unanswerable: %d likely",
		f.answerable, f.recall(), float64(f.first)/n, f.reciprocal/n, float64(f.likely)/n, float64(f.right)/float64(max(1, f.likely)), float64(f.shown)/n, f.unanswerable, f.false)
}

// TestQuestions measures the ranking with questions of customers over the
// demo's articles. The authors of the articles' keywords did not see them.
func TestQuestions(t *testing.T) {
	questions := customerQuestions(t)
	indexes := map[string]*Index{}
	for product, documents := range demoDocuments(t) {
		indexes[product] = New(documents, "en")
	}
	figures := map[string]*figure{}
	names := []string{"all", "en", "de", "fr", "es", "app", "rental", "shop", "seen", "unseen"}
	for _, name := range names {
		figures[name] = &figure{}
	}
	for _, q := range questions {
		hits := indexes[q.Product].Search(q.Question, q.Language, 10).Hits
		half := "seen"
		if q.Unseen {
			half = "unseen"
		}
		for _, name := range []string{"all", half, q.Language, q.Product} {
			figures[name].count(q, hits)
		}
	}
	for _, name := range names {
		t.Logf("%-7s%v", name, figures[name])
	}
	all := figures["all"]
	if all.recall() < 0.85 {
		t.Errorf("recall@3 is %.3f, want at least 0.85", all.recall())
	}
	if share := float64(all.false) / float64(all.unanswerable); share > 0.05 {
		t.Errorf("%.3f of the unanswerable questions have a likely article, want at most 0.05", share)
	}
}

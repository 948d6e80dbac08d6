package importing_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/knowledge"
	"parley/internal/knowledge/importing"
	"parley/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A world imports one folder again and again.
type world struct {
	*desktest.World
	svc    *knowledge.Service
	folder string
	seen   int64
}

func (w *world) write(files map[string]string) {
	w.T.Helper()
	for name, content := range files {
		w.Must(os.WriteFile(filepath.Join(w.folder, name), []byte(content), 0o600))
	}
}

// imports imports the folder, and compares the outcomes with what is wanted and the number
// of new events.
func (w *world) imports(o importing.Options, events int64, want ...string) {
	w.T.Helper()
	im := importing.Importer{Desk: w.Desk, Knowledge: w.svc, By: desk.Caller{Workspace: w.Home.Workspace.ID}, Options: o}
	report, err := im.Run(w.T.Context(), w.folder)
	w.Must(err)
	var got []string
	for _, line := range report.Files {
		got = append(got, strings.TrimSpace(line.File+" "+string(line.Outcome)+" "+line.Error))
	}
	if !slices.Equal(got, want) {
		w.T.Errorf("the import says\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	home, err := w.Desk.Workspace(w.T.Context(), w.Home.Workspace.ID)
	w.Must(err)
	if home.Seq-w.seen != events {
		w.T.Errorf("the import wrote %d events, want %d", home.Seq-w.seen, events)
	}
	w.seen = home.Seq
	w.Advance(time.Hour)
}

func (w *world) article(product parley.ID, key string) parley.Article {
	w.T.Helper()
	a, err := w.svc.ArticleByImportKey(w.Home.Workspace.ID, product, key).Now(w.T.Context())
	w.Must(err)
	return a
}

// names returns the names of all categories, in their order.
func (w *world) names() []map[parley.Language]string {
	w.T.Helper()
	all, err := w.svc.Categories(w.Home.Workspace.ID).Now(w.T.Context())
	w.Must(err)
	var names []map[parley.Language]string
	for _, c := range all {
		names = append(names, c.Names)
	}
	return names
}

// TestImport imports a folder, again without changes, and again with some.
func TestImport(t *testing.T) {
	desktest.Each(t, func(t *testing.T, home *desktest.World) {
		w := &world{World: home, svc: knowledge.New(home.Desk), folder: t.TempDir()}
		by := w.By()
		shop, err := w.Desk.CreateProduct(t.Context(), by, "Shop", "")
		w.Must(err)
		for range 2 {
			_, err = w.Desk.CreateProduct(t.Context(), by, "Twin", "")
			w.Must(err)
		}
		w.imports(importing.Options{}, w.seqNow())
		w.write(map[string]string{
			"return.de.md":   "---\nproduct: Shop\ncategory: Rückgabe\ntitle: Rückgabe\n---\nText",
			"return.en.md":   "---\nproduct: Shop\ncategory: Returns\ntitle: Return\nkeywords: [back]\nstate: published\n---\nText",
			"other.en.md":    "---\nproduct: Shop\ncategory: Returns\ntitle: Other\n---\nText",
			"page.html":      `<html lang="en"><h1>Page</h1><p>Text</p><script>x</script>`,
			"x-broken.en.md": "# T\xff", "x-product.en.md": "---\nproduct: None\ntitle: T\n---\n", "x-twin.en.md": "---\nproduct: Twin\ntitle: T\n---\n",
			"x-title.en.md": "Text", "x-other.en.md": "---\nkey: return\ncategory: X\nlanguage: en\ntitle: T\n---\n", "x-place.fr.md": "---\nkey: return\nproduct: Twin\ncategory: Retours\n---\n# T",
			"x-control.pt.md":  "---\nkey: return\ncategory: Devoluções\n---\n# T\n\x1b",
			"x-category.es.md": "---\nkey: return\ncategory: " + strings.Repeat("x", 101) + "\n---\n# T",
		})
		refused := []string{
			"x-broken.en.md refused must be UTF-8; byte 4 is not",
			"x-category.es.md refused category: must be correct; the name in es must be 1 to 100 characters",
			"x-control.pt.md refused body: must have no control characters but tabs and line breaks",
			"x-other.en.md refused key: must differ from that of return.en.md, which has the same language (en)",
			`x-place.fr.md refused product: several products have the name "Twin"`,
			`x-product.en.md refused product: there is no product "None"`,
			"x-title.en.md refused title: must be 1 to 200 characters",
			`x-twin.en.md refused product: several products have the name "Twin"`,
		}
		all := func(outcomes ...string) []string {
			names := []string{"other.en.md ", "page.html ", "return.de.md ", "return.en.md "}
			for i := range names {
				names[i] += outcomes[min(i, len(outcomes)-1)]
			}
			return append(names, refused...)
		}
		w.imports(importing.Options{DryRun: true}, 0, all("created")...)
		// A category and its second name, three articles, a second text and its publication.
		w.imports(importing.Options{}, 7, all("created")...)
		a := w.article(shop.ID, "return")
		if a.Slug != "return" || a.ProductID != shop.ID || a.State != parley.ArticlePublished || len(a.Texts) != 2 || a.Texts[0].PublishedVersion != 0 || a.Texts[1].PublishedVersion != 1 {
			t.Errorf("the article is %+v", a)
		}
		if page := w.article(parley.ID{}, "page"); !page.ProductID.IsZero() || page.State != parley.ArticleDraft {
			t.Errorf("the page is %+v", page)
		}
		if got, want := w.names(), []map[parley.Language]string{{"de": "Rückgabe", "en": "Returns"}}; !slices.EqualFunc(got, want, maps.Equal) {
			t.Errorf("the categories are %v", got)
		}
		w.imports(importing.Options{}, 0, all("unchanged")...)
		w.imports(importing.Options{Publish: true, DryRun: true}, 0, all("updated", "updated", "updated", "unchanged")...)
		w.imports(importing.Options{Publish: true}, 3, all("updated", "updated", "updated", "unchanged")...)

		w.write(map[string]string{"return.en.md": "---\ntitle: Return\nkeywords: [back]\nstate: published\n---\nNew text"})
		w.imports(importing.Options{}, 2, all("unchanged", "unchanged", "unchanged", "updated")...)
		if a := w.article(shop.ID, "return"); a.ProductID != shop.ID || a.CategoryID.IsZero() || a.Texts[1].PublishedVersion != 2 {
			t.Errorf("after the change, the article is %+v", a)
		}
		_, err = w.svc.UpdateArticle(t.Context(), by, a.ID, knowledge.ArticleChange{State: parley.Some(parley.ArticleArchived)})
		w.Must(err)
		w.imports(importing.Options{}, 1, append([]string{"other.en.md unchanged", "page.html unchanged",
			"return.de.md refused key: must not be that of an archived article", "return.en.md refused key: must not be that of an archived article"}, refused...)...)

		im := importing.Importer{Desk: w.Desk, Knowledge: w.svc, By: by, Options: importing.Options{Product: a.ID}}
		w.Refused(im.Report(t.Context(), w.folder, &bytes.Buffer{}, false), parley.NotFound, "productId: no such product in this workspace")
	})
}

func (w *world) seqNow() int64 {
	w.T.Helper()
	home, err := w.Desk.Workspace(w.T.Context(), w.Home.Workspace.ID)
	w.Must(err)
	return home.Seq
}

// TestReport prints what became of each file, for people and for programs.
func TestReport(t *testing.T) {
	desktest.Each(t, func(t *testing.T, home *desktest.World) {
		w := &world{World: home, svc: knowledge.New(home.Desk), folder: t.TempDir()}
		w.write(map[string]string{"a.en.md": "---\ndate: x\n---\n# T\n![a](p.png) [b](/c) [d](e) [f](https://g.example) [h](javascript:i)\n", "b.en.md": "", "c\nd.en.md": "# T"})
		report := func(asJSON bool) string {
			var out bytes.Buffer
			im := importing.Importer{Desk: w.Desk, Knowledge: w.svc, By: w.By(), Options: importing.Options{DryRun: true}}
			if err := im.Report(t.Context(), w.folder, &out, asJSON); err == nil || err.Error() != "2 of 3 files were refused" {
				t.Errorf("the error is %v", err)
			}
			return out.String()
		}
		const text = "created  \"a.en.md\"     ignored: date; links shown as text: 2; pictures shown as text: 1\nrefused  \"b.en.md\"     title: must be 1 to 200 characters\n" +
			"refused  \"c\\nd.en.md\"  key: must be one line without control characters\n1 created, 0 updated, 0 unchanged, 2 refused; nothing was saved\n"
		if got := report(false); got != text {
			t.Errorf("the report is\n%s\nwant\n%s", got, text)
		}
		const asJSON = `{"dryRun":true,"created":1,"updated":0,"unchanged":0,"refused":2,"files":[` +
			`{"file":"a.en.md","outcome":"created","key":"a","language":"en","ignored":["date"],"linksAsText":2,"picturesAsText":1,"error":""},` +
			`{"file":"b.en.md","outcome":"refused","key":"b","language":"en","ignored":[],"linksAsText":0,"picturesAsText":0,"error":"title: must be 1 to 200 characters"},`
		if got := report(true); !strings.HasPrefix(got, asJSON) {
			t.Errorf("the report is %s, want %s", got, asJSON)
		}
	})
}

// TestImportProducts imports files with the same names for several products: each product
// has articles of its own.
func TestImportProducts(t *testing.T) {
	desktest.Each(t, func(t *testing.T, home *desktest.World) {
		w := &world{World: home, svc: knowledge.New(home.Desk), folder: t.TempDir()}
		product := func(name string) parley.ID {
			p, err := w.Desk.CreateProduct(t.Context(), w.By(), name, "")
			w.Must(err)
			return p.ID
		}
		shop, app := product("Shop"), product("App")
		w.imports(importing.Options{}, w.seqNow())
		w.write(map[string]string{"faq.en.md": "# Questions", "faq.de.md": "# Fragen"})
		w.imports(importing.Options{Product: shop}, 2, "faq.de.md created", "faq.en.md created")
		w.write(map[string]string{"faq.en.md": "# Other questions"})
		w.imports(importing.Options{Product: app}, 2, "faq.de.md created", "faq.en.md created")
		w.imports(importing.Options{}, 2, "faq.de.md created", "faq.en.md created")
		for id, title := range map[parley.ID]string{shop: "Questions", app: "Other questions", {}: "Other questions"} {
			if a := w.article(id, "faq"); a.ProductID != id || a.Texts[1].Title != title {
				t.Errorf("the article of the product is %+v, want %q", a, title)
			}
		}
		// Somebody gives the article to all products: its file still finds it.
		_, err := w.svc.UpdateArticle(t.Context(), w.By(), w.article(app, "faq").ID, knowledge.ArticleChange{ProductID: parley.Null[parley.ID]()})
		w.Must(err)
		w.imports(importing.Options{Product: app}, 2, "faq.de.md updated", "faq.en.md unchanged")

		w.write(map[string]string{"faq.en.md": "---\nproduct: Shop\n---\n# Questions"})
		w.imports(importing.Options{Product: app, DryRun: true}, 0, "faq.de.md unchanged", `faq.en.md refused product: must be "App" or absent, because --product says so`)
		w.imports(importing.Options{Product: shop}, 0, "faq.de.md unchanged", "faq.en.md unchanged")
		w.imports(importing.Options{}, 0, "faq.de.md unchanged", "faq.en.md unchanged") // the product of the other language is that of both
		w.write(map[string]string{"app.en.md": "---\nkey: faq\nproduct: App\n---\n# Other questions", "app.fr.md": "---\nkey: faq\nproduct: App\n---\n# Questions"})
		w.imports(importing.Options{}, 1, "app.en.md unchanged", "app.fr.md created",
			"faq.de.md refused product: must be given, because app.en.md and faq.en.md have the same key and different products", "faq.en.md unchanged")
	})
}

// TestImportStops ends when the store cannot be used, and still says what was saved.
func TestImportStops(t *testing.T) {
	desktest.Each(t, func(t *testing.T, home *desktest.World) {
		w := &world{World: home, folder: t.TempDir()}
		ctx, cancel := context.WithCancel(t.Context())
		calls, last := 0, 1<<20
		clock := func() time.Time {
			if calls++; calls > last {
				cancel()
			}
			return w.Now()
		}
		im := importing.Importer{Desk: w.Desk, Knowledge: knowledge.New(w.Desk.WithClock(clock)), By: w.By()}
		w.write(map[string]string{"0.en.md": "# T"})
		w.Must(im.Report(ctx, w.folder, io.Discard, false))
		last = 2 * calls // after one more file
		w.write(map[string]string{"0.en.md": "# U", "1.en.md": "# T", "2.en.md": "# T", "3.en.md": "# T"})
		var out bytes.Buffer
		err := im.Report(ctx, w.folder, &out, false)
		if !errors.Is(err, context.Canceled) || !strings.HasPrefix(err.Error(), "the import stopped after ") {
			t.Errorf("the import says %v", err)
		}
		if got := out.String(); !strings.HasPrefix(got, "updated  \"0.en.md\"") || strings.Contains(got, "3.en.md") || !strings.Contains(got, "1 updated, 0 unchanged") {
			t.Errorf("the report is\n%s", got)
		}
	})
}

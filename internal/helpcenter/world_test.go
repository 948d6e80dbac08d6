package helpcenter_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/access"
	"parley/internal/blob"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/helpcenter"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
	"parley/internal/pgtest"
	"parley/internal/store/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A world is the desk's world with a help center on two nodes: the shop's, with
// articles for English and German readers.
type world struct {
	*desktest.World
	svc      *knowledge.Service
	recorder *knowledge.Recorder // of both nodes
	shop     parley.ID
	first    *helpcenter.Site
	second   *helpcenter.Site
	articles map[string]parley.Article // by slug
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	desktest.Each(t, func(t *testing.T, w *desktest.World) { test(t, newWorld(t, w)) })
}

func newWorld(t *testing.T, base *desktest.World) *world {
	t.Helper()
	from := base.Desk.Base()
	d := desk.New(desk.Options{
		Store: from.Store, Clock: base.Now, IDs: from.IDs, Log: from.Log, Vault: from.Vault, Files: blob.NewFolder(t.TempDir()), MaxUpload: 1 << 20,
	})
	w := &world{World: base, svc: knowledge.New(d), articles: map[string]parley.Article{}}
	w.recorder = knowledge.NewRecorder(w.svc, storetest.Quiet())
	site := func() *helpcenter.Site {
		return helpcenter.New(helpcenter.Options{
			Desk: d, Knowledge: w.svc, Answers: answers.New(d, w.svc), Recorder: w.recorder, Clock: base.Now, Log: storetest.Quiet(), Clients: httpjson.NewClients(httpjson.Proxies{}, storetest.Quiet()), PublicURL: "https://help.example",
		})
	}
	w.first, w.second = site(), site()
	w.shop = w.center(w.Home, "Shop", "shop", "en", "de")
	return w
}

// center makes a product with a help center.
func (w *world) center(of access.Founding, name, slug string, languages ...parley.Language) parley.ID {
	w.T.Helper()
	by := desktest.OwnerOf(of)
	p, err := w.Desk.CreateProduct(w.T.Context(), by, name, "")
	w.Must(err)
	_, err = w.svc.SaveHelpCenter(w.T.Context(), by, p.ID, knowledge.HelpCenterChange{
		Slug: parley.Some(slug), Title: parley.Some(name + " help"), Languages: parley.Some(languages),
	})
	w.Must(err)
	return p.ID
}

// draft makes a draft in English.
func (w *world) draft(product parley.ID, title, body string) parley.Article {
	w.T.Helper()
	a, err := w.svc.CreateArticle(w.T.Context(), w.By(), knowledge.NewArticle{
		ProductID: product, Language: "en", ArticleContent: parley.ArticleContent{Title: title, Body: body, Description: "About " + title},
	})
	w.Must(err)
	w.articles[a.Slug] = a
	return a
}

// translate adds a text to an article.
func (w *world) translate(a parley.Article, language parley.Language, title, body string) {
	w.T.Helper()
	_, err := w.svc.SaveText(w.T.Context(), w.By(), knowledge.TextID{ArticleID: a.ID, Language: language}, knowledge.TextChange{
		Title: parley.Some(title), Body: parley.Some(body),
	})
	w.Must(err)
}

// publish publishes an article in all its languages.
func (w *world) publish(a parley.Article) {
	w.T.Helper()
	_, err := w.svc.PublishArticle(w.T.Context(), w.By(), a.ID, nil)
	w.Must(err)
}

// change changes an article.
func (w *world) change(a parley.Article, in knowledge.ArticleChange) {
	w.T.Helper()
	_, err := w.svc.UpdateArticle(w.T.Context(), w.By(), a.ID, in)
	w.Must(err)
}

// later lets the time pass after which each node looks at the log.
func (w *world) later() { w.Advance(time.Second) }

// send requests a path of a node, with headers as names and values.
func send(h http.Handler, method, path string, header ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return rec
}

// page returns a page, which must be there.
func (w *world) page(path string) string {
	w.T.Helper()
	rec := send(w.first, http.MethodGet, path)
	if rec.Code != http.StatusOK {
		w.T.Fatalf("%s is %d: %s", path, rec.Code, rec.Body)
	}
	return rec.Body.String()
}

// shows requires that a page contains texts, and not those behind a "!".
func (w *world) shows(path string, texts ...string) {
	w.T.Helper()
	page := w.page(path)
	for _, text := range texts {
		absent, not := strings.CutPrefix(text, "!")
		if not && strings.Contains(page, absent) {
			w.T.Errorf("%s shows %q", path, absent)
		} else if !not && !strings.Contains(page, text) {
			w.T.Errorf("%s does not show %q:\n%s", path, text, page)
		}
	}
}

// answers requires a status on both nodes, and for redirects an address.
func (w *world) answers(path string, status int, location string) {
	w.T.Helper()
	for i, node := range []http.Handler{w.first, w.second} {
		rec := send(node, http.MethodGet, path)
		if got := rec.Header().Get("Location"); rec.Code != status || got != location {
			w.T.Errorf("%s is %d to %q on node %d, want %d to %q", path, rec.Code, got, i+1, status, location)
		}
	}
}

func picture(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewRGBA(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

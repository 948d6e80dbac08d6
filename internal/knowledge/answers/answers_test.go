package answers_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/desk/desktest"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
	"parley/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A world is the desk's world with articles.
type world struct {
	*desktest.World
	articles *knowledge.Service
	svc      *answers.Service
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		articles := knowledge.New(w.Desk)
		test(t, &world{w, articles, answers.New(w.Desk, articles)})
	})
}

func (w *world) product(name string) parley.ID {
	w.T.Helper()
	p, err := w.Desk.CreateProduct(w.T.Context(), w.By(), name, "")
	w.Must(err)
	return p.ID
}

// draft makes an article in English.
func (w *world) draft(product parley.ID, title string) parley.Article {
	w.T.Helper()
	w.Advance(time.Millisecond)
	a, err := w.articles.CreateArticle(w.T.Context(), w.By(), knowledge.NewArticle{
		ProductID: product, Language: "en", ArticleContent: parley.ArticleContent{Title: title, Body: "## About\n\nThis explains **" + title + "**."},
	})
	w.Must(err)
	return a
}

func (w *world) publish(a parley.Article) parley.Article {
	w.T.Helper()
	a, err := w.articles.PublishArticle(w.T.Context(), w.By(), a.ID, nil)
	w.Must(err)
	return a
}

// foundBy returns the slugs of the articles that a service finds, in order.
func (w *world) foundBy(svc *answers.Service, q answers.Query) string {
	w.T.Helper()
	result, err := svc.Search(w.Home.Workspace.ID, q).Now(w.T.Context())
	w.Must(err)
	var slugs []string
	for _, hit := range result.Hits {
		slugs = append(slugs, hit.Slug)
	}
	return strings.Join(slugs, " ")
}

func (w *world) want(what, got, want string) {
	w.T.Helper()
	if got != want {
		w.T.Errorf("%s: found %q, want %q", what, got, want)
	}
}

// TestOnlyPublished changes articles in every way that puts them before or hides
// them from the public. Another node, which is another service over the store,
// finds the same each time.
func TestOnlyPublished(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ctx, by := t.Context(), w.By()
		shop, app := w.product("Shop"), w.product("App")
		other := answers.New(w.Desk, w.articles)
		find := func(what, inShop, inApp, inNone string) {
			t.Helper()
			for _, svc := range []*answers.Service{w.svc, other} {
				for product, want := range map[parley.ID]string{shop: inShop, app: inApp, {}: inNone} {
					w.want(what, w.foundBy(svc, answers.Query{ProductID: product, Language: "en", Text: "refund", Limit: 10}), want)
				}
			}
		}
		find("nothing", "", "", "")
		a := w.draft(shop, "Refund of a parcel")
		find("a draft", "", "", "")
		a = w.publish(a)
		find("published", "refund-of-a-parcel", "", "")
		_, err := w.articles.UpdateArticle(ctx, by, a.ID, knowledge.ArticleChange{ProductID: parley.Some(app)})
		w.Must(err)
		find("moved to another product", "", "refund-of-a-parcel", "")
		_, err = w.articles.UpdateArticle(ctx, by, a.ID, knowledge.ArticleChange{ProductID: parley.Optional[parley.ID]{Set: true, Null: true}, Slug: parley.Some("money")})
		w.Must(err)
		find("moved to all products, with another slug", "money", "money", "money")
		_, err = w.articles.SaveText(ctx, by, knowledge.TextID{ArticleID: a.ID, Language: "en"}, knowledge.TextChange{Title: parley.Some("Parcels"), Body: parley.Some("Nothing.")})
		w.Must(err)
		find("a change that is not published", "money", "money", "money")
		w.publish(a)
		find("a published change", "", "", "")
		_, err = w.articles.SaveText(ctx, by, knowledge.TextID{ArticleID: a.ID, Language: "en"}, knowledge.TextChange{Title: parley.Some("Refund")})
		w.Must(err)
		w.publish(a)
		find("published again", "money", "money", "money")
		de := knowledge.TextID{ArticleID: a.ID, Language: "de"}
		for _, x := range []struct{ title, found string }{{"Refund", "money"}, {"Umtausch", ""}} {
			_, err = w.articles.SaveText(ctx, by, de, knowledge.TextChange{Title: parley.Some(x.title)})
			w.Must(err)
			w.publish(a)
			for range 2 {
				w.want("in German: "+x.title, w.foundBy(w.svc, answers.Query{Language: "de", Text: "refund", Limit: 10}), x.found)
			}
			_, err = w.articles.DeleteText(ctx, by, de)
			w.Must(err)
		}
		_, err = w.articles.UpdateArticle(ctx, by, a.ID, knowledge.ArticleChange{State: parley.Some(parley.ArticleArchived)})
		w.Must(err)
		find("archived", "", "", "")
		_, err = w.articles.UpdateArticle(ctx, by, a.ID, knowledge.ArticleChange{State: parley.Some(parley.ArticlePublished)})
		w.Must(err)
		find("back from the archive", "money", "money", "money")
		_, err = w.articles.DeleteArticle(ctx, by, a.ID)
		w.Must(err)
		find("deleted", "", "", "")
	})
}

// TestStaleIndex asks while an index may still be used although articles have
// changed: it shows nothing that the public may not read.
func TestStaleIndex(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop := w.product("Shop")
		gone, kept := w.publish(w.draft(shop, "Refund one")), w.publish(w.draft(shop, "Refund two"))
		slow := answers.New(w.Desk.WithClock(slowClock()), w.articles)
		q := answers.Query{ProductID: shop, Language: "en", Text: "refund", Limit: 10}
		w.want("at first", w.foundBy(slow, q), "refund-one refund-two")
		_, err := w.articles.UpdateArticle(t.Context(), w.By(), gone.ID, knowledge.ArticleChange{State: parley.Some(parley.ArticleArchived)})
		w.Must(err)
		w.publish(w.draft(shop, "Refund three"))
		w.want("before the index is built again", w.foundBy(slow, q), kept.Slug)
		for range 10 {
			w.foundBy(slow, q)
		}
		answers.Settle(slow)
		w.want("after it", w.foundBy(slow, q), "refund-two refund-three")
	})
}

// slowClock advances by a second with each look, so that everything takes time.
func slowClock() parley.Clock {
	var mu sync.Mutex
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}
}

// TestLanguages asks in languages with and without articles.
func TestLanguages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop := w.product("Shop")
		a := w.draft(shop, "Invoice")
		_, err := w.articles.SaveText(t.Context(), w.By(), knowledge.TextID{ArticleID: a.ID, Language: "de"}, knowledge.TextChange{Title: parley.Some("Rechnung"), Body: parley.Some("Im Konto.")})
		w.Must(err)
		w.publish(a)
		w.publish(w.draft(shop, "Delivery"))
		search := func(language parley.Language, text string) string {
			result, err := w.svc.Search(w.Home.Workspace.ID, answers.Query{ProductID: shop, Language: language, Text: text, Limit: 3}).Now(t.Context())
			w.Must(err)
			titles := []string{string(result.Language)}
			for _, hit := range result.Hits {
				titles = append(titles, hit.Title)
			}
			return strings.Join(titles, " ")
		}
		w.want("German", search("de", "rechnungen"), "de Rechnung")
		w.want("Swiss German", search("de-CH", "rechnungen"), "de Rechnung")
		w.want("a language without articles", search("fr", "invoice"), "en Invoice")
		_, err = w.articles.SaveHelpCenter(t.Context(), w.By(), shop, knowledge.HelpCenterChange{
			Slug: parley.Some("shop"), Title: parley.Some("Help"), Languages: parley.Some([]parley.Language{"de", "en"}),
		})
		w.Must(err)
		w.want("with a help center", search("fr", "rechnung"), "de Rechnung")
	})
}

var topics = []string{
	"Return a parcel", "Refund of a return", "Track a parcel", "Refund of a parcel", "Refund of a delivery", "Cancel an order", "Change an order",
	"Order an invoice", "Invoice of an order", "Delivery of a parcel",
}

// TestEnginesAgree asks both engines the same: they return the same articles in
// the same order with the same scores.
func TestEnginesAgree(t *testing.T) {
	var all []string
	var mu sync.Mutex
	each(t, func(t *testing.T, w *world) {
		shop := w.product("Shop")
		for _, topic := range topics {
			w.publish(w.draft(shop, topic))
		}
		var found []string
		for _, topic := range append(slices.Clone(topics), "refund", "parcel order", "of a") {
			result, err := w.svc.Search(w.Home.Workspace.ID, answers.Query{ProductID: shop, Language: "en", Text: topic, Limit: 20}).Now(t.Context())
			w.Must(err)
			for _, hit := range result.Hits {
				found = append(found, fmt.Sprint(hit.Slug, hit.Score, hit.Coverage, hit.Likely))
			}
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, strings.Join(found, "\n"))
		if len(found) < 20 || all[0] != all[len(all)-1] {
			t.Errorf("one engine finds\n%s\nanother\n%s", all[0], all[len(all)-1])
		}
	})
}

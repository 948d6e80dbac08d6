package answers

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"parley"
	"parley/internal/desk/desktest"
	"parley/internal/knowledge"
	"parley/internal/knowledge/ranking"
)

// TestIndexesAreDropped drops the indexes that nobody asks, and the longest
// unused ones while all are too large together.
func TestIndexesAreDropped(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	index := ranking.New([]ranking.Document{{ID: "a", Language: "en", Title: "Delivery"}}, "en")
	x := indexes{most: 3*index.Size() + 10, all: map[key]*entry{}, sweeping: true} // without a timer
	keyOf := func(i byte) key { return key{product: parley.ID{i}} }
	build := func(i byte, took time.Duration, err error) *building {
		e := x.entry(keyOf(i), clock)
		b, first := x.begin(e, now)
		if first {
			if second, again := x.begin(e, now); again || second != b {
				t.Error("an index is built twice at a time")
			}
			if b.err = err; err == nil {
				b.state = &state{index: index, took: took}
			}
			x.end(e, b, now)
		}
		<-b.done
		return b
	}
	has := func(want string) {
		t.Helper()
		got := ""
		for i := byte(1); i < 9; i++ {
			if e := x.all[keyOf(i)]; e != nil && e.state.Load() != nil {
				got += string('0' + rune(i))
			}
		}
		if got != want || x.bytes != len(want)*index.Size() {
			t.Errorf("the indexes are %s with %d bytes, want %s", got, x.bytes, want)
		}
	}
	for i := range byte(3) {
		build(i+1, 0, nil)
		now = now.Add(time.Minute)
	}
	x.entry(keyOf(1), clock)
	build(4, 0, nil)
	has("134")
	build(4, 0, nil) // again
	has("134")
	build(1, time.Minute, nil)
	build(3, time.Minute, nil)
	build(4, time.Minute, nil)
	if b := build(5, 0, nil); b.state == nil {
		t.Error("an index for which there is no room does not answer those who waited for it")
	}
	has("134")
	if b := build(5, 0, nil); parley.KindOf(b.err) != parley.Unavailable {
		t.Errorf("an index for which there is no room is built again at once: %v", b.err)
	}
	now = now.Add(retryDelay)
	if b := build(6, 0, errors.New("the store is closed")); b.err == nil {
		t.Error("a failure is hidden")
	}
	if b := build(6, 0, nil); parley.KindOf(b.err) != parley.Unavailable {
		t.Errorf("an index that failed is built again at once: %v", b.err)
	}
	build(7, 0, parley.NotFoundf("no such product"))
	if x.all[keyOf(7)] != nil {
		t.Error("a product that does not exist has a place")
	}
	now = now.Add(stay * time.Minute)
	x.entry(keyOf(4), clock)
	x.sweep(clock)
	has("4") // the others were idle while it was used
}

// newService returns a service over a world with a product and its articles.
func newService(t *testing.T, w *desktest.World) (*Service, key) {
	t.Helper()
	articles := knowledge.New(w.Desk)
	p, err := w.Desk.CreateProduct(t.Context(), w.By(), "Shop", "")
	w.Must(err)
	svc := New(w.Desk, articles)
	for _, title := range []string{"Refund", "Delivery"} {
		a, err := articles.CreateArticle(t.Context(), w.By(), knowledge.NewArticle{
			ProductID: p.ID, Language: "en", ArticleContent: parley.ArticleContent{Title: title, Body: "About the parcel."},
		})
		w.Must(err)
		_, err = articles.PublishArticle(t.Context(), w.By(), a.ID, nil)
		w.Must(err)
		w.Advance(time.Millisecond)
	}
	return svc, key{w.Home.Workspace.ID, p.ID}
}

// TestAskersShareABuild lets many ask while no index can be built: nobody waits
// for long, nor longer than the own request.
func TestAskersShareABuild(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		svc, k := newService(t, w)
		for range slots {
			svc.slots <- struct{}{} // others are built
		}
		gone, leave := context.WithCancel(t.Context())
		leave()
		if err := svc.Ready(gone, k.ws, k.product); !errors.Is(err, context.Canceled) {
			t.Errorf("one who left waits: %v", err)
		}
		svc.wait = time.Millisecond
		_, err := svc.Search(k.ws, Query{ProductID: k.product, Text: "refund", Limit: 3}).Now(t.Context())
		var refused *parley.Error
		if !errors.As(err, &refused) || refused.Kind != parley.Unavailable || refused.RetryAfter <= 0 {
			t.Errorf("one who waited for long gets %v", err)
		}
		svc.wait = time.Minute
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() {
				if err := svc.Ready(t.Context(), k.ws, k.product); err != nil {
					t.Error(err)
				}
			})
		}
		svc.indexes.mu.Lock()
		if svc.indexes.pending != 1 {
			t.Errorf("%d indexes are built for one product", svc.indexes.pending)
		}
		svc.indexes.mu.Unlock()
		for range slots {
			<-svc.slots
		}
		all.Wait()
		if found, err := svc.Search(k.ws, Query{ProductID: k.product, Text: "refund", Limit: 3}).Now(gone); err == nil || found.Hits != nil {
			t.Error("one who left gets an answer")
		}
		if err := svc.Ready(t.Context(), k.ws, parley.ID{1}); parley.KindOf(err) != parley.NotFound && parley.KindOf(err) != parley.Invalid {
			t.Errorf("a product that does not exist is %v", err)
		}
		svc.knowledge = nil // a fault of this package must not end the program
		if err := svc.Ready(t.Context(), k.ws, parley.ID{}); err == nil {
			t.Error("an index is built of nothing")
		}
	})
}

// TestBuiltForPublicChanges changes articles: only what the public reads builds
// the index anew.
func TestBuiltForPublicChanges(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		svc, k := newService(t, w)
		ctx, by, articles := t.Context(), w.By(), svc.knowledge
		published, err := articles.Articles(k.ws, knowledge.ArticleFilter{}, parley.Position{}, 1).Now(ctx)
		w.Must(err)
		a := published.Items[0]
		other, err := w.Desk.CreateProduct(ctx, by, "App", "")
		w.Must(err)
		var before *ranking.Index
		builds := func(what string, want bool) {
			t.Helper()
			_, err := svc.Search(k.ws, Query{ProductID: k.product, Text: "refund", Limit: 3}).Now(ctx)
			w.Must(err)
			now := svc.indexes.all[k].state.Load().index
			if built := now != before; built != want {
				t.Errorf("%s: built is %v", what, built)
			}
			before = now
		}
		builds("the first question", true)
		for _, body := range []string{"One.", "Two."} {
			_, err := articles.SaveText(ctx, by, knowledge.TextID{ArticleID: a.ID, Language: "en"}, knowledge.TextChange{Body: parley.Some(body)})
			w.Must(err)
			builds("a working text", false)
		}
		draft, err := articles.CreateArticle(ctx, by, knowledge.NewArticle{ProductID: k.product, Language: "en", ArticleContent: parley.ArticleContent{Title: "Draft"}})
		w.Must(err)
		_, err = articles.UpdateArticle(ctx, by, draft.ID, knowledge.ArticleChange{ProductID: parley.Some(other.ID)})
		w.Must(err)
		_, err = articles.PublishArticle(ctx, by, draft.ID, nil)
		w.Must(err)
		_, err = articles.UpdateArticle(ctx, by, a.ID, knowledge.ArticleChange{Slug: parley.Some("money")})
		w.Must(err)
		builds("drafts, another product, and another slug", false)
		_, err = articles.SaveText(ctx, by, knowledge.TextID{ArticleID: a.ID, Language: "de"}, knowledge.TextChange{Title: parley.Some("Erstattung")})
		w.Must(err)
		_, err = articles.PublishArticle(ctx, by, a.ID, nil)
		w.Must(err)
		builds("a new language", true)
		_, err = articles.DeleteText(ctx, by, knowledge.TextID{ArticleID: a.ID, Language: "de"})
		w.Must(err)
		builds("a language that is gone", true)
		_, err = articles.UpdateArticle(ctx, by, draft.ID, knowledge.ArticleChange{ProductID: parley.Null[parley.ID]()})
		w.Must(err)
		builds("an article for all products", true)
		_, err = articles.DeleteArticle(ctx, by, draft.ID)
		w.Must(err)
		builds("a deleted article", true)
	})
}

// TestLargeBases leaves out bodies, and then texts, of a base that is too large.
func TestLargeBases(t *testing.T) {
	desktest.Each(t, func(t *testing.T, w *desktest.World) {
		svc, k := newService(t, w)
		find := func(most int, text string, want int) {
			t.Helper()
			svc.largest = most
			delete(svc.indexes.all, k)
			found, err := svc.Search(k.ws, Query{ProductID: k.product, Text: text, Limit: 3}).Now(t.Context())
			w.Must(err)
			if len(found.Hits) != want {
				t.Errorf("with %d bytes, %q finds %d articles, want %d", most, text, len(found.Hits), want)
			}
		}
		find(1<<20, "parcel", 2)
		find(1000, "parcel", 1)
		find(1000, "delivery", 1)
		find(500, "delivery", 0)
	})
}

package knowledge_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/desk/desktest"
	"parley/internal/knowledge"
	"parley/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// A world is the desk's world with articles.
type world struct {
	*desktest.World
	svc *knowledge.Service
}

func each(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	desktest.Each(t, func(t *testing.T, w *desktest.World) { test(t, &world{w, knowledge.New(w.Desk)}) })
}

// new makes an article in English with a title, and a body of the same text.
func (w *world) new(title string) parley.Article {
	w.T.Helper()
	a, err := w.svc.CreateArticle(w.T.Context(), w.By(), knowledge.NewArticle{
		Language: "en", ArticleContent: parley.ArticleContent{Title: title, Body: "About: " + title},
	})
	w.Must(err)
	return a
}

// product makes a product.
func (w *world) product(name string) parley.ID {
	w.T.Helper()
	p, err := w.Desk.CreateProduct(w.T.Context(), w.By(), name, "")
	w.Must(err)
	return p.ID
}

// save changes the body of an article's English text.
func (w *world) save(by desk.Caller, article parley.ID, body string) parley.ArticleText {
	w.T.Helper()
	text, err := w.svc.SaveText(w.T.Context(), by, en(article), knowledge.TextChange{Body: parley.Some(body)})
	w.Must(err)
	return text
}

// publish publishes all texts of an article.
func (w *world) publish(article parley.ID) parley.Article {
	w.T.Helper()
	a, err := w.svc.PublishArticle(w.T.Context(), w.By(), article, nil)
	w.Must(err)
	return a
}

// versions describes the versions of an English text, newest first: an asterisk
// marks those that were published.
func (w *world) versions(article parley.ID) string {
	w.T.Helper()
	page, err := w.svc.ArticleVersions(w.Home.Workspace.ID, en(article), parley.Position{}, 200).Now(w.T.Context())
	w.Must(err)
	var all []string
	for _, v := range page.Items {
		mark := ""
		if !v.PublishedAt.IsZero() {
			mark = "*"
		}
		all = append(all, fmt.Sprint(v.Version, mark, " ", v.Body))
	}
	return strings.Join(all, "; ")
}

// read returns what the public reads of an article in English, "" for nothing.
func (w *world) read(article parley.ID) string {
	w.T.Helper()
	texts, err := w.svc.PublishedTexts(w.Home.Workspace.ID, article).Now(w.T.Context())
	w.Must(err)
	for _, text := range texts {
		if text.Language == "en" {
			return text.Body
		}
	}
	return ""
}

func en(article parley.ID) knowledge.TextID {
	return knowledge.TextID{ArticleID: article, Language: "en"}
}

// TestVersions follows a text: changes of one author within ten minutes are one
// version, what was published stays, and the public reads only that.
func TestVersions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		var a parley.Article
		w.Tells(func() { a = w.new("Return a parcel") }, "article.created")
		if a.State != parley.ArticleDraft || a.Slug != "return-a-parcel" || w.read(a.ID) != "" {
			t.Errorf("a new article is %+v, read as %q", a, w.read(a.ID))
		}
		w.Tells(func() { w.save(w.By(), a.ID, "one") }, "article.updated texts")
		w.Advance(parley.VersionMerge - time.Second)
		w.save(w.By(), a.ID, "two")
		if got := w.versions(a.ID); got != "3 two" {
			t.Errorf("changes within ten minutes leave %q", got)
		}
		w.Advance(time.Second)
		w.save(w.By(), a.ID, "three")
		ben := w.By()
		ben.Actor = parley.Actor{Type: parley.ActorMember, ID: "usr_b", Name: "Ben"}
		w.save(ben, a.ID, "four")
		if got := w.versions(a.ID); got != "5 four; 4 three; 3 two" {
			t.Errorf("later changes, and those of others, leave %q", got)
		}
		w.Tells(func() { a = w.publish(a.ID) }, "article.updated texts,publishedAt,state")
		w.Tells(func() { w.publish(a.ID) })
		w.save(ben, a.ID, "five")
		if got := w.versions(a.ID); got != "6 five; 5* four; 4 three; 3 two" || w.read(a.ID) != "four" {
			t.Errorf("a change after publishing leaves %q, read as %q", got, w.read(a.ID))
		}
		w.Tells(func() { w.save(ben, a.ID, "five") })
		w.Tells(func() {
			text, err := w.svc.RestoreVersion(t.Context(), w.By(), en(a.ID), 4)
			if err != nil || text.Version != 7 || text.Body != "three" || text.PublishedVersion != 5 {
				t.Errorf("the restored text is %+v, %v", text, err)
			}
		}, "article.updated texts")
		_, err := w.svc.SaveText(t.Context(), w.By(), en(a.ID), knowledge.TextChange{Version: parley.Some(int64(6)), Body: parley.Some("lost")})
		w.Refused(err, parley.Conflict, "version: must be 7, the current version of the text")
		w.Tells(func() { w.publish(a.ID) }, "article.updated texts,publishedAt")
		if w.read(a.ID) != "three" {
			t.Errorf("the public reads %q", w.read(a.ID))
		}
	})
}

// TestRestoreKeepsDraft restores a version while the author's own change is a moment
// old: that stays a version, and so does what is restored when another is.
func TestRestoreKeepsDraft(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := w.new("Deposit")
		w.publish(a.ID)
		w.save(w.By(), a.ID, "draft")
		restore := func(version int64, want string) {
			t.Helper()
			text, err := w.svc.RestoreVersion(t.Context(), w.By(), en(a.ID), version)
			if err != nil || text.Body != "About: Deposit" && text.Body != "draft" {
				t.Errorf("the restored text is %+v, %v", text, err)
			}
			if got := w.versions(a.ID); got != want {
				t.Errorf("after restoring %d, there are %q, want %q", version, got, want)
			}
		}
		restore(1, "3 About: Deposit; 2 draft; 1* About: Deposit")
		restore(2, "4 draft; 3 About: Deposit; 2 draft; 1* About: Deposit")
		w.Tells(func() { restore(2, "4 draft; 3 About: Deposit; 2 draft; 1* About: Deposit") })
		w.save(w.By(), a.ID, "more")
		if got := w.versions(a.ID); got != "5 more; 3 About: Deposit; 2 draft; 1* About: Deposit" {
			t.Errorf("a change of what was restored leaves %q", got)
		}
	})
}

// TestNumbersGoOn deletes a text and adds it again: no number comes back, so what was
// read before is known to be outdated.
func TestNumbersGoOn(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := w.new("Deposit")
		de := knowledge.TextID{ArticleID: a.ID, Language: "de"}
		add := func(title string, want int64) {
			t.Helper()
			text, err := w.svc.SaveText(t.Context(), w.By(), de, knowledge.TextChange{Title: parley.Some(title), Version: parley.Some(int64(0))})
			if err != nil || text.Version != want {
				t.Errorf("the new text has version %d, %v, want %d", text.Version, err, want)
			}
		}
		add("Kaution", 1)
		_, err := w.svc.SaveText(t.Context(), w.By(), de, knowledge.TextChange{Body: parley.Some("x")})
		w.Must(err)
		w.Must(second(w.svc.DeleteText(t.Context(), w.By(), de)))
		add("Pfand", 3)
		w.Must(second(w.svc.DeleteText(t.Context(), w.By(), de)))
		add("Kaution", 4)
		_, err = w.svc.SaveText(t.Context(), w.By(), de, knowledge.TextChange{Body: parley.Some("lost"), Version: parley.Some(int64(2))})
		w.Refused(err, parley.Conflict, "version: must be 4, the current version of the text")
		if other := w.new("Other"); other.Texts[0].Version != 1 {
			t.Errorf("another article begins with %d", other.Texts[0].Version)
		}
	})
}

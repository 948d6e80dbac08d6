package knowledge_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk/desktest"
	"parley/internal/knowledge"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestBadArticles gives what no article may have: one error names each field.
func TestBadArticles(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		good := parley.ArticleContent{Title: "Title"}
		long := func(c string, n int) string { return strings.Repeat(c, n) }
		for message, in := range map[string]knowledge.NewArticle{
			"language: must be a language such as pt-BR or en; title: must be 1 to 200 characters": {Language: "english", ArticleContent: parley.ArticleContent{Title: " \t"}},
			"title: must be UTF-8; description: must be UTF-8; body: must be UTF-8; keywords: must be correct; item 1 must be UTF-8": {Language: "en", ArticleContent: parley.ArticleContent{
				Title: "a\xff", Description: "\xc3", Body: "b\xe2\x28", Keywords: []string{"\xff"},
			}},
			"title: must be one line without control characters; description: must be one line without control characters; " +
				"body: must have no control characters but tabs and line breaks": {Language: "en", ArticleContent: parley.ArticleContent{
				Title: "a\nb", Description: "a\x00b", Body: "a\x1b[31mb",
			}},
			"title: must be 1 to 200 characters; description: must be 0 to 300 characters; body: must be at most 262144 bytes": {Language: "en", ArticleContent: parley.ArticleContent{
				Title: long("é", 201), Description: long("x", 5<<20), Body: long("x", parley.MaxArticleBody+1),
			}},
			"keywords: must be at most 100 words or phrases":                                                                                         {Language: "en", ArticleContent: parley.ArticleContent{Title: "x", Keywords: make([]string, 101)}},
			"keywords: must be correct; item 2 must be 0 to 100 characters":                                                                          {Language: "en", ArticleContent: parley.ArticleContent{Title: "x", Keywords: []string{"a", long("x", 101)}}},
			"body: must have at most 1000 headings":                                                                                                  {Language: "en", ArticleContent: parley.ArticleContent{Title: "x", Body: long("# A\n", 500) + long("B\n=\n", 501) + "```\n# C\n```\n#D"}},
			"slug: must be 1 to 80 of a-z and 0-9 with single hyphens between them, and not a reserved word":                                         {Language: "en", ArticleContent: good, Slug: "search"},
			"importKey: must be 0 to 255 characters; slug: must be 1 to 80 of a-z and 0-9 with single hyphens between them, and not a reserved word": {Language: "en", ArticleContent: good, Slug: "a--b", ImportKey: long("k", 256)},
		} {
			_, err := w.svc.CreateArticle(t.Context(), w.By(), in)
			w.Refused(err, parley.Invalid, message)
		}
		a, err := w.svc.CreateArticle(t.Context(), w.By(), knowledge.NewArticle{Language: "PT-br", ArticleContent: parley.ArticleContent{
			Title: "  Cafe\u0301  ", Body: long("# A heading\r\n\tand text\n", 1000), Keywords: []string{" two  words ", "", "two  words", "x"},
		}})
		w.Must(err)
		text, err := w.svc.ArticleText(w.Home.Workspace.ID, knowledge.TextID{ArticleID: a.ID, Language: "pt-BR"}).Now(t.Context())
		if err != nil || text.Title != "Café" || strings.Count(text.Body, "# ") != 1000 || strings.Contains(text.Body, "\r") || fmt.Sprint(text.Keywords) != "[two  words x]" {
			t.Errorf("a text with 1,000 headings is stored as %.60q %q, %v", text.Body, text.Keywords, err)
		}
	})
}

// TestSlugs follows the slugs of articles: unique, stable, and never given to
// another article while one has or had them.
func TestSlugs(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws := w.Home.Workspace.ID
		for _, x := range []struct{ title, slug string }{
			{"Wie groß ist's? Übergröße & mehr", "wie-gross-ists-ubergrosse-mehr"}, {"Search", "search-2"}, {"退货", "article"}, {"退款", "article-2"},
			{strings.Repeat("word ", 30), "word-word-word-word-word-word-word-word-word-word-word-word"},
		} {
			if a := w.new(x.title); a.Slug != x.slug {
				t.Errorf("%q has the slug %q, want %q", x.title, a.Slug, x.slug)
			}
		}
		var last parley.Article
		for range 22 {
			last = w.new("Same")
		}
		if last.Slug != "same-"+last.ID.String() {
			t.Errorf("the last of many equal titles has the slug %q", last.Slug)
		}
		a, b := w.new("Returns"), w.new("Refunds")
		title := "Something else"
		_, err := w.svc.SaveText(t.Context(), w.By(), en(a.ID), knowledge.TextChange{Title: parley.Some(title)})
		w.Must(err)
		w.Tells(func() {
			_, err := w.svc.UpdateArticle(t.Context(), w.By(), a.ID, knowledge.ArticleChange{Slug: parley.Some("send-back")})
			w.Must(err)
		}, "article.updated slug")
		const taken = "slug: must not be that of another article, now or earlier"
		for _, slug := range []string{"returns", "send-back"} {
			_, err := w.svc.UpdateArticle(t.Context(), w.By(), b.ID, knowledge.ArticleChange{Slug: parley.Some(slug)})
			w.Refused(err, parley.Conflict, taken)
		}
		w.publish(a.ID)
		for _, slug := range []string{"returns", "send-back"} {
			texts, err := w.svc.PublishedArticle(ws, parley.ID{}, slug).Now(t.Context())
			if err != nil || len(texts) != 1 || texts[0].Slug != "send-back" || texts[0].Title != title {
				t.Errorf("%s leads to %+v, %v", slug, texts, err)
			}
		}
		_, err = w.svc.UpdateArticle(t.Context(), w.By(), a.ID, knowledge.ArticleChange{Slug: parley.Some("returns")})
		w.Must(err)
		_, err = w.svc.CreateArticle(t.Context(), desktest.OwnerOf(w.Found("Other")), knowledge.NewArticle{
			Language: "en", Slug: "returns", ArticleContent: parley.ArticleContent{Title: "x"},
		})
		w.Must(err) // another workspace has its own slugs
		_, err = w.svc.DeleteArticle(t.Context(), w.By(), a.ID)
		w.Must(err)
		_, err = w.svc.UpdateArticle(t.Context(), w.By(), b.ID, knowledge.ArticleChange{Slug: parley.Some("send-back")})
		w.Must(err)
	})
}

// TestStates publishes, archives and takes back an article: what the public reads
// follows at once.
func TestStates(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := w.new("Deposit")
		de := knowledge.TextID{ArticleID: a.ID, Language: "de"}
		_, err := w.svc.SaveText(t.Context(), w.By(), de, knowledge.TextChange{Body: parley.Some("x")})
		w.Refused(err, parley.Invalid, "title: must be 1 to 200 characters")
		_, err = w.svc.SaveText(t.Context(), w.By(), de, knowledge.TextChange{Title: parley.Some("Kaution"), Version: parley.Some(int64(0))})
		w.Must(err)
		_, err = w.svc.PublishArticle(t.Context(), w.By(), a.ID, []parley.Language{"de", "fr"})
		w.Refused(err, parley.NotFound, "languages: the article has no text in fr")
		state := func(s parley.ArticleState, want ...string) {
			t.Helper()
			w.Tells(func() {
				var err error
				a, err = w.svc.UpdateArticle(t.Context(), w.By(), a.ID, knowledge.ArticleChange{State: parley.Some(s)})
				if err != nil || a.State != s {
					t.Errorf("the state is %s, %v, want %s", a.State, err, s)
				}
			}, want...)
		}
		readable := func(want string) {
			t.Helper()
			texts, err := w.svc.PublishedTexts(w.Home.Workspace.ID, a.ID).Now(t.Context())
			w.Must(err)
			var got []string
			for _, text := range texts {
				got = append(got, string(text.Language))
			}
			if strings.Join(got, " ") != want {
				t.Errorf("the public reads %q, want %q", got, want)
			}
		}
		_, err = w.svc.PublishArticle(t.Context(), w.By(), a.ID, []parley.Language{"de"})
		w.Must(err)
		readable("de")
		state(parley.ArticlePublished)
		state(parley.ArticleArchived, "article.updated state")
		readable("")
		state(parley.ArticlePublished, "article.updated state")
		readable("de")
		w.publish(a.ID)
		readable("de en")
		w.Tells(func() {
			a, err = w.svc.DeleteText(t.Context(), w.By(), de)
			w.Must(err)
		}, "article.updated texts,publishedAt")
		readable("en")
		_, err = w.svc.DeleteText(t.Context(), w.By(), en(a.ID))
		w.Refused(err, parley.Conflict, "the article has no other text; delete the article instead")
		state(parley.ArticleDraft, "article.updated texts,state")
		readable("")
		state(parley.ArticlePublished, "article.updated texts,publishedAt,state")
		_, err = w.svc.SaveText(t.Context(), w.By(), de, knowledge.TextChange{Title: parley.Some("Kaution")})
		w.Must(err)
		w.Tells(func() {
			a, err = w.svc.DeleteText(t.Context(), w.By(), en(a.ID))
			w.Must(err)
		}, "article.updated texts,publishedAt,state")
		if a.State != parley.ArticleDraft {
			t.Errorf("without a published text, the article is %s", a.State)
		}
		_, err = w.svc.UpdateArticle(t.Context(), w.By(), a.ID, knowledge.ArticleChange{State: parley.Some(parley.ArticleState("gone"))})
		w.Refused(err, parley.Invalid, "state: must be draft, published or archived")
		w.Tells(func() {
			_, err = w.svc.DeleteArticle(t.Context(), w.By(), a.ID)
			w.Must(err)
		}, "article.deleted")
		for _, err := range []error{
			second(w.svc.Article(w.Home.Workspace.ID, a.ID).Now(t.Context())), second(w.svc.SaveText(t.Context(), w.By(), de, knowledge.TextChange{})),
			second(w.svc.DeleteArticle(t.Context(), w.By(), a.ID)), second(w.svc.PublishArticle(t.Context(), w.By(), a.ID, nil)),
			second(w.svc.ArticleVersions(w.Home.Workspace.ID, de, parley.Position{}, 9).Now(t.Context())),
		} {
			if parley.KindOf(err) != parley.NotFound {
				t.Errorf("a deleted article gives %v", err)
			}
		}
	})
}

func second[T any](_ T, err error) error { return err }

// TestCategories keeps an article and its category within one product.
func TestCategories(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop, app := w.product("Shop"), w.product("App")
		names := map[parley.Language]string{"EN": " Returns ", "de": "Rücksendungen"}
		var ofShop, forAll parley.ArticleCategory
		w.Tells(func() {
			var err error
			ofShop, err = w.svc.CreateCategory(t.Context(), w.By(), knowledge.NewCategory{ProductID: shop, Names: names})
			w.Must(err)
			forAll, err = w.svc.CreateCategory(t.Context(), w.By(), knowledge.NewCategory{Names: names})
			w.Must(err)
		}, "article_category.created", "article_category.created")
		if ofShop.Names["en"] != "Returns" || ofShop.Position != 0 || forAll.Position != 1 {
			t.Errorf("the categories are %+v and %+v", ofShop, forAll)
		}
		const foreign = "categoryId: must be a category of the article's product or of all products"
		_, err := w.svc.CreateArticle(t.Context(), w.By(), knowledge.NewArticle{
			ProductID: app, CategoryID: ofShop.ID, Language: "en", ArticleContent: parley.ArticleContent{Title: "x"},
		})
		w.Refused(err, parley.Invalid, foreign)
		a := w.new("Refunds")
		move := func(product, category parley.ID) error {
			return second(w.svc.UpdateArticle(t.Context(), w.By(), a.ID, knowledge.ArticleChange{ProductID: parley.Some(product), CategoryID: parley.Some(category)}))
		}
		w.Refused(move(parley.ID{}, ofShop.ID), parley.Invalid, foreign)
		w.Refused(move(ofShop.ID, parley.ID{}), parley.NotFound, "productId: no such product in this workspace")
		w.Refused(move(shop, app), parley.NotFound, "categoryId: no such category of articles in this workspace")
		w.Tells(func() { w.Must(move(shop, ofShop.ID)) }, "article.updated productId,categoryId")
		w.Refused(second(w.svc.UpdateArticle(t.Context(), w.By(), a.ID, knowledge.ArticleChange{ProductID: parley.Some(app)})), parley.Invalid, foreign)
		w.Tells(func() {
			_, err := w.svc.UpdateCategory(t.Context(), w.By(), ofShop.ID, knowledge.CategoryChange{Names: parley.Some(ofShop.Names), Position: parley.Some(0)})
			w.Must(err)
			_, err = w.svc.UpdateCategory(t.Context(), w.By(), ofShop.ID, knowledge.CategoryChange{
				Names: parley.Some(map[parley.Language]string{"en": "Sending back"}), Position: parley.Some(9),
			})
			w.Must(err)
			w.Advance(time.Minute)
			_, err = w.svc.DeleteCategory(t.Context(), w.By(), ofShop.ID)
			w.Must(err)
		}, "article_category.updated names,position", "article.updated categoryId", "article_category.deleted")
		a, err = w.svc.Article(w.Home.Workspace.ID, a.ID).Now(t.Context())
		if err != nil || !a.CategoryID.IsZero() || a.ProductID != shop || !a.UpdatedAt.Equal(w.Now()) || len(a.Texts) != 1 {
			t.Errorf("the article of a deleted category is %+v, %v", a, err)
		}
		for message, in := range map[string]knowledge.NewCategory{
			"names: must name the category in 1 to 20 languages":                                                                 {},
			"names: must have languages such as en or pt-BR as keys":                                                             {Names: map[parley.Language]string{"en_US": "x"}},
			"names: must be correct; the name in en must be 1 to 100 characters; position: must be an integer from 0 to 1000000": {Names: map[parley.Language]string{"en": " "}, Position: parley.Some(-1)},
		} {
			w.Refused(second(w.svc.CreateCategory(t.Context(), w.By(), in)), parley.Invalid, message)
		}
	})
}

// TestDeleteLargeCategory empties a category in several transactions, so that
// other writes go between.
func TestDeleteLargeCategory(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		category, err := w.svc.CreateCategory(t.Context(), w.By(), knowledge.NewCategory{Names: map[parley.Language]string{"en": "Returns"}})
		w.Must(err)
		const many = 1001
		base := w.Desk.Base()
		w.Must(base.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
			for range many {
				a := parley.Article{ID: base.IDs.New(w.Now()), CategoryID: category.ID, State: parley.ArticleDraft, CreatedAt: w.Now(), UpdatedAt: w.Now()}
				if err := knowledge.InsertArticle(tx, w.Home.Workspace.ID, &a); err != nil {
					return err
				}
			}
			return nil
		}))
		before := w.Desk.Writes()
		_, err = w.svc.DeleteCategory(t.Context(), w.By(), category.ID)
		w.Must(err)
		if steps := w.Desk.Writes() - before; steps != 2 {
			t.Errorf("a category of %d articles is deleted in %d transactions", many, steps)
		}
		rest, err := w.svc.Articles(w.Home.Workspace.ID, knowledge.ArticleFilter{CategoryID: parley.Some(category.ID)}, parley.Position{}, 1).Now(t.Context())
		if err != nil || len(rest.Items) > 0 {
			t.Errorf("articles stay in the deleted category: %v, %v", rest.Items, err)
		}
		_, err = w.svc.DeleteCategory(t.Context(), w.By(), category.ID)
		w.Refused(err, parley.NotFound, "no such category of articles in this workspace")
	})
}

// TestLists reads articles by each filter, and what the public may find of a
// product.
func TestLists(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws, shop, app := w.Home.Workspace.ID, w.product("Shop"), w.product("App")
		category, err := w.svc.CreateCategory(t.Context(), w.By(), knowledge.NewCategory{Names: map[parley.Language]string{"en": "C"}})
		w.Must(err)
		made := map[string]parley.Article{}
		for _, x := range []struct {
			title    string
			product  parley.ID
			category parley.ID
			language parley.Language
		}{{"shop", shop, category.ID, "en"}, {"app", app, parley.ID{}, "en"}, {"all", parley.ID{}, category.ID, "de"}, {"draft", shop, parley.ID{}, "en"}, {"archived", shop, parley.ID{}, "en"}} {
			w.Advance(time.Second)
			a, err := w.svc.CreateArticle(t.Context(), w.By(), knowledge.NewArticle{
				ProductID: x.product, CategoryID: x.category, Language: x.language, ImportKey: "key-" + x.title, ArticleContent: parley.ArticleContent{Title: x.title, Body: "Text", Keywords: []string{"k"}},
			})
			w.Must(err)
			if x.title != "draft" {
				w.publish(a.ID)
			}
			made[x.title] = a
		}
		_, err = w.svc.UpdateArticle(t.Context(), w.By(), made["archived"].ID, knowledge.ArticleChange{State: parley.Some(parley.ArticleArchived)})
		w.Must(err)
		for _, x := range []struct {
			filter knowledge.ArticleFilter
			want   string
		}{
			{knowledge.ArticleFilter{}, "shop app all draft archived"},
			{knowledge.ArticleFilter{ProductID: parley.Some(shop)}, "shop draft archived"},
			{knowledge.ArticleFilter{ProductID: parley.Null[parley.ID]()}, "all"},
			{knowledge.ArticleFilter{CategoryID: parley.Some(category.ID)}, "shop all"},
			{knowledge.ArticleFilter{CategoryID: parley.Null[parley.ID]()}, "app draft archived"},
			{knowledge.ArticleFilter{State: parley.ArticleDraft}, "draft"},
			{knowledge.ArticleFilter{Language: "de"}, "all"},
			{knowledge.ArticleFilter{UpdatedSince: made["draft"].UpdatedAt}, "draft archived"},
			{knowledge.ArticleFilter{ProductID: parley.Some(shop), State: parley.ArticlePublished, Language: "en"}, "shop"},
		} {
			var got []string
			for p := (parley.Position{}); ; {
				page, err := w.svc.Articles(ws, x.filter, p, 2).Now(t.Context())
				w.Must(err)
				for _, a := range page.Items {
					got = append(got, a.Texts[0].Title)
				}
				if p = page.Next; !page.HasMore {
					break
				}
			}
			if strings.Join(got, " ") != x.want {
				t.Errorf("%+v gives %q, want %q", x.filter, got, x.want)
			}
		}
		for _, x := range []struct {
			filter knowledge.PublishedFilter
			want   string
		}{
			{knowledge.PublishedFilter{ProductID: shop, Language: "en"}, "shop"}, {knowledge.PublishedFilter{ProductID: app, Language: "en"}, "app"},
			{knowledge.PublishedFilter{ProductID: app, Language: "de"}, "all"}, {knowledge.PublishedFilter{Language: "en"}, ""},
		} {
			heads, err := w.svc.PublishedHeads(ws, x.filter, parley.Position{}, 9).Now(t.Context())
			w.Must(err)
			whole, err := w.svc.Published(ws, x.filter, parley.Position{}, 9).Now(t.Context())
			w.Must(err)
			var got []string
			for i, text := range heads.Items {
				got = append(got, text.Title)
				if text.Body != "" || whole.Items[i].Body != "Text" || len(whole.Items[i].Keywords) != 1 || whole.Items[i].Title != text.Title {
					t.Errorf("%+v gives the head %+v of %+v", x.filter, text, whole.Items[i])
				}
			}
			if strings.Join(got, " ") != x.want || len(whole.Items) != len(heads.Items) {
				t.Errorf("the public finds %q by %+v, want %q", got, x.filter, x.want)
			}
		}
		for slug, product := range map[string]parley.ID{"shop": app, "draft": shop, "archived": shop, "nothing": shop} {
			w.Refused(second(w.svc.PublishedArticle(ws, product, slug).Now(t.Context())), parley.NotFound, "no such article in this help center")
		}
		languages, err := w.svc.PublishedLanguages(ws, app).Now(t.Context())
		if err != nil || fmt.Sprint(languages) != "[de en]" {
			t.Errorf("the languages are %v, %v", languages, err)
		}
		if a, err := w.svc.ArticleByImportKey(ws, app, "key-app").Now(t.Context()); err != nil || a.ID != made["app"].ID || len(a.Texts) != 1 {
			t.Errorf("by its key there is %+v, %v", a, err)
		}
		_, err = w.svc.CreateArticle(t.Context(), w.By(), knowledge.NewArticle{ProductID: app, Language: "en", ImportKey: "key-app", ArticleContent: parley.ArticleContent{Title: "x"}})
		w.Refused(err, parley.Conflict, "importKey: must not be that of another article")
	})
}

// TestLimits fills a workspace: one more of each is refused.
func TestLimits(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ws, ids := w.Home.Workspace.ID, parley.NewIDs(nil)
		a := w.new("Text")
		storetest.Fill(t, w.Store, ws, parley.MaxArticles-1, func(tx *store.Tx, i int) error {
			return knowledge.InsertArticle(tx, ws, &parley.Article{ID: ids.New(w.Now()), Slug: fmt.Sprint(i), State: parley.ArticleDraft})
		})
		_, err := w.svc.CreateArticle(t.Context(), w.By(), knowledge.NewArticle{Language: "en", ArticleContent: parley.ArticleContent{Title: "x"}})
		w.Refused(err, parley.Conflict, "the workspace has 10000 articles already; delete one first")
		storetest.Fill(t, w.Store, ws, parley.MaxArticleCategories, func(tx *store.Tx, i int) error {
			return knowledge.InsertArticleCategory(tx, ws, &parley.ArticleCategory{ID: ids.New(w.Now()), Names: map[parley.Language]string{"en": "c"}, Position: i})
		})
		_, err = w.svc.CreateCategory(t.Context(), w.By(), knowledge.NewCategory{Names: map[parley.Language]string{"en": "x"}})
		w.Refused(err, parley.Conflict, "the workspace has 500 categories of articles already; delete one first")
		for i := range parley.MaxArticleLanguages {
			language := parley.Language(fmt.Sprintf("en-%03d", i))
			_, err := w.svc.SaveText(t.Context(), w.By(), knowledge.TextID{ArticleID: a.ID, Language: language}, knowledge.TextChange{Title: parley.Some("x")})
			if i < parley.MaxArticleLanguages-1 {
				w.Must(err)
				continue
			}
			w.Refused(err, parley.Conflict, "language: must be one of the 20 languages of the workspace's articles")
		}
		for i := range parley.MaxDraftVersions + 9 {
			w.Advance(parley.VersionMerge)
			w.save(w.By(), a.ID, fmt.Sprint("draft ", i))
			if i == 1 {
				w.publish(a.ID)
			}
		}
		all := strings.Split(w.versions(a.ID), "; ")
		if len(all) != parley.MaxDraftVersions+1 || all[0] != "110 draft 108" || all[len(all)-2] != "11 draft 9" || all[len(all)-1] != "3* draft 1" {
			t.Errorf("there are %d versions from %q to %q", len(all), all[0], all[len(all)-2:])
		}
	})
}

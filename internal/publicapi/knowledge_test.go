package publicapi_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/knowledge"
	"parley/internal/store"
)

// deletable are the paths of records that samples delete. They are stored again before
// each request that deletes one; see world.restore.
type deletable struct{ article, text, category, helpCenter string }

func knowledgeSamples(r records) map[string]apitest.Sample {
	const base = "/v1/public/"
	article := base + "articles/" + r.article
	text := article + "/texts/en"
	return map[string]apitest.Sample{
		"listArticles":          apitest.NewSample(base+"articles", "", 200),
		"searchArticles":        apitest.NewSample(base+"articles/search", "", 200),
		"createArticle":         apitest.NewSample(base+"articles", `{"language":"en","title":"Change an order"}`, 201),
		"getArticle":            apitest.NewSample(article, "", 200),
		"updateArticle":         apitest.NewSample(article, `{"productId":"`+r.product+`"}`, 200),
		"deleteArticle":         apitest.NewSample(r.deletable.article, "", 200),
		"publishArticle":        apitest.NewSample(article+"/publish", `{"languages":["en"]}`, 200),
		"getArticleText":        apitest.NewSample(text, "", 200),
		"saveArticleText":       apitest.NewSample(text, `{"title":"Send a parcel back"}`, 200),
		"deleteArticleText":     apitest.NewSample(r.deletable.text, "", 200),
		"listArticleVersions":   apitest.NewSample(text+"/versions", "", 200),
		"restoreArticleVersion": apitest.NewSample(text+"/versions/1/restore", `{"nothing":1}`, 200),
		"listArticleCategories": apitest.NewSample(base+"article-categories", "", 200),
		"createArticleCategory": apitest.NewSample(base+"article-categories", `{"names":{"en":"Orders"}}`, 201),
		"updateArticleCategory": apitest.NewSample(base+"article-categories/"+r.category, `{"position":1}`, 200),
		"deleteArticleCategory": apitest.NewSample(r.deletable.category, "", 200),
		"listHelpCenters":       apitest.NewSample(base+"help-centers", "", 200),
		"saveHelpCenter":        apitest.NewSample(base+"help-centers/"+r.product, `{"enabled":true}`, 200),
		"deleteHelpCenter":      apitest.NewSample(r.deletable.helpCenter, "", 200),
	}
}

// makeDeletable stores one record of each kind that samples delete.
func (w *world) makeDeletable() deletable {
	w.T.Helper()
	const base = "/v1/public/"
	ws, ids, now := w.Home.Workspace.ID, parley.NewIDs(nil), w.Now()
	product, err := w.Desk.CreateProduct(w.T.Context(), w.by(), "Short-lived", "")
	if err != nil {
		w.T.Fatal(err)
	}
	article := parley.Article{ID: ids.New(now), State: parley.ArticleDraft, CreatedAt: now, UpdatedAt: now}
	article.Slug = "a-" + article.ID.String()
	category := parley.ArticleCategory{ID: ids.New(now), Names: map[parley.Language]string{"en": "Gone"}, CreatedAt: now, UpdatedAt: now}
	center := parley.HelpCenter{ProductID: product.ID, Slug: product.ID.String(), Title: "Gone", Languages: []parley.Language{"en"}, Color: "#1d4ed8", CreatedAt: now, UpdatedAt: now}
	texted := parley.Article{ID: ids.New(now), State: parley.ArticleDraft, CreatedAt: now, UpdatedAt: now}
	texted.Slug = "a-" + texted.ID.String()
	at := func(path string, missing func(*store.Tx) error, put func(*store.Tx) error) string {
		w.restore[path] = func(ctx context.Context) {
			_ = w.Store.Write(ctx, ws, func(tx *store.Tx) error { // fails while the store is away
				if parley.KindOf(missing(tx)) != parley.NotFound {
					return nil
				}
				return put(tx)
			})
		}
		w.restore[path](w.T.Context())
		return path
	}
	text := func(tx *store.Tx, id parley.ID, language parley.Language) error {
		head := parley.ArticleHead{Language: language, Title: "Gone", Version: 1, UpdatedAt: now}
		version := parley.ArticleVersion{ArticleID: id, Language: language, Version: 1, CreatedAt: now}
		version.Title, version.Author = "Gone", parley.Actor{Type: parley.ActorSystem}
		return errors.Join(knowledge.PutArticleHead(tx, ws, id, &head), knowledge.InsertArticleVersion(tx, ws, &version))
	}
	if err := w.Store.Write(w.T.Context(), ws, func(tx *store.Tx) error {
		return errors.Join(knowledge.InsertArticle(tx, ws, &texted), text(tx, texted.ID, "en"))
	}); err != nil {
		w.T.Fatal(err)
	}
	return deletable{
		article: at(base+"articles/"+article.ID.String(), func(tx *store.Tx) error {
			_, err := knowledge.SelectArticle(tx, ws, article.ID)
			return err
		}, func(tx *store.Tx) error {
			return errors.Join(knowledge.InsertArticle(tx, ws, &article), text(tx, article.ID, "en"))
		}),
		text: at(base+"articles/"+texted.ID.String()+"/texts/de", func(tx *store.Tx) error {
			_, err := knowledge.SelectArticleText(tx, ws, texted.ID, "de")
			return err
		}, func(tx *store.Tx) error { return text(tx, texted.ID, "de") }),
		category: at(base+"article-categories/"+category.ID.String(), func(tx *store.Tx) error {
			_, err := knowledge.SelectArticleCategory(tx, ws, category.ID)
			return err
		}, func(tx *store.Tx) error { return knowledge.InsertArticleCategory(tx, ws, &category) }),
		helpCenter: at(base+"help-centers/"+product.ID.String(), func(tx *store.Tx) error {
			_, err := knowledge.SelectHelpCenter(tx, ws, product.ID)
			return err
		}, func(tx *store.Tx) error { return knowledge.PutHelpCenter(tx, ws, &center, now) }),
	}
}

// TestArticles writes, publishes and deletes an article.
func TestArticles(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other, err := w.Desk.CreateProduct(t.Context(), w.by(), "Other", "")
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]string{"product": w.product.ID.String(), "other": other.ID.String(), "unknown": "01a1fb68-2f6a-7000-87d8-89526ae1d0cd"}
		play(t, w, known, []step{
			{name: "category", path: "/article-categories", body: `{"names":{"en":"Returns","pt-br":"Devoluções"},"productId":"{product}"}`, status: 201, save: "category",
				events: []string{"article_category.created"}, is: []string{"names", `{"en":"Returns","pt-BR":"Devoluções"}`, "productId", `"{product}"`, "position", "0"}},
			{name: "another category", path: "/article-categories", body: `{"names":{"en":"Orders"}}`, status: 201, save: "orders", events: []string{"article_category.created"}, is: []string{"position", "1", "productId", "null"}},
			{name: "no names", path: "/article-categories", body: `{"names":{}}`, status: 400, error: "names: must be an object with 1 to 20 languages such as en or pt-BR and a name for each"},
			{name: "a language twice", path: "/article-categories", body: `{"names":{"pt-BR":"a","pt-br":"b"}}`, status: 400, error: "names: must be an object with 1 to 20 languages such as en or pt-BR and a name for each"},
			{name: "a blank name", path: "/article-categories", body: `{"names":{"en":" "},"position":-1}`, status: 400, error: "position: must be an integer from 0 to 1000000"},
			{name: "an empty name", path: "/article-categories", body: `{"names":{"en":" "}}`, status: 400, error: "names: must be correct; the name in en must be 1 to 100 characters"},
			{name: "category of an unknown product", path: "/article-categories", body: `{"names":{"en":"x"},"productId":"{unknown}"}`, status: 404, error: "productId: no such product in this workspace"},
			{name: "rename", method: "PATCH", path: "/article-categories/{orders}", body: `{"names":{"de":"Bestellungen"},"position":1}`, status: 200, events: []string{"article_category.updated names"}, is: []string{"names", `{"de":"Bestellungen"}`}},
			{name: "rename badly", method: "PATCH", path: "/article-categories/{orders}", body: `{"names":[]}`, status: 400, error: "names: must be an object with 1 to 20 languages such as en or pt-BR and a name for each"},

			{name: "create", path: "/articles", status: 201, save: "a", events: []string{"article.created"},
				body: `{"language":"EN","title":" Return a <parcel>! ","description":"How.","body":"# Go\r\n1","keywords":["send it back","","send it back"],"productId":"{product}","categoryId":"{category}"}`,
				is: []string{"slug", `"return-a-parcel"`, "state", `"draft"`, "categoryId", `"{category}"`, "publishedAt", "null",
					"texts", `[{"description":"How.","language":"en","publishedAt":null,"publishedVersion":null,"title":"Return a \u003cparcel\u003e!","updatedAt":"2026-11-21T10:00:00.000Z","version":1}]`}},
			{name: "create with the same title", path: "/articles", body: `{"language":"en","title":"Return a parcel"}`, status: 201, save: "b", events: []string{"article.created"}, is: []string{"slug", `"return-a-parcel-2"`, "productId", "null"}},
			{name: "create with a slug in use", path: "/articles", body: `{"language":"en","title":"x","slug":"return-a-parcel"}`, status: 409, error: "slug: must not be that of another article, now or earlier"},
			{name: "create without a title", path: "/articles", body: `{"language":"en"}`, status: 400, error: "title: must be given"},
			{name: "create with mistakes", path: "/articles", body: `{"language":"english","title":"","slug":5,"keywords":"x","body":5,"description":5,"productId":"x"}`, status: 400,
				error: "description: must be a string of at most 300 characters; body: must be a string of at most 262144 characters; " +
					"keywords: must be an array of 0 to 100 items; productId: must be a UUID, or null; slug: must be a string of 1 to 80 characters, not blank; " +
					"language: must be a language such as pt-BR or en; title: must be a string of 1 to 200 characters, not blank"},
			{name: "create with a wrong slug", path: "/articles", body: `{"language":"en","title":"x","slug":"A b"}`, status: 400, error: "slug: must be 1 to 80 of a-z and 0-9 with single hyphens between them, and not a reserved word"},
			{name: "create with control characters", path: "/articles", body: `{"language":"en","title":"a\u0007","body":"\u001b","keywords":["a\nb"]}`, status: 400,
				error: "title: must be one line without control characters; body: must have no control characters but tabs and line breaks; keywords: must be correct; item 1 must be one line without control characters"},
			{name: "create with a body too long in bytes", path: "/articles", body: `{"language":"en","title":"x","body":"` + strings.Repeat("é", 131073) + `"}`, status: 400, error: "body: must be at most 262144 bytes"},
			{name: "create with NUL", path: "/articles", body: `{"language":"en","title":"x","body":"a\u0000"}`, status: 400, error: "body: must not contain the NUL character"},
			{name: "create for an unknown product", path: "/articles", body: `{"language":"en","title":"x","productId":"{unknown}"}`, status: 404, error: "productId: no such product in this workspace"},
			{name: "create in another product's category", path: "/articles", body: `{"language":"en","title":"x","productId":"{other}","categoryId":"{category}"}`, status: 400, error: "categoryId: must be a category of the article's product or of all products"},

			{name: "the text", method: "GET", path: "/articles/{a}/texts/En", status: 200, is: []string{"articleId", `"{a}"`, "body", `"# Go\n1"`, "keywords", `["send it back"]`, "version", "1", "publishedVersion", "null"}},
			{name: "no such text", method: "GET", path: "/articles/{a}/texts/de", status: 404, error: "no such text of the article in this workspace"},
			{name: "no such language", method: "GET", path: "/articles/{a}/texts/x", status: 400, error: "language: must be a language such as pt-BR or en"},
			{name: "publish", path: "/articles/{a}/publish", status: 200, events: []string{"article.updated texts,publishedAt,state"}, is: []string{"state", `"published"`, "texts.0.publishedVersion", "1"}},
			{name: "publish again", path: "/articles/{a}/publish", body: `{"languages":["en"]}`, status: 200},
			{name: "publish what is not there", path: "/articles/{a}/publish", body: `{"languages":["de"]}`, status: 404, error: "languages: the article has no text in de"},
			{name: "publish nothing", path: "/articles/{a}/publish", body: `{"languages":[]}`, status: 400, error: "languages: must be an array of 1 to 20 items"},
			{name: "change the text", method: "PUT", path: "/articles/{a}/texts/en", body: `{"version":1,"body":"New"}`, status: 200, events: []string{"article.updated texts"},
				is: []string{"title", `"Return a \u003cparcel\u003e!"`, "body", `"New"`, "version", "2", "publishedVersion", "1"}},
			{name: "change what has changed", method: "PUT", path: "/articles/{a}/texts/en", body: `{"version":1,"body":"Newer"}`, status: 409, error: "version: must be 2, the current version of the text"},
			{name: "change nothing", method: "PUT", path: "/articles/{a}/texts/en", body: `{"version":2,"body":"New"}`, status: 200, is: []string{"version", "2"}},
			{name: "a new language without a title", method: "PUT", path: "/articles/{a}/texts/de", body: `{"body":"x"}`, status: 400, error: "title: must be 1 to 200 characters"},
			{name: "a new language", method: "PUT", path: "/articles/{a}/texts/de", body: `{"version":0,"title":"Rückgabe"}`, status: 200, events: []string{"article.updated texts"}, is: []string{"version", "1", "body", `""`, "keywords", "[]"}},
			{name: "a wrong version", method: "PUT", path: "/articles/{a}/texts/de", body: `{"version":"1"}`, status: 400, error: "version: must be an integer of 0 or more"},
			{name: "versions", method: "GET", path: "/articles/{a}/texts/en/versions", status: 200, is: []string{"data.0.version", "2", "data.0.publishedAt", "null", "data.0.author.type", `"key"`, "data.1.version", "1", "data.1.body", `"# Go\n1"`, "has_more", "false"}},
			{name: "versions of nothing", method: "GET", path: "/articles/{a}/texts/fr/versions", status: 404, error: "no such text of the article in this workspace"},
			{name: "restore", path: "/articles/{a}/texts/en/versions/1/restore", status: 200, events: []string{"article.updated texts"}, is: []string{"version", "3", "body", `"# Go\n1"`}},
			{name: "restore nothing", path: "/articles/{a}/texts/en/versions/9/restore", status: 404, error: "no such version of the text in this workspace"},
			{name: "restore no number", path: "/articles/{a}/texts/en/versions/0/restore", status: 400, error: "version: must be an integer of 1 or more"},
			{name: "delete no article", method: "DELETE", path: "/articles/x", status: 400, error: "id: must be a UUID"},
			{name: "delete no category", method: "DELETE", path: "/article-categories/x", status: 400, error: "id: must be a UUID"},
			{name: "save in no language", method: "PUT", path: "/articles/{a}/texts/x", body: `{}`, status: 400, error: "language: must be a language such as pt-BR or en"},
			{name: "delete a text of an unknown article", method: "DELETE", path: "/articles/{unknown}/texts/en", status: 404, error: "no such article in this workspace"},
			{name: "restore in an unknown article", path: "/articles/{unknown}/texts/en/versions/1/restore", status: 404, error: "no such article in this workspace"},

			{name: "archive", method: "PATCH", path: "/articles/{a}", body: `{"state":"archived","slug":"returns"}`, status: 200, events: []string{"article.updated slug,state"}, is: []string{"state", `"archived"`, "slug", `"returns"`, "texts.1.publishedVersion", "1"}},
			{name: "show it again", method: "PATCH", path: "/articles/{a}", body: `{"state":"published"}`, status: 200, events: []string{"article.updated state"}, is: []string{"texts.1.publishedVersion", "1", "texts.0.publishedVersion", "null"}},
			{name: "take its former slug", path: "/articles", body: `{"language":"en","title":"x","slug":"return-a-parcel"}`, status: 409},
			{name: "change to another's slug", method: "PATCH", path: "/articles/{b}", body: `{"slug":"returns"}`, status: 409, error: "slug: must not be that of another article, now or earlier"},
			{name: "a wrong state", method: "PATCH", path: "/articles/{a}", body: `{"state":"gone"}`, status: 400, error: "state: must be one of draft, published, archived"},
			{name: "to another product", method: "PATCH", path: "/articles/{a}", body: `{"productId":"{other}"}`, status: 400, error: "categoryId: must be a category of the article's product or of all products"},
			{name: "for all products", method: "PATCH", path: "/articles/{a}", body: `{"productId":null,"categoryId":null}`, status: 200, events: []string{"article.updated productId,categoryId"}, is: []string{"productId", "null"}},
			{name: "back to a draft", method: "PATCH", path: "/articles/{a}", body: `{"state":"draft"}`, status: 200, events: []string{"article.updated texts,state"}, is: []string{"texts.1.publishedVersion", "null"}},
			{name: "delete a text", method: "DELETE", path: "/articles/{a}/texts/de", status: 200, events: []string{"article.updated texts"}, is: []string{"texts.0.language", `"en"`}},
			{name: "delete it again", method: "DELETE", path: "/articles/{a}/texts/de", status: 404, error: "no such text of the article in this workspace"},
			{name: "delete the last text", method: "DELETE", path: "/articles/{a}/texts/en", status: 409, error: "the article has no other text; delete the article instead"},
			{name: "delete a text in no language", method: "DELETE", path: "/articles/{a}/texts/1", status: 400, error: "language: must be a language such as pt-BR or en"},
			{name: "delete", method: "DELETE", path: "/articles/{a}", status: 200, events: []string{"article.deleted"}, is: []string{"id", `"{a}"`}},
			{name: "read what is deleted", method: "GET", path: "/articles/{a}", status: 404, error: "no such article in this workspace"},
			{name: "delete it again", method: "DELETE", path: "/articles/{a}", status: 404, error: "no such article in this workspace"},
			{name: "publish what is deleted", path: "/articles/{a}/publish", status: 404, error: "no such article in this workspace"},
			{name: "delete the category", method: "DELETE", path: "/article-categories/{category}", status: 200, events: []string{"article_category.deleted"}, is: []string{"id", `"{category}"`}},
			{name: "change it afterwards", method: "PATCH", path: "/article-categories/{category}", body: `{"position":1}`, status: 404, error: "no such category of articles in this workspace"},
			{name: "delete it again", method: "DELETE", path: "/article-categories/{category}", status: 404, error: "no such category of articles in this workspace"},
		})
		for _, path := range []string{"articles/x", "articles/x/texts/en", "articles/x/texts/en/versions"} {
			w.Get("/v1/public/"+path).Refused(400, "id: must be a UUID")
		}
	})
}

// TestHostileArticles sends what a page must not execute, which is text like any other, and
// what no article may have.
func TestHostileArticles(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const hostile = "<script>alert(1)</script> <b onclick='alert(1)'>b</b> [x](javascript:alert(1))"
		post := func(body string) apitest.Answer {
			return w.Post("/v1/public/articles", `{"language":"en","title":"T","body":"`+body+`"}`)
		}
		id := post(hostile).Want(201).Text("id")
		if got := w.Get("/v1/public/articles/" + id + "/texts/en").Want(200).Text("body"); got != hostile {
			t.Errorf("the text is %q", got)
		}
		post(strings.Repeat("x", 5<<20)).Refused(413, "body: must be at most 1048576 bytes")
		post("a\xff").Refused(400, "body: must be UTF-8")
		post(strings.Repeat(`# a\n`, 10_000)).Refused(400, "body: must have at most 1000 headings")
	})
}

// TestVersionAuthors shows the names of authors only to those who may list members.
func TestVersionAuthors(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		path := "/v1/public/articles/" + w.Post("/v1/public/articles", `{"language":"en","title":"T"}`).Want(201).Text("id") + "/texts/en/versions"
		for name, scopes := range map[string][]parley.Scope{
			`""`: {parley.KnowledgeRead, parley.KnowledgeWrite, parley.ContactsRead}, `"First key"`: {parley.KnowledgeRead, parley.ConversationsRead},
		} {
			w.Send(apitest.Request{Method: "GET", Path: path, Bearer: w.keyWith(scopes...)}).Want(200).Is("data.0.author.type", `"key"`, "data.0.author.name", name)
		}
	})
}

// TestEventsOfLaterVersions withholds from every key what only a later version knows.
func TestEventsOfLaterVersions(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		at := w.Get("/v1/public/events").Want(200).Text("next_cursor")
		if err := w.Store.Write(t.Context(), w.Home.Workspace.ID, func(tx *store.Tx) error {
			tx.Emit(w.Home.Workspace.ID, parley.Event{Type: "invoice.created", CreatedAt: w.Now(), Data: []byte("{}")})
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		w.Get("/v1/public/events?after="+at).Want(200).Is("data.0.type", `"withheld"`, "data.0.scope", `"unknown"`)
	})
}

// TestHelpCenters gives a product its pages, and takes them away.
func TestHelpCenters(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		other, err := w.Desk.CreateProduct(t.Context(), w.by(), "Other", "")
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]string{"product": w.product.ID.String(), "other": other.ID.String(), "unknown": "01a1fb68-2f6a-7000-87d8-89526ae1d0cd"}
		const put = "PUT"
		play(t, w, known, []step{
			{name: "without a slug", method: put, path: "/help-centers/{product}", body: `{}`, status: 400, error: "title: must be 1 to 100 characters; slug: must be 1 to 40 of a-z, 0-9 and hyphens, and not a reserved word"},
			{name: "create", method: put, path: "/help-centers/{product}", body: `{"slug":"acme","title":"Acme Help"}`, status: 201, events: []string{"help_center.created"},
				is: []string{"productId", `"{product}"`, "languages", `["en"]`, "enabled", "true", "color", `"#1d4ed8"`}},
			{name: "the same", method: put, path: "/help-centers/{product}", status: 200, is: []string{"slug", `"acme"`}},
			{name: "change", method: put, path: "/help-centers/{product}", body: `{"languages":["de","en","DE"],"enabled":false,"color":"#00ff00"}`, status: 200,
				events: []string{"help_center.updated languages,enabled,color"}, is: []string{"languages", `["de","en"]`, "title", `"Acme Help"`}},
			{name: "a wrong color", method: put, path: "/help-centers/{product}", body: `{"color":"#FF0000"}`, status: 400, error: "color: must be a color such as #1d4ed8, in lower case"},
			{name: "no languages", method: put, path: "/help-centers/{product}", body: `{"languages":[]}`, status: 400, error: "languages: must be an array of 1 to 20 items"},
			{name: "another's slug", method: put, path: "/help-centers/{other}", body: `{"slug":"acme","title":"Other"}`, status: 409, error: "slug: must not be that of another help center on this server"},
			{name: "of an unknown product", method: put, path: "/help-centers/{unknown}", body: `{"slug":"x","title":"x"}`, status: 404, error: "no such product in this workspace"},
			{name: "list", method: "GET", path: "/help-centers", status: 200, is: []string{"data.0.slug", `"acme"`, "has_more", "false"}},
			{name: "delete", method: "DELETE", path: "/help-centers/{product}", status: 200, events: []string{"help_center.deleted"}, is: []string{"slug", `"acme"`}},
			{name: "delete again", method: "DELETE", path: "/help-centers/{product}", status: 404, error: "no such help center in this workspace"},
			{name: "delete nothing", method: "DELETE", path: "/help-centers/x", status: 400, error: "productId: must be a UUID"},
		})
	})
}

// TestArticleFilters looks for articles by each filter.
func TestArticleFilters(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		category := w.Post("/v1/public/article-categories", `{"names":{"en":"Returns"}}`).Want(201).Text("id")
		create := func(more string) string {
			w.Advance(time.Second)
			return w.Post("/v1/public/articles", `{"title":"T"`+more+`}`).Want(201).Text("id")
		}
		first := create(`,"language":"en"`)
		second := create(`,"language":"de","productId":"` + w.product.ID.String() + `"`)
		third := create(`,"language":"en","categoryId":"` + category + `"`)
		w.Advance(time.Second)
		w.Post("/v1/public/articles/"+first+"/publish", "").Want(200)
		for query, want := range map[string][]string{
			"": {first, second, third}, "productId=none": {first, third}, "productId=" + w.product.ID.String(): {second}, "productId=" + category: {},
			"categoryId=none": {first, second}, "categoryId=" + category: {third}, "state=published": {first}, "state=draft&language=en": {third}, "language=DE": {second},
			"updatedSince=2026-11-21T10:00:03Z": {first, third},
		} {
			if got := w.Get("/v1/public/articles?" + query).Want(200).IDs(); !slices.Equal(got, want) {
				t.Errorf("%q finds %v, want %v", query, got, want)
			}
		}
		for query, message := range map[string]string{
			"state=gone": "state: must be one of draft, published, archived", "productId=x": "productId: must be a UUID or none", "language=x": "language: must be a language such as pt-BR or en",
			"language=": "language: must be 1 to 255 characters, not blank",
		} {
			w.Get("/v1/public/articles?"+query).Refused(400, message)
		}
	})
}

// fillArticles stores articles with many texts, versions with long bodies, and categories
// with long names, and returns the path of the versions.
func (w *world) fillArticles(count int) string {
	w.T.Helper()
	ws, ids, now := w.Home.Workspace.ID, parley.NewIDs(nil), w.Now()
	var languages []parley.Language
	names := map[parley.Language]string{}
	for i := range parley.MaxArticleLanguages {
		language := parley.Language([]byte{'a', 'a' + byte(i)})
		languages, names[language] = append(languages, language), strings.Repeat("<", parley.MaxCategoryName)
	}
	var last parley.ID
	err := w.Store.Write(w.T.Context(), ws, func(tx *store.Tx) error {
		for i := range count {
			kind := growing[i%len(growing)]
			a := parley.Article{ID: ids.New(now), Slug: fmt.Sprint("slug-", i), State: parley.ArticleDraft, CreatedAt: now, UpdatedAt: now}
			last = a.ID
			if err := knowledge.InsertArticle(tx, ws, &a); err != nil {
				return err
			}
			for _, language := range languages {
				head := parley.ArticleHead{Language: language, Title: strings.Repeat("<", parley.MaxArticleTitle), Description: strings.Repeat(kind, parley.MaxArticleDescription/len([]rune(kind))), Version: int64(count), UpdatedAt: now}
				if err := knowledge.PutArticleHead(tx, ws, a.ID, &head); err != nil {
					return err
				}
			}
		}
		for i := range count {
			kind := growing[i%len(growing)]
			v := parley.ArticleVersion{ArticleID: last, Language: languages[0], Version: int64(i + 1), CreatedAt: now, Author: parley.Actor{Type: parley.ActorSystem}}
			v.Body = strings.Repeat(kind, 60<<10/len(kind))
			for range parley.MaxArticleKeywords {
				v.Keywords = append(v.Keywords, strings.Repeat("<", parley.MaxArticleKeyword))
			}
			if err := knowledge.InsertArticleVersion(tx, ws, &v); err != nil {
				return err
			}
		}
		for range 5 * count {
			c := parley.ArticleCategory{ID: ids.New(now), Names: names, CreatedAt: now, UpdatedAt: now}
			if err := knowledge.InsertArticleCategory(tx, ws, &c); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return "/v1/public/articles/" + last.String() + "/texts/" + string(languages[0]) + "/versions?"
}

package widget_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/knowledge"
)

// article publishes an article in English.
func (w *world) article(title string, product parley.ID) parley.Article {
	w.T.Helper()
	a := w.draft(title, product)
	a, err := w.Knowledge.PublishArticle(w.T.Context(), w.By(), a.ID, nil)
	if err != nil {
		w.T.Fatal(err)
	}
	return a
}

func (w *world) draft(title string, product parley.ID) parley.Article {
	w.T.Helper()
	a, err := w.Knowledge.CreateArticle(w.T.Context(), w.By(), knowledge.NewArticle{
		ProductID: product, Language: "en", ArticleContent: parley.ArticleContent{
			Title: title, Description: "About: " + title, Body: "See [all](other-article), [pages](/help/shop/en/x), [us](https://x.example).\n\n<script>alert(1)</script>",
		},
	})
	if err != nil {
		w.T.Fatal(err)
	}
	return a
}

// translate publishes the article's text in a language.
func (w *world) translate(a parley.Article, language parley.Language, title string) {
	w.T.Helper()
	_, err := w.Knowledge.SaveText(w.T.Context(), w.By(), knowledge.TextID{ArticleID: a.ID, Language: language}, knowledge.TextChange{Title: parley.Some(title)})
	if err == nil {
		_, err = w.Knowledge.PublishArticle(w.T.Context(), w.By(), a.ID, nil)
	}
	if err != nil {
		w.T.Fatal(err)
	}
}

// product gives the inbox a product, and returns it with another one.
func (w *world) products() (own, other parley.ID) {
	w.T.Helper()
	made := make([]parley.ID, 2)
	for i, name := range []string{"Shop", "Other"} {
		p, err := w.Desk.CreateProduct(w.T.Context(), w.By(), name, "")
		if err != nil {
			w.T.Fatal(err)
		}
		made[i] = p.ID
	}
	inbox, err := w.Desk.CreateInbox(w.T.Context(), desk.Caller{Workspace: w.Home.Workspace.ID}, desk.NewInbox{Name: "Shop", Channel: parley.ChannelWeb, ProductID: made[0]})
	if err != nil {
		w.T.Fatal(err)
	}
	w.inbox = inbox.ID
	return made[0], made[1]
}

// reader sends a request to the articles of the world's inbox.
func (w *world) reader(method, path, body string) apitest.Answer {
	w.T.Helper()
	return w.Send(apitest.Request{Method: method, Path: "/v1/widget/inboxes/" + w.inbox.String() + path, Body: body, Address: w.address()})
}

// slugs are those of a list.
func slugs(a apitest.Answer) []string {
	all := []string{}
	for i := range a.Want(200).Count("data") {
		all = append(all, a.Text(fmt.Sprintf("data.%d.slug", i)))
	}
	return all
}

// TestArticlesOfAWidget reads what is published for the inbox's product and for
// all, and finds nothing else in any way.
func TestArticlesOfAWidget(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop, other := w.products()
		config := func(has string) { t.Helper(); w.reader("GET", "", "").Want(200).Is("articles", has) }
		config("false")
		back := w.article("Return a parcel", shop)
		config("true")
		all := w.article("Refund of a parcel", parley.ID{})
		w.translate(back, "de", "Paket zurückgeben")
		hidden := []parley.Article{w.draft("Draft parcel return", shop), w.article("Other parcel return", other), w.article("Archived parcel return", shop)}
		_, err := w.Knowledge.UpdateArticle(t.Context(), w.By(), hidden[2].ID, knowledge.ArticleChange{State: parley.Some(parley.ArticleArchived)})
		if err != nil {
			t.Fatal(err)
		}
		for path, want := range map[string][]string{
			"/articles":                                   {back.Slug, all.Slug},
			"/articles?language=fr":                       {back.Slug, all.Slug},
			"/articles?language=de-AT":                    {back.Slug},
			"/articles/search?q=return%20parcel":          {back.Slug, all.Slug},
			"/articles/search?q=zur%C3%BCck&language=de":  {back.Slug},
			"/articles/search?q=archived+draft+other":     {},
			"/articles/search?q=" + url.QueryEscape("?!"): {},
			"/articles/search":                            {},
		} {
			if got := slugs(w.reader("GET", path, "")); !slices.Equal(got, want) {
				t.Errorf("%s gives %v, want %v", path, got, want)
			}
		}
		for text, want := range map[string][]string{
			"How can I return my parcel?":         {back.Slug},
			"Wie kann ich mein Paket zurückgeben": {},
			"I like the draft of the archive":     {},
		} {
			if got := slugs(w.reader("POST", "/suggestions", fmt.Sprintf(`{"text":%q,"language":"en"}`, text))); !slices.Equal(got, want) {
				t.Errorf("%q suggests %v, want %v", text, got, want)
			}
		}
		shown := w.reader("GET", "/articles/"+back.Slug, "").Want(200)
		shown.Is("language", `"en"`, "title", `"Return a parcel"`)
		html := `<p>See <a href="?article=other-article">all</a>, <a href="/help/shop/en/x">pages</a>, <a href="https://x.example" rel="nofollow noopener">us</a>.</p>` +
			"\n<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"
		if got := shown.Text("html"); got != html {
			t.Errorf("the HTML is %s, want %s", got, html)
		}
		w.reader("GET", "/articles/"+back.Slug+"?language=de", "").Want(200).Is("title", `"Paket zurückgeben"`)
		if _, err := w.Knowledge.UpdateArticle(t.Context(), w.By(), back.ID, knowledge.ArticleChange{Slug: parley.Some("send-back")}); err != nil {
			t.Fatal(err)
		}
		w.reader("GET", "/articles/return-a-parcel", "").Want(200).Is("slug", `"send-back"`)
		for range 5 {
			w.reader("GET", "/articles/"+all.Slug, "").Want(200)
		}
		w.Recorder.Flush(t.Context())
		if got := slugs(w.reader("GET", "/articles?language=en", "")); !slices.Equal(got, []string{all.Slug, "send-back"}) {
			t.Errorf("the most read ones are %v", got)
		}
		for _, a := range append(hidden, parley.Article{Slug: "unknown"}, parley.Article{Slug: "%F0%9F%92%A9"}) {
			w.reader("GET", "/articles/"+a.Slug, "").Refused(404, "no such article")
			w.reader("POST", "/articles/"+a.Slug+"/feedback", `{"helped":false}`).Refused(404, "no such article")
		}
		for path, message := range map[string]string{
			"/articles?language=english":                     "language: must be a language such as pt-BR or en",
			"/articles/search?q=" + strings.Repeat("x", 201): "q: must be 1 to 200 characters",
			"/articles/a%00b":                                "slug: must be UTF-8 without the NUL character",
		} {
			w.reader("GET", path, "").Refused(400, message)
		}
		w.reader("POST", "/suggestions", `{"text":"`+strings.Repeat("x", 501)+`"}`).Want(400)
		w.reader("POST", "/suggestions", `{"text":"x","language":"english"}`).Refused(400, "language: must be a language such as pt-BR or en")
		w.reader("POST", "/articles/"+all.Slug+"/feedback", `{"helped":"yes"}`).Want(400)
		// The articles of another workspace, and those behind an inbox that is not for the web.
		foreign := w.Found("Foreign")
		own := w.inbox
		w.inbox = w.webInbox(foreign)
		if got := slugs(w.reader("GET", "/articles", "")); len(got) != 0 {
			t.Errorf("another workspace shows %v", got)
		}
		w.reader("GET", "/articles/send-back", "").Want(404)
		w.inbox = shop
		w.reader("GET", "/articles", "").Refused(404, "no such widget")
		w.reader("POST", "/suggestions", `{"text":"x"}`).Refused(404, "no such widget")
		w.reader("GET", "/articles/search?q=x", "").Refused(404, "no such widget")
		w.inbox = own
	})
}

// TestReadersCount counts readers and questions without an answer once, without
// what identifies a person, and stores nothing while they wait.
func TestReadersCount(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		shop, _ := w.products()
		a := w.article("Return a parcel", shop)
		v := w.visitor()
		from := func(method, path, body string) apitest.Answer {
			t.Helper()
			return w.Send(apitest.Request{Method: method, Path: "/v1/widget/inboxes/" + w.inbox.String() + path, Body: body, Address: v.address})
		}
		typed := func(text string) {
			t.Helper()
			from("POST", "/suggestions", fmt.Sprintf(`{"text":%q}`, text)).Want(200)
		}
		writes := w.Desk.Writes()
		for range 3 {
			from("GET", "/articles/"+a.Slug, "").Want(200)
			from("POST", "/articles/"+a.Slug+"/feedback", `{"helped":true}`).Want(200)
		}
		for _, text := range []string{"Can you", "Can you wrap gifts", "Can you wrap gifst for ann@acme.example", "Can you wrap gifts for ann@acme.example?"} {
			typed(text)
		}
		w.Advance(5 * time.Second)
		for _, text := range []string{"Can you", "Ca"} { // deleted
			typed(text)
		}
		typed("How do I return a parcel")     // has an answer
		typed("I want to sell you insurance") // another question
		typed("I want to sell you")
		if w.Desk.Writes() != writes {
			t.Error("a reader's request writes")
		}
		gaps := func() string {
			t.Helper()
			all, err := w.Knowledge.Gaps(parley.WholeWorkspace(w.Home.Workspace.ID), knowledge.GapFilter{ProductID: parley.Some(shop)}, 9).Now(t.Context())
			var texts []string
			for _, g := range all {
				texts = append(texts, fmt.Sprintf("%s %s %d %s", g.Source, g.Language, g.Count, g.Sample))
			}
			slices.Sort(texts)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Join(texts, "; ")
		}
		w.Recorder.Flush(t.Context())
		if got := gaps(); got != "widget en 1 Can you wrap gifts for …" {
			t.Errorf("while somebody types the gaps are %q", got)
		}
		w.Advance(time.Minute)
		w.Recorder.Flush(t.Context())
		w.Recorder.Flush(t.Context())
		if got := gaps(); got != "widget en 1 Can you wrap gifts for …; widget en 1 I want to sell you insurance" {
			t.Errorf("the gaps are %q", got)
		}
		counts, err := w.Knowledge.ArticleFeedback(w.Home.Workspace.ID, a.ID, time.Time{}).Now(t.Context())
		if err != nil || len(counts) != 1 || counts[0].Shown != 1 || counts[0].Helped != 1 || counts[0].NotHelped != 0 {
			t.Errorf("the readers are %+v, %v", counts, err)
		}
		// One asker cannot fill the table.
		for i := range 100 {
			typed(fmt.Sprintf("%[1]s%[1]s %[2]d unheard", string(rune('a'+i%26)), i))
			w.Advance(time.Minute)
		}
		w.Recorder.Flush(t.Context())
		all, err := w.Knowledge.Gaps(parley.WholeWorkspace(w.Home.Workspace.ID), knowledge.GapFilter{}, 200).Now(t.Context())
		total := int64(0)
		for _, g := range all {
			total += g.Count
		}
		if err != nil || total > 2+61 {
			t.Errorf("%d questions count, %v", total, err)
		}
	})
}

// TestQuestionsOfAnAddress asks more than an address may in a minute.
func TestQuestionsOfAnAddress(t *testing.T) {
	w := onSQLite(t)
	ask := func(address string) int {
		return w.Send(apitest.Request{Method: "GET", Path: "/v1/widget/inboxes/" + w.inbox.String() + "/articles", Address: address}).Status
	}
	for range 600 {
		if got := ask("10.1.1.1:1"); got != 200 {
			t.Fatalf("the answer is %d", got)
		}
	}
	if got := ask("10.1.1.1:1"); got != 429 {
		t.Errorf("one more is answered with %d", got)
	}
	if got := ask("10.1.1.2:1"); got != 200 {
		t.Errorf("another address is answered with %d", got)
	}
}

package helpcenter_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/desk/desktest"
	"parley/internal/helpcenter"
	"parley/internal/knowledge"
)

// TestPages walks through a help center as a reader.
func TestPages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		category, err := w.svc.CreateCategory(t.Context(), w.By(), knowledge.NewCategory{Names: map[parley.Language]string{"en": "Orders", "de": "Bestellungen"}})
		w.Must(err)
		returns := w.draft(w.shop, "Return a parcel", "# In store\n\nGo to the [size guide](size-guide).\n\n# By post\n\n## Label\n\n<script>alert(1)</script>")
		w.change(returns, knowledge.ArticleChange{CategoryID: parley.Some(category.ID)})
		w.translate(returns, "de", "Paket zurücksenden", "Kostenlos.")
		w.publish(returns)
		sizes := w.draft(parley.ID{}, "Size guide", "All sizes.")
		w.publish(sizes)

		w.answers("/help/shop", http.StatusFound, "/help/shop/en")
		for accepted, want := range map[string]string{
			"de": "de", "de-AT,en;q=0.5": "de", "fr, en;q=0.2, de;q=0.3": "de", "fr": "en", "de;q=0, en;q=0.1": "en", "de;q=x": "en", strings.Repeat("de,", 1): "de",
			strings.Repeat("fr,", 1000) + "de": "en", "zh-Hant-TW,de-DE": "de",
		} {
			if got := send(w.first, http.MethodGet, "/help/shop", "Accept-Language", accepted).Header().Get("Location"); got != "/help/shop/"+want {
				t.Errorf("%.40q leads to %s, not %s", accepted, got, want)
			}
		}
		w.shows("/help/shop/en", `<html lang="en" dir="ltr">`, "<title>Shop help</title>", "<h1>How can we help?</h1>", "Orders", "Return a parcel", "More articles", "Size guide", `href="/help/shop/en/category/`+category.ID.String(),
			`hreflang="x-default" href="https://help.example/help/shop"`, `rel="canonical" href="https://help.example/help/shop/en"`, "!<script", "!style=")
		w.shows("/help/shop/de", `<html lang="de"`, "Bestellungen", "Paket zurücksenden", "Weitere Artikel", `<a href="/help/shop/de/size-guide" lang="en">Size guide</a>`)
		w.shows("/help/shop/de/category/"+category.ID.String(), "<h1>Bestellungen</h1>", "Paket zurücksenden", "!Size guide")
		w.shows("/help/shop/en/category/other", "Size guide", "About Size guide", "!Return")
		w.shows("/help/shop/en/return-a-parcel", `<meta name="description" content="About Return a parcel">`, `<h2 id="h-in-store">`, `href="#h-label"`, `href="/help/shop/en/size-guide"`,
			"&lt;script&gt;", "!<script", `hreflang="de" href="https://help.example/help/shop/de/return-a-parcel"`, `hreflang="x-default" href="https://help.example/help/shop/en/return-a-parcel"`,
			"Did this help?", `<time datetime="2026-11-21">21 November 2026</time>`)
		w.shows("/help/shop/de/return-a-parcel", "Paket zurücksenden", "War das hilfreich?", "21. November 2026", `rel="canonical" href="https://help.example/help/shop/de/return-a-parcel"`)
		w.shows("/help/shop/de/size-guide", `<html lang="de"`, `<article class="reading" lang="en">`, "Sie lesen ihn in dieser Sprache: English", `rel="canonical" href="https://help.example/help/shop/en/size-guide"`,
			`!hreflang="de" href="https`)

		for _, title := range []string{"Zips", "Über tents"} {
			w.publish(w.draft(w.shop, title, "Words."))
		}
		w.later()
		if list := w.page("/help/shop/en/category/other"); strings.Index(list, "Über tents") > strings.Index(list, "Zips") {
			t.Error("letters with marks come last")
		}

		// A changed slug leads on, and does not follow the title.
		w.change(returns, knowledge.ArticleChange{Slug: parley.Some("send-it-back")})
		w.translate(returns, "en", "Give it back", "Text.")
		w.publish(returns)
		w.later()
		w.answers("/help/shop/de/return-a-parcel", http.StatusMovedPermanently, "/help/shop/de/send-it-back")
		w.shows("/help/shop/en/send-it-back", "Give it back")
		w.answers("/help/shop/DE/send-it-back", http.StatusMovedPermanently, "/help/shop/de/send-it-back")
		w.answers("/help/shop/en/", http.StatusMovedPermanently, "/help/shop/en")

		for _, path := range []string{
			"/help", "/help/none", "/help/shop/fr", "/help/shop/xx-x", "/help/shop/en/nothing", "/help/shop/en/a/b/c", "/help/shop/en/category/none", "/help/SHOP/en",
			"/help/shop/en/feedback", "/help/shop/en/%3Cscript%3E", "/help/assets/x.css", "/help/assets/colors-zzzzzz.css", "/help/none/sitemap.xml", "/help/shop/fr/sitemap.xml",
		} {
			w.answers(path, http.StatusNotFound, "")
		}
		missing := send(w.first, http.MethodGet, "/help/shop/de/nothing")
		if body := missing.Body.String(); !strings.Contains(body, "Seite nicht gefunden") || !strings.Contains(body, "noindex") || missing.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("a missing page is %s", body)
		}
		if rec := send(w.first, http.MethodPost, "/help/shop/en"); rec.Code != http.StatusMethodNotAllowed || rec.Header().Get("Allow") != "GET, HEAD" {
			t.Errorf("a POST to a page is %d", rec.Code)
		}
	})
}

// TestAlternates follows the addresses that a page names for other languages: each
// has a page, and all pages name the same default.
func TestAlternates(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		_, err := w.svc.SaveHelpCenter(t.Context(), w.By(), w.shop, knowledge.HelpCenterChange{Languages: parley.Some([]parley.Language{"fr", "en", "de"})})
		w.Must(err)
		category, err := w.svc.CreateCategory(t.Context(), w.By(), knowledge.NewCategory{Names: map[parley.Language]string{"en": "Orders"}})
		w.Must(err)
		a := w.draft(w.shop, "Known", "Words.")
		w.change(a, knowledge.ArticleChange{CategoryID: parley.Some(category.ID)})
		w.translate(a, "de", "Bekannt", "Wörter.")
		w.publish(a)
		german, err := w.svc.CreateArticle(t.Context(), w.By(), knowledge.NewArticle{ProductID: w.shop, Language: "de", ArticleContent: parley.ArticleContent{Title: "Nur deutsch"}})
		w.Must(err)
		w.publish(german)
		link := regexp.MustCompile(`hreflang="([^"]+)" href="https://help.example([^"]+)"`)
		for path, want := range map[string]string{
			"/en/known": "en de x-default=/help/shop/en/known", "/de/known": "en de x-default=/help/shop/en/known",
			"/en/category/" + category.ID.String(): "en de x-default=/help/shop/en/category/" + category.ID.String(),
			"/de/category/" + category.ID.String(): "en de x-default=/help/shop/en/category/" + category.ID.String(),
			"/de/category/other":                   "de x-default=/help/shop/de/category/other",
			"/en":                                  "fr en de x-default=/help/shop",
		} {
			page, got := w.page("/help/shop"+path), ""
			for _, found := range link.FindAllStringSubmatch(page, -1) {
				got += found[1]
				if found[1] == "x-default" {
					got += "=" + found[2]
				} else {
					got += " "
					w.page(found[2])
				}
			}
			if got != want {
				t.Errorf("%s names %q, want %q", path, got, want)
			}
			for _, found := range regexp.MustCompile(`<li><a href="(/help/[^"]+)" lang="..\?" hreflang`).FindAllStringSubmatch(page, -1) {
				w.page(found[1])
			}
		}
	})
}

// TestMissingPages asks for pages that are not there, and makes them. Until an
// event tells of one, the store is not asked again.
func TestMissingPages(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.answers("/help/shop/en/new", http.StatusNotFound, "")
		renders := helpcenter.Renders(w.first)
		for range 5 {
			w.later()
			w.answers("/help/shop/en/new", http.StatusNotFound, "")
		}
		if got := helpcenter.Renders(w.first) - renders; got != 0 {
			t.Errorf("a missing page was looked for %d times again", got)
		}
		w.publish(w.draft(w.shop, "New", "Words."))
		w.later()
		w.answers("/help/shop/en/new", http.StatusOK, "")
		w.answers("/help/app/en", http.StatusNotFound, "")
		w.center(w.Home, "App", "app", "en")
		w.later()
		w.answers("/help/app/en", http.StatusOK, "")
		for language, words := range map[string]string{"fr-FR": "Page introuvable", "ja": "Page not found"} {
			if page := send(w.first, http.MethodGet, "/help/none", "Accept-Language", language).Body.String(); !strings.Contains(page, words) {
				t.Errorf("a missing help center is %s for a reader of %s", page, language)
			}
		}
	})
}

// TestNothingElseIsFound looks for drafts, archived and deleted articles, those
// of other products and workspaces, and working texts, everywhere. Once
// published there, each is found everywhere within a second.
func TestNothingElseIsFound(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		app := w.center(w.Home, "App", "app", "en")
		other := &world{World: w.World, svc: w.svc, articles: map[string]parley.Article{}}
		there := w.Found("Other")
		foreign := w.center(there, "Foreign", "foreign", "en")
		w.publish(w.draft(w.shop, "Known", "Public words."))

		hidden := w.draft(w.shop, "Hidden", "Secret words.")
		_, err := w.svc.CreateArticle(t.Context(), desktest.OwnerOf(there), knowledge.NewArticle{
			ProductID: foreign, Language: "en", ArticleContent: parley.ArticleContent{Title: "Hidden", Body: "Secret words of others."},
		})
		w.Must(err)
		pictures := func() string {
			p, err := w.svc.AddPicture(t.Context(), w.By(), hidden.ID, bytes.NewReader(picture(t)))
			w.Must(err)
			return "/help/pictures/" + p.ID.String()
		}()
		// found reports whether the article is in the pages, lists and sitemap of a center.
		found := func(center string) bool {
			w.later()
			var seen []bool
			for _, node := range []http.Handler{w.first, w.second} {
				article := send(node, http.MethodGet, "/help/"+center+"/en/hidden")
				seen = append(seen, article.Code == http.StatusOK && strings.Contains(article.Body.String(), "Secret words."))
				for _, path := range []string{"/en", "/en/category/other", "/en/sitemap.xml", "/en/search?q=secret"} {
					seen = append(seen, strings.Contains(strings.ToLower(send(node, http.MethodGet, "/help/"+center+path).Body.String()), "hidden"))
				}
			}
			for _, one := range seen[1:] {
				if one != seen[0] {
					t.Fatalf("the article is found in some places of %s only: %v", center, seen)
				}
			}
			return seen[0]
		}
		is := func(state string, shop, app bool) {
			t.Helper()
			if got := found("shop"); got != shop {
				t.Errorf("%s: found in the shop is %v", state, got)
			}
			if got := found("app"); got != app {
				t.Errorf("%s: found in the app is %v", state, got)
			}
			if found("foreign") {
				t.Errorf("%s: found in another workspace", state)
			}
		}
		to := func(state parley.ArticleState) { w.change(hidden, knowledge.ArticleChange{State: parley.Some(state)}) }
		is("a draft", false, false)
		w.publish(hidden)
		is("published", true, false)
		tag := send(w.first, http.MethodGet, "/help/shop/en/hidden").Header().Get("ETag")
		if rec := send(w.first, http.MethodGet, "/help/shop/en/hidden", "If-None-Match", tag); tag == "" || rec.Code != http.StatusNotModified {
			t.Errorf("a page that the browser has is %d", rec.Code)
		}
		to(parley.ArticleArchived)
		is("archived", false, false)
		if rec := send(w.first, http.MethodGet, "/help/shop/en/hidden", "If-None-Match", tag); rec.Code != http.StatusNotFound {
			t.Errorf("an archived page that the browser has is %d", rec.Code)
		}
		to(parley.ArticlePublished)
		w.change(hidden, knowledge.ArticleChange{ProductID: parley.Some(app)})
		is("of another product", false, true)
		w.change(hidden, knowledge.ArticleChange{ProductID: parley.Null[parley.ID]()})
		is("of all products", true, true)
		other.translate(hidden, "en", "Hidden", "Draft words.")
		w.later()
		w.shows("/help/shop/en/hidden", "Secret words.", "!Draft words.")
		to(parley.ArticleDraft)
		is("a draft again", false, false)
		to(parley.ArticlePublished)
		if rec := send(w.second, http.MethodGet, pictures); rec.Code != http.StatusOK || rec.Header().Get("Content-Type") != "image/png" || !bytes.Equal(rec.Body.Bytes(), picture(t)) {
			t.Errorf("the picture is %d", rec.Code)
		}
		_, err = w.svc.DeleteArticle(t.Context(), w.By(), hidden.ID)
		w.Must(err)
		is("deleted", false, false)
		w.answers(pictures, http.StatusNotFound, "")
		w.answers("/help/pictures/x", http.StatusNotFound, "")

		// A help center that is off or gone has no pages.
		w.answers("/help/shop/en/known", http.StatusOK, "")
		_, err = w.svc.SaveHelpCenter(t.Context(), w.By(), w.shop, knowledge.HelpCenterChange{Enabled: parley.Some(false)})
		w.Must(err)
		w.later()
		for _, path := range []string{"", "/en", "/en/known", "/en/sitemap.xml", "/sitemap.xml"} {
			w.answers("/help/shop"+path, http.StatusNotFound, "")
		}
		_, err = w.svc.SaveHelpCenter(t.Context(), w.By(), w.shop, knowledge.HelpCenterChange{Enabled: parley.Some(true), Slug: parley.Some("store"), Languages: parley.Some([]parley.Language{"de", "en"})})
		w.Must(err)
		w.later()
		w.answers("/help/shop/en/known", http.StatusNotFound, "")
		w.answers("/help/store", http.StatusFound, "/help/store/de")
		_, err = w.svc.DeleteHelpCenter(t.Context(), w.By(), w.shop)
		w.Must(err)
		w.later()
		w.answers("/help/store/en/known", http.StatusNotFound, "")
	})
}

// TestEventsThatChangeNothing keeps rendered pages while the log grows.
func TestEventsThatChangeNothing(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.publish(w.draft(w.shop, "Known", "Words."))
		kept, renders := 0, helpcenter.Renders(w.first)
		for range 5 {
			w.Contact(w.By(), "Ada")
			w.translate(w.articles["known"], "en", "Known", "Working text "+strconv.Itoa(kept))
			w.draft(w.shop, "Draft", "Words.")
			w.later()
			w.page("/help/shop/en/known")
			kept++
		}
		if got := helpcenter.Renders(w.first) - renders; got != 1 {
			t.Errorf("%d readers made %d pages", kept, got)
		}
		w.publish(w.draft(w.shop, "Another", "Words."))
		w.page("/help/shop/en/known")
		if got := helpcenter.Renders(w.first) - renders; got != 1 {
			t.Errorf("the log was read at once")
		}
		w.later()
		w.page("/help/shop/en/known")
		if got := helpcenter.Renders(w.first) - renders; got != 2 {
			t.Errorf("a change made %d pages", got)
		}
	})
}

// TestVotes counts readers and their votes.
func TestVotes(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := w.draft(w.shop, "Known", "Words.")
		w.publish(a)
		page := w.page("/help/shop/en/known")
		w.page("/help/shop/de/known") // shows the English text
		send(w.first, http.MethodHead, "/help/shop/en/known")
		send(w.first, http.MethodGet, "/help/shop/en/known", "User-Agent", "Examplebot/1.0")
		yes := strings.ReplaceAll(regexp.MustCompile(`formaction="([^"]+yes)"`).FindStringSubmatch(page)[1], "&amp;", "&")
		no := strings.TrimSuffix(yes, "yes") + "no"
		vote := func(path string, want int, header ...string) {
			t.Helper()
			rec := send(w.first, http.MethodPost, path, header...)
			if rec.Code != want || want == http.StatusSeeOther && rec.Header().Get("Location") != "/help/shop/en/known?voted=yes#vote" {
				t.Errorf("a vote is %d to %q, want %d", rec.Code, rec.Header().Get("Location"), want)
			}
		}
		counts := func(shown, helped, notHelped int64) {
			t.Helper()
			w.recorder.Flush(t.Context())
			got, err := w.svc.ArticleFeedback(w.Home.Workspace.ID, a.ID, time.Time{}).Now(t.Context())
			w.Must(err)
			if len(got) != 1 || got[0].Language != "en" || got[0].Shown != shown || got[0].Helped != helped || got[0].NotHelped != notHelped {
				t.Errorf("the counts are %+v, want %d, %d, %d", got, shown, helped, notHelped)
			}
		}
		vote(yes, http.StatusSeeOther, "Sec-Fetch-Site", "same-origin")
		vote(yes, http.StatusSeeOther, "Sec-Fetch-Site", "same-origin") // the same reader
		vote(no, http.StatusSeeOther)
		counts(1, 1, 0) // read twice by the same reader
		vote(no, http.StatusSeeOther, "User-Agent", "another browser", "Origin", "http://example.com")
		for i := range 10 { // the names that browsers give themselves
			send(w.first, http.MethodGet, "/help/shop/en/known", "User-Agent", "reader "+strconv.Itoa(i))
			vote(no, http.StatusSeeOther, "User-Agent", "voter "+strconv.Itoa(i))
		}
		vote(yes, http.StatusForbidden, "User-Agent", "c", "Sec-Fetch-Site", "cross-site")
		vote(yes, http.StatusForbidden, "User-Agent", "c", "Origin", "https://evil.example")
		vote(yes, http.StatusForbidden, "User-Agent", "c", "Origin", "null")
		for _, forged := range []string{"", "&token=x", "&token=1.AAAA", "&token=" + url.QueryEscape("\x00")} {
			status := http.StatusForbidden
			if strings.Contains(forged, "%00") {
				status = http.StatusBadRequest
			}
			vote("/help/shop/en/feedback/known?helped=yes&text=en"+forged, status, "User-Agent", "c")
		}
		vote(strings.ReplaceAll(yes, "text=en", "text=de"), http.StatusForbidden, "User-Agent", "c")
		refused := send(w.first, http.MethodPost, strings.ReplaceAll(yes, "/en/", "/de/"), "Origin", "null")
		if page := refused.Body.String(); !strings.Contains(page, "Ihre Stimme wurde nicht gezählt") || !strings.Contains(page, `href="/help/shop/de/known"`) || refused.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Errorf("a refused vote shows %s", page)
		}
		vote(strings.TrimSuffix(yes, "yes")+"perhaps", http.StatusBadRequest, "User-Agent", "c")
		vote(strings.ReplaceAll(yes, "/known", "/nothing"), http.StatusNotFound, "User-Agent", "c")
		if rec := send(w.first, http.MethodGet, yes); rec.Code != http.StatusMethodNotAllowed {
			t.Errorf("a vote by GET is %d", rec.Code)
		}
		counts(5, 1, 4)
		w.shows("/help/shop/en/known?voted=yes", "Thank you", "!<form class=\"vote\"", "noindex")
		w.Advance(9 * 24 * time.Hour)
		vote(yes, http.StatusForbidden, "User-Agent", "c")
		// The page of a new day has a new form.
		if fresh := w.page("/help/shop/en/known"); strings.Contains(fresh, yes[strings.Index(yes, "token"):]) {
			t.Error("the form was kept for too long")
		}
		many := 0
		for range 100 {
			if rec := send(w.first, http.MethodPost, yes, "User-Agent", "c"); rec.Code == http.StatusTooManyRequests && strings.Contains(rec.Body.String(), "The server is busy.") {
				many++
			}
		}
		if many == 0 {
			t.Error("an address votes without limit")
		}
		// The counts make an article popular.
		w.later()
		w.shows("/help/shop/en", "Popular articles")
	})
}

// TestSearch finds articles by a plain form.
func TestSearch(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		returns := w.draft(w.shop, "Return a parcel", "Print the label and go to the post office.")
		w.translate(returns, "de", "Paket zurücksenden", "Etikett drucken und zur Post gehen.")
		w.publish(returns)
		w.publish(w.draft(w.shop, "Size guide", "Measure your feet."))
		w.shows("/help/shop/en/search?q=returning+parcels", "Results for", "“returning parcels”", `<a href="/help/shop/en/return-a-parcel">Return a parcel</a>`, `value="returning parcels"`,
			"noindex", `href="/help/shop/de" lang="de"`, "!canonical", "!Size guide")
		w.shows("/help/shop/de/search?q=Etikett", `<a href="/help/shop/de/return-a-parcel">Paket zurücksenden</a>`)
		w.shows("/help/shop/de/search?q=feet", `<a href="/help/shop/de/size-guide" lang="en">Size guide</a>`)
		w.shows("/help/shop/en/search?q=%3Cscript%3E", "&lt;script&gt;", "!<script", "Nothing was found.")
		w.shows("/help/shop/en/search", "<h1>Search</h1>", "!Nothing")
		w.shows("/help/shop/en/search?q=+++", "<h1>Search</h1>")
		w.answers("/help/shop/fr/search?q=x", http.StatusNotFound, "")
		for _, query := range []string{"q=" + strings.Repeat("a", 201), "q=%ff", "q=a&q=b", "q=%"} {
			w.answers("/help/shop/en/search?"+query, http.StatusBadRequest, "")
		}
		if rec := send(w.first, http.MethodGet, "/help/shop/en/search?q=parcel"); rec.Header().Get("Cache-Control") != "no-store" {
			t.Error("results are kept")
		}
	})
}

// TestGaps records the searches that probably found nothing of use.
func TestGaps(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		w.page("/help/shop/en/search?q=kayaks") // there are no articles at all
		returns := w.draft(w.shop, "Return a parcel", "Print the label and go to the post office.")
		w.translate(returns, "de", "Paket zurücksenden", "Etikett drucken und zur Post gehen.")
		w.publish(returns)
		w.publish(w.draft(w.shop, "Size guide", "Measure your feet."))
		w.later()
		for _, query := range []string{"en/search?q=Where+are+kayaks+built", "en/search?q=return+a+parcel", "en/search?q=are+tents+built+of+kayaks+by+mail@example.com", "de/search?q=size+guide", "de/search"} {
			w.Advance(time.Minute)
			w.page("/help/shop/" + query)
			send(w.first, http.MethodGet, "/help/shop/"+query+"&x=1", "User-Agent", "Examplebot/1.0")
			send(w.first, http.MethodHead, "/help/shop/"+query)
		}
		w.Advance(time.Minute)
		w.recorder.Flush(t.Context())
		gaps, err := w.svc.Gaps(parley.WholeWorkspace(w.Home.Workspace.ID), knowledge.GapFilter{}, 10).Now(t.Context())
		w.Must(err)
		var got []string
		for _, g := range gaps {
			got = append(got, fmt.Sprintf("%s %s %d: %s", g.Source, g.Language, g.Count, g.Sample))
		}
		slices.Sort(got)
		if want := []string{"help_center en 1: Where are kayaks built", "help_center en 1: are tents built of kayaks by …"}; !slices.Equal(got, want) {
			t.Errorf("the gaps are %q, want %q", got, want)
		}
	})
}

// TestLargeCategory lists the articles of a category a page at a time.
func TestLargeCategory(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const category, words = "/help/shop/en/category/other", "Words."
		for n := range 101 {
			w.publish(w.draft(w.shop, fmt.Sprintf("Known %03d", n), words))
		}
		german := w.draft(parley.ID{}, "Known 101", words)
		w.translate(german, "de", "Bekannt", words)
		w.publish(german)
		second := `<a href="` + category + `/2" rel="next">Next page</a>`
		w.shows(category, "Known 000", "Known 099", "!Known 100", "Page 1 of 2", second, `hreflang="x-default"`, "!Previous page")
		w.shows(category+"/2", "Known 100", "Known 101", "!Known 099", "Page 2 of 2", `<a href="`+category+`" rel="prev">Previous page</a>`, "!Next page",
			`<link rel="canonical" href="https://help.example`+category+`/2">`, `<a href="/help/shop/de/category/other"`, "!x-default")
		w.shows("/help/shop/de/category/other/2", "Seite 2 von 2", "Known 100")
		for _, none := range []string{"/0", "/1", "/02", "/3", "/-2", "/x", "/99999999999999999999", "/2/2"} {
			w.answers(category+none, http.StatusNotFound, "")
		}
		w.change(german, knowledge.ArticleChange{State: parley.Some(parley.ArticleArchived)})
		w.change(w.articles["known-000"], knowledge.ArticleChange{State: parley.Some(parley.ArticleArchived)})
		w.later()
		w.shows(category, "Known 100", "!Page 1 of", `hreflang="x-default"`)
		w.answers(category+"/2", http.StatusNotFound, "")
	})
}

// TestSitemaps lists what search engines may read.
func TestSitemaps(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		a := w.draft(w.shop, "Known", "Words.")
		w.translate(a, "de", "Bekannt", "Wörter.")
		w.publish(a)
		w.publish(w.draft(w.shop, "English", "Words."))
		w.shows("/help/shop/sitemap.xml", "<loc>https://help.example/help/shop/en/sitemap.xml</loc>", "<loc>https://help.example/help/shop/de/sitemap.xml</loc>")
		w.shows("/help/shop/en/sitemap.xml", "<loc>https://help.example/help/shop/en/known</loc>", "<lastmod>2026-11-21T", "<loc>https://help.example/help/shop/en/english</loc>")
		w.shows("/help/shop/de/sitemap.xml", "<loc>https://help.example/help/shop/de/known</loc>", "!english")
		rendered := helpcenter.Renders(w.first)
		for range 3 {
			w.shows("/help/shop/en/sitemap.xml", "english")
		}
		w.answers("/help/shop/fr/sitemap.xml", http.StatusNotFound, "")
		if helpcenter.Renders(w.first) != rendered {
			t.Error("a sitemap is made for each reader")
		}
		w.publish(w.draft(w.shop, "Newer", "Words."))
		w.later()
		w.shows("/help/shop/en/sitemap.xml", "<loc>https://help.example/help/shop/en/newer</loc>")
		w.shows("/robots.txt", "Disallow: /\nAllow: /help/\n")
		w.shows("/help/assets/help.css", "prefers-color-scheme", "@media print")
		w.shows("/help/assets/colors-1d4ed8.css", "--brand:#1d4ed8;--on-brand:#ffffff;--link:#1d4ed8")
		w.shows("/help/assets/icon-ffee00.svg", `fill="#ffee00"`, `stroke="#000000"`)
	})
}

// TestHeaders requires that no page could run a script or be framed.
func TestHeaders(t *testing.T) {
	desktest.Each(t, func(t *testing.T, base *desktest.World) {
		w := newWorld(t, base)
		w.publish(w.draft(w.shop, "Known", "Words."))
		for path, contentType := range map[string]string{
			"/help/shop/en": "text/html; charset=utf-8", "/help/shop/en/known": "text/html; charset=utf-8", "/help/none": "text/html; charset=utf-8",
			"/help/assets/help.css": "text/css; charset=utf-8", "/help/shop/sitemap.xml": "application/xml; charset=utf-8", "/robots.txt": "text/plain; charset=utf-8",
			"/help/assets/icon-1d4ed8.svg": "image/svg+xml",
		} {
			var recs []*httptest.ResponseRecorder
			for _, method := range []string{http.MethodGet, http.MethodGet, http.MethodHead} {
				recs = append(recs, send(w.first, method, path))
			}
			for _, rec := range recs {
				h := rec.Header()
				if h.Get("Content-Type") != contentType || h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Referrer-Policy") != "same-origin" ||
					h.Get("Content-Security-Policy") != "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'" {
					t.Errorf("%s has the headers %v", path, h)
				}
			}
			if recs[2].Body.Len() > 0 || recs[0].Body.String() != recs[1].Body.String() {
				t.Errorf("%s differs by request", path)
			}
		}
	})
}

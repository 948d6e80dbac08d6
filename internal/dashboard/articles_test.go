package dashboard_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/apitest"
	"parley/internal/desk"
	"parley/internal/knowledge"
)

// pixel is a picture.
const pixel = "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

func articleSamples(w *world) map[string]func() apitest.Sample {
	const base = "/v1/dashboard/articles/"
	return map[string]func() apitest.Sample{
		"listArticleFigures": func() apitest.Sample { return apitest.NewSample(base+"figures", "", 200) },
		"previewArticle":     func() apitest.Sample { return apitest.NewSample(base+"preview", `{"body":"*x*"}`, 200) },
		"findArticles": func() apitest.Sample {
			return apitest.NewSample("/v1/dashboard/conversations/"+w.Conversation()+"/articles?q=refund", "", 200)
		},
		"getArticleOrigin": func() apitest.Sample {
			return apitest.NewSample(base+w.article(w.By()).ID.String()+"/origin", "", 200)
		},
		"setArticleOrigin": func() apitest.Sample {
			return apitest.NewSample(base+w.article(w.By()).ID.String()+"/origin", `{"conversationId":"`+w.Conversation()+`"}`, 200)
		},
		"getPublishedArticle": func() apitest.Sample {
			return apitest.NewSample(base+w.published(w.By(), "en", "Returns").ID.String()+"/published/en", "", 200)
		},
		"addArticlePicture": func() apitest.Sample {
			return apitest.NewSample(base+w.article(w.By()).ID.String()+"/pictures", pixel, 201)
		},
	}
}

// article creates an article.
func (w *world) article(by desk.Caller) parley.Article {
	w.T.Helper()
	a, err := w.Knowledge.CreateArticle(w.T.Context(), by, knowledge.NewArticle{Language: "en", ArticleContent: parley.ArticleContent{Title: "Returns"}})
	if err != nil {
		w.T.Fatal(err)
	}
	return a
}

// published creates an article for all products and publishes it.
func (w *world) published(by desk.Caller, language parley.Language, title string) parley.Article {
	w.T.Helper()
	a, err := w.Knowledge.CreateArticle(w.T.Context(), by, knowledge.NewArticle{Language: language, ArticleContent: parley.ArticleContent{Title: title, Body: "About **" + title + "**."}})
	if err == nil {
		a, err = w.Knowledge.PublishArticle(w.T.Context(), by, a.ID, nil)
	}
	if err != nil {
		w.T.Fatal(err)
	}
	return a
}

// callerOf returns a member as the caller of a verb.
func (w *world) callerOf(m *parley.Member) desk.Caller {
	return desk.Caller{Workspace: w.Home.Workspace.ID, Actor: parley.MemberActor(m), Member: m.ID, Role: m.Role}
}

// TestArticleFigures lets two members write, and readers judge, in two
// workspaces.
func TestArticleFigures(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		ann, _ := w.member(parley.Agent)
		bo, _ := w.member(parley.Admin)
		first, second := w.article(w.callerOf(&ann)), w.article(w.callerOf(&ann))
		w.article(w.callerOf(&ann))
		other := w.Found("Other")
		foreign := w.article(desk.Caller{Workspace: other.Workspace.ID})
		save := func(by *parley.Member, language parley.Language) {
			w.Advance(time.Second)
			change := knowledge.TextChange{Title: parley.Some("Rücksendung"), Body: parley.Some(strconv.FormatInt(w.Tick(), 10))}
			if _, err := w.Knowledge.SaveText(t.Context(), w.callerOf(by), knowledge.TextID{ArticleID: first.ID, Language: language}, change); err != nil {
				t.Fatal(err)
			}
		}
		count := func(ws parley.WorkspaceID, counts ...parley.ArticleFeedback) {
			if err := w.Knowledge.AddFeedback(t.Context(), ws, counts); err != nil {
				t.Fatal(err)
			}
		}
		save(&bo, "de")
		count(w.Home.Workspace.ID, parley.ArticleFeedback{ArticleID: second.ID, Language: "en", Shown: 100})
		count(other.Workspace.ID, parley.ArticleFeedback{ArticleID: foreign.ID, Language: "en", Shown: 1000})
		w.Advance(parley.FiguresPeriod)
		w.Advance(parley.FiguresPeriod / 90)
		count(w.Home.Workspace.ID, parley.ArticleFeedback{ArticleID: first.ID, Language: "en", Shown: 5, Helped: 2}, parley.ArticleFeedback{ArticleID: first.ID, Language: "de", Shown: 1, NotHelped: 1})

		_, token := w.member(parley.Agent)
		list := func(query string) apitest.Answer {
			return w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/articles/figures" + query, Session: token}).Want(200)
		}
		page := list("?limit=1")
		page.Is("data.0.articleId", `"`+first.ID.String()+`"`, "data.0.updatedBy.id", `"`+string(bo.ID)+`"`, "data.0.updatedBy.name", `"The admin"`,
			"data.0.shown", "6", "data.0.helped", "2", "data.0.notHelped", "1", "has_more", "true")
		rest := list("?cursor=" + page.Text("next_cursor"))
		rest.Is("data.0.updatedBy.id", `"`+string(ann.ID)+`"`, "data.0.shown", "0", "has_more", "false")
		if n := rest.Count("data"); n != 2 {
			t.Errorf("the second page has %d articles, want 2", n)
		}
		save(&ann, "de")
		list("").Is("data.0.updatedBy.id", `"`+string(ann.ID)+`"`)
		w.Send(apitest.Request{Method: "GET", Path: "/v1/dashboard/articles/figures?limit=0", Session: token}).Want(400)
	})
}

// TestPreview renders what nobody must be able to run.
func TestPreview(t *testing.T) {
	w := onSQLite(t)
	path := "/v1/dashboard/articles/preview"
	html := w.Post(path, `{"body":"# Hi\n\n<script>alert(1)</script> <b onclick=alert(1)>c</b> [x](javascript:alert(1)) ![p](https://evil.example/p.png) **b**"}`).Want(200).Text("html")
	if !strings.Contains(html, "<strong>b</strong>") {
		t.Errorf("the preview is not rendered: %s", html)
	}
	for _, part := range []string{"<script", "<b ", "javascript:", "evil.example/p.png"} {
		if strings.Contains(html, part) {
			t.Errorf("the preview has %s: %s", part, html)
		}
	}
	w.Post(path, `{"body":""}`).Want(200).Is("html", `""`)
	w.Post(path, `{"body":5}`).Want(400)
	w.Post(path, "{\"body\":\"a\xff\"}").Refused(400, "body: must be UTF-8")
	w.Post(path, `{"body":"`+strings.Repeat("x", 5<<20)+`"}`).Refused(413, "body: must be at most 1048576 bytes")
	many := `"body":"` + strings.Repeat(`# a\n`, 10_000) + `"}`
	if n := strings.Count(w.Post(path, "{"+many).Want(200).Text("html"), "<h2"); n != 10_000 {
		t.Errorf("of 10,000 headings, the preview shows %d", n)
	}
	w.Post("/v1/public/articles", `{"language":"en","title":"T",`+many).Refused(400, "body: must have at most 1000 headings")
	w.Post(path, `{"body":"`+strings.Repeat("x", parley.MaxArticleBody+1)+`"}`).Want(400)
}

// TestFindArticles lets a member search for a conversation and read what the
// public reads.
func TestFindArticles(t *testing.T) {
	w := onSQLite(t)
	article := w.published(w.By(), "en", "Refund of a parcel")
	w.published(w.By(), "de", "Ein Paket erstatten")
	w.article(w.By())
	path := "/v1/dashboard/conversations/" + w.Conversation() + "/articles"
	w.Get(path+"?q=refund&language=en").Want(200).Is("language", `"en"`, "data.0.id", `"`+article.ID.String()+`"`)
	w.Get(path+"?q=paket&language=de&limit=1").Want(200).Is("language", `"de"`, "data.0.title", `"Ein Paket erstatten"`)
	w.Get(path).Want(200).Is("data", "[]")
	for query, message := range map[string]string{
		"?q=" + strings.Repeat("x", 1001): "q: must be 1 to 1000 characters",
		"?limit=21":                       "limit: must be an integer from 1 to 20",
		"?language=english":               "language: must be a language such as pt-BR or en",
	} {
		w.Get(path+query).Refused(400, message)
	}
	w.Get("/v1/dashboard/conversations/"+article.ID.String()+"/articles").Refused(404, "no such conversation in this workspace")

	text := "/v1/dashboard/articles/" + article.ID.String() + "/published/"
	change := knowledge.TextChange{Body: parley.Some("A draft.")}
	if _, err := w.Knowledge.SaveText(t.Context(), w.By(), knowledge.TextID{ArticleID: article.ID, Language: "en"}, change); err != nil {
		t.Fatal(err)
	}
	w.Get(text+"en").Want(200).Is("body", `"About **Refund of a parcel**."`, "language", `"en"`)
	w.Get(text+"english").Refused(400, "language: must be a language such as pt-BR or en")
	none := "no such published article in this workspace"
	w.Get(text+"de").Refused(404, none)
	w.Get("/v1/dashboard/articles/"+w.article(w.By()).ID.String()+"/published/en").Refused(404, none)
	_, err := w.Knowledge.PublishedText(w.Found("Other").Workspace.ID, knowledge.TextID{ArticleID: article.ID, Language: "en"}).Now(t.Context())
	if parley.KindOf(err) != parley.NotFound {
		t.Errorf("another workspace reads the article: %v", err)
	}
	w.Patch("/v1/public/articles/"+article.ID.String(), `{"state":"archived"}`).Want(200)
	w.Get(text+"en").Refused(404, none)
}

// TestArticleOrigin stores from which conversation an article was drafted, and shows
// it to members only, until either is deleted.
func TestArticleOrigin(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		article, talk, other := w.article(w.By()), w.Conversation(), w.Conversation()
		path, beside := "/v1/dashboard/articles/"+article.ID.String()+"/origin", "/v1/dashboard/conversations/"
		drafted := func(conversation, want string) {
			t.Helper()
			w.Get(beside+conversation+"/articles").Want(200).Is("drafted", want)
		}
		w.Get(path).Want(200).Is("conversationId", "null")
		drafted(talk, "[]")
		for range 2 {
			w.put(path, `{"conversationId":"`+talk+`"}`).Want(200).Is("conversationId", `"`+talk+`"`)
		}
		w.Get(path).Want(200).Is("conversationId", `"`+talk+`"`)
		drafted(other, "[]")
		drafted(talk, `[{"id":"`+article.ID.String()+`","language":"en","title":"Returns"}]`)
		w.Get(beside+talk+"/articles?q=returns").Want(200).Is("drafted", "[]")
		w.put(path, `{"conversationId":"`+unknownID+`"}`).Refused(404, "conversationId: no such conversation in this workspace")
		w.put(path, `{}`).Refused(400, "conversationId: must be given")
		w.put("/v1/dashboard/articles/"+unknownID+"/origin", `{"conversationId":"`+talk+`"}`).Refused(404, "no such article in this workspace")
		w.Get("/v1/dashboard/articles/"+unknownID+"/origin").Refused(404, "no such article in this workspace")
		w.Get("/v1/dashboard/articles/x/origin").Want(400)
		foreign := w.Found("Other").Workspace.ID
		if _, err := w.Knowledge.SetOrigin(t.Context(), desk.Caller{Workspace: foreign}, article.ID, article.ID); parley.KindOf(err) != parley.NotFound {
			t.Errorf("another workspace stores an origin: %v", err)
		}
		if strings.Contains(string(w.Get("/v1/public/articles/"+article.ID.String()).Want(200).Body), talk) {
			t.Error("the public API has the conversation")
		}
		w.put(path, `{"conversationId":"`+other+`"}`).Want(200)
		drafted(talk, "[]")
		if _, err := w.Knowledge.DeleteArticle(t.Context(), w.By(), article.ID); err != nil {
			t.Fatal(err)
		}
		drafted(other, "[]")
	})
}

// put sends a body that replaces what is there.
func (w *world) put(path, body string) apitest.Answer {
	return w.Send(apitest.Request{Method: http.MethodPut, Path: path, Body: body})
}

// TestArticlePictures adds pictures, and what is none.
func TestArticlePictures(t *testing.T) {
	w := onSQLite(t)
	path := "/v1/dashboard/articles/" + w.article(w.By()).ID.String() + "/pictures"
	as := func(contentType string) http.Header { return http.Header{"Content-Type": {contentType}} }
	send := func(body string, header http.Header) apitest.Answer {
		return w.Send(apitest.Request{Method: "POST", Path: path, Body: body, Header: header})
	}
	send(pixel, as("text/html")).Want(201).Is("contentType", `"image/gif"`, "width", "1", "height", "1")
	made := send("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.gif\"\r\n\r\n"+pixel+"\r\n--x--\r\n", as("multipart/form-data; boundary=x")).Want(201)
	if !strings.HasPrefix(made.Text("path"), "/help/pictures/") {
		t.Errorf("the path is %s", made.Text("path"))
	}
	const notAPicture = "file: must be a picture in PNG, JPEG, GIF or WebP"
	send("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", as("image/png")).Refused(400, notAPicture)
	send("%PDF-1.7", as("image/gif")).Refused(400, notAPicture)
	send(pixel+strings.Repeat("x", parley.MaxArticlePicture), as("image/gif")).Refused(413, "file: must be at most 5242880 bytes")
	w.Send(apitest.Request{Method: "POST", Path: path, Body: pixel, Header: http.Header{"Content-Type": {"image/gif"}, "Content-Encoding": {"gzip"}}}).Want(415)
	w.Send(apitest.Request{Method: "POST", Path: strings.Replace(path, path[len("/v1/dashboard/articles/"):len(path)-len("/pictures")], unknownID, 1), Body: pixel}).
		Refused(404, "no such article in this workspace")
	for range parley.MaxArticlePictures - 2 {
		send(pixel, as("image/gif")).Want(201)
	}
	send(pixel, as("image/gif")).Refused(409, "the article has 200 pictures already")
	w.tooManyPictures(t, "/v1/dashboard/articles/"+w.article(w.By()).ID.String()+"/pictures")
}

// tooManyPictures sends another picture while as many as a session may send are
// arriving.
func (w *world) tooManyPictures(t *testing.T, path string) {
	t.Helper()
	const atOnce = 10
	send := func(body io.Reader) int {
		r := httptest.NewRequest("POST", path, body)
		r.Header.Set("Content-Type", "image/gif")
		apitest.SignSession(r, w.Owner)
		return apitest.Gate().Do(t, w.Handler, r).Code
	}
	answers := make(chan int)
	var rests []*io.PipeWriter
	for range atOnce {
		body, rest := io.Pipe()
		rests = append(rests, rest)
		go func() { answers <- send(body) }()
		if _, err := rest.Write([]byte(pixel)); err != nil { // it is being read
			t.Fatal(err)
		}
	}
	if got := send(strings.NewReader(pixel)); got != 429 {
		t.Errorf("one picture too many is answered by %d", got)
	}
	for _, rest := range rests {
		if err := rest.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for range atOnce {
		if got := <-answers; got != 201 {
			t.Errorf("a picture is answered by %d", got)
		}
	}
}

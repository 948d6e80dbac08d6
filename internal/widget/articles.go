package widget

import (
	"context"
	"crypto/sha256"
	"hash/maphash"

	"parley"
	"parley/internal/customers"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
	"parley/internal/knowledge/markdown"
	"parley/internal/wire"
)

const (
	// popularArticles is how many articles a widget shows before the first
	// question, foundArticles how many a search returns, and suggestedArticles how
	// many are suggested for a message.
	popularArticles   = 6
	foundArticles     = 8
	suggestedArticles = 3
	// maxSearched and maxTyped are the most characters of a search, and of the
	// beginning of a message.
	maxSearched = 200
	maxTyped    = 500
	// articleBase begins the addresses of links to other articles. The page in the
	// frame opens them itself.
	articleBase = "?article="
)

// A shelf is what a widget's customers may read: the articles of the inbox's
// product and those for all products.
type shelf struct {
	customers.Widget
	language parley.Language // of the reader
}

func (s *shelf) filter() knowledge.PublishedFilter {
	return knowledge.PublishedFilter{ProductID: s.Inbox.ProductID, Language: s.language}
}

// queryLanguage returns the language that a request asks for, or "".
func (c *call) queryLanguage() parley.Language {
	text := c.QueryFilled("language", parley.MaxName)
	if text == "" {
		return ""
	}
	language, ok := parley.ParseLanguage(text)
	if !ok {
		c.Refuse("language", parley.LanguageRule)
	}
	return language
}

// shelf admits a reader of a widget's articles, who needs no session, once all
// inputs are read. Reads of an address wait for each other.
func (a *API) shelf(c *call, inbox parley.ID, language parley.Language) (shelf, error) {
	if err := c.Err(); err != nil {
		return shelf{}, err
	}
	if err := c.page.enter(inbox); err != nil {
		return shelf{}, err
	}
	w, err := a.customers.ShownWidget(c.Context(), inbox)
	if err != nil {
		return shelf{}, err
	}
	address := sha256.Sum256([]byte(a.clients.Address(c.Request())))
	c.Asker = httpjson.Asker{Workspace: w.Workspace.ID, Credential: parley.ID(address[:len(parley.ID{})])}
	return shelf{w, language}, nil
}

func (a *API) listArticles(c *call) (httpjson.Reply, error) {
	s, err := a.shelf(c, c.PathID("id"), c.queryLanguage())
	if err != nil {
		return httpjson.Reply{}, err
	}
	return get(c, func(texts []parley.PublishedText) []byte {
		return wire.AppendData(nil, texts, wire.AppendCustomerArticle)
	}, a.knowledge.Popular(s.Workspace.ID, s.filter(), popularArticles))
}

func (a *API) searchArticles(c *call) (httpjson.Reply, error) {
	inbox, text, language := c.PathID("id"), c.QueryText("q", maxSearched, true), c.queryLanguage()
	s, err := a.shelf(c, inbox, language)
	if err != nil {
		return httpjson.Reply{}, err
	}
	return a.find(c, s, answers.Query{Text: text, Limit: foundArticles}, func(found answers.Result) []parley.ArticleHit { return found.Hits })
}

// suggestArticles finds articles for a message that is being typed. The text is
// in the body, because logs of proxies contain addresses.
func (a *API) suggestArticles(c *call) (httpjson.Reply, error) {
	inbox := c.PathID("id")
	c.ReadBody()
	text := httpjson.Required(c.Reader, "text", httpjson.Text(maxTyped))
	language := httpjson.Default(c.Reader, "language", httpjson.Language, "")
	s, err := a.shelf(c, inbox, language)
	if err != nil {
		return httpjson.Reply{}, err
	}
	return a.find(c, s, answers.Query{Text: text, Limit: suggestedArticles}, likely)
}

// likely returns the articles that probably answer a question.
func likely(found answers.Result) []parley.ArticleHit {
	var hits []parley.ArticleHit
	for _, hit := range found.Hits {
		if hit.Likely {
			hits = append(hits, hit)
		}
	}
	return hits
}

// find answers with some of the articles that fit a text, and takes note if none
// does.
func (a *API) find(c *call, s shelf, q answers.Query, choose func(answers.Result) []parley.ArticleHit) (httpjson.Reply, error) {
	q.ProductID, q.Language = s.Inbox.ProductID, s.language
	if err := a.answers.Ready(c.Context(), s.Workspace.ID, q.ProductID); err != nil {
		return httpjson.Reply{}, err
	}
	return get(c, func(found answers.Result) []byte {
		if found.Language != "" {
			a.recorder.Asked(s.Workspace.ID, a.clients.Address(c.Request()), knowledge.Miss{
				ProductID: q.ProductID, Language: found.Language, Words: found.Words, Question: q.Text, Source: parley.GapWidget,
			}, found.Answered())
		}
		return wire.AppendData(nil, choose(found), wire.AppendCustomerHit)
	}, a.answers.Search(s.Workspace.ID, q))
}

func (a *API) getArticle(c *call) (httpjson.Reply, error) {
	inbox, slug := c.PathID("id"), c.PathText("slug")
	s, err := a.shelf(c, inbox, c.queryLanguage())
	if err != nil {
		return httpjson.Reply{}, err
	}
	return get(c, func(p parley.PublishedText) []byte {
		if a.limits.shown.Spend(a.readerOf(c, &p), 1) == nil {
			a.recorder.Read(s.Workspace.ID, parley.ArticleFeedback{ArticleID: p.ArticleID, Language: p.Language, Shown: 1})
		}
		return wire.AppendCustomerArticleText(nil, &p, markdown.Render(p.Body, articleBase).HTML)
	}, a.knowledge.Readable(s.Workspace.ID, s.filter(), slug))
}

// rateArticle counts whether an article helped, once a day for each address.
func (a *API) rateArticle(c *call) (httpjson.Reply, error) {
	inbox, slug := c.PathID("id"), c.PathText("slug")
	c.ReadBody()
	helped := httpjson.Required(c.Reader, "helped", httpjson.Bool)
	language := httpjson.Default(c.Reader, "language", httpjson.Language, "")
	s, err := a.shelf(c, inbox, language)
	if err != nil {
		return httpjson.Reply{}, err
	}
	return do(c, func(p parley.PublishedText) httpjson.Reply {
		if a.limits.rated.Spend(a.readerOf(c, &p), 1) == nil {
			f := parley.ArticleFeedback{ArticleID: p.ArticleID, Language: p.Language, NotHelped: 1}
			if helped {
				f.Helped, f.NotHelped = 1, 0
			}
			a.recorder.Read(s.Workspace.ID, f)
		}
		return httpjson.OK([]byte("{}"))
	}, func(ctx context.Context) (parley.PublishedText, error) {
		return a.knowledge.Readable(s.Workspace.ID, s.filter(), slug).Now(ctx)
	})
}

// readerOf identifies a reader of a text by the network address, as a hash whose
// key ends with the process.
func (a *API) readerOf(c *call, p *parley.PublishedText) uint64 {
	return maphash.Comparable(a.limits.seed, struct {
		address  string
		article  parley.ID
		language parley.Language
	}{a.clients.Address(c.Request()), p.ArticleID, p.Language})
}

// hasArticles reports whether customers of a widget may read any articles. If
// this process has committed nothing since, the answer may be half a second old.
func (a *API) hasArticles(ctx context.Context, w *customers.Widget) (bool, error) {
	writes := a.desk.Writes() // before the read, so that a change during it outdates the entry
	var key [32]byte
	copy(key[:], w.Inbox.ID[:])
	if known, ok := a.stocked.Get(key); ok && known.writes == writes {
		return known.any, nil
	}
	languages, err := a.knowledge.PublishedLanguages(w.Workspace.ID, w.Inbox.ProductID).Now(ctx)
	if err == nil {
		a.stocked.Put(key, stocked{len(languages) > 0, writes})
	}
	return len(languages) > 0, err
}

// stocked says whether a widget has articles, with the value of
// [desk.Desk.Writes] at which that was read.
type stocked struct {
	any    bool
	writes uint64
}

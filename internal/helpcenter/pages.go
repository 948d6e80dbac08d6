package helpcenter

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"parley"
	"parley/internal/assets"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/knowledge/markdown"
)

//go:embed templates help.css
var files embed.FS

// templates are the pages, without the texts of articles.
var templates = template.Must(template.ParseFS(files, "templates/*.html"))

const (
	// homeTime is how long a home page is kept: the most read articles change
	// without an event.
	homeTime = 5 * time.Minute
	// pageTime is how long other pages are kept; the form of a vote is valid for
	// longer.
	pageTime = 12 * time.Hour
	// popularArticles and articlesOfCategory are how many articles the home page
	// shows.
	popularArticles    = 5
	articlesOfCategory = 6
	// articlesOnPage is how many articles a page of a category lists.
	articlesOnPage = 100
	// leastContents is the least headings that need a table of contents.
	leastContents = 3
	// uncategorized stands for articles without category in an address.
	uncategorized = "other"
	// readPage is how many articles one read returns.
	readPage = 500
)

// A pageID is what an address says about a page.
type pageID struct {
	center, language string
	rest             string // behind the language; "" for the home page
}

// A visit is what a page is rendered for.
type visit struct {
	keptCenter
	language parley.Language
	path     string // the address of the page
	voted    bool   // the reader has voted, and is thanked
}

// home returns the address of the center's home page in a language.
func (v *visit) home(language parley.Language) string {
	return "/help/" + v.Slug + "/" + string(language)
}

// fallback is the language of articles that are missing in the visit's.
func (v *visit) fallback() parley.Language { return v.Languages[0] }

// filter selects the center's articles in a language.
func (v *visit) filter(language parley.Language) knowledge.PublishedFilter {
	return knowledge.PublishedFilter{ProductID: v.ProductID, Language: language}
}

// A maker renders a page.
type maker func(ctx context.Context, s *Site, v *visit) (*page, error)

// page answers with the page of an address, in the state of its workspace's
// generation.
func (s *Site) page(w http.ResponseWriter, r *http.Request, at pageID, by maker) error {
	center, err := s.center(r.Context(), at.center)
	if err != nil {
		return err
	}
	language, ok := parley.ParseLanguage(at.language)
	if !ok || !slices.Contains(center.Languages, language) {
		return errNoPage
	}
	v := visit{keptCenter: center, language: language}
	v.path = v.home(language)
	if at.rest != "" {
		v.path += "/" + at.rest
	}
	if string(language) != at.language {
		return moved(w, r, v.path)
	}
	if v.voted = thanked(r); v.voted {
		v.path += votedMark
	}
	p, err := s.rendered(r.Context(), &v, by)
	if err == nil {
		s.send(w, r, p)
	}
	return err
}

// A rendering is a page in a generation.
type rendering struct {
	path       string
	generation int64 // no two workspaces have the same
}

// rendered returns a kept page, or renders it for all who ask for it now.
func (s *Site) rendered(ctx context.Context, v *visit, by maker) (*page, error) {
	known := func(c *cache) *page {
		if p := c.get(v.path); p != nil && p.workspace == v.Workspace && p.generation == v.generation && s.o.Clock().Before(p.until) {
			return p
		}
		return nil
	}
	p := cmp.Or(known(s.pages), known(s.misses), known(s.maps))
	if p == nil {
		var err error
		p, err = s.renders.do(ctx, rendering{v.path, v.generation}, func(ctx context.Context) (*page, error) {
			if p := cmp.Or(known(s.pages), known(s.maps)); p != nil { // somebody rendered it just before
				return p, nil
			}
			return s.make(ctx, v, by)
		})
		if err != nil {
			return nil, err
		}
	}
	if p.missing {
		return nil, errNoPage
	}
	return p, nil
}

// make renders a page and keeps it, or that there is none.
func (s *Site) make(ctx context.Context, v *visit, by maker) (*page, error) {
	p, err := httpjson.InTurn(ctx, s.o.Turns, httpjson.Asker{Workspace: v.Workspace}, func(ctx context.Context) (*page, error) { return by(ctx, s, v) })
	keep := s.pages
	if parley.KindOf(err) == parley.NotFound {
		p, err, keep = &page{until: s.o.Clock().Add(pageTime), missing: true, size: pageBytes}, nil, s.misses
	}
	if err != nil {
		return nil, err
	}
	if p.sitemap {
		keep = s.maps
	}
	s.made.Add(1)
	p.path, p.workspace, p.generation = v.path, v.Workspace, v.generation
	keep.put(p)
	return p, nil
}

// A document is what the templates show.
type document struct {
	Texts               texts
	Language            parley.Language
	Direction           string // "rtl" or "ltr"
	Center              string // its title
	Home                string // address
	Title               string // of the page; "" on the home page
	Description         string
	Style, Colors, Icon string // addresses
	Canonical           string
	Alternates          []alternate // the page in its languages, for search engines
	Languages           []alternate // the page in all languages, for readers
	NoIndex             bool
	Query               string

	Popular    []entry    // home page
	Categories []category // home page; one on a category's page
	Pages      *paging    // of a category; nil for one page
	Article    *article
	Results    []entry // of a search
	Reason     string  // of a refused request
	Back       string  // address of the article from which that came; "" for none
}

// An alternate is a page in another language.
type alternate struct {
	Language string // or "x-default"
	Name     string // of the language, in itself
	Address  string
	Current  bool
}

// An entry is an article in a list.
type entry struct {
	Title       string
	Description string
	Address     string
	Language    parley.Language // if it differs from the page's, else ""
	sorted      string          // the title, folded
	fallback    bool            // it is in the fallback too
	category    parley.ID
	id          parley.ID
}

// A category is a heading with articles.
type category struct {
	Name     string
	Address  string
	Articles []entry
	More     int // how many more are on its page
}

// A paging leads to the other pages of a list.
type paging struct {
	Label          string // which page this is
	Previous, Next string // addresses; "" at the ends
}

// An article is the text of an article page.
type article struct {
	Title       string
	Description string
	Language    parley.Language // if it differs from the page's, else ""
	Fallback    string          // says in which language the text is; "" for the page's
	Published   time.Time       // in UTC
	Body        template.HTML
	Contents    []markdown.Heading
	Category    category
	Yes, No     string // addresses of votes; "" if the reader has voted
}

// document returns what all pages of a center show.
func (s *Site) document(v *visit) *document {
	d := &document{
		Texts: textsOf(v.language), Language: v.language, Direction: directionOf(v.language), Center: v.Title, Home: v.home(v.language),
		Style: stylesheet, Colors: colorsPath(v.Color), Icon: iconPath(v.Color), Canonical: s.origin + strings.TrimSuffix(v.path, votedMark),
	}
	tail := strings.TrimPrefix(strings.TrimSuffix(v.path, votedMark), d.Home)
	for _, language := range v.Languages {
		d.Languages = append(d.Languages, alternate{string(language), nameOf(language), v.home(language) + tail, language == v.language})
	}
	return d
}

// alternates names the page's address in some of the help center's languages, and
// as the default that in the first of them, which is the same on each page.
func (s *Site) alternates(d *document, languages []parley.Language) {
	for _, a := range d.Languages {
		if slices.Contains(languages, parley.Language(a.Language)) {
			a.Address = s.origin + a.Address
			d.Alternates = append(d.Alternates, a)
		}
	}
	if len(d.Alternates) > 0 {
		d.Alternates = append(d.Alternates, alternate{Language: "x-default", Address: d.Alternates[0].Address})
	}
}

// render makes a page of a document.
func (s *Site) render(d *document, name string, lasts time.Duration) (*page, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, d); err != nil {
		return nil, err
	}
	return s.pageOf("page.html", b.Bytes(), lasts), nil
}

// pageOf makes a page of a file.
func (s *Site) pageOf(name string, text []byte, lasts time.Duration) *page {
	return &page{until: s.o.Clock().Add(lasts), file: assets.New(name, text), size: len(text) + len(text)/3 + pageBytes}
}

// articlePage renders an article, in the visit's language if it has a text in
// it. A former slug leads to the current one.
func articlePage(slug string) maker {
	return func(ctx context.Context, s *Site, v *visit) (*page, error) {
		published, err := s.o.Knowledge.PublishedArticle(v.Workspace, v.ProductID, slug).Now(ctx)
		if err != nil {
			return nil, err
		}
		text := chooseText(published, v)
		if text == nil {
			return nil, errNoPage
		}
		if text.Slug != slug {
			return &page{until: s.o.Clock().Add(pageTime), moved: v.home(v.language) + "/" + text.Slug, size: pageBytes}, nil
		}
		d := s.document(v)
		a, err := s.article(ctx, v, text)
		if err != nil {
			return nil, err
		}
		d.Title, d.Description, d.Article = text.Title, text.Description, a
		d.NoIndex = v.voted
		d.Canonical = s.origin + v.home(text.Language) + "/" + text.Slug
		var languages []parley.Language
		for i := range published {
			languages = append(languages, published[i].Language)
		}
		s.alternates(d, languages)
		p, err := s.render(d, "article.html", pageTime)
		if err == nil && !v.voted {
			p.shown = readText{text.ArticleID, text.Language}
		}
		return p, err
	}
}

// chooseText returns the text in the visit's language, in the fallback, or in
// the first of the center's languages that has one.
func chooseText(published []parley.PublishedText, v *visit) *parley.PublishedText {
	for _, language := range slices.Concat([]parley.Language{v.language}, v.Languages) {
		for i := range published {
			if published[i].Language == language {
				return &published[i]
			}
		}
	}
	return nil
}

// article returns what an article page shows of a text.
func (s *Site) article(ctx context.Context, v *visit, text *parley.PublishedText) (*article, error) {
	rendered := markdown.Render(text.Body, v.home(v.language)+"/")
	a := &article{
		Title: text.Title, Description: text.Description, Published: text.PublishedAt.UTC(),
		Body: template.HTML(rendered.HTML), //nolint:gosec // the renderer's result needs no escaping
	}
	if len(rendered.Headings) >= leastContents {
		a.Contents = rendered.Headings
	}
	if text.Language != v.language {
		a.Language = text.Language
		a.Fallback = textsOf(v.language).fallback(nameOf(text.Language))
	}
	if !v.voted {
		a.Yes, a.No = s.voteAddresses(v, text)
	}
	if text.CategoryID.IsZero() {
		return a, nil
	}
	all, err := s.o.Knowledge.Categories(v.Workspace).Now(ctx)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if c := &all[i]; c.ID == text.CategoryID && (c.ProductID.IsZero() || c.ProductID == v.ProductID) {
			a.Category = category{Name: categoryName(c, v), Address: v.home(v.language) + "/category/" + c.ID.String()}
		}
	}
	return a, nil
}

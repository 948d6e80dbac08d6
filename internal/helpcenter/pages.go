package helpcenter

import (
	"bytes"
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

// rendered returns a kept page, or renders it.
func (s *Site) rendered(ctx context.Context, v *visit, by maker) (*page, error) {
	known := func() *page {
		if p := s.cache.get(v.path); p != nil && p.workspace == v.Workspace && p.generation == v.generation && s.o.Clock().Before(p.until) {
			return p
		}
		return nil
	}
	if p := known(); p != nil {
		return p, nil
	}
	leave, first, err := s.cache.enter(ctx, v.path)
	if err != nil {
		return nil, err
	}
	defer leave()
	if p := known(); !first && p != nil {
		return p, nil
	}
	p, err := httpjson.InTurn(ctx, s.o.Turns, httpjson.Asker{Workspace: v.Workspace}, func(ctx context.Context) (*page, error) { return by(ctx, s, v) })
	if err != nil {
		return nil, err
	}
	s.cache.renders.Add(1)
	p.path, p.workspace, p.generation = v.path, v.Workspace, v.generation
	s.cache.put(p)
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
	Article    *article
	Results    []entry // of a search
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
	category    parley.ID
	id          parley.ID
	publishedAt time.Time
}

// A category is a heading with articles.
type category struct {
	Name     string
	Address  string
	Articles []entry
	More     int // how many more are on its page
}

// An article is the text of an article page.
type article struct {
	Title       string
	Description string
	Language    parley.Language // if it differs from the page's, else ""
	Fallback    string          // says in which language the text is; "" for the page's
	Published   string          // the date, as 2006-01-02
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

// alternates names the page's address in the languages in which it exists.
func (s *Site) alternates(v *visit, d *document, languages []parley.Language, fallback string) {
	for _, a := range d.Languages {
		if slices.Contains(languages, parley.Language(a.Language)) {
			a.Address = s.origin + a.Address
			d.Alternates = append(d.Alternates, a)
		}
	}
	d.Alternates = append(d.Alternates, alternate{Language: "x-default", Address: s.origin + fallback})
}

// render makes a page of a document.
func (s *Site) render(d *document, name string, lasts time.Duration) (*page, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, d); err != nil {
		return nil, err
	}
	return &page{until: s.o.Clock().Add(lasts), file: assets.New("page.html", b.Bytes()), size: b.Len() + b.Len()/3 + pageBytes}, nil
}

// entries returns the articles of a center in the visit's language, and those
// that exist only in the fallback, sorted by title.
func (s *Site) entries(ctx context.Context, v *visit) ([]entry, error) {
	var all []entry
	seen := map[parley.ID]bool{}
	languages := []parley.Language{v.language}
	if v.fallback() != v.language {
		languages = append(languages, v.fallback())
	}
	for _, language := range languages {
		err := s.heads(ctx, v, language, func(p *parley.PublishedText) {
			if seen[p.ArticleID] {
				return
			}
			seen[p.ArticleID] = true
			e := entry{
				Title: p.Title, Description: p.Description, Address: v.home(v.language) + "/" + p.Slug,
				category: p.CategoryID, id: p.ArticleID, publishedAt: p.PublishedAt,
			}
			if language != v.language {
				e.Language = language
			}
			all = append(all, e)
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b entry) int { return strings.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title)) })
	return all, nil
}

// heads passes the center's articles in a language to each.
func (s *Site) heads(ctx context.Context, v *visit, language parley.Language, each func(p *parley.PublishedText)) error {
	var after parley.Position
	for {
		read, err := s.o.Knowledge.PublishedHeads(v.Workspace, v.filter(language), after, readPage).Now(ctx)
		if err != nil {
			return err
		}
		for i := range read.Items {
			each(&read.Items[i])
		}
		if !read.HasMore {
			return nil
		}
		after = read.Next
	}
}

// categories returns the categories that have articles, with these.
func (s *Site) categories(ctx context.Context, v *visit, entries []entry) ([]category, error) {
	all, err := s.o.Knowledge.Categories(v.Workspace).Now(ctx)
	if err != nil {
		return nil, err
	}
	byID := map[parley.ID][]entry{}
	for _, e := range entries {
		byID[e.category] = append(byID[e.category], e)
	}
	var shown []category
	for i := range all {
		c := &all[i]
		if !c.ProductID.IsZero() && c.ProductID != v.ProductID || len(byID[c.ID]) == 0 {
			continue
		}
		shown = append(shown, category{Name: categoryName(c, v), Address: v.home(v.language) + "/category/" + c.ID.String(), Articles: byID[c.ID]})
		delete(byID, c.ID)
	}
	var rest []entry
	for _, e := range entries {
		if byID[e.category] != nil { // it has no category of this product
			rest = append(rest, e)
		}
	}
	if len(rest) > 0 {
		t := textsOf(v.language)
		name := t.Other
		if len(shown) == 0 {
			name = t.Articles
		}
		shown = append(shown, category{Name: name, Address: v.home(v.language) + "/category/" + uncategorized, Articles: rest})
	}
	return shown, nil
}

// categoryName returns a category's name in the visit's language, in a related
// one, in the fallback, or in the first by name.
func categoryName(c *parley.ArticleCategory, v *visit) string {
	for _, language := range []parley.Language{v.language, v.language.Base(), v.fallback(), v.fallback().Base()} {
		if name := c.Names[language]; name != "" {
			return name
		}
	}
	var languages []parley.Language
	for language := range c.Names {
		languages = append(languages, language)
	}
	if len(languages) == 0 {
		return ""
	}
	return c.Names[slices.Min(languages)]
}

// homePage renders categories and popular articles.
func homePage(ctx context.Context, s *Site, v *visit) (*page, error) {
	entries, err := s.entries(ctx, v)
	if err != nil {
		return nil, err
	}
	categories, err := s.categories(ctx, v, entries)
	if err != nil {
		return nil, err
	}
	for i := range categories {
		if c := &categories[i]; len(categories) > 1 && len(c.Articles) > articlesOfCategory {
			c.More = len(c.Articles)
			c.Articles = c.Articles[:articlesOfCategory]
		}
	}
	popular, err := s.o.Knowledge.PopularArticles(v.Workspace, v.filter(v.language), popularArticles).Now(ctx)
	if err != nil {
		return nil, err
	}
	d := s.document(v)
	for _, id := range popular {
		if i := slices.IndexFunc(entries, func(e entry) bool { return e.id == id }); i >= 0 {
			d.Popular = append(d.Popular, entries[i])
		}
	}
	d.Categories = categories
	s.alternates(v, d, v.Languages, "/help/"+v.Slug)
	return s.render(d, "home.html", homeTime)
}

// categoryPage renders all articles of a category.
func categoryPage(id string) maker {
	return func(ctx context.Context, s *Site, v *visit) (*page, error) {
		entries, err := s.entries(ctx, v)
		if err != nil {
			return nil, err
		}
		categories, err := s.categories(ctx, v, entries)
		if err != nil {
			return nil, err
		}
		address := v.home(v.language) + "/category/" + id
		i := slices.IndexFunc(categories, func(c category) bool { return c.Address == address })
		if i < 0 {
			return nil, errNoPage
		}
		d := s.document(v)
		d.Title, d.Categories = categories[i].Name, categories[i:i+1]
		s.alternates(v, d, v.Languages, v.home(v.fallback())+"/category/"+id)
		return s.render(d, "category.html", pageTime)
	}
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
		fallback := text.Language
		if slices.Contains(languages, v.fallback()) {
			fallback = v.fallback()
		}
		s.alternates(v, d, languages, v.home(fallback)+"/"+text.Slug)
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
		Title: text.Title, Description: text.Description, Published: text.PublishedAt.UTC().Format(time.DateOnly),
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

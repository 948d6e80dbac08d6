package helpcenter

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"parley"
	"parley/internal/fulltext"
)

// entries returns the articles of a center in the visit's language, and those
// that exist only in the fallback, sorted by title.
func (s *Site) entries(ctx context.Context, v *visit) ([]entry, error) {
	var all []entry
	seen := map[parley.ID]int{} // in all
	languages := []parley.Language{v.language}
	if v.fallback() != v.language {
		languages = append(languages, v.fallback())
	}
	for _, language := range languages {
		err := s.heads(ctx, v, language, func(p *parley.PublishedText) {
			if at, ok := seen[p.ArticleID]; ok {
				all[at].fallback = true
				return
			}
			seen[p.ArticleID] = len(all)
			e := entry{
				sorted:   fulltext.Fold(p.Title),
				fallback: language == v.fallback(),
				Title:    p.Title, Description: p.Description, Address: v.home(v.language) + "/" + p.Slug,
				category: p.CategoryID, id: p.ArticleID,
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
	slices.SortStableFunc(all, func(a, b entry) int { return strings.Compare(a.sorted, b.sorted) })
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
	s.alternates(d, v.Languages)
	d.Alternates[len(d.Alternates)-1].Address = s.origin + "/help/" + v.Slug // which chooses
	return s.render(d, "home.html", homeTime)
}

// categoryPage renders the articles of a category, articlesOnPage at a time.
func categoryPage(id string, number int) maker {
	return func(ctx context.Context, s *Site, v *visit) (*page, error) {
		shown, err := s.category(ctx, v, id)
		if err != nil {
			return nil, err
		}
		pages := (len(shown.Articles) + articlesOnPage - 1) / articlesOnPage
		if number > pages {
			return nil, errNoPage
		}
		d := s.document(v)
		d.Pages = pagesOf(v, shown.Address, number, pages)
		languages := v.Languages
		if !slices.ContainsFunc(shown.Articles, func(e entry) bool { return e.fallback }) {
			if languages, err = s.languagesOf(ctx, v, id); err != nil {
				return nil, err
			}
		}
		shown.Articles = shown.Articles[(number-1)*articlesOnPage : min(number*articlesOnPage, len(shown.Articles))]
		d.Title, d.Categories = shown.Name, []category{shown}
		for i := range d.Languages {
			switch language := parley.Language(d.Languages[i].Language); {
			case !slices.Contains(languages, language):
				d.Languages[i].Address = v.home(language)
			case number > 1: // the category may have fewer pages there
				d.Languages[i].Address = v.home(language) + "/category/" + id
			}
		}
		if number == 1 {
			s.alternates(d, languages)
		}
		return s.render(d, "category.html", pageTime)
	}
}

// pagesOf returns where a list's other pages are; none if it has one page. The
// first page has no number in its address.
func pagesOf(v *visit, address string, number, pages int) *paging {
	if pages == 1 {
		return nil
	}
	at := func(n int) string {
		switch {
		case n < 1 || n > pages:
			return ""
		case n == 1:
			return address
		}
		return address + "/" + strconv.Itoa(n)
	}
	return &paging{Label: textsOf(v.language).pageOf(number, pages), Previous: at(number - 1), Next: at(number + 1)}
}

// category returns a category that has articles for the visit's language.
func (s *Site) category(ctx context.Context, v *visit, id string) (category, error) {
	entries, err := s.entries(ctx, v)
	if err != nil {
		return category{}, err
	}
	categories, err := s.categories(ctx, v, entries)
	if err != nil {
		return category{}, err
	}
	address := v.home(v.language) + "/category/" + id
	i := slices.IndexFunc(categories, func(c category) bool { return c.Address == address })
	if i < 0 {
		return category{}, errNoPage
	}
	return categories[i], nil
}

// languagesOf returns the languages with a page about a category of whose
// articles none is in the fallback.
func (s *Site) languagesOf(ctx context.Context, v *visit, id string) ([]parley.Language, error) {
	var languages []parley.Language
	for _, language := range v.Languages {
		other := *v
		other.language = language
		_, err := s.category(ctx, &other, id)
		if err != nil && parley.KindOf(err) != parley.NotFound {
			return nil, err
		}
		if err == nil {
			languages = append(languages, language)
		}
	}
	return languages, nil
}

package answering

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"parley"
	"parley/internal/bot/prompt"
	"parley/internal/knowledge"
	"parley/internal/knowledge/answers"
	"parley/internal/knowledge/markdown"
	"parley/internal/knowledge/ranking"
)

const (
	// maxArticles is how many articles a model reads.
	maxArticles = 5
	// maxHits is how many hits a search returns, likely or not.
	maxHits = 8
	// maxArticle is how many characters of an article a model reads; the
	// sections that fit the question best.
	maxArticle = 5000
	// maxLinks is how many links of an article a model reads.
	maxLinks = 20
)

// retrieve finds the published articles that probably answer the question: in
// the language of the customer, in that of the page, or in the default one.
// A question that says nothing alone is asked together with the one before,
// unless it has a word that no article has: then it is about something else. What
// is likely is decided by words; embeddings may only change the order.
func (w *work) retrieve(ctx context.Context) ([]parley.ArticleHit, error) {
	strange := false
	for _, text := range []string{w.talk.query(), w.talk.followUp()} {
		if text == "" || strange {
			continue
		}
		asked := map[parley.Language]bool{}
		for _, language := range []parley.Language{w.talk.language, w.q.Language, ""} {
			if asked[language] {
				continue
			}
			found, err := w.o.Articles.Search(w.q.Workspace, answers.Query{
				ProductID: w.q.Product, Language: language, Text: text, Limit: maxHits, TellStrange: w.missed == nil,
			}).Now(ctx)
			if err != nil {
				return nil, err
			}
			asked[language], asked[found.Language] = true, true
			if w.missed == nil && found.Language != "" {
				strange = found.Strange
				w.missed = &knowledge.Miss{ProductID: w.q.Product, Language: found.Language, Words: found.Words, Question: text, Source: parley.GapBot}
			}
			likely := slices.DeleteFunc(found.Hits, func(hit parley.ArticleHit) bool { return !hit.Likely })
			if len(likely) > 0 {
				w.asked = text
				likely, err = w.rerank(ctx, likely)
				return likely[:min(len(likely), maxArticles)], err
			}
		}
	}
	return nil, nil
}

// sources returns hits as sources, with their addresses.
func (w *work) sources(ctx context.Context, hits []parley.ArticleHit) ([]Source, error) {
	home, languages := "", []parley.Language(nil)
	if !w.q.Product.IsZero() && len(hits) > 0 {
		center, err := w.o.Knowledge.HelpCenter(w.q.Workspace, w.q.Product).Now(ctx)
		switch {
		case parley.KindOf(err) == parley.NotFound:
		case err != nil:
			return nil, err
		case center.Enabled:
			home, languages = "/help/"+center.Slug+"/", center.Languages
		}
	}
	all := make([]Source, len(hits))
	for i, hit := range hits {
		all[i] = Source{ArticleID: hit.ArticleID, Language: hit.Language, Version: hit.Version, Title: hit.Title, Slug: hit.Slug}
		if slices.Contains(languages, hit.Language) {
			all[i].Path = home + string(hit.Language) + "/" + hit.Slug
		}
	}
	return all, nil
}

// read returns the texts of hits as a model reads them, beside their sources. A
// text that is no longer what was found is left out.
func (w *work) read(ctx context.Context, hits []parley.ArticleHit, sources []Source) ([]prompt.Source, error) {
	var all []prompt.Source
	for i := range hits {
		text, err := w.text(ctx, &hits[i])
		if err != nil {
			return nil, err
		}
		if text != nil {
			all = append(all, prompt.Source{
				ID: text.ArticleID.String(), Title: text.Title, Text: excerpt(text, w.asked), Language: string(text.Language), URL: w.address(sources[i].Path),
			})
		}
	}
	return all, nil
}

// text returns the text of a hit, nil if it is no longer what was found. It reads
// each article once.
func (w *work) text(ctx context.Context, hit *parley.ArticleHit) (*parley.PublishedText, error) {
	texts, read := w.texts[hit.ArticleID]
	if !read {
		var err error
		if texts, err = w.o.Knowledge.PublishedTexts(w.q.Workspace, hit.ArticleID).Now(ctx); err != nil {
			return nil, err
		}
		w.texts[hit.ArticleID] = texts
	}
	for i := range texts {
		text := &texts[i]
		if text.Language == hit.Language && text.Version == hit.Version && (text.ProductID.IsZero() || text.ProductID == w.q.Product) {
			return text, nil
		}
	}
	return nil, nil
}

// address returns the address of a path, "" if it or the server's address is
// unknown.
func (w *work) address(path string) string {
	if path == "" || w.o.PublicURL == "" {
		return ""
	}
	return strings.TrimSuffix(w.o.PublicURL, "/") + path
}

// excerpt returns a text without its marks, with the addresses of its links. Of
// a long one it has the sections that fit a question best, in their order.
func excerpt(text *parley.PublishedText, question string) string {
	parts, documents := partsOf(text)
	length := 0
	for _, part := range parts {
		length += len(part)
	}
	chosen := make([]bool, len(parts))
	if length <= maxArticle {
		for i := range chosen {
			chosen[i] = true
		}
	} else {
		left := maxArticle
		for _, i := range inOrder(documents, question, string(text.Language)) {
			if len(parts[i]) <= left || left == maxArticle {
				chosen[i] = true
				left -= min(left, len(parts[i]))
			}
		}
	}
	var b strings.Builder
	b.WriteString(text.Description + "\n")
	for i, part := range parts {
		if chosen[i] {
			b.WriteString(characters(part, maxArticle) + "\n")
		}
	}
	links := markdown.Links(text.Body)
	for _, link := range links[:min(len(links), maxLinks)] {
		if strings.Contains(link.Address, ":") { // others lead to articles
			b.WriteString(link.Text + ": " + strings.TrimPrefix(link.Address, "mailto:") + "\n")
		}
	}
	return strings.TrimSpace(b.String())
}

// partsOf returns the sections of a text without their marks, and as documents for
// inOrder.
func partsOf(text *parley.PublishedText) ([]string, []ranking.Document) {
	sections := markdown.Sections(text.Body)
	parts := make([]string, len(sections))
	documents := make([]ranking.Document, len(sections))
	for i, section := range sections {
		parts[i] = strings.TrimSpace(strings.Join(section.Path, " – ") + "\n" + section.Text)
		documents[i] = ranking.Document{ID: indexID(i), Language: string(text.Language), Headings: section.Path, Body: section.Text}
	}
	return parts, documents
}

// inOrder returns the indexes of documents, those that fit a question first.
// Their ids are made by indexID.
func inOrder(documents []ranking.Document, question, language string) []int {
	found := make([]bool, len(documents))
	order := make([]int, 0, len(documents))
	for _, hit := range ranking.New(documents, language).Search(question, language, len(documents)).Hits {
		if i, err := strconv.Atoi(hit.ID); err == nil {
			found[i] = true
			order = append(order, i)
		}
	}
	for i, was := range found {
		if !was {
			order = append(order, i)
		}
	}
	return order
}

// indexID makes an id of an index. Ids sort as the indexes do.
func indexID(i int) string { return fmt.Sprintf("%06d", i) }

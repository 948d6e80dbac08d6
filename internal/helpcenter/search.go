package helpcenter

import (
	"bytes"
	"context"
	"net/http"
	"slices"

	"parley"
	"parley/internal/httpjson"
	"parley/internal/knowledge/answers"
)

const (
	// maxQuery is the most characters of a query.
	maxQuery = 200
	// maxResults is the most articles that a search shows, and fewResults with how
	// few the fallback language is searched too.
	maxResults = 10
	fewResults = 3
	// maxBehind is how many times the score of an article the best one may have, if
	// it is to be shown: those beyond have one of many words in common.
	maxBehind = 4
)

// search answers with the articles that fit a query. Its page is not kept.
func (s *Site) search(w http.ResponseWriter, r *http.Request, at pageID) error {
	in := httpjson.NewReader(r)
	query := parley.OneLine(in.QueryText("q", maxQuery, true))
	if err := in.Err(); err != nil {
		return err
	}
	center, err := s.center(r.Context(), at.center)
	if err != nil {
		return err
	}
	v := visit{keptCenter: center, language: parley.Language(at.language)}
	if !slices.Contains(center.Languages, v.language) {
		return errNoPage
	}
	v.path = v.home(v.language) + "/search"
	d := s.document(&v)
	d.Title, d.Query, d.NoIndex = d.Texts.Search, query, true
	for i := range d.Languages { // the words of a query are in one language
		d.Languages[i].Address = v.home(parley.Language(d.Languages[i].Language))
	}
	if query != "" {
		if err := s.o.Answers.Ready(r.Context(), center.Workspace, center.ProductID); err != nil {
			return err
		}
		d.Results, err = httpjson.InTurn(r.Context(), s.o.Turns, httpjson.Asker{Workspace: center.Workspace}, func(ctx context.Context) ([]entry, error) {
			return s.results(ctx, &v, query)
		})
		if err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, "search.html", d); err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	if r.Method != http.MethodHead {
		_, _ = w.Write(b.Bytes()) // a reader who has left needs no results
	}
	return nil
}

// results searches the visit's language, and the fallback if that has few
// articles that fit.
func (s *Site) results(ctx context.Context, v *visit, query string) ([]entry, error) {
	var all []entry
	for _, language := range v.searched() {
		if len(all) >= fewResults {
			break
		}
		found, err := s.o.Answers.Search(v.Workspace, answers.Query{ProductID: v.ProductID, Language: language, Text: query, Limit: maxResults}).Now(ctx)
		if err != nil {
			return nil, err
		}
		for i := range found.Hits {
			h := &found.Hits[i]
			known := slices.ContainsFunc(all, func(e entry) bool { return e.id == h.ArticleID })
			if known || !slices.Contains(v.Languages, h.Language) || len(all) >= maxResults || h.Score*maxBehind < found.Hits[0].Score {
				continue
			}
			e := entry{Title: h.Title, Description: h.Description, Address: v.home(v.language) + "/" + h.Slug, id: h.ArticleID}
			if h.Language != v.language {
				e.Language = h.Language
			}
			all = append(all, e)
		}
	}
	return all, nil
}

// searched returns the languages whose articles are searched, the visit's first.
func (v *visit) searched() []parley.Language {
	if v.fallback() == v.language {
		return []parley.Language{v.language}
	}
	return []parley.Language{v.language, v.fallback()}
}

package helpcenter

import (
	"bytes"
	"context"
	"net/http"
	"slices"

	"parley"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
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
		found, err := httpjson.InTurn(r.Context(), s.o.Turns, httpjson.Asker{Workspace: center.Workspace}, func(ctx context.Context) (found, error) {
			return s.find(ctx, &v, query)
		})
		if err != nil {
			return err
		}
		if d.Results = found.entries; found.asked.Language != "" && r.Method == http.MethodGet && !crawls(r) {
			s.o.Recorder.Asked(center.Workspace, s.o.Clients.Address(r), found.asked, found.answered)
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

// found is the result of a search.
type found struct {
	entries  []entry
	asked    knowledge.Miss // without a language if there are no articles
	answered bool           // probably
}

// find searches the visit's language, and the fallback if that has few articles
// that fit.
func (s *Site) find(ctx context.Context, v *visit, query string) (found, error) {
	var all found
	for i, language := range v.searched() {
		if len(all.entries) >= fewResults {
			break
		}
		result, err := s.o.Answers.Search(v.Workspace, answers.Query{ProductID: v.ProductID, Language: language, Text: query, Limit: maxResults}).Now(ctx)
		if err != nil {
			return all, err
		}
		if i == 0 {
			all.asked = knowledge.Miss{ProductID: v.ProductID, Language: result.Language, Words: result.Words, Question: query, Source: parley.GapHelpCenter}
		}
		all.answered = all.answered || result.Answered()
		all.add(v, result.Hits)
	}
	return all, nil
}

// add adds the hits of a search that are not far behind the best.
func (all *found) add(v *visit, hits []parley.ArticleHit) {
	for i := range hits {
		h := &hits[i]
		known := slices.ContainsFunc(all.entries, func(e entry) bool { return e.id == h.ArticleID })
		if known || !slices.Contains(v.Languages, h.Language) || len(all.entries) >= maxResults || h.Score*maxBehind < hits[0].Score {
			continue
		}
		e := entry{Title: h.Title, Description: h.Description, Address: v.home(v.language) + "/" + h.Slug, id: h.ArticleID}
		if h.Language != v.language {
			e.Language = h.Language
		}
		all.entries = append(all.entries, e)
	}
}

// searched returns the languages whose articles are searched, the visit's first.
func (v *visit) searched() []parley.Language {
	if v.fallback() == v.language {
		return []parley.Language{v.language}
	}
	return []parley.Language{v.language, v.fallback()}
}

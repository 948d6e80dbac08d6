package knowledge

import (
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// ArticleFigures returns the figures of the articles that
// [Service.Articles] returns for the same place and limit without a filter.
func (svc *Service) ArticleFigures(ws parley.WorkspaceID, after parley.Position, limit int) desk.Read[parley.Page[parley.ArticleFigures]] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.Page[parley.ArticleFigures], error) {
		page, err := SelectArticles(v, ws, ArticleFilter{}, after, limit)
		if err != nil || len(page.Items) == 0 {
			return parley.Page[parley.ArticleFigures]{}, err
		}
		figures := parley.Page[parley.ArticleFigures]{HasMore: page.HasMore, Next: page.Next, Items: make([]parley.ArticleFigures, len(page.Items))}
		for i, a := range page.Items {
			figures.Items[i].ArticleID = a.ID
		}
		return figures, fillFigures(v, ws, figures.Items, svc.base.Clock().Add(-parley.FiguresPeriod))
	})
}

// fillFigures reads the figures of some articles, at least one; readers count
// since a time.
func fillFigures(v *store.View, ws parley.WorkspaceID, figures []parley.ArticleFigures, since time.Time) error {
	place := map[parley.ID]*parley.ArticleFigures{}
	ids := make([]parley.ID, len(figures))
	for i := range figures {
		ids[i] = figures[i].ArticleID
		place[ids[i]] = &figures[i]
	}
	authors, err := SelectTextAuthors(v, ws, ids)
	if err != nil {
		return err
	}
	counts, err := SelectFeedbackOf(v, ws, ids, since)
	if err != nil {
		return err
	}
	newest := map[parley.ID]time.Time{}
	for _, a := range authors {
		if a.UpdatedAt.After(newest[a.ArticleID]) {
			newest[a.ArticleID] = a.UpdatedAt
			place[a.ArticleID].UpdatedBy = a.Author
		}
	}
	for _, c := range counts {
		f := place[c.ArticleID]
		f.Shown, f.Helped, f.NotHelped = c.Shown, c.Helped, c.NotHelped
	}
	return nil
}

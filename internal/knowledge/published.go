package knowledge

import (
	"context"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// A PublishedFilter selects what the public may read: the articles of a product
// and those for all products, in one language.
type PublishedFilter struct {
	ProductID parley.ID // zero: only those for all products
	Language  parley.Language
}

// PublishedHeads returns what the public may read, oldest article first, without
// bodies and keywords.
func (svc *Service) PublishedHeads(ws parley.WorkspaceID, f PublishedFilter, after parley.Position, limit int) desk.Read[parley.Page[parley.PublishedText]] {
	return desk.View(svc.desk, func(v *store.View) (parley.Page[parley.PublishedText], error) {
		return SelectPublishedHeads(v, ws, f, after, limit)
	})
}

// Published is [Service.PublishedHeads] with bodies and keywords.
func (svc *Service) Published(ws parley.WorkspaceID, f PublishedFilter, after parley.Position, limit int) desk.Read[parley.Page[parley.PublishedText]] {
	return desk.View(svc.desk, func(v *store.View) (parley.Page[parley.PublishedText], error) {
		return SelectPublished(v, ws, f, after, limit)
	})
}

// PublishedByID returns those of some articles that the public may read, in no
// particular order, without bodies and keywords.
func (svc *Service) PublishedByID(ws parley.WorkspaceID, f PublishedFilter, articles []parley.ID) desk.Read[[]parley.PublishedText] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.PublishedText, error) {
		return SelectPublishedByID(v, ws, f, articles)
	})
}

// PublishedLanguages returns the languages in which the public may read articles
// of a product or for all products, sorted.
func (svc *Service) PublishedLanguages(ws parley.WorkspaceID, product parley.ID) desk.Read[[]parley.Language] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.Language, error) { return SelectPublishedLanguages(v, ws, product) })
}

// PublishedTexts returns the texts of an article that the public may read, sorted
// by language, with bodies and keywords. There are none of a draft, of an archived
// article, and of one that does not exist.
func (svc *Service) PublishedTexts(ws parley.WorkspaceID, article parley.ID) desk.Read[[]parley.PublishedText] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.PublishedText, error) { return SelectPublishedTexts(v, ws, article) })
}

// PublishedArticle returns the texts of the article that has a slug, or had it,
// in a help center: of its product or for all products. Texts name the current
// slug. An article that the public may not read there is NotFound.
func (svc *Service) PublishedArticle(ws parley.WorkspaceID, product parley.ID, slug string) desk.Read[[]parley.PublishedText] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.PublishedText, error) {
		return publishedArticle(v, ws, product, slug)
	})
}

func publishedArticle(v *store.View, ws parley.WorkspaceID, product parley.ID, slug string) ([]parley.PublishedText, error) {
	none := parley.NotFoundf("no such article in this help center")
	a, err := SelectArticleBySlug(v, ws, slug)
	if parley.KindOf(err) == parley.NotFound || err == nil && !a.ProductID.IsZero() && a.ProductID != product {
		return nil, none
	}
	if err != nil {
		return nil, err
	}
	texts, err := SelectPublishedTexts(v, ws, a.ID)
	if err == nil && len(texts) == 0 {
		err = none
	}
	return texts, err
}

// popularPeriod is the time whose readers make an article popular.
const popularPeriod = 30 * 24 * time.Hour

// PopularArticles returns at most limit articles that the public reads most, most
// read first. Those that nobody read lately are missing.
func (svc *Service) PopularArticles(ws parley.WorkspaceID, f PublishedFilter, limit int) desk.Read[[]parley.ID] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.ID, error) {
		return SelectPopularArticles(v, ws, f, svc.base.Clock().Add(-popularPeriod), limit)
	})
}

// ArticleFeedback returns the counts of an article's readers since a time, by
// language.
func (svc *Service) ArticleFeedback(ws parley.WorkspaceID, article parley.ID, since time.Time) desk.Read[[]parley.ArticleFeedback] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.ArticleFeedback, error) {
		return SelectArticleFeedback(v, ws, article, since)
	})
}

// AddFeedback adds counts of readers to today's. Those of articles and texts that
// are gone are dropped. It has no event.
func (svc *Service) AddFeedback(ctx context.Context, ws parley.WorkspaceID, counts []parley.ArticleFeedback) error {
	_, err := desk.Write(ctx, svc.desk, desk.Caller{Workspace: ws}, func(t *desk.Tx) (struct{}, error) {
		for _, f := range counts {
			f.Day = t.Now
			if err := AddArticleFeedback(t, t.WS, &f); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, nil
	})
	return err
}

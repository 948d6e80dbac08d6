package knowledge

import (
	"context"
	"maps"
	"slices"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
	"parley/internal/wire"
)

// Categories returns all categories in the order in which they are shown.
func (svc *Service) Categories(ws parley.WorkspaceID) desk.Read[[]parley.ArticleCategory] {
	return desk.View(svc.desk, func(v *store.View) ([]parley.ArticleCategory, error) { return SelectArticleCategories(v, ws) })
}

// NewCategory has the inputs of a new category.
type NewCategory struct {
	ProductID parley.ID                  // zero: for all products; it never changes
	Names     map[parley.Language]string // at least one
	Position  parley.Optional[int]       // absent: behind all others
}

func (c *checker) names(field string, given map[parley.Language]string) map[parley.Language]string {
	if len(given) == 0 || len(given) > parley.MaxArticleLanguages {
		c.fault(field, "name the category in 1 to 20 languages")
		return nil
	}
	kept := map[parley.Language]string{}
	for _, given := range slices.Sorted(maps.Keys(given)) {
		_, ok := parley.ParseLanguage(string(given))
		if !ok {
			c.fault(field, "have languages such as en or pt-BR as keys")
			return nil
		}
	}
	for language, name := range given {
		known, _ := parley.ParseLanguage(string(language))
		kept[known] = name
	}
	for _, language := range slices.Sorted(maps.Keys(kept)) {
		kept[language] = c.part(field, "the name in "+string(language), kept[language], 1, parley.MaxCategoryName)
	}
	return kept
}

func (c *checker) position(field string, given parley.Optional[int]) {
	if given.Has() && (given.Value < 0 || given.Value > parley.MaxCategoryPosition) {
		c.fault(field, "be an integer from 0 to 1000000")
	}
}

// CreateCategory adds a category. More than parley.MaxArticleCategories are a
// Conflict.
func (svc *Service) CreateCategory(ctx context.Context, by desk.Caller, in NewCategory) (parley.ArticleCategory, error) {
	var c checker
	in.Names = c.names("names", in.Names)
	c.position("position", in.Position)
	if err := c.err(); err != nil {
		return parley.ArticleCategory{}, err
	}
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ArticleCategory, error) { return addCategory(t, in) })
}

func addCategory(t *desk.Tx, in NewCategory) (parley.ArticleCategory, error) {
	category := parley.ArticleCategory{ID: t.IDs.New(t.Now), ProductID: in.ProductID, Names: in.Names, CreatedAt: t.Now, UpdatedAt: t.Now}
	if !in.ProductID.IsZero() {
		if _, err := t.Product(t.WS, in.ProductID); err != nil {
			return category, desk.Reference("productId", err)
		}
	}
	all, err := SelectArticleCategories(t, t.WS)
	if err != nil {
		return category, err
	}
	if len(all) >= parley.MaxArticleCategories {
		return category, parley.Errorf(parley.Conflict, "the workspace has %d categories of articles already; delete one first", len(all))
	}
	last := 0
	if len(all) > 0 {
		last = min(all[len(all)-1].Position+1, parley.MaxCategoryPosition)
	}
	category.Position = in.Position.Or(last)
	if err := InsertArticleCategory(t, t.WS, &category); err != nil {
		return category, err
	}
	t.Announce(parley.ArticleCategoryCreated, parley.ID{}, nil, wire.AppendArticleCategory(nil, &category))
	return category, nil
}

// CategoryChange is an update of a category. Absent fields stay unchanged.
type CategoryChange struct {
	Names    parley.Optional[map[parley.Language]string] // all of them
	Position parley.Optional[int]
}

// UpdateCategory changes a category.
func (svc *Service) UpdateCategory(ctx context.Context, by desk.Caller, id parley.ID, in CategoryChange) (parley.ArticleCategory, error) {
	var c checker
	if in.Names.Set {
		in.Names.Value = c.names("names", in.Names.Value)
	}
	c.position("position", in.Position)
	if err := c.err(); err != nil {
		return parley.ArticleCategory{}, err
	}
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ArticleCategory, error) {
		category, err := SelectArticleCategory(t, t.WS, id)
		if err != nil {
			return category, err
		}
		var changed []string
		if in.Names.Set && !maps.Equal(in.Names.Value, category.Names) {
			category.Names = in.Names.Value
			changed = append(changed, "names")
		}
		desk.Set(&changed, "position", &category.Position, in.Position)
		if len(changed) == 0 {
			return category, nil
		}
		category.UpdatedAt = t.Now
		if err := UpdateArticleCategory(t, t.WS, &category); err != nil {
			return category, err
		}
		t.Announce(parley.ArticleCategoryUpdated, parley.ID{}, changed, wire.AppendArticleCategory(nil, &category))
		return category, nil
	})
}

// categoryStep is how many articles one transaction takes out of a category that
// is deleted, so that no other write waits long: one transaction for 10,000 takes
// 0.8 seconds, one for as many as this 50 ms.
const categoryStep = 500

// DeleteCategory deletes a category and returns it. Its articles have none from
// then on, and an event each. A category with many articles is emptied in steps; if
// one fails, the category stays with the rest.
func (svc *Service) DeleteCategory(ctx context.Context, by desk.Caller, id parley.ID) (parley.ArticleCategory, error) {
	type step struct {
		category parley.ArticleCategory
		deleted  bool
	}
	for {
		made, err := desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (step, error) {
			category, err := SelectArticleCategory(t, t.WS, id)
			if err != nil {
				return step{}, err
			}
			if more, err := emptyCategory(t, id, categoryStep); err != nil || more {
				return step{category: category}, err
			}
			t.Announce(parley.ArticleCategoryDeleted, parley.ID{}, nil, wire.AppendID(nil, id))
			return step{category, true}, DeleteArticleCategory(t, t.WS, id)
		})
		if err != nil || made.deleted {
			return made.category, err
		}
	}
}

// emptyCategory takes articles out of a category, at most a page more than most,
// and reports whether there are more.
func emptyCategory(t *desk.Tx, id parley.ID, most int) (bool, error) {
	for taken := 0; taken < most; {
		page, err := articles(t, t.WS, ArticleFilter{CategoryID: parley.Some(id)}, parley.Position{}, parley.MaxLimit)
		if err != nil {
			return false, err
		}
		for i := range page.Items {
			a := &page.Items[i]
			a.CategoryID = parley.ID{}
			if err := announceUpdate(t, a, []string{"categoryId"}); err != nil {
				return false, err
			}
		}
		if !page.HasMore {
			return false, nil
		}
		taken += len(page.Items)
	}
	return true, nil
}

package knowledge

import (
	"slices"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// counted is how many texts of a language count when the language with the most
// is chosen.
const counted = 100

// Popular returns at most limit articles of a product and for all products, those
// that readers open most first, without bodies and keywords. They are in the
// reader's language, in its base, or else in the default language: the first of
// the product's help center, or the one with the most articles.
func (svc *Service) Popular(ws parley.WorkspaceID, f PublishedFilter, limit int) desk.Read[[]parley.PublishedText] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.PublishedText, error) {
		languages, err := SelectPublishedLanguages(v, ws, f.ProductID)
		if err != nil || len(languages) == 0 {
			return nil, err
		}
		if f.Language, err = readersLanguage(v, ws, f, languages); err != nil {
			return nil, err
		}
		popular, err := SelectPopularArticles(v, ws, f, svc.base.Clock().Add(-popularPeriod), limit)
		if err != nil {
			return nil, err
		}
		page, err := SelectPublishedHeads(v, ws, f, parley.Position{}, limit)
		if err != nil || len(popular) == 0 {
			return page.Items, err
		}
		read, err := SelectPublishedByID(v, ws, f, popular)
		slices.SortFunc(read, func(a, b parley.PublishedText) int {
			return slices.Index(popular, a.ArticleID) - slices.Index(popular, b.ArticleID)
		})
		for _, head := range page.Items {
			if len(read) < limit && !slices.Contains(popular, head.ArticleID) {
				read = append(read, head)
			}
		}
		return read, err
	})
}

// Readable returns the text of the article that has a slug, or had it, with its
// body, in the language that [Service.Popular] would choose of those of the
// article. An article that the public may not read for the product is NotFound.
func (svc *Service) Readable(ws parley.WorkspaceID, f PublishedFilter, slug string) desk.Read[parley.PublishedText] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.PublishedText, error) {
		texts, err := publishedArticle(v, ws, f.ProductID, slug)
		if parley.KindOf(err) == parley.NotFound {
			err = parley.NotFoundf("no such article")
		}
		if err != nil {
			return parley.PublishedText{}, err
		}
		languages := make([]parley.Language, len(texts))
		for i := range texts {
			languages[i] = texts[i].Language
		}
		language, err := preferred(v, ws, f, languages)
		if err == nil && language == "" && len(languages) > 1 {
			language, err = readersLanguage(v, ws, f, languages)
		}
		return texts[max(0, slices.Index(languages, language))], err
	})
}

// readersLanguage returns one of some languages, at least one.
func readersLanguage(v *store.View, ws parley.WorkspaceID, f PublishedFilter, languages []parley.Language) (parley.Language, error) {
	language, err := preferred(v, ws, f, languages)
	if err != nil || language != "" {
		return language, err
	}
	best, most := languages[0], 0
	for _, f.Language = range languages {
		page, err := SelectPublishedHeads(v, ws, f, parley.Position{}, counted)
		if err != nil {
			return "", err
		}
		if len(page.Items) > most {
			best, most = f.Language, len(page.Items)
		}
	}
	return best, nil
}

// preferred returns the reader's language, or one with the same base, or the
// first of the help center that is among some; else "".
func preferred(v *store.View, ws parley.WorkspaceID, f PublishedFilter, languages []parley.Language) (parley.Language, error) {
	if slices.Contains(languages, f.Language) {
		return f.Language, nil
	}
	if i := slices.IndexFunc(languages, func(l parley.Language) bool { return l.Base() == f.Language.Base() }); i >= 0 {
		return languages[i], nil
	}
	if f.ProductID.IsZero() {
		return "", nil
	}
	center, err := SelectHelpCenter(v, ws, f.ProductID)
	if parley.KindOf(err) == parley.NotFound {
		return "", nil
	}
	if i := slices.IndexFunc(center.Languages, func(l parley.Language) bool { return slices.Contains(languages, l) }); i >= 0 {
		return center.Languages[i], err
	}
	return "", err
}

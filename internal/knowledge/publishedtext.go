package knowledge

import (
	"slices"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// PublishedText returns the text of an article that the public may read in a
// language. If there is none, it is NotFound.
func (svc *Service) PublishedText(ws parley.WorkspaceID, id TextID) desk.Read[parley.PublishedText] {
	return desk.View(svc.desk, func(v *store.View) (parley.PublishedText, error) {
		texts, err := SelectPublishedTexts(v, ws, id.ArticleID)
		if err != nil {
			return parley.PublishedText{}, err
		}
		at := slices.IndexFunc(texts, func(t parley.PublishedText) bool { return t.Language == id.Language })
		if at < 0 {
			return parley.PublishedText{}, parley.NotFoundf("no such published article in this workspace")
		}
		return texts[at], nil
	})
}

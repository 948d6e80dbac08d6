package knowledge

import (
	"encoding/json"
	"slices"

	"parley"
)

// ChangesPublic reports whether what the public may read can have changed with
// an event. Changes of drafts and of working texts do not.
func ChangesPublic(e *parley.Event) bool {
	switch e.Type {
	case parley.ArticleDeleted, parley.ArticleCategoryUpdated, parley.ArticleCategoryDeleted,
		parley.HelpCenterCreated, parley.HelpCenterUpdated, parley.HelpCenterDeleted:
		return true
	case parley.ArticleUpdated:
	default: // among them new articles, which are drafts, and new categories, which are empty
		return false
	}
	if slices.Contains(e.Changed, "state") {
		return true
	}
	var a struct{ State parley.ArticleState }
	if err := json.Unmarshal(e.Data, &a); err != nil {
		return true
	}
	working := len(e.Changed) == 1 && e.Changed[0] == "texts" // whatever is published changes "publishedAt" too
	return a.State == parley.ArticlePublished && !working
}

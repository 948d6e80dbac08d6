package knowledge

import (
	"context"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// maxDrafted is how many articles a conversation shows that were drafted from it.
const maxDrafted = 20

// SetOrigin stores the conversation from which an article was drafted, instead of
// the one before, and returns it. It is not part of the article: neither the public
// nor a key reads it. It has no event. An article that does not exist, and a
// conversation that the caller may not see, are NotFound.
func (svc *Service) SetOrigin(ctx context.Context, by desk.Caller, article, conversation parley.ID) (parley.ID, error) {
	return desk.Write(ctx, svc.desk, by, func(t *desk.Tx) (parley.ID, error) {
		if _, err := SelectArticle(t, t.WS, article); err != nil {
			return parley.ID{}, err
		}
		if _, err := t.Conversation(t.Visibility, conversation); err != nil {
			return parley.ID{}, desk.Reference("conversationId", err)
		}
		return conversation, PutArticleOrigin(t, t.WS, article, conversation)
	})
}

// Origin returns the conversation from which an article was drafted; zero if there
// is none, if it was deleted, or if the reader may not see it. An article that does
// not exist is NotFound.
func (svc *Service) Origin(vis parley.Visibility, article parley.ID) desk.Read[parley.ID] {
	return desk.Snapshot(svc.desk, func(v *store.View) (parley.ID, error) {
		if _, err := SelectArticle(v, vis.Workspace(), article); err != nil {
			return parley.ID{}, err
		}
		id, err := SelectArticleOrigin(v, vis, article)
		if parley.KindOf(err) == parley.NotFound {
			err = nil
		}
		return id, err
	})
}

// Drafted returns at most 20 articles that were drafted from a conversation, oldest
// first. A conversation that the reader may not see has none.
func (svc *Service) Drafted(vis parley.Visibility, conversation parley.ID) desk.Read[[]parley.Article] {
	return desk.Snapshot(svc.desk, func(v *store.View) ([]parley.Article, error) {
		ids, err := SelectArticlesDrafted(v, vis, conversation, maxDrafted)
		var all []parley.Article
		for _, id := range ids {
			a, err := articleOf(v, vis.Workspace(), id)
			if err != nil {
				return nil, err
			}
			all = append(all, a)
		}
		return all, err
	})
}

package knowledge

import (
	"parley"
	"parley/internal/store"
)

// PutArticleOrigin stores the conversation from which an article was drafted,
// instead of the one before.
func PutArticleOrigin(tx store.Writer, ws parley.WorkspaceID, article, conversation parley.ID) error {
	return store.Exec(tx, ws, `INSERT INTO article_origins (workspace_id, article_id, conversation_id) VALUES ($1, $2, $3)
		ON CONFLICT (workspace_id, article_id) DO UPDATE SET conversation_id = $3`, article, conversation)
}

// SelectArticleOrigin returns the conversation from which an article was drafted.
// If there is none, or the reader may not see it, it is NotFound.
func SelectArticleOrigin(v store.Reader, vis parley.Visibility, article parley.ID) (parley.ID, error) {
	return store.One(v, vis, "origin", store.Only[parley.ID],
		`SELECT o.conversation_id FROM article_origins o JOIN conversations c ON c.workspace_id = o.workspace_id AND c.conversation_id = o.conversation_id
		WHERE VISIBLE(c) AND o.workspace_id = c.workspace_id AND o.article_id = $2`, article)
}

// SelectArticlesDrafted returns the articles that were drafted from a conversation,
// oldest first.
func SelectArticlesDrafted(v store.Reader, vis parley.Visibility, conversation parley.ID, limit int) ([]parley.ID, error) {
	return store.Many(v, vis, store.Only[parley.ID],
		"SELECT o.article_id FROM article_origins o WHERE OF_VISIBLE(o) AND o.conversation_id = $2 ORDER BY o.article_id LIMIT $3", conversation, limit)
}

// DeleteArticleOrigin deletes what is known of an article's origin.
func DeleteArticleOrigin(tx store.Writer, ws parley.WorkspaceID, article parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM article_origins WHERE workspace_id = $1 AND article_id = $2", article)
}

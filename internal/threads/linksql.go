package threads

import (
	"parley"
	"parley/internal/store"
)

// A link is two rows, one for each of its conversations, so that both are read the
// same way.

// InsertLink links two conversations. A link that is there already stays as it is.
func InsertLink(tx store.Writer, ws parley.WorkspaceID, l *Link) error {
	return store.Exec(tx, ws, `INSERT INTO conversation_links (workspace_id, conversation_id, other_id, member_id, created_at)
		VALUES ($1, $2, $3, $4, $5), ($1, $3, $2, $4, $5) ON CONFLICT DO NOTHING`, l.ConversationID, l.OtherID, string(l.MemberID), l.CreatedAt)
}

// Parts of the conversations $2 and $3.
const (
	partsOfOne   = "(SELECT p.conversation_id FROM conversations p WHERE p.workspace_id = $1 AND p.merged_into = $2)"
	partsOfOther = "(SELECT p.conversation_id FROM conversations p WHERE p.workspace_id = $1 AND p.merged_into = $3)"
)

// DeleteLink deletes the links between two conversations and their parts.
func DeleteLink(tx store.Writer, ws parley.WorkspaceID, id, other parley.ID) error {
	return store.Exec(tx, ws, `DELETE FROM conversation_links WHERE workspace_id = $1 AND (
		(conversation_id = $2 OR conversation_id IN `+partsOfOne+") AND (other_id = $3 OR other_id IN "+partsOfOther+`)
		OR (conversation_id = $3 OR conversation_id IN `+partsOfOther+") AND (other_id = $2 OR other_id IN "+partsOfOne+"))", id, other)
}

// SelectLinks returns the links of a conversation and of its parts, those to the youngest
// conversations first, also to such as the reader may not see.
func SelectLinks(v store.Reader, vis parley.Visibility, id parley.ID) ([]Link, error) {
	return store.Many(v, vis, func(r store.Row, l *Link) error {
		return r.Scan(&l.ConversationID, &l.OtherID, (*string)(&l.MemberID), &l.CreatedAt)
	}, `SELECT l.conversation_id, l.other_id, l.member_id, l.created_at FROM conversation_links l
		WHERE OF_VISIBLE(l) AND (l.conversation_id = $2 OR l.conversation_id IN `+partsOfOne+") ORDER BY l.other_id DESC LIMIT $3", id, 2*parley.MaxLinks*(1+parley.MaxParts))
}

// DeleteForsakenLinks deletes the links of conversations that are gone. Servers of the
// version before leave them.
func DeleteForsakenLinks(tx store.Writer, ws parley.WorkspaceID) error {
	return store.Exec(tx, ws, `DELETE FROM conversation_links WHERE workspace_id = $1 AND (
		NOT EXISTS (SELECT 1 FROM conversations c WHERE c.workspace_id = $1 AND c.conversation_id = conversation_links.conversation_id)
		OR NOT EXISTS (SELECT 1 FROM conversations c WHERE c.workspace_id = $1 AND c.conversation_id = conversation_links.other_id))`)
}

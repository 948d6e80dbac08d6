package drafts

import (
	"strings"

	"parley"
	"parley/internal/store"
)

const draftColumns = "conversation_id, member_id, content, private, attachment_ids, begun_id, version, created_at, updated_at"

func scanDraft(r store.Row, d *parley.Draft) error {
	var files string
	if err := r.Scan(&d.ConversationID, (*string)(&d.MemberID), &d.Content, &d.Private, &files, &d.BegunID, &d.Version, &d.CreatedAt, &d.UpdatedAt); err != nil {
		return err
	}
	for file := range strings.FieldsSeq(files) {
		if id, ok := parley.ParseID(file); ok {
			d.AttachmentIDs = append(d.AttachmentIDs, id)
		}
	}
	return nil
}

// PutDraft stores a draft in place of the one that its author has there.
func PutDraft(tx store.Writer, ws parley.WorkspaceID, d *parley.Draft) error {
	files := make([]string, len(d.AttachmentIDs))
	for i, id := range d.AttachmentIDs {
		files[i] = id.String()
	}
	return store.Exec(tx, ws, "INSERT INTO drafts (workspace_id, "+draftColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
		ON CONFLICT (workspace_id, member_id, conversation_id) DO UPDATE SET content = excluded.content, private = excluded.private,
		attachment_ids = excluded.attachment_ids, begun_id = excluded.begun_id, version = excluded.version, updated_at = excluded.updated_at`,
		d.ConversationID, d.MemberID, d.Content, d.Private, strings.Join(files, " "), d.BegunID, d.Version, d.CreatedAt, d.UpdatedAt)
}

// DeleteDraft deletes the draft of a member in a conversation.
func DeleteDraft(tx store.Writer, ws parley.WorkspaceID, member parley.UserID, conversation parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM drafts WHERE workspace_id = $1 AND member_id = $2 AND conversation_id = $3", member, conversation)
}

// SelectDraft returns the draft of a member in a conversation.
func SelectDraft(v store.Reader, vis parley.Visibility, member parley.UserID, conversation parley.ID) (parley.Draft, error) {
	return store.One(v, vis, "draft", scanDraft, "SELECT "+draftColumns+
		" FROM drafts d WHERE OF_VISIBLE(d) AND d.member_id = $2 AND d.conversation_id = $3", member, conversation)
}

// ofDrafts joins the conversations, which may be gone: a server of the version
// before deletes them without their drafts.
const ofDrafts = ` FROM drafts d JOIN conversations c ON c.workspace_id = d.workspace_id AND c.conversation_id = d.conversation_id
	WHERE d.workspace_id = $1 AND VISIBLE(c) AND `

const latestDrafts = " ORDER BY d.updated_at DESC, d.conversation_id DESC LIMIT $3"

// SelectDraftMarks returns the drafts of a member with their beginnings, the latest
// ones first.
func SelectDraftMarks(v store.Reader, vis parley.Visibility, member parley.UserID, limit int) ([]parley.DraftMark, error) {
	return store.Many(v, vis, func(r store.Row, m *parley.DraftMark) error {
		return r.Scan(&m.ConversationID, (*string)(&m.MemberID), &m.Preview, &m.Version, &m.CreatedAt)
	}, "SELECT d.conversation_id, d.member_id, substr(d.content, 1, $4), d.version, d.created_at"+ofDrafts+"d.member_id = $2"+latestDrafts,
		member, limit, parley.MaxPreview)
}

// SelectDraftsOfOthers returns which drafts the other members have, the latest ones
// first.
func SelectDraftsOfOthers(v store.Reader, vis parley.Visibility, member parley.UserID, limit int) ([]parley.DraftMark, error) {
	return store.Many(v, vis, func(r store.Row, m *parley.DraftMark) error {
		return r.Scan(&m.ConversationID, (*string)(&m.MemberID), &m.Version, &m.CreatedAt)
	}, "SELECT d.conversation_id, d.member_id, d.version, d.created_at"+ofDrafts+"d.member_id <> $2"+latestDrafts, member, limit)
}

// DeleteForsakenDrafts deletes the drafts whose conversation is gone or whose author
// has left. Servers of the version before leave them.
func DeleteForsakenDrafts(tx store.Writer, ws parley.WorkspaceID) error {
	return store.Exec(tx, ws, `DELETE FROM drafts WHERE workspace_id = $1 AND (
		NOT EXISTS (SELECT 1 FROM conversations c WHERE c.workspace_id = $1 AND c.conversation_id = drafts.conversation_id)
		OR NOT EXISTS (SELECT 1 FROM members m WHERE m.workspace_id = $1 AND m.member_id = drafts.member_id AND m.removed_at = 0))`)
}

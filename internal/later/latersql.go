package later

import (
	"encoding/json"

	"parley"
	"parley/internal/desk"
	"parley/internal/store"
)

// A Scheduled is a scheduled message as the store knows it.
type Scheduled struct {
	parley.ScheduledMessage
	Files  int       // its attachments when it was scheduled
	LastID parley.ID // the newest message that the author knew, or the conversation
	Epoch  string    // of the workspace at the author's last change
}

const columns = `s.scheduled_id, s.conversation_id, s.member_id, m.name, m.image, s.content, s.content_type, s.private, s.mentions,
	s.files, s.send_at, s.if_quiet, s.last_id, s.state, s.held_reason, s.epoch, s.version, s.created_at
	FROM scheduled_messages s JOIN members m ON m.workspace_id = s.workspace_id AND m.member_id = s.member_id`

func scan(r store.Row, s *Scheduled) error {
	var mentions string
	err := r.Scan(&s.ID, &s.ConversationID, (*string)(&s.Author.ID), &s.Author.Name, &s.Author.Image, &s.Content, (*string)(&s.ContentType), &s.Private, &mentions,
		&s.Files, &s.SendAt, &s.IfQuiet, &s.LastID, (*string)(&s.State), (*string)(&s.Held), &s.Epoch, &s.Version, &s.CreatedAt)
	if err != nil || mentions == "" {
		return err
	}
	return json.Unmarshal([]byte(mentions), &s.Mentions)
}

// InsertScheduled stores a new scheduled message without its files.
func InsertScheduled(tx store.Writer, ws parley.WorkspaceID, s *Scheduled) error {
	var mentions []byte
	if len(s.Mentions) > 0 {
		var err error
		if mentions, err = json.Marshal(s.Mentions); err != nil {
			return err
		}
	}
	return store.Exec(tx, ws, `INSERT INTO scheduled_messages (workspace_id, scheduled_id, conversation_id, member_id, content, content_type, private,
		files, send_at, if_quiet, last_id, state, held_reason, epoch, version, created_at, mentions)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
		s.ID, s.ConversationID, string(s.Author.ID), s.Content, string(s.ContentType), s.Private,
		s.Files, s.SendAt, s.IfQuiet, s.LastID, string(s.State), string(s.Held), s.Epoch, s.Version, s.CreatedAt, string(mentions))
}

// UpdateScheduled stores what can change of a scheduled message.
func UpdateScheduled(tx store.Writer, ws parley.WorkspaceID, s *Scheduled) error {
	return store.Exec(tx, ws, `UPDATE scheduled_messages SET content = $3, send_at = $4, if_quiet = $5, last_id = $6, state = $7, held_reason = $8,
		epoch = $9, version = $10 WHERE workspace_id = $1 AND scheduled_id = $2`,
		s.ID, s.Content, s.SendAt, s.IfQuiet, s.LastID, string(s.State), string(s.Held), s.Epoch, s.Version)
}

// updatePlace stores the conversation of a scheduled message, and its version.
func updatePlace(tx store.Writer, ws parley.WorkspaceID, s *Scheduled) error {
	return store.Exec(tx, ws, "UPDATE scheduled_messages SET conversation_id = $3, version = $4 WHERE workspace_id = $1 AND scheduled_id = $2",
		s.ID, s.ConversationID, s.Version)
}

// DeleteScheduled deletes a scheduled message.
func DeleteScheduled(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM scheduled_messages WHERE workspace_id = $1 AND scheduled_id = $2", id)
}

// SelectScheduled returns a scheduled message without its files.
func SelectScheduled(v store.Reader, vis parley.Visibility, id parley.ID) (Scheduled, error) {
	return store.One(v, vis, "scheduled message", scan, "SELECT "+columns+" WHERE OF_VISIBLE(s) AND s.scheduled_id = $2", id)
}

// SelectScheduledOf returns the scheduled messages of a conversation without their
// files, those first that are to be sent first. There are at most parley.MaxScheduled.
func SelectScheduledOf(v store.Reader, vis parley.Visibility, conversation parley.ID) ([]Scheduled, error) {
	return store.Many(v, vis, scan, "SELECT "+columns+" WHERE OF_VISIBLE(s) AND s.conversation_id = $2 ORDER BY s.send_at, s.scheduled_id", conversation)
}

// selectFiles returns the files that wait for scheduled messages, oldest first.
func selectFiles(v store.Reader, ws parley.WorkspaceID, scheduled []parley.ID) ([]desk.Attachment, error) {
	return store.Many(v, ws, desk.ScanAttachment, "SELECT "+desk.AttachmentColumns+
		" FROM attachments WHERE workspace_id = $1 AND scheduled_id IN ($2...) AND message_id IS NULL ORDER BY attachment_id", store.ListOf(scheduled))
}

// updateFile gives an unattached file to a scheduled message.
func updateFile(tx store.Writer, ws parley.WorkspaceID, file, scheduled parley.ID) error {
	return store.Exec(tx, ws, "UPDATE attachments SET scheduled_id = $3 WHERE workspace_id = $1 AND attachment_id = $2", file, scheduled)
}

// releaseFiles makes the files of a scheduled message those of none, as if they had been
// uploaded now.
func releaseFiles(tx store.Writer, ws parley.WorkspaceID, scheduled parley.ID, now int64) error {
	return store.Exec(tx, ws, "UPDATE attachments SET scheduled_id = NULL, created_at = $3 WHERE workspace_id = $1 AND scheduled_id = $2 AND message_id IS NULL", scheduled, now)
}

// selectWroteSince returns the first message that the customer wrote in a conversation
// after a message, or none.
func selectWroteSince(v store.Reader, vis parley.Visibility, conversation, message parley.ID) ([]parley.ID, error) {
	return store.Many(v, vis, store.Only[parley.ID], `SELECT g.message_id FROM messages g
		WHERE OF_VISIBLE(g) AND g.message_id > $3 AND (g.conversation_id = $2
			OR g.conversation_id IN (SELECT p.conversation_id FROM conversations p WHERE p.workspace_id = $1 AND p.merged_into = $2)) AND g.direction = 'incoming' ORDER BY g.message_id LIMIT 1`, conversation, message)
}

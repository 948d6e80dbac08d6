package store

import (
	"bytes"
	"encoding/json"
	"slices"

	"parley"
)

// MessageColumns are the columns of a message, from the tables of MessageTables.
const MessageColumns = `g.message_id, g.conversation_id, g.content, g.content_type, g.direction, g.status, g.private,
	g.sender_type, g.sender_member_id, g.sender_contact_id, g.error, g.attachments, g.agent, g.mentions, g.created_at,
	COALESCE(m.name, k.name, ''), COALESCE(m.image, k.avatar_url, '')`

// MessageTables are the tables that MessageColumns are read from.
const MessageTables = ` FROM messages g
	LEFT JOIN members m ON m.workspace_id = g.workspace_id AND m.member_id = g.sender_member_id
	LEFT JOIN contacts k ON k.workspace_id = g.workspace_id AND k.contact_id = g.sender_contact_id`

// addressFactor bounds the JSON of an attachment's URL as a multiple of its
// stored bytes: a file name can grow threefold in a URL, and signature and
// origin are shorter than the other stored fields.
const addressFactor = 6

func scanMessage(r row, m *parley.Message) error {
	var attachments, mentions string
	err := r.scan(&m.ID, &m.ConversationID, &m.Content, (*string)(&m.ContentType), (*string)(&m.Direction), (*string)(&m.Status),
		&m.Private, (*string)(&m.Sender.Type), (*string)(&m.Sender.MemberID), &m.Sender.ContactID, &m.Error, &attachments, (*string)(&m.Agent), &mentions, &m.CreatedAt,
		&m.Sender.Name, &m.Sender.Image)
	switch {
	case m.Sender.Type == parley.SenderBot:
		m.Sender.Name = parley.BotName
	case m.Sender.Type == parley.SenderAgent && m.Sender.MemberID == "":
		m.Sender.Name = parley.PhoneName
	}
	if err == nil {
		weigh(r, addressFactor*len(attachments))
		m.Attachments, err = parseAttachments(attachments)
	}
	if err != nil || mentions == "" {
		return err
	}
	return json.Unmarshal([]byte(mentions), &m.Mentions)
}

// InsertMessage stores a new message.
func (tx *Tx) InsertMessage(ws parley.WorkspaceID, m *parley.Message) error {
	attachments, err := attachmentsText(m.Attachments)
	if err != nil {
		return err
	}
	mentions, err := textsOf(m.Mentions)
	if err != nil {
		return err
	}
	return tx.exec(`INSERT INTO messages (workspace_id, conversation_id, message_id, content, content_type, direction, status,
		private, sender_type, sender_member_id, sender_contact_id, error, attachments, agent, mentions, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
		ws, m.ConversationID, m.ID, m.Content, string(m.ContentType), string(m.Direction), string(m.Status),
		m.Private, string(m.Sender.Type), m.Sender.MemberID, m.Sender.ContactID, m.Error, attachments, string(m.Agent), mentions, m.CreatedAt)
}

// UpdateMessageStatus stores the delivery status of a message and its error.
func (tx *Tx) UpdateMessageStatus(ws parley.WorkspaceID, m *parley.Message) error {
	return tx.exec(`UPDATE messages SET status = $4, error = $5
		WHERE workspace_id = $1 AND conversation_id = $2 AND message_id = $3`,
		ws, m.ConversationID, m.ID, string(m.Status), m.Error)
}

// Message returns a message that a conversation shows.
func (v *View) Message(vis parley.Visibility, conversation, id parley.ID) (parley.Message, error) {
	var c clause
	return one(v, "message", scanMessage, "SELECT "+MessageColumns+MessageTables+
		" WHERE "+c.visibleOf(vis, "g")+" AND g.message_id = "+c.arg(id)+" AND "+c.ofParts(vis, "g", c.arg(conversation)), c.args...)
}

// MessageByID returns a message in any conversation.
func (v *View) MessageByID(vis parley.Visibility, id parley.ID) (parley.Message, error) {
	var c clause
	return one(v, "message", scanMessage, "SELECT "+MessageColumns+MessageTables+
		" WHERE "+c.visibleOf(vis, "g")+" AND g.message_id = "+c.arg(id), c.args...)
}

// previewBytes is the most that a MessagePreview takes in JSON: six bytes for
// each character of its text, plus the other fields.
const previewBytes = 6*max(parley.MaxPreview, parley.MaxFileName) + 256

// MessagePreviews returns the newest message of each conversation that shows one,
// in no particular order. The two comparisons are an equality that PostgreSQL
// cannot hash, for which it would read all messages of the workspace.
func (v *View) MessagePreviews(vis parley.Visibility, conversations []parley.ID) ([]parley.MessagePreview, error) {
	if len(conversations) == 0 {
		return nil, nil
	}
	newest := func(conversation string) ([]parley.MessagePreview, error) {
		c := clause{args: []any{vis.Workspace(), parley.MaxPreview}}
		return many(v, scanMessagePreview, "SELECT c."+conversation+`, g.message_id, substr(g.content, 1, $2), g.content_type, g.direction,
			g.private, g.sender_type, g.attachments, g.created_at
			FROM (SELECT n.conversation_id, n.merged_into, (SELECT m.message_id FROM messages m
				WHERE m.workspace_id = $1 AND m.conversation_id = n.conversation_id ORDER BY m.message_id DESC LIMIT 1) AS newest
				FROM conversations n WHERE `+c.visible(vis, "n")+" AND n."+conversation+" IN ("+c.list(padded(ListOf(conversations)))+`)) c
			CROSS JOIN messages g WHERE g.workspace_id = $1
			AND (g.conversation_id, g.message_id) >= (c.conversation_id, c.newest) AND (g.conversation_id, g.message_id) <= (c.conversation_id, c.newest)`, c.args...)
	}
	previews, err := newest("conversation_id")
	if err != nil {
		return nil, err
	}
	ofParts, err := newest("merged_into")
	for _, p := range ofParts {
		at := slices.IndexFunc(previews, func(own parley.MessagePreview) bool { return own.ConversationID == p.ConversationID })
		switch {
		case at < 0:
			previews = append(previews, p)
		case bytes.Compare(previews[at].ID[:], p.ID[:]) < 0:
			previews[at] = p
		}
	}
	return previews, err
}

func scanMessagePreview(r row, p *parley.MessagePreview) error {
	var attachments string
	if err := r.scan(&p.ConversationID, &p.ID, &p.Text, (*string)(&p.ContentType), (*string)(&p.Direction),
		&p.Private, (*string)(&p.SenderType), &attachments, &p.CreatedAt); err != nil {
		return err
	}
	files, err := parseAttachments(attachments)
	p.Attachments = len(files)
	if p.Text == "" && len(files) > 0 {
		p.Text = files[0].FileName
	}
	return err
}

// LastMessage returns the id of the newest message that a conversation shows.
func (v *View) LastMessage(vis parley.Visibility, conversation parley.ID) (parley.ID, error) {
	var c clause
	own := "SELECT g.message_id FROM messages g WHERE " + c.visibleOf(vis, "g") + " AND g.conversation_id = " + c.arg(conversation)
	parts := `SELECT (SELECT g.message_id FROM messages g WHERE g.workspace_id = c.workspace_id AND g.conversation_id = c.conversation_id
		ORDER BY g.message_id DESC LIMIT 1) FROM conversations c WHERE ` + c.visible(vis, "c") + " AND c.merged_into = " + c.arg(conversation)
	return one(v, "message", func(r row, id *parley.ID) error { return r.scan(id) },
		"SELECT message_id FROM (SELECT * FROM ("+own+" ORDER BY g.message_id DESC LIMIT 1) AS own UNION ALL "+parts+
			") AS newest WHERE message_id IS NOT NULL ORDER BY message_id DESC LIMIT 1", c.args...)
}

// A MessageQuery selects messages of a conversation in a given order.
type MessageQuery struct {
	ConversationID parley.ID
	Order          parley.Order
	After          parley.Position // a position in that order
	From           parley.ID       // the first message, if After is zero
	Limit          int
}

// MessagesInOrder returns messages that a conversation shows in the given order, after
// a position or from a message on.
func (v *View) MessagesInOrder(vis parley.Visibility, q MessageQuery) (parley.Page[parley.Message], error) {
	behindIt := ">"
	if q.Order == parley.Descending {
		behindIt = "<"
	}
	s := messageSpan{conversation: q.ConversationID, descending: q.Order == parley.Descending, limit: q.Limit}
	switch {
	case !q.After.IsZero():
		s.bound, s.at = behindIt, q.After.ID
	case !q.From.IsZero():
		s.bound, s.at = behindIt+"=", q.From
	}
	return messagesIn(v, vis, s)
}

// Messages returns the newest messages before a position, oldest of them first.
// HasMore says that there are older ones, and Next is their position.
func (v *View) Messages(vis parley.Visibility, conversation parley.ID, before parley.Position, limit int) (parley.Page[parley.Message], error) {
	return messagesWhere(v, vis, conversation, before, limit)
}

// messagesWhere is [View.Messages] with additional conditions.
func messagesWhere(v *View, vis parley.Visibility, conversation parley.ID, before parley.Position, limit int, more ...string) (parley.Page[parley.Message], error) {
	s := messageSpan{conversation: conversation, descending: true, more: more, limit: limit}
	if !before.IsZero() {
		s.bound, s.at = "<", before.ID
	}
	p, err := messagesIn(v, vis, s)
	slices.Reverse(p.Items)
	return p, err
}

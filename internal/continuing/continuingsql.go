package continuing

import (
	"strings"
	"time"

	"parley"
	"parley/internal/store"
)

// A wait is how long a conversation must be quiet before its customer gets a mail.
type wait struct {
	conversation parley.ID
	after        time.Duration
}

// selectWaits returns those of some conversations whose inbox continues by mail.
func selectWaits(v store.Reader, vis parley.Visibility, ids []parley.ID) ([]wait, error) {
	return store.Many(v, vis, func(r store.Row, w *wait) error {
		var minutes int
		err := r.Scan(&w.conversation, &minutes)
		w.after = time.Duration(minutes) * time.Minute
		return err
	}, `SELECT c.conversation_id, COALESCE(s.continue_after, $2) FROM conversations c
		JOIN inboxes i ON i.workspace_id = c.workspace_id AND i.inbox_id = c.inbox_id
		LEFT JOIN widget_settings s ON s.workspace_id = c.workspace_id AND s.inbox_id = c.inbox_id
		WHERE VISIBLE(c) AND c.conversation_id IN ($3...) AND i.channel = 'web' AND COALESCE(s.continue_after, $2) > 0`,
		parley.ContinueAfter, store.ListOf(ids))
}

// A place is what decides about the mail of a conversation, besides its messages.
type place struct {
	inbox, contact, merged parley.ID
	spam                   bool
	channel                parley.Channel
	after                  time.Duration
	identity               parley.IdentityMode
	origin                 string    // of the inbox's first website; "" if it names none
	seen                   parley.ID // the last message that the customer has seen
	written                parley.ID // the last message of the customer
	mailed                 parley.ID // the last message that was mailed
	mailedAt               time.Time // when
}

// selectPlace returns the place of a conversation.
func selectPlace(v store.Reader, vis parley.Visibility, id parley.ID) (place, error) {
	return store.One(v, vis, "conversation", func(r store.Row, p *place) error {
		var minutes int
		var origins string
		err := r.Scan(&p.inbox, &p.contact, &p.merged, &p.spam, (*string)(&p.channel), &minutes, &origins, (*string)(&p.identity), &p.seen, &p.written, &p.mailed, &p.mailedAt)
		p.after = time.Duration(minutes) * time.Minute
		p.origin, _, _ = strings.Cut(origins, "\n")
		return err
	}, `SELECT c.inbox_id, c.contact_id, c.merged_into, c.spam, i.channel, COALESCE(s.continue_after, $2), COALESCE(s.origins, ''), COALESCE(s.identity, $4), c.customer_seen_id,
			(SELECT g.message_id FROM messages g WHERE g.workspace_id = c.workspace_id AND g.conversation_id = c.conversation_id AND g.direction = 'incoming'
				ORDER BY g.message_id DESC LIMIT 1), n.message_id, COALESCE(n.mailed_at, 0)
		FROM conversations c
		JOIN inboxes i ON i.workspace_id = c.workspace_id AND i.inbox_id = c.inbox_id
		LEFT JOIN widget_settings s ON s.workspace_id = c.workspace_id AND s.inbox_id = c.inbox_id
		LEFT JOIN continuations n ON n.workspace_id = c.workspace_id AND n.conversation_id = c.conversation_id
		WHERE VISIBLE(c) AND c.conversation_id = $3`, parley.ContinueAfter, id, string(parley.IdentityOptional))
}

// missed are the conditions on the messages of an absence.
const missed = store.MessageTables + ` WHERE OF_VISIBLE(g)
	AND (g.conversation_id = $2 OR g.conversation_id IN (SELECT p.conversation_id FROM conversations p WHERE p.workspace_id = $1 AND p.merged_into = $2)) AND g.message_id > $3 AND ($4 OR g.sender_member_id <> '')
	AND g.direction = 'outgoing' AND NOT g.private AND g.content_type <> 'system' AND g.status <> 'failed' ORDER BY g.message_id`

// selectMissed returns the first messages of the team in an absence.
func selectMissed(v store.Reader, vis parley.Visibility, a absence, limit int) ([]parley.Message, error) {
	return store.Many(v, vis, store.ScanMessage, "SELECT "+store.MessageColumns+missed+" LIMIT $5", a.conversation, a.after, !a.membersOnly, limit)
}

// selectLastMissed returns the last message of the team in an absence.
func selectLastMissed(v store.Reader, vis parley.Visibility, a absence) (parley.Message, error) {
	return store.One(v, vis, "message", store.ScanMessage, "SELECT "+store.MessageColumns+missed+" DESC LIMIT 1", a.conversation, a.after, !a.membersOnly)
}

// A continuation is up to which message the customer of a conversation was mailed.
type continuation struct {
	conversation, message, mail parley.ID
	at                          time.Time
}

// putContinuation inserts or replaces the continuation of a conversation.
func putContinuation(tx store.Writer, ws parley.WorkspaceID, c continuation) error {
	return store.Exec(tx, ws, `INSERT INTO continuations (workspace_id, conversation_id, message_id, mail_id, mailed_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (workspace_id, conversation_id) DO UPDATE SET message_id = $3, mail_id = $4, mailed_at = $5`, c.conversation, c.message, c.mail, c.at)
}

// insertTyped stores that an address which somebody typed got its mail.
func insertTyped(tx store.Writer, ws parley.WorkspaceID, toKey string, inbox parley.ID, at time.Time) error {
	return store.Exec(tx, ws, "INSERT INTO typed_mails (workspace_id, to_key, inbox_id, mailed_at) VALUES ($1, $2, $3, $4)", toKey, inbox, at)
}

// selectTyped reports whether an address that somebody typed got its mail.
func selectTyped(v store.Reader, ws parley.WorkspaceID, toKey string) (bool, error) {
	found, err := store.Many(v, ws, store.Only[string], "SELECT to_key FROM typed_mails WHERE workspace_id = $1 AND to_key = $2", toKey)
	return len(found) > 0, err
}

// countTyped returns how many addresses that somebody typed got a mail of an inbox since a
// time, up to a limit.
func countTyped(v store.Reader, ws parley.WorkspaceID, inbox parley.ID, since time.Time, limit int) (int, error) {
	found, err := store.Many(v, ws, store.Only[string],
		"SELECT to_key FROM typed_mails WHERE workspace_id = $1 AND inbox_id = $2 AND mailed_at > $3 LIMIT $4", inbox, since, limit)
	return len(found), err
}

// A link leads from a mail into a conversation.
type link struct {
	workspace             parley.WorkspaceID
	conversation, contact parley.ID
	toKey                 string
	expiresAt             time.Time
}

// insertLink stores a link with the hash of its token.
func insertLink(tx store.Writer, ws parley.WorkspaceID, hash [32]byte, l link) error {
	return store.Exec(tx, ws, `INSERT INTO return_links (workspace_id, token_hash, conversation_id, contact_id, to_key, expires_at)
		VALUES ($1, $2, $3, $4, $5, $6)`, hash[:], l.conversation, l.contact, l.toKey, l.expiresAt)
}

// selectLinkAcross returns the link of a token, in any workspace, unless it has expired.
func selectLinkAcross(v store.Reader, hash [32]byte, now time.Time) (link, error) {
	return store.OneAcross(v, "link", func(r store.Row, l *link) error {
		return r.Scan(&l.workspace, &l.conversation, &l.contact, &l.toKey, &l.expiresAt)
	}, "SELECT workspace_id, conversation_id, contact_id, to_key, expires_at FROM return_links WHERE token_hash = $1 AND expires_at > $2", hash[:], now)
}

// deleteExpiredLinks deletes the links that expired before a time.
func deleteExpiredLinks(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "DELETE FROM return_links WHERE workspace_id = $1 AND expires_at < $2", before)
}

package mail

import (
	"time"

	"parley"
	"parley/internal/store"
)

const mailColumns = `mail_id, kind, state, member_id, contact_id, invitation_id, conversation_id, attempts, problem,
	length(sealed) > 0 AND (state = 'failed' OR state = 'unknown' AND NOT once), created_at, ended_at`

func scanMail(r store.Row, m *parley.Mail) error {
	return r.Scan(&m.ID, (*string)(&m.Kind), (*string)(&m.State), (*string)(&m.MemberID), &m.ContactID, &m.InvitationID, &m.ConversationID,
		&m.Attempts, &m.Problem, &m.Resendable, &m.CreatedAt, &m.EndedAt)
}

// A row is a mail with what the server needs to send it.
type row struct {
	parley.Mail
	subjectKey string
	toKey      string
	once       bool
	unknowns   int
	sealed     []byte
	epoch      string
	queuedAt   time.Time
}

const rowColumns = mailColumns + ", subject_key, to_key, once, unknowns, sealed, epoch, queued_at"

func scanRow(r store.Row, m *row) error {
	return r.Scan(&m.ID, (*string)(&m.Kind), (*string)(&m.State), (*string)(&m.MemberID), &m.ContactID, &m.InvitationID, &m.ConversationID,
		&m.Attempts, &m.Problem, &m.Resendable, &m.CreatedAt, &m.EndedAt, &m.subjectKey, &m.toKey, &m.once, &m.unknowns, &m.sealed, &m.epoch, &m.queuedAt)
}

// insertMail inserts a mail that waits.
func insertMail(tx store.Writer, ws parley.WorkspaceID, m *row) error {
	return store.Exec(tx, ws, `INSERT INTO mails (workspace_id, mail_id, kind, subject_key, to_key, contact_id, member_id, conversation_id, invitation_id,
		state, once, attempts, unknowns, problem, sealed, epoch, created_at, queued_at, ended_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0, '', $12, $13, $14, $15, 0)`,
		m.ID, string(m.Kind), m.subjectKey, m.toKey, m.ContactID, string(m.MemberID), m.ConversationID, m.InvitationID,
		string(m.State), m.once, m.sealed, m.epoch, m.CreatedAt, m.queuedAt)
}

// updateMail stores the state of a mail, and what sending it needs.
func updateMail(tx store.Writer, ws parley.WorkspaceID, m *row) error {
	return store.Exec(tx, ws, `UPDATE mails SET state = $3, attempts = $4, unknowns = $5, problem = $6, sealed = $7, epoch = $8, queued_at = $9, ended_at = $10
		WHERE workspace_id = $1 AND mail_id = $2`,
		m.ID, string(m.State), m.Attempts, m.unknowns, m.Problem, m.sealed, m.epoch, m.queuedAt, m.EndedAt)
}

// selectRow returns a mail with everything.
func selectRow(v store.Reader, ws parley.WorkspaceID, id parley.ID) (row, error) {
	return store.One(v, ws, "mail", scanRow, "SELECT "+rowColumns+" FROM mails WHERE workspace_id = $1 AND mail_id = $2", id)
}

// selectWaiting returns the mails about a subject that wait; there is at most one.
func selectWaiting(v store.Reader, ws parley.WorkspaceID, subjectKey string) ([]row, error) {
	return store.Many(v, ws, scanRow, "SELECT "+rowColumns+
		" FROM mails WHERE workspace_id = $1 AND subject_key = $2 AND state = 'waiting' AND subject_key <> ''", subjectKey)
}

// SelectMails returns a page of the mails in a state, or of all if it is "", newest first.
func SelectMails(v store.Reader, ws parley.WorkspaceID, state parley.MailState, after parley.Position, limit int) (parley.Page[parley.Mail], error) {
	page := store.ListPage[parley.Mail]{Limit: limit, Scan: scanMail, Next: func(last *parley.Mail) parley.Position { return parley.Position{ID: last.ID} }}
	if after.IsZero() {
		return store.Page(v, ws, page, "SELECT "+mailColumns+" FROM mails WHERE workspace_id = $1 AND ($2 = '' OR state = $2) ORDER BY mail_id DESC LIMIT $3", string(state))
	}
	return store.Page(v, ws, page, "SELECT "+mailColumns+
		" FROM mails WHERE workspace_id = $1 AND ($2 = '' OR state = $2) AND mail_id < $3 ORDER BY mail_id DESC LIMIT $4", string(state), after.ID)
}

// selectUnneeded reports whether a mail is about something that is over: an invitation
// that was used, withdrawn or has expired, a member who left or has read everything
// of a digest, a contact that is gone, or what a customer missed in a conversation that is gone, is spam, or where they have been again.
func selectUnneeded(v store.Reader, ws parley.WorkspaceID, id parley.ID, now time.Time) (bool, error) {
	found, err := store.Many(v, ws, store.Only[parley.ID], `SELECT m.mail_id FROM mails m WHERE m.workspace_id = $1 AND m.mail_id = $2 AND (
			m.invitation_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM invitations i WHERE i.workspace_id = $1 AND i.invitation_id = m.invitation_id AND i.used_at = 0 AND i.expires_at > $3)
			OR m.member_id <> '' AND NOT EXISTS (SELECT 1 FROM members u WHERE u.workspace_id = $1 AND u.member_id = m.member_id AND u.removed_at = 0)
			OR m.kind = 'digest' AND m.member_id <> '' AND NOT EXISTS (SELECT 1 FROM notices n WHERE n.workspace_id = $1 AND n.member_id = m.member_id AND n.read_at = 0 AND n.mailed_at = m.created_at)
			OR m.contact_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM contacts c WHERE c.workspace_id = $1 AND c.contact_id = m.contact_id)
			OR m.conversation_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM conversations v LEFT JOIN continuations n
				ON n.workspace_id = v.workspace_id AND n.conversation_id = v.conversation_id AND n.mail_id = m.mail_id
				WHERE v.workspace_id = $1 AND v.conversation_id = m.conversation_id AND NOT v.spam AND NOT COALESCE(v.customer_seen_id >= n.message_id, FALSE)))`, id, now)
	return len(found) > 0, err
}

// deleteEndedMails deletes mails that ended before a time.
func deleteEndedMails(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "DELETE FROM mails WHERE workspace_id = $1 AND ended_at > 0 AND ended_at < $2", before)
}

// emptyEndedMails deletes the contents of mails that ended before a time.
func emptyEndedMails(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "UPDATE mails SET sealed = $3 WHERE workspace_id = $1 AND ended_at > 0 AND ended_at < $2 AND length(sealed) > 0", before, []byte{})
}

// failForgottenMails ends the mails that were queued before a time and still wait,
// because no node sends mails.
func failForgottenMails(tx store.Writer, ws parley.WorkspaceID, before, now time.Time, problem string) error {
	return store.Exec(tx, ws, `UPDATE mails SET state = CASE WHEN unknowns > 0 OR state = 'sending' THEN 'unknown' ELSE 'failed' END, ended_at = $3, problem = $4
		WHERE workspace_id = $1 AND ended_at = 0 AND queued_at < $2`, before, now, problem)
}

// insertStop ends the mails to an address that can be stopped. An earlier reason stays.
func insertStop(tx store.Writer, ws parley.WorkspaceID, toKey, reason string, at time.Time) error {
	return store.Exec(tx, ws, `INSERT INTO mail_stops (workspace_id, to_key, reason, created_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (workspace_id, to_key) DO NOTHING`, toKey, reason, at)
}

// selectStopped returns why an address gets no mails that can be stopped, or "".
func selectStopped(v store.Reader, ws parley.WorkspaceID, toKey string) (string, error) {
	found, err := store.Many(v, ws, store.Only[string], "SELECT reason FROM mail_stops WHERE workspace_id = $1 AND to_key = $2", toKey)
	if len(found) == 0 {
		return "", err
	}
	return found[0], err
}

// deleteStop lets mails reach an address again.
func deleteStop(tx store.Writer, ws parley.WorkspaceID, toKey string) error {
	return store.Exec(tx, ws, "DELETE FROM mail_stops WHERE workspace_id = $1 AND to_key = $2", toKey)
}

// insertKey stores the key of a workspace's addresses.
func insertKey(tx store.Writer, ws parley.WorkspaceID, sealed []byte) error {
	return store.Exec(tx, ws, "INSERT INTO mail_keys (workspace_id, sealed) VALUES ($1, $2)", sealed)
}

// selectKey returns the sealed key of a workspace's addresses; nil if it has none.
func selectKey(v store.Reader, ws parley.WorkspaceID) ([]byte, error) {
	found, err := store.Many(v, ws, store.Only[[]byte], "SELECT sealed FROM mail_keys WHERE workspace_id = $1")
	if len(found) == 0 {
		return nil, err
	}
	return found[0], err
}

// A StateCount is how many mails of all workspaces are in a state.
type StateCount struct {
	State  parley.MailState
	Count  int
	Oldest time.Time // when the oldest one was queued
}

// SelectStatesAcross counts the mails of all workspaces.
func SelectStatesAcross(v store.Reader) ([]StateCount, error) {
	return store.ManyAcross(v, func(r store.Row, c *StateCount) error { return r.Scan((*string)(&c.State), &c.Count, &c.Oldest) },
		"SELECT state, count(*), min(queued_at) FROM mails GROUP BY state ORDER BY state")
}

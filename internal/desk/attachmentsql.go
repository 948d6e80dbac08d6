package desk

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"parley"
	"parley/internal/store"
)

// An Attachment is an uploaded file as the store knows it.
type Attachment struct {
	parley.Attachment
	ContactID parley.ID // the customer who uploaded it; zero for members and keys
	MessageID parley.ID // zero: not attached yet
	// ScheduledID is the scheduled message that the unattached file waits for; zero for
	// none. Such a file is not deleted.
	ScheduledID parley.ID
	Stored      bool // the content has been uploaded
}

// AttachmentColumns are the columns that [ScanAttachment] reads.
const AttachmentColumns = `attachment_id, contact_id, message_id, scheduled_id, file_name, content_type, size, width, height, duration_ms,
	stored, created_at`

// ScanAttachment reads a file.
func ScanAttachment(r store.Row, a *Attachment) error {
	var width, height, duration int64
	err := r.Scan(&a.ID, &a.ContactID, &a.MessageID, &a.ScheduledID, &a.FileName, &a.ContentType, &a.Size, &width, &height, &duration,
		&a.Stored, &a.CreatedAt)
	a.Width, a.Height, a.Duration = int(width), int(height), time.Duration(duration)*time.Millisecond
	return err
}

// InsertAttachment records a file before its content arrives.
func InsertAttachment(tx store.Writer, ws parley.WorkspaceID, a *Attachment) error {
	return store.Exec(tx, ws, "INSERT INTO attachments (workspace_id, "+AttachmentColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
		a.ID, a.ContactID, a.MessageID, a.ScheduledID, a.FileName, a.ContentType, a.Size, int64(a.Width), int64(a.Height), a.Duration.Milliseconds(),
		a.Stored, a.CreatedAt)
}

// UpdateAttachment stores what the server learned from the content of a file.
func UpdateAttachment(tx store.Writer, ws parley.WorkspaceID, a *Attachment) error {
	return store.Exec(tx, ws, `UPDATE attachments SET content_type = $3, size = $4, width = $5, height = $6, duration_ms = $7, stored = $8
		WHERE workspace_id = $1 AND attachment_id = $2`,
		a.ID, a.ContentType, a.Size, int64(a.Width), int64(a.Height), a.Duration.Milliseconds(), a.Stored)
}

// UpdateAttachmentMessage attaches a file to a message.
func UpdateAttachmentMessage(tx store.Writer, ws parley.WorkspaceID, id parley.ID, m *parley.Message) error {
	return store.Exec(tx, ws, "UPDATE attachments SET conversation_id = $3, message_id = $4, scheduled_id = NULL WHERE workspace_id = $1 AND attachment_id = $2",
		id, m.ConversationID, m.ID)
}

// UpdateAttachmentsContact moves the unattached files of a customer to another
// contact.
func UpdateAttachmentsContact(tx store.Writer, ws parley.WorkspaceID, from, to parley.ID) error {
	return store.Exec(tx, ws, "UPDATE attachments SET contact_id = $3 WHERE workspace_id = $1 AND contact_id = $2 AND message_id IS NULL", from, to)
}

// SelectAttachment returns an uploaded file.
func SelectAttachment(v store.Reader, vis parley.Visibility, id parley.ID) (Attachment, error) {
	return store.One(v, vis, "attachment", ScanAttachment, "SELECT "+AttachmentColumns+
		" FROM attachments a WHERE OF_VISIBLE(a) AND a.attachment_id = $2", id)
}

// CountWaitingAttachments returns the number of unattached files of a customer.
func CountWaitingAttachments(v store.Reader, ws parley.WorkspaceID, contact parley.ID) (int, error) {
	n, err := store.One(v, ws, "count", store.Only[int64],
		"SELECT COUNT(*) FROM attachments WHERE workspace_id = $1 AND contact_id = $2 AND message_id IS NULL", contact)
	return int(n), err
}

// minCountedBytes is the least that an unattached file counts for, so that the
// quota also limits the number of tiny files.
const minCountedBytes = 64 << 10

// waitingBytes is the sum of the sizes of the unattached files that a condition
// selects: $2 stands for the size of one that is being uploaded, and $3 is the
// least that each counts for.
const waitingBytes = `
		SELECT CAST(COALESCE(SUM(CASE WHEN size = 0 THEN $2 WHEN size < $3 THEN $3 ELSE size END), 0) AS bigint)
		FROM attachments WHERE workspace_id = $1 AND `

// SelectTeamWaitingBytes is [SelectWaitingBytes] for the files of members and keys.
func SelectTeamWaitingBytes(v store.Reader, ws parley.WorkspaceID, arriving int64) (int64, error) {
	return store.One(v, ws, "sum", store.Only[int64], waitingBytes+"contact_id IS NULL AND message_id IS NULL",
		max(arriving, minCountedBytes), int64(minCountedBytes))
}

// SelectWaitingBytes returns the total size of the unattached files of all customers.
// The size of a file is unknown until its upload ends, so an upload in progress
// counts as arriving bytes. Each file counts as 64 KiB at least.
func SelectWaitingBytes(v store.Reader, ws parley.WorkspaceID, arriving int64) (int64, error) {
	return store.One(v, ws, "sum", store.Only[int64], waitingBytes+"contact_id IS NOT NULL AND message_id IS NULL",
		max(arriving, minCountedBytes), int64(minCountedBytes))
}

// SelectOldestUpload returns when the oldest unattached file that no scheduled message
// has was created; zero if there is none.
func SelectOldestUpload(v store.Reader, ws parley.WorkspaceID) (time.Time, error) {
	return store.One(v, ws, "attachment", store.Only[time.Time],
		"SELECT COALESCE(min(created_at), 0) FROM attachments WHERE workspace_id = $1 AND message_id IS NULL AND scheduled_id IS NULL")
}

// SelectUntimedUploads returns the workspaces that have unattached files that no
// scheduled message has, but no nameless timer of a kind.
func SelectUntimedUploads(v store.Reader, kind string) ([]parley.WorkspaceID, error) {
	return store.ManyAcross(v, store.Only[parley.WorkspaceID], `SELECT DISTINCT a.workspace_id FROM attachments a LEFT JOIN timers t
		ON t.workspace_id = a.workspace_id AND t.kind = $1 AND t.name = '' WHERE a.message_id IS NULL AND a.scheduled_id IS NULL AND t.workspace_id IS NULL`, kind)
}

// UpdateExpiredAttachments marks at most limit unattached files that no scheduled message
// has and that were created before a time as not stored, and returns their positions, oldest first. From
// then on no message can take them. Files that an earlier call marked are
// returned again until they are deleted.
func UpdateExpiredAttachments(tx store.Writer, ws parley.WorkspaceID, before time.Time, after parley.Position, limit int) ([]parley.Position, error) {
	forsaken, err := store.Many(tx, ws, func(r store.Row, p *parley.Position) error { return r.Scan(&p.ID, &p.At) },
		`UPDATE attachments SET stored = $4 WHERE workspace_id = $1 AND attachment_id IN (
			SELECT attachment_id FROM attachments WHERE workspace_id = $1 AND message_id IS NULL AND scheduled_id IS NULL AND created_at < $2
				AND (created_at, attachment_id) > ($5, $6)
			ORDER BY created_at, attachment_id LIMIT $3)
		RETURNING attachment_id, created_at`, before, limit, false, after.At, after.ID)
	slices.SortFunc(forsaken, func(a, b parley.Position) int {
		return cmp.Or(a.At.Compare(b.At), bytes.Compare(a.ID[:], b.ID[:]))
	})
	return forsaken, err
}

// DeleteAttachment deletes the row of a file whose content has been deleted.
func DeleteAttachment(tx store.Writer, ws parley.WorkspaceID, id parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM attachments WHERE workspace_id = $1 AND attachment_id = $2", id)
}

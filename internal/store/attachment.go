package store

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"parley"
)

// An Attachment is an uploaded file as the store knows it.
type Attachment struct {
	parley.Attachment
	ContactID parley.ID // the customer who uploaded it; zero for members and keys
	MessageID parley.ID // zero: not attached yet
	Stored    bool      // the content has been uploaded
}

const attachmentColumns = `attachment_id, contact_id, message_id, file_name, content_type, size, width, height, duration_ms,
	stored, created_at`

func scanAttachment(r row, a *Attachment) error {
	var width, height, duration int64
	err := r.scan(&a.ID, &a.ContactID, &a.MessageID, &a.FileName, &a.ContentType, &a.Size, &width, &height, &duration,
		&a.Stored, &a.CreatedAt)
	a.Width, a.Height, a.Duration = int(width), int(height), time.Duration(duration)*time.Millisecond
	return err
}

// InsertAttachment records a file before its content arrives.
func (tx *Tx) InsertAttachment(ws parley.WorkspaceID, a *Attachment) error {
	return tx.exec("INSERT INTO attachments (workspace_id, "+attachmentColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
		ws, a.ID, a.ContactID, a.MessageID, a.FileName, a.ContentType, a.Size, int64(a.Width), int64(a.Height), a.Duration.Milliseconds(),
		a.Stored, a.CreatedAt)
}

// UpdateAttachment stores what the server learned from the content of a file.
func (tx *Tx) UpdateAttachment(ws parley.WorkspaceID, a *Attachment) error {
	return tx.exec(`UPDATE attachments SET content_type = $3, size = $4, width = $5, height = $6, duration_ms = $7, stored = $8
		WHERE workspace_id = $1 AND attachment_id = $2`,
		ws, a.ID, a.ContentType, a.Size, int64(a.Width), int64(a.Height), a.Duration.Milliseconds(), a.Stored)
}

// UpdateAttachmentMessage attaches a file to a message.
func (tx *Tx) UpdateAttachmentMessage(ws parley.WorkspaceID, id parley.ID, m *parley.Message) error {
	return tx.exec("UPDATE attachments SET conversation_id = $3, message_id = $4 WHERE workspace_id = $1 AND attachment_id = $2",
		ws, id, m.ConversationID, m.ID)
}

// UpdateAttachmentsContact moves the unattached files of a customer to another
// contact.
func (tx *Tx) UpdateAttachmentsContact(ws parley.WorkspaceID, from, to parley.ID) error {
	return tx.exec("UPDATE attachments SET contact_id = $3 WHERE workspace_id = $1 AND contact_id = $2 AND message_id IS NULL", ws, from, to)
}

// Attachment returns an uploaded file.
func (v *View) Attachment(ws parley.WorkspaceID, id parley.ID) (Attachment, error) {
	return one(v, "attachment", scanAttachment, "SELECT "+attachmentColumns+
		" FROM attachments WHERE workspace_id = $1 AND attachment_id = $2", ws, id)
}

// CountWaitingAttachments returns the number of unattached files of a customer.
func (v *View) CountWaitingAttachments(ws parley.WorkspaceID, contact parley.ID) (int, error) {
	n, err := one(v, "count", func(r row, n *int64) error { return r.scan(n) },
		"SELECT COUNT(*) FROM attachments WHERE workspace_id = $1 AND contact_id = $2 AND message_id IS NULL", ws, contact)
	return int(n), err
}

// minCountedBytes is the least that an unattached file counts for, so that the
// quota also limits the number of tiny files.
const minCountedBytes = 64 << 10

// TeamWaitingBytes is [View.WaitingBytes] for the files of members and keys.
func (v *View) TeamWaitingBytes(ws parley.WorkspaceID, arriving int64) (int64, error) {
	return v.waitingBytes(ws, arriving, "contact_id IS NULL")
}

// WaitingBytes returns the total size of the unattached files of all customers.
// The size of a file is unknown until its upload ends, so an upload in progress
// counts as arriving bytes. Each file counts as 64 KiB at least.
func (v *View) WaitingBytes(ws parley.WorkspaceID, arriving int64) (int64, error) {
	return v.waitingBytes(ws, arriving, "contact_id IS NOT NULL")
}

func (v *View) waitingBytes(ws parley.WorkspaceID, arriving int64, whose string) (int64, error) {
	return one(v, "sum", func(r row, n *int64) error { return r.scan(n) }, `
		SELECT CAST(COALESCE(SUM(CASE WHEN size = 0 THEN $2 WHEN size < $3 THEN $3 ELSE size END), 0) AS bigint)
		FROM attachments WHERE workspace_id = $1 AND `+whose+` AND message_id IS NULL`,
		ws, max(arriving, minCountedBytes), int64(minCountedBytes))
}

// ForsakeAttachments marks at most limit unattached files that were created
// before a time as not stored, and returns their positions, oldest first. From
// then on no message can take them. Files that an earlier call marked are
// returned again until they are deleted.
func (tx *Tx) ForsakeAttachments(ws parley.WorkspaceID, before time.Time, after parley.Position, limit int) ([]parley.Position, error) {
	forsaken, err := many(&tx.View, func(r row, p *parley.Position) error { return r.scan(&p.ID, &p.At) },
		`UPDATE attachments SET stored = $4 WHERE workspace_id = $1 AND attachment_id IN (
			SELECT attachment_id FROM attachments WHERE workspace_id = $1 AND message_id IS NULL AND created_at < $2
				AND (created_at, attachment_id) > ($5, $6)
			ORDER BY created_at, attachment_id LIMIT $3)
		RETURNING attachment_id, created_at`, ws, before, limit, false, after.At, after.ID)
	slices.SortFunc(forsaken, func(a, b parley.Position) int {
		return cmp.Or(a.At.Compare(b.At), bytes.Compare(a.ID[:], b.ID[:]))
	})
	return forsaken, err
}

// DeleteAttachment deletes the row of a file whose content has been deleted.
func (tx *Tx) DeleteAttachment(ws parley.WorkspaceID, id parley.ID) error {
	return tx.exec("DELETE FROM attachments WHERE workspace_id = $1 AND attachment_id = $2", ws, id)
}

// A keptAttachment is an attachment as stored in the row of its message.
type keptAttachment struct {
	ID          parley.ID `json:"id"`
	FileName    string    `json:"fileName"`
	ContentType string    `json:"contentType"`
	Size        int64     `json:"size"`
	Width       int       `json:"width,omitempty"`
	Height      int       `json:"height,omitempty"`
	DurationMS  int64     `json:"durationMs,omitempty"`
	CreatedAt   int64     `json:"createdAt"`
}

// attachmentsText encodes the attachments of a message, "" for none.
func attachmentsText(attachments []parley.Attachment) (string, error) {
	if len(attachments) == 0 {
		return "", nil
	}
	kept := make([]keptAttachment, len(attachments))
	for i, a := range attachments {
		kept[i] = keptAttachment{
			ID: a.ID, FileName: a.FileName, ContentType: a.ContentType, Size: a.Size, Width: a.Width, Height: a.Height,
			DurationMS: a.Duration.Milliseconds(), CreatedAt: a.CreatedAt.UnixMilli(),
		}
	}
	text, err := json.Marshal(kept)
	return string(text), err
}

// parseAttachments decodes the text that [attachmentsText] wrote.
func parseAttachments(text string) ([]parley.Attachment, error) {
	if text == "" {
		return nil, nil
	}
	var kept []keptAttachment
	if err := json.Unmarshal([]byte(text), &kept); err != nil {
		return nil, fmt.Errorf("read the attachments of a message: %w", err)
	}
	attachments := make([]parley.Attachment, len(kept))
	for i, k := range kept {
		attachments[i] = parley.Attachment{
			ID: k.ID, FileName: k.FileName, ContentType: k.ContentType, Size: k.Size, Width: k.Width, Height: k.Height,
			Duration: time.Duration(k.DurationMS) * time.Millisecond, CreatedAt: time.UnixMilli(k.CreatedAt).UTC(),
		}
	}
	return attachments, nil
}

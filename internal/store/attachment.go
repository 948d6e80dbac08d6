package store

import (
	"encoding/json"
	"fmt"
	"time"

	"parley"
)

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

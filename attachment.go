package parley

import "time"

// The limits of attachments.
const (
	// MaxAttachments is the most files of a message.
	MaxAttachments = 10
	// MaxWaiting is the most unattached files of one customer.
	MaxWaiting = 20
	// MaxWaitingBytes is the most bytes in unattached files of all customers of
	// a workspace. Visitors may use half of it, so that customers with an
	// identity can still send files when strangers have filled their share.
	MaxWaitingBytes = 1 << 30
	// MaxTeamWaitingBytes is the most bytes in unattached files of members and
	// keys, unless the operator sets another limit.
	MaxTeamWaitingBytes = 20 << 30
	// MaxUpload is the most bytes of a file, unless the operator sets another
	// limit.
	MaxUpload = 25 << 20
	// MaxFileName is the most characters of a file name.
	MaxFileName = 200
)

// UploadRetention is how long an uploaded file is kept without a message.
const UploadRetention = 24 * time.Hour

// An Attachment is an uploaded file, attached to a message or not yet.
type Attachment struct {
	ID          ID
	FileName    string
	ContentType string // media type, detected from the content
	Size        int64  // in bytes
	Width       int    // of a picture or video, in pixels; 0 if unknown
	Height      int
	Duration    time.Duration // of sound or video; 0 if unknown
	CreatedAt   time.Time
}

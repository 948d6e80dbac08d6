package parley

import "time"

// The limits of attachments.
const (
	// MaxAttachments is how many files a message carries at most.
	MaxAttachments = 10
	// MaxWaiting is how many files of one customer wait for a message at most.
	MaxWaiting = 20
	// MaxWaitingBytes is how many bytes the files may have together that wait for
	// a message of a customer in a workspace. Visitors may fill half of it, so
	// that customers with an identity can still send files when strangers did.
	MaxWaitingBytes = 1 << 30
	// MaxTeamWaitingBytes is how many bytes the files of members and keys may have
	// together that no message took, unless the operator sets another limit.
	MaxTeamWaitingBytes = 20 << 30
	// MaxUpload is how many bytes a file has at most, unless the operator sets
	// another limit.
	MaxUpload = 25 << 20
	// MaxFileName is how many characters the name of a file has at most.
	MaxFileName = 200
)

// UploadRetention is how long an uploaded file waits for a message.
const UploadRetention = 24 * time.Hour

// An Attachment is a file that belongs to a message, or waits for one.
type Attachment struct {
	ID          ID
	FileName    string
	ContentType string // MIME, found out from the content
	Size        int64  // in bytes
	Width       int    // of a picture or video, in pixels; 0 where unknown
	Height      int
	Duration    time.Duration // of sound or video; 0 where unknown
	CreatedAt   time.Time
}

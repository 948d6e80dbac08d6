package parley

import "time"

// A NoticeKind says what a member is told.
type NoticeKind string

// The kinds of notices.
const (
	NoticeMentioned NoticeKind = "mentioned" // a note names the member
	NoticeAssigned  NoticeKind = "assigned"  // the conversation was assigned to the member
	// NoticeAnswered and NoticeNote are about conversations that the member has or
	// follows: a message of the customer or an answer of another member, and a note.
	NoticeAnswered NoticeKind = "answered"
	NoticeNote     NoticeKind = "note"
	NoticeWoke     NoticeKind = "woke" // such a conversation was snoozed, and is back
)

// A MemberNotice tells a member what concerns them in a conversation. Of each kind there is
// at most one unread notice for a member and a conversation: what happens after it
// takes its place, and increases Count.
type MemberNotice struct {
	ID             ID
	MemberID       UserID
	ConversationID ID
	Kind           NoticeKind
	Actor          Actor // who caused the last one; without a name if it was the customer
	MessageID      ID    // the last message; zero if it was none
	Count          int   // how often it has happened since the member has read of it
	CreatedAt      time.Time
	UpdatedAt      time.Time
	ReadAt         time.Time // zero: unread
}

// A ShownNotice is a notice with what a list shows beside it.
type ShownNotice struct {
	MemberNotice
	ContactID   ID     // of the conversation; zero for none
	ContactName string // "" for none
	Text        string // the beginning of the message, at most MaxPreview characters
}

const (
	// MaxNotices is how many notices a list shows, the latest ones.
	MaxNotices = 200
	// MaxFollowing is how many of the conversations that a member follows are listed.
	MaxFollowing = 500
	// NoticeRetention is how long a notice stays after its last change, read or not.
	NoticeRetention = 90 * 24 * time.Hour
)

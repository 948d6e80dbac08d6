package parley

import "time"

const (
	// MinSchedule and MaxSchedule are how far ahead a message can be scheduled.
	MinSchedule = time.Minute
	MaxSchedule = 90 * 24 * time.Hour
	// MaxScheduled is how many messages can be scheduled in a conversation at once.
	MaxScheduled = 20
)

// A ScheduledState is the state of a scheduled message. One that was sent is gone.
type ScheduledState string

// The states of scheduled messages.
const (
	ScheduledWaiting ScheduledState = "waiting"
	ScheduledHeld    ScheduledState = "held" // for somebody to decide
)

// A HeldReason is why a scheduled message was not sent at its time.
type HeldReason string

// The reasons.
const (
	HeldCustomerWrote HeldReason = "customer_wrote" // after the author's last change
	HeldAuthorLeft    HeldReason = "author_left"
	HeldUnreachable   HeldReason = "unreachable" // the number is gone, or cannot send it
	HeldFileGone      HeldReason = "file_gone"
	HeldRestored      HeldReason = "restored" // the store was restored from a backup
)

// A ScheduledMessage is a message that a member has written and the server posts later.
type ScheduledMessage struct {
	ID             ID
	ConversationID ID
	Author         MemberRef
	Content        string
	ContentType    ContentType
	Private        bool // a note among members
	Attachments    []Attachment
	Mentions       []UserID // of a note: the members whom it will name
	SendAt         time.Time
	// IfQuiet holds the message if the customer writes before it is sent.
	IfQuiet bool
	State   ScheduledState
	Held    HeldReason // "" while it waits
	// Version counts the changes, from 1.
	Version   int64
	CreatedAt time.Time
}

package parley

import "time"

// An ErasureKind says what an erasure deletes.
type ErasureKind string

// The kinds of erasures.
const (
	ErasureOfContact      ErasureKind = "contact"
	ErasureOfConversation ErasureKind = "conversation"
	// ErasureByRule deletes conversations whose retention has ended.
	ErasureByRule ErasureKind = "rule"
)

// ErasureCounts are what an erasure has deleted.
type ErasureCounts struct {
	Conversations int
	Messages      int // those in groups included
	GroupMessages int // in groups, which stay: the person's, and notes about who joined and left
	Files         int
	Events        int // of the log, which became EventErased
}

// An Erasure is the permanent deletion of a person or a conversation.
type Erasure struct {
	ID         ID
	Kind       ErasureKind
	SubjectID  ID            // the contact or conversation; zero for ErasureByRule
	AskedBy    UserID        // "" for the command line, or a rule
	Counts     ErasureCounts // so far
	CreatedAt  time.Time
	FinishedAt time.Time // zero while it runs
	Backups    OlderBackups
}

// OlderBackups are those backups of the server's schedule that contain what an erasure
// deletes. The server does not know of other backups.
type OlderBackups struct {
	Scheduled bool // the server makes backups by itself
	// Unknown says that some may contain it of which the server knows nothing: those of
	// an earlier schedule, or of the store that this one was restored from.
	Unknown bool
	// NewestAt is when the newest of them was made, or a later time at which the erasure
	// ended; zero if there is none.
	NewestAt time.Time
	// EndAt is about when the last of them is deleted if the schedule goes on as it is;
	// zero if there is none, or if nobody can say.
	EndAt time.Time
}

// An ErasurePreview is what the erasure of a person would delete now.
type ErasurePreview struct {
	ContactID     ID
	Merged        int // contacts that were merged into this one
	Conversations int
	Messages      int // in these conversations, by anybody
	GroupMessages int // in groups, which stay: the person's, and notes about who joined and left
	Groups        int // in which the person wrote, is a member, or is named in a note
	Files         int // of these messages, and those not yet sent
	Sessions      int // in the widget
	Backups       OlderBackups
}

// A Retention is how long the conversations of an inbox are kept, and what a rule
// would delete now.
type Retention struct {
	InboxID ID
	Days    int // since a resolved conversation last changed; 0: they are kept
	Due     int // conversations
}

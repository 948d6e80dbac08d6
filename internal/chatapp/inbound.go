package chatapp

import (
	"context"
	"io"
	"time"

	"parley"
)

// An Inbound receives events from the network. Calls for one number are
// sequential, in the network's order as far as it defines one. Each event may
// be repeated: after an error, which means that it was not stored, and after a
// crash. The driver waits for each call, so calls should be short.
type Inbound interface {
	// Message reports a message from another person, or from the number itself
	// if a person wrote it on the phone.
	Message(ctx context.Context, host Host, m Incoming) error
	// Receipt reports the delivery status of messages from the number. It may
	// arrive before the corresponding Send has returned.
	Receipt(ctx context.Context, host Host, r Receipt) error
	// Membership reports a change of a group.
	Membership(ctx context.Context, host Host, c MemberChange) error
	// State reports the state of the number itself. After an error it is not
	// repeated until the state changes.
	State(ctx context.Context, host Host, s State) error
}

// A Chat is a group, or the conversation with one person.
type Chat struct {
	JID   string       // of a group, as in Group
	Phone parley.Phone // of the other person; "" for a group
	Name  string       // of a group; "" if the driver does not know it
	Group bool
}

// An Incoming is a message from the network. Chat, From and ID together
// identify it: an Incoming with the same three values is a repetition.
type Incoming struct {
	ID       string // the network's id; with FromMe that of the Message, if this server sent it
	Chat     Chat
	From     parley.Phone // the author; "" if the network hides the number
	FromName string       // the author's display name; "" if unknown
	FromMe   bool         // written on the number's own phone, or sent by another linked device
	Text     string       // also the caption of Media
	Media    *Media       // nil for none
	// Unsupported is the kind of a message that cannot be shown, such as
	// "poll". Text and Media are empty then.
	Unsupported string
	At          time.Time // in UTC, to the second
}

// Media is the file of a message.
type Media struct {
	ContentType string // of RFC 2045, such as image/jpeg; never empty
	FileName    string // "" if the sender gave none
	Size        int64  // in bytes, as claimed by the sender; 0 if unknown
	// Open returns the content from its start; the caller closes it. For an
	// incoming file it downloads from the network, immediately or days later,
	// as long as the driver has the number open. ErrGone says that the network
	// has deleted the file, and ErrBroken that its content is unreadable; other
	// errors may be temporary.
	Open func(ctx context.Context) (io.ReadCloser, error) `json:"-"`
}

// A Receipt is the delivery status of messages that the number sent.
type Receipt struct {
	// IDs are ids of Messages, or of Incomings for messages written on the
	// number's own phone.
	IDs    []string
	Chat   Chat
	By     parley.Phone         // the recipient; in a group, one of several
	Status parley.MessageStatus // Delivered or Read
	At     time.Time
}

// A MemberChangeKind is the kind of a MemberChange.
type MemberChangeKind string

// The changes of a group.
const (
	Joined   MemberChangeKind = "joined"
	Left     MemberChangeKind = "left" // voluntarily or removed, see By
	Promoted MemberChangeKind = "promoted"
	Demoted  MemberChangeKind = "demoted"
	Renamed  MemberChangeKind = "renamed" // Name is the new name
)

// A MemberChange is a change of a group, including changes that the number
// itself requested.
type MemberChange struct {
	Kind   MemberChangeKind
	JID    string
	Phones []parley.Phone // the affected members; empty with Renamed
	By     parley.Phone   // who made the change; "" if the network does not say
	ByLink bool           // with Joined: through the invite link
	Name   string
	At     time.Time
}

// A State is the state of a number on the network.
type State struct {
	Status parley.NumberStatus
	// Until is the end of a ban, if Status is NumberBanned; zero if the network
	// does not say.
	Until time.Time
	// RestrictedUntil is set while the number may not write first to strangers.
	// Status is NumberConnected meanwhile.
	RestrictedUntil time.Time
	Reason          string // for display; "" for none
}

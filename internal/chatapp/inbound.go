package chatapp

import (
	"context"
	"io"
	"time"

	"parley"
)

// An Inbound hears what comes from the network. The calls for one number come
// one after the other, in the network's order as far as it has one, and each
// may come again: after an error, which means that it was not kept, and after
// a crash. A driver waits for each call, so it should be short.
type Inbound interface {
	// Message tells of a message from somebody, or from the number itself where
	// a person wrote it on the phone.
	Message(ctx context.Context, host Host, m Incoming) error
	// Receipt tells how far messages of the number came. It may come before
	// the Send it speaks of has returned.
	Receipt(ctx context.Context, host Host, r Receipt) error
	// Membership tells of a change of a group.
	Membership(ctx context.Context, host Host, c MemberChange) error
	// State tells of the number itself. After an error it is not told again
	// until something changes.
	State(ctx context.Context, host Host, s State) error
}

// A Chat is a group or the conversation with one person.
type Chat struct {
	JID   string       // of a group as in Group
	Phone parley.Phone // of the person the chat is with; "" for a group
	Name  string       // of a group; "" where the driver does not know it
	Group bool
}

// An Incoming is a message from the network. Chat, From and ID together name
// it: what comes with the same three is the same message again.
type Incoming struct {
	ID       string // the network's; with FromMe that of Message, where it is what this server sent
	Chat     Chat
	From     parley.Phone // who wrote it; "" where the network hides the number
	FromName string       // how they call themselves, "" if unknown
	FromMe   bool         // written on the number's own phone, or sent by another device of it
	Text     string       // also the caption of Media
	Media    *Media       // nil for none
	// Unsupported names a kind of message that cannot be shown, such as "poll".
	// Text and Media are empty then.
	Unsupported string
	At          time.Time // in UTC, to the second
}

// Media is a file that travels with a message.
type Media struct {
	ContentType string // of RFC 2045, such as image/jpeg; never empty
	FileName    string // "" where the sender gave none
	Size        int64  // in bytes; 0 where it is not known. The file may lie.
	// Open returns the content from its start; the reader closes it. For an
	// incoming file it fetches from the network, now or some days later, as
	// long as the driver has the number open. ErrGone says that the network
	// has it no more, ErrBroken that what it has cannot be read; any other
	// error may pass.
	Open func(ctx context.Context) (io.ReadCloser, error) `json:"-"`
}

// A Receipt says how far messages came that the number sent.
type Receipt struct {
	// IDs are those of Message, or of Incoming for what was written on the
	// number's own phone.
	IDs    []string
	Chat   Chat
	By     parley.Phone         // who received or read it; in a group one of many
	Status parley.MessageStatus // Delivered or Read
	At     time.Time
}

// MemberChangeKind says what happened in a group.
type MemberChangeKind string

// The changes of a group.
const (
	Joined   MemberChangeKind = "joined"
	Left     MemberChangeKind = "left" // on their own or removed, see By
	Promoted MemberChangeKind = "promoted"
	Demoted  MemberChangeKind = "demoted"
	Renamed  MemberChangeKind = "renamed" // Name is the new name
)

// A MemberChange is a change of a group. Those that the number itself asked
// for come too.
type MemberChange struct {
	Kind   MemberChangeKind
	JID    string
	Phones []parley.Phone // whom it concerns; empty with Renamed
	By     parley.Phone   // who did it; "" where the network does not say
	ByLink bool           // with Joined: through the invite link
	Name   string
	At     time.Time
}

// A State is how a number stands with the network.
type State struct {
	Status parley.NumberStatus
	// Until is the end of a ban where Status is NumberBanned. It is zero where
	// the network does not say.
	Until time.Time
	// RestrictedUntil is set while the number may write to nobody who never
	// wrote to it. Its Status is NumberConnected meanwhile.
	RestrictedUntil time.Time
	Reason          string // for people; "" for none
}

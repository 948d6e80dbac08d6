// Package chatapp defines the interfaces to the messaging application: what
// Parley requests from a network and what the network reports, whichever driver
// is in use. The drivers are the packages below: sandbox simulates a network by
// fixed rules, and whatsapp is a linked device for real numbers. For tests,
// chatapptest makes any driver fail at a chosen step.
//
// It imports only the vocabulary, uses no store and starts nothing. Every
// driver implements [Connector]. A driver whose numbers are paired and stay
// connected also implements [Linker] and [Runner], and reports to an [Inbound].
// internal/numbers is the caller and the Inbound.
package chatapp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley"
)

// A Connector serves the numbers of one driver. Its methods are safe for
// concurrent use and return when their context ends.
type Connector interface {
	Groups
	Sender
	Capabilities() Capabilities
}

// Groups are the group operations of a network. Its methods return the errors
// of this package, the error of the context, or any other error for an invalid
// response. After ErrTimeout or an error of the context the operation may or
// may not have taken effect.
type Groups interface {
	// CreateGroup creates a group with the participants that the network lets
	// it add, and returns one result for each participant. It finds out itself
	// who uses the application; if nobody does, it creates no group and returns
	// ErrNobody. The network has no idempotency key, so a repeated call creates
	// a second group; after an unknown outcome use FindGroups instead. With
	// AsyncCreate it waits for the group, and ErrTimeout is such an unknown
	// outcome. Without DirectAdd every user of the application is NeedsInvite.
	CreateGroup(ctx context.Context, host Host, name string, participants []parley.Phone) (Group, []MemberResult, error)
	// FindGroups returns the groups with this name that the host created at or
	// after since, newest first. It finds a group again if its creation was
	// answered but the answer was lost in a crash.
	FindGroups(ctx context.Context, host Host, name string, since time.Time) ([]Group, error)
	// AddMembers adds participants to a group and returns one result for each.
	// Repeating it is safe.
	AddMembers(ctx context.Context, host Host, jid string, participants []parley.Phone) ([]MemberResult, error)
	// SetAdmin promotes or demotes a member. Repeating it is safe. It returns
	// ErrNotAdmin if the host may not do this, or if the network has no
	// Promote, and otherwise ErrNotMember if there is no such member.
	SetAdmin(ctx context.Context, host Host, jid string, member parley.Phone, admin bool) error
	// InviteLink returns the URL with which anyone can join the group.
	InviteLink(ctx context.Context, host Host, jid string) (string, error)
}

// A Sender sends messages.
type Sender interface {
	// Send sends a text or a file and returns when the network has accepted it.
	// A message with an ID that was already sent to the same group or person
	// arrives only once, so a call with an unknown outcome (ErrTimeout or an
	// error of the context) can be repeated. After ErrNotConnected or a
	// LimitError nothing was sent. ErrNotOnChatapp, ErrNoGroup, ErrNotMember
	// (the host has left the group) and ErrRefused are permanent; other errors
	// may be temporary.
	Send(ctx context.Context, host Host, m Message) error
}

// A Forgetter is a network that stores data about persons here.
type Forgetter interface {
	// Forget deletes what is stored about a person. It has no effect on the network
	// itself. Repeating it is safe.
	Forget(ctx context.Context, host Host, who Person) error
}

// A Person is somebody by all the names that networks have for one.
type Person struct {
	Phones []parley.Phone
	JIDs   []string // of chats with the person, whose phone may be hidden
}

// A Host is the number of a workspace that acts on the network.
type Host struct {
	Workspace parley.WorkspaceID
	NumberID  parley.ID
	Phone     parley.Phone
}

// A Group is a group on the network.
type Group struct {
	JID       string // its id on the network
	Name      string
	CreatedAt time.Time
}

// A Message is sent to a group or to one person.
type Message struct {
	// ID is chosen by the caller. Receipts contain it if it is a parley.ID in
	// canonical form; any other text works for sending only.
	ID    string
	JID   string       // the receiving group, or the group of Invite; "" for none
	Phone parley.Phone // the receiving person; "" for the group
	Text  string       // the caption, with Media
	Media *Media       // nil for none
	// Invite makes the message a personal invitation to the group JID, named
	// GroupName, with Text as its caption. The zero Invite is none.
	Invite    Invite
	GroupName string
}

// Capabilities are the features of a network.
type Capabilities struct {
	DirectAdd   bool // members can be added without their consent
	Promote     bool // members can be made admins
	MaxMembers  int  // of a group, including the host
	AsyncCreate bool // groups are created asynchronously
	Media       bool // messages can carry files
	Receipts    bool // the network reports Delivered and Read, so Sent is not final
}

// An Outcome says what happened to a number that was to join a group.
type Outcome int

// The outcomes. Nodes of different versions send each other these numbers.
const (
	Added       Outcome = 0
	Already     Outcome = 1 // already a member
	NeedsInvite Outcome = 2 // must join by the link
	NotFound    Outcome = 3 // is not on the application
	Refused     Outcome = 4 // refused for another reason, see Code
)

// String returns the name of the outcome, for logs and tests.
func (o Outcome) String() string {
	switch o {
	case Added:
		return "added"
	case Already:
		return "already"
	case NeedsInvite:
		return "needs invite"
	case NotFound:
		return "not found"
	case Refused:
		return "refused"
	}
	return fmt.Sprintf("Outcome(%d)", int(o))
}

// A MemberResult is the outcome for one number.
type MemberResult struct {
	Phone   parley.Phone // as the caller spelled it, not the network
	Network parley.Phone // the network's spelling, which Inbound uses; "" if equal or unknown
	Outcome Outcome
	Code    int    // the network's code, with NeedsInvite and Refused
	Invite  Invite // with NeedsInvite, if the network issues one for this number
}

// An Invite is a personal invitation to a group. The zero Invite means none;
// then only the group's link is left.
type Invite struct {
	Code      string
	ExpiresAt time.Time
}

// Errors of a network.
var (
	ErrNobody       = errors.New("none of the numbers is on the messaging application")
	ErrNoGroup      = errors.New("there is no such group")
	ErrNotAdmin     = errors.New("the host is not an admin of the group")
	ErrNotMember    = errors.New("the number is not a member of the group")
	ErrNotOnChatapp = errors.New("the number is not on the messaging application")
	ErrNotConnected = errors.New("the host is not connected")
	ErrFull         = errors.New("the group is full") // networks that report it per number return Refused instead
	ErrName         = errors.New("the network refuses the name")
	ErrTimeout      = errors.New("the network did not answer in time")
	ErrRefused      = errors.New("the network refuses the message")
	ErrGone         = errors.New("the network does not have the file any more")
	ErrBroken       = errors.New("the file is not what its sender sent")
	// ErrOtherNetwork keeps credentials for the real network away from a fake
	// one, and vice versa.
	ErrOtherNetwork = errors.New("the number was paired on another network")
)

// A Limit is the reason for a LimitError.
type Limit string

// The limits.
const (
	RateLimited Limit = "rate limited"
	Restricted  Limit = "restricted" // may not write first to strangers
	Banned      Limit = "banned"
)

// A LimitError says that the network temporarily refuses the host. Nothing was
// done.
type LimitError struct {
	Reason Limit
	Until  time.Time // in UTC; earlier attempts may extend the limit
}

// Error returns the limit and its end.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the host is %s until %s", e.Reason, e.Until.UTC().Format(time.RFC3339))
}

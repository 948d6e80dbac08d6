// Package chatapp is the seam to the messaging application: what Parley asks
// of a network, whichever driver carries it, and what can come back. The
// drivers are in the packages below it: sandbox plays a network by rules,
// whatsapp is a linked device of real numbers. For tests, chatapptest makes any
// of them fail at a chosen step.
//
// It imports the vocabulary alone, knows no store and starts nothing. A driver
// implements Connector; one whose numbers are paired and stay connected is a
// Linker and a Runner too, and tells an Inbound what it hears. Who asks and
// listens is internal/numbers.
package chatapp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"parley"
)

// A Connector carries the numbers of one driver. Its methods may be called by
// many goroutines, and return when their context ends.
type Connector interface {
	Groups
	Sender
	Capabilities() Capabilities
}

// Groups is what a network can do with groups. The errors of its methods are
// those of this package, the context's, or any other for an answer that makes
// no sense. After ErrTimeout or the context's error the work may have been
// done or not.
type Groups interface {
	// CreateGroup makes a group with those of the participants that the
	// network adds, and tells of each, once, what became of it. It finds out
	// itself who is on the application. With nobody there it makes no group
	// and returns ErrNobody. The network knows no key that would keep a second
	// call from making a second group: after an unknown end, see FindGroups.
	// With AsyncCreate it waits for the group, and an ErrTimeout is such an end.
	// Without DirectAdd everybody on the application is NeedsInvite.
	CreateGroup(ctx context.Context, host Host, name string, participants []parley.Phone) (Group, []MemberResult, error)
	// FindGroups returns the groups of this name that the host made at or after
	// since, newest first. It is how a group is found again whose creation was
	// answered and then forgotten in a crash.
	FindGroups(ctx context.Context, host Host, name string, since time.Time) ([]Group, error)
	// AddMembers adds participants to a group and tells of each, once, what
	// became of it. Asking again does no harm.
	AddMembers(ctx context.Context, host Host, jid string, participants []parley.Phone) ([]MemberResult, error)
	// SetAdmin promotes or demotes a member. Asking again does no harm. It
	// returns ErrNotAdmin where the host may not, also where nobody can (without
	// Promote), else ErrNotMember where there is no such member.
	SetAdmin(ctx context.Context, host Host, jid string, member parley.Phone, admin bool) error
	// InviteLink returns the address by which anyone can join the group.
	InviteLink(ctx context.Context, host Host, jid string) (string, error)
}

// Sender is how a message gets out.
type Sender interface {
	// Send sends a text or a file and returns when the network has taken it. A
	// message whose ID was sent before to the same group or person arrives
	// once, so that a call with an unknown end can be repeated: that is what
	// ErrTimeout and the context's error say. After ErrNotConnected and a
	// LimitError nothing was sent. ErrNotOnChatapp, ErrNoGroup, ErrNotMember
	// (the host has left the group) and ErrRefused are for good; any other
	// error may pass.
	Send(ctx context.Context, host Host, m Message) error
}

// A Host is the number of a workspace on whose behalf something is done.
type Host struct {
	Workspace parley.WorkspaceID
	NumberID  parley.ID
	Phone     parley.Phone
}

// A Group is a group as the network knows it.
type Group struct {
	JID       string // the network's name of it
	Name      string
	CreatedAt time.Time
}

// A Message goes to a group or to one person.
type Message struct {
	// ID is made by the caller. Receipts carry it back if it is a parley.ID in
	// its canonical form; any other text is good for sending once.
	ID    string
	JID   string       // of the group it goes to, or is about; "" for none
	Phone parley.Phone // of the person; "" for the group
	Text  string       // the caption, with Media
	Media *Media       // nil for none
	// Invite makes the message a personal invitation to the group JID, named
	// GroupName, with Text beside it. The zero Invite for none.
	Invite    Invite
	GroupName string
}

// Capabilities say what a network can do at all.
type Capabilities struct {
	DirectAdd   bool // members can be added without being asked
	Promote     bool // members can be made admins
	MaxMembers  int  // of a group, the host included
	AsyncCreate bool // a group is made some time after it was asked for
	Media       bool // messages can carry files
	Receipts    bool // Delivered and Read are told of, so Sent is not the end
}

// An Outcome says what became of a number that should join a group.
type Outcome int

// The outcomes.
const (
	Added       Outcome = iota
	Already             // was a member before
	NeedsInvite         // must join by the link
	NotFound            // is not on the application
	Refused             // another refusal; Code tells
)

// String returns the outcome's name, for logs and tests.
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
	Phone   parley.Phone // as the caller gave it, never the network's own spelling
	Network parley.Phone // the network's own spelling, which Inbound uses; "" where it is the same or not known
	Outcome Outcome
	Code    int    // the network's own, with NeedsInvite and Refused
	Invite  Invite // with NeedsInvite, where the network makes one for this number
}

// An Invite is a personal invitation to a group. The zero Invite means that
// there is none, and that only the group's link is left.
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
	ErrFull         = errors.New("the group is full") // a network that refuses single numbers returns Refused for these
	ErrName         = errors.New("the network refuses the name")
	ErrTimeout      = errors.New("the network did not answer in time")
	ErrRefused      = errors.New("the network refuses the message")
	ErrGone         = errors.New("the network does not have the file any more")
	ErrBroken       = errors.New("the file is not what its sender sent")
	// ErrOtherNetwork keeps the credentials of the real network from a fake one,
	// and the other way round.
	ErrOtherNetwork = errors.New("the number was paired on another network")
)

// A Limit is why a network refuses a host for a while.
type Limit string

// The limits.
const (
	RateLimited Limit = "rate limited"
	Restricted  Limit = "restricted" // may not write to those who never wrote to it
	Banned      Limit = "banned"
)

// A LimitError says that the network refuses the host for a while. Nothing was
// done.
type LimitError struct {
	Reason Limit
	Until  time.Time // in UTC; asking earlier makes it worse
}

// Error says why and until when.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the host is %s until %s", e.Reason, e.Until.UTC().Format(time.RFC3339))
}

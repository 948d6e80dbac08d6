// Package chatapp is the seam to the messaging application: what Parley asks
// of a network, whichever driver carries it, and what can come back. The
// drivers are in the packages below it: sandbox plays a network by rules. For
// tests, chatapptest makes any of them fail at a chosen step.
//
// It imports the vocabulary alone, knows no store and starts nothing. A driver
// implements Connector; who asks is internal/desk.
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
	CreateGroup(ctx context.Context, host Host, name string, participants []parley.Phone) (Group, []MemberResult, error)
	// FindGroups returns the groups of this name that the host made at or after
	// since, newest first. It is how a group is found again whose creation was
	// answered and then forgotten in a crash.
	FindGroups(ctx context.Context, host Host, name string, since time.Time) ([]Group, error)
	// AddMembers adds participants to a group and tells of each, once, what
	// became of it. Asking again does no harm.
	AddMembers(ctx context.Context, host Host, jid string, participants []parley.Phone) ([]MemberResult, error)
	// SetAdmin promotes or demotes a member. Asking again does no harm. It
	// returns ErrNotAdmin where the host may not, else ErrNotMember where there
	// is no such member.
	SetAdmin(ctx context.Context, host Host, jid string, member parley.Phone, admin bool) error
	// InviteLink returns the address by which anyone can join the group.
	InviteLink(ctx context.Context, host Host, jid string) (string, error)
}

// Sender is how a message gets out.
type Sender interface {
	// Send sends a text. A message whose ID was sent before in the same group
	// is not sent again, so that a call with an unknown end can be repeated.
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

// A Message goes to a group or, about a group, to one person.
type Message struct {
	ID    string       // made by the caller, never empty
	JID   string       // of the group
	Phone parley.Phone // of the person; "" for the group
	Text  string
}

// Capabilities say what a network can do at all.
type Capabilities struct {
	DirectAdd   bool // members can be added without being asked
	Promote     bool // members can be made admins
	MaxMembers  int  // of a group, the host included
	AsyncCreate bool // a group is made some time after it was asked for
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

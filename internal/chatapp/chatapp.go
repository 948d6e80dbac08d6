// Package chatapp is the seam to the messaging application: what Parley asks
// of a network, whichever driver carries it, and what can come back. The
// drivers are in the packages below it: sandbox plays a network by rules.
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
// many goroutines and honour the deadline of their context.
type Connector interface {
	Groups
	Sender
	Capabilities() Capabilities
}

// Groups is what a network can do with groups. The errors of its methods are
// those of this package, or any other for an answer that makes no sense.
type Groups interface {
	// CreateGroup makes a group with those of the participants that the
	// network adds, and tells of each what became of it. With nobody on the
	// application it makes none and returns ErrNobody.
	CreateGroup(ctx context.Context, host Host, name string, participants []parley.Phone) (Group, []MemberResult, error)
	// FindGroups returns the groups of this name that the host made at or after
	// since, newest first. It is how a group is found again whose creation was
	// answered and then forgotten in a crash.
	FindGroups(ctx context.Context, host Host, name string, since time.Time) ([]Group, error)
	// AddMembers adds participants to a group. Asking again does no harm.
	AddMembers(ctx context.Context, host Host, jid string, participants []parley.Phone) ([]MemberResult, error)
	// SetAdmin promotes or demotes a member. Asking again does no harm.
	SetAdmin(ctx context.Context, host Host, jid string, member parley.Phone, admin bool) error
	// InviteLink returns the address by which anyone can join the group.
	InviteLink(ctx context.Context, host Host, jid string) (string, error)
}

// Sender is how a message gets out.
type Sender interface {
	// Send sends a text. A message whose ID was sent before is not sent again.
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
	ID    string       // made by the caller
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

// A MemberResult is the outcome for one number.
type MemberResult struct {
	Phone   parley.Phone
	Outcome Outcome
	Code    int // the network's own, of a refusal
}

// Errors of a network.
var (
	ErrNobody       = errors.New("none of the numbers is on the messaging application")
	ErrNoGroup      = errors.New("there is no such group")
	ErrNotAdmin     = errors.New("the host is not an admin of the group")
	ErrNotMember    = errors.New("the number is not a member of the group")
	ErrNotConnected = errors.New("the host is not connected")
	ErrFull         = errors.New("the group is full")
	ErrName         = errors.New("the network refuses the name")
	ErrTimeout      = errors.New("the network did not answer in time")
)

// A LimitError says that the network refuses the host for a while.
type LimitError struct {
	Reason string // as in "rate limited", "restricted", "banned"
	Until  time.Time
}

// Error says why and until when.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the host is %s until %s", e.Reason, e.Until.UTC().Format(time.RFC3339))
}

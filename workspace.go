package parley

import (
	"slices"
	"time"
)

// A Workspace is one company's own part of the server. Nothing crosses from
// one workspace to another.
type Workspace struct {
	ID        WorkspaceID
	Name      string
	Epoch     string // names the history that Seq counts; a restored copy gets another
	Seq       int64  // of the newest event
	Check     string // of the newest event
	CreatedAt time.Time
}

// End returns where the workspace's event log ends.
func (w *Workspace) End() LogPosition { return LogPosition{Epoch: w.Epoch, Seq: w.Seq, Check: w.Check} }

// A Role is what a member may do in the dashboard.
type Role string

// The roles.
const (
	Owner Role = "owner"
	Admin Role = "admin"
	Agent Role = "agent"
)

// Roles lists the roles.
var Roles = []Role{Owner, Admin, Agent}

// Includes reports whether a role may do all that another one may.
func (r Role) Includes(other Role) bool { return slices.Index(Roles, r) <= slices.Index(Roles, other) }

// A Member is a person who works in a workspace.
type Member struct {
	ID           UserID
	Email        string
	Name         string
	Image        string // URL of a picture, "" for none
	Role         Role
	PasswordHash string // argon2id in PHC form; never leaves the server
	CreatedAt    time.Time
	UpdatedAt    time.Time
	RemovedAt    time.Time // zero while the member works here
}

// A PasswordReset is the last time that somebody else made that a member's
// password could be set: by a link, or on the command line. At is zero for never.
type PasswordReset struct {
	At time.Time
	By Actor // a member, or the system for the command line
}

// A Product is a thing that the company supports. It is active until it is
// archived.
type Product struct {
	ID          ID
	Name        string
	Description string
	ArchivedAt  time.Time // zero while it is active
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Archived reports whether the product is no longer active.
func (p Product) Archived() bool { return !p.ArchivedAt.IsZero() }

// A Channel is the way by which an inbox reaches customers.
type Channel string

// The channels.
const (
	ChannelAPI     Channel = "api"
	ChannelWeb     Channel = "web"
	ChannelChatapp Channel = "chatapp"
	ChannelEmail   Channel = "email"
)

// Channels lists the channels for which an inbox can be made. E-mail is a
// value of the contract's channelType that no inbox can have yet.
var Channels = []Channel{ChannelAPI, ChannelWeb, ChannelChatapp}

// An Inbox is a door by which conversations come in. Conversations that start
// in it take its product, unless they name one.
type Inbox struct {
	ID        ID
	Name      string
	Channel   Channel
	ProductID ID // the inbox's routing; zero for none
	CreatedAt time.Time
	UpdatedAt time.Time
}

package parley

import (
	"slices"
	"time"
)

// A Workspace is one company's separate part of the server. No data crosses
// from one workspace to another.
type Workspace struct {
	ID        WorkspaceID
	Name      string
	Epoch     string // identifies the history that Seq counts; a restored copy gets a new one
	Seq       int64  // of the newest event
	Check     string // of the newest event
	CreatedAt time.Time
}

// End returns the end of the workspace's event log.
func (w *Workspace) End() LogPosition { return LogPosition{Epoch: w.Epoch, Seq: w.Seq, Check: w.Check} }

// A Role determines what a member may do in the dashboard.
type Role string

// The roles.
const (
	Owner Role = "owner"
	Admin Role = "admin"
	Agent Role = "agent"
)

// Roles lists the roles.
var Roles = []Role{Owner, Admin, Agent}

// Includes reports whether a role has all permissions of another one.
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

// A PasswordReset records the last time that another person could set a
// member's password, or let the member set a new one: by a link, or on the
// command line. At is zero for never.
type PasswordReset struct {
	At time.Time
	By Actor // a member, or the system for the command line
}

// A Product is something that the company supports. It is active until it is
// archived.
type Product struct {
	ID          ID
	Name        string
	Description string
	ArchivedAt  time.Time // zero while it is active
	Agent       AgentMode // "" like AgentOff
	Team        TeamRef   // of new conversations about it, unless their inbox has one; zero for none
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// Archived reports whether the product is no longer active.
func (p Product) Archived() bool { return !p.ArchivedAt.IsZero() }

// A Channel is the way in which an inbox reaches customers.
type Channel string

// The channels.
const (
	ChannelAPI     Channel = "api"
	ChannelWeb     Channel = "web"
	ChannelChatapp Channel = "chatapp"
)

// Channels lists the channels that an inbox can have. E-mail is a channelType
// of the contract that is not supported yet.
var Channels = []Channel{ChannelAPI, ChannelWeb, ChannelChatapp}

// An Inbox is where conversations arrive. A new conversation gets the inbox's
// product, unless it names another one.
type Inbox struct {
	ID        ID
	Name      string
	Channel   Channel
	ProductID ID      // for new conversations; zero for none
	Team      TeamRef // of new conversations; zero for none
	CreatedAt time.Time
	UpdatedAt time.Time
}

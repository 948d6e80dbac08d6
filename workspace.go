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

// An Access says which conversations a member sees.
type Access string

// The kinds of access.
const (
	AccessAll Access = "all"
	AccessOwn Access = "own" // see Own
)

// Accesses lists the kinds of access.
var Accesses = []Access{AccessAll, AccessOwn}

// MaxMemberInboxes is the most inboxes that a member's access can name.
const MaxMemberInboxes = 500

// A Member is a person who works in a workspace.
type Member struct {
	ID           UserID
	Email        string
	Name         string
	Image        string // URL of a picture, "" for none
	Role         Role
	PasswordHash string // argon2id in PHC form; never leaves the server
	Access       Access // of an agent; owners and admins have AccessAll
	InboxIDs     []ID   // the inboxes of AccessOwn, sorted
	SightSince   int64  // see Sight.Since
	CreatedAt    time.Time
	UpdatedAt    time.Time
	RemovedAt    time.Time // zero while the member works here
}

// Restricted reports whether the member does not see every conversation.
func (m *Member) Restricted() bool { return m.Role == Agent && m.Access == AccessOwn }

// Sight returns what the member may see. teams are those that the member is in; they
// are only needed if the member is restricted.
func (m *Member) Sight(teams []ID) Sight {
	s := Sight{Since: m.SightSince}
	if m.Restricted() {
		s.Own = &Own{Member: m.ID, Inboxes: m.InboxIDs, Teams: teams}
	}
	return s
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

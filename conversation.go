package parley

import "time"

// A Status is the state of a conversation (contract, section 3).
type Status string

// The statuses.
const (
	Open     Status = "open"
	Pending  Status = "pending"
	Resolved Status = "resolved"
)

// Statuses lists the statuses.
var Statuses = []Status{Open, Pending, Resolved}

// A Priority is the urgency of a conversation; "" means not set.
type Priority string

// The priorities.
const (
	Low    Priority = "low"
	Medium Priority = "medium"
	High   Priority = "high"
	Urgent Priority = "urgent"
)

// Priorities lists the priorities.
var Priorities = []Priority{Low, Medium, High, Urgent}

// A SpamChoice says whether a list has conversations marked as spam. "" is WithoutSpam
// or, in a list of changes, AnySpam.
type SpamChoice string

// The choices.
const (
	WithoutSpam SpamChoice = "false"
	OnlySpam    SpamChoice = "true"
	AnySpam     SpamChoice = "any"
)

// SpamChoices lists the choices.
var SpamChoices = []SpamChoice{WithoutSpam, OnlySpam, AnySpam}

// UndoMerge is how long the merge of two conversations can be undone.
const UndoMerge = 30 * 24 * time.Hour

// Limits of a conversation.
const (
	MaxParts       = 20   // conversations that were merged into one
	MaxLinks       = 20   // other conversations that one is linked to
	MaxSplit       = 1000 // messages that a split takes out of one
	MaxLabels      = 50
	MaxLabelLength = 100 // characters
)

// A Conversation is the exchange between one contact (or one group) and the
// company in one inbox.
type Conversation struct {
	ID               ID
	Status           Status
	Priority         Priority
	Spam             bool // marked as spam; lists leave it out unless asked
	Labels           []string
	UnreadCount      int // incoming messages since a member last opened or answered it
	Contact          ContactRef
	Inbox            InboxRef
	Product          ProductRef // zero when not routed or triaged yet
	Assignee         MemberRef  // zero when unassigned
	Team             TeamRef    // zero for none; neither it nor the assignee sets the other
	CustomAttributes Attributes
	LastActivityAt   time.Time // changes with messages, not with settings
	UpdatedAt        time.Time // of the last change of any kind; never decreases within a workspace
	WaitingSince     time.Time // of the customer's first unanswered message; zero if none
	SnoozedUntil     time.Time // while pending: when it opens again by itself; see Snoozed
	WokeAt           time.Time // when it last opened so; zero if it was answered since, or changed its status
	CreatedAt        time.Time
	OpenedAt         time.Time // when it was created or last reopened; for reports
	FirstResponseAt  time.Time // of a member's first answer; zero if none; for reports
	Agent            AgentPart // what the automated agent does here
	MergedInto       ID        // the conversation that has its messages now; zero if it was not merged
	MergedAt         time.Time
	SplitFrom        ID // the conversation that its first messages came from; zero for none
}

// Snoozed returns until when the conversation sleeps, or zero. A node of an older version
// may have opened it and left the stored time.
func (c *Conversation) Snoozed() time.Time {
	if c.Status != Pending {
		return time.Time{}
	}
	return c.SnoozedUntil
}

// SetStatus changes the status, which ends the sleep and the time after it, and returns
// the names of the members that change.
func (c *Conversation) SetStatus(s Status) (changed []string) {
	if c.Status == s {
		return nil
	}
	changed = append(changed, "status")
	if !c.Snoozed().IsZero() {
		changed = append(changed, "snoozedUntil")
	}
	if !c.WokeAt.IsZero() {
		changed = append(changed, "wokeAt")
	}
	c.Status, c.SnoozedUntil, c.WokeAt = s, time.Time{}, time.Time{}
	return changed
}

// Place returns where the conversation stands.
func (c *Conversation) Place() Place {
	return Place{InboxID: c.Inbox.ID, TeamID: c.Team.ID, AssigneeID: c.Assignee.ID}
}

// A ContactRef is the part of a contact that a conversation shows.
type ContactRef struct {
	ID          ID
	Name        string
	Email       string
	PhoneNumber string
	ShopName    string
	AvatarURL   string // shown with the contact's messages
}

// An InboxRef is the part of an inbox that a conversation shows.
type InboxRef struct {
	ID      ID
	Name    string
	Channel Channel
}

// A ProductRef is the part of a product that a conversation shows.
type ProductRef struct {
	ID    ID
	Name  string
	Agent AgentMode // "" like AgentOff
}

// A MemberRef is the part of a member that a conversation shows.
type MemberRef struct {
	ID    UserID
	Name  string
	Image string
}

// A TeamRef is the part of a team that a conversation shows.
type TeamRef struct {
	ID   ID
	Name string
}

// MaxCount is the highest value of Counts.
const MaxCount = 1000

// Counts are numbers of conversations without spam, each up to MaxCount. Mine,
// Unassigned, Unread, Waiting and ToRead count only open ones.
type Counts struct {
	Open, Pending, Mine, Unassigned, Unread int
	Waiting                                 int // the customer waits for an answer
	ToRead                                  int // assigned to the member or to nobody, and unread by the member
	Snoozed                                 int // pending until a time
	Back                                    int // open since such a time, and not answered yet
}

// Unread are the conversations that a member has not read: up to twice MaxCount
// new ones and up to MaxCount marked ones.
type Unread struct {
	New    []ID // unresolved and not spam, with a customer's message that is neither answered nor seen by the member
	Marked []ID // marked as unread by the member
}

// A ConversationOrder is the order of a list of conversations.
type ConversationOrder string

// The orders of conversations.
const (
	ByActivity ConversationOrder = "activity" // most recently active first
	ByWaiting  ConversationOrder = "waiting"  // waiting customers only, longest wait first
)

// ConversationOrders lists the orders of conversations.
var ConversationOrders = []ConversationOrder{ByActivity, ByWaiting}

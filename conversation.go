package parley

import "time"

// A Status is where a conversation stands (contract, section 3).
type Status string

// The statuses.
const (
	Open     Status = "open"
	Pending  Status = "pending"
	Resolved Status = "resolved"
)

// Statuses lists the statuses.
var Statuses = []Status{Open, Pending, Resolved}

// A Priority says how urgent a conversation is; "" means that nobody said.
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

// Limits of a conversation's labels.
const (
	MaxLabels      = 50
	MaxLabelLength = 100 // characters
)

// A Conversation is what one contact (or one group) and the company say to
// each other, by one inbox.
type Conversation struct {
	ID               ID
	Status           Status
	Priority         Priority
	Labels           []string
	UnreadCount      int // incoming messages since a member last opened or answered it
	Contact          ContactRef
	Inbox            InboxRef
	Product          ProductRef // zero when not routed or triaged yet
	Assignee         MemberRef  // zero when nobody is assigned
	CustomAttributes Attributes
	LastActivityAt   time.Time // moves with its messages, not with its settings
	UpdatedAt        time.Time // of its last change of any kind; never backwards in a workspace
	WaitingSince     time.Time // of the customer's first message without an answer; zero when nobody waits
	CreatedAt        time.Time
	OpenedAt         time.Time // when it began, or was last opened again; for reports
	FirstResponseAt  time.Time // of a member's first answer, zero until then; for reports
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
	ID   ID
	Name string
}

// A MemberRef is the part of a member that a conversation shows.
type MemberRef struct {
	ID    UserID
	Name  string
	Image string
}

// MaxCount is how far Counts count.
const MaxCount = 1000

// Counts are how many conversations there are of some kinds, each up to
// MaxCount. Mine, Unassigned, Unread, Waiting and ToRead are open ones.
type Counts struct {
	Open, Pending, Mine, Unassigned, Unread int
	Waiting                                 int // whose customer waits for an answer
	ToRead                                  int // the member's own or nobody's, which the member has not read
}

// Unread are the conversations that a member has not read: up to twice MaxCount
// new ones, and up to MaxCount marked ones.
type Unread struct {
	New    []ID // not resolved, with a customer's message that the member has not seen and nobody has answered
	Marked []ID // those that the member marked as unread
}

// A ConversationOrder is how a list of conversations is ordered.
type ConversationOrder string

// The orders of conversations.
const (
	ByActivity ConversationOrder = "activity" // most recently active first
	ByWaiting  ConversationOrder = "waiting"  // those whose customer waits, longest first
)

// ConversationOrders lists the orders of conversations.
var ConversationOrders = []ConversationOrder{ByActivity, ByWaiting}

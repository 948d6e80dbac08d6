package parley

import (
	"regexp"
	"time"
)

// Lifetimes of a customer's session. A visitor's session ends after VisitorIdle
// without use, or after VisitorSilent if the visitor has not written anything.
// The session of a customer with a signed identity ends IdentityGrace after the
// identity expires, and at the latest IdentityLife after it began.
const (
	VisitorIdle   = 30 * 24 * time.Hour
	VisitorSilent = 24 * time.Hour
	IdentityGrace = 12 * time.Hour
	IdentityLife  = 7 * 24 * time.Hour
	// ReturnLife is how long a session lasts that a link in a mail began, and ReturnLink how long
	// the link may be used.
	ReturnLife = 24 * time.Hour
	ReturnLink = 14 * 24 * time.Hour
)

// A CustomerSession is a customer's session in the chat widget of an inbox.
// Only the hash of its token is stored.
type CustomerSession struct {
	ID        ID
	Workspace WorkspaceID
	InboxID   ID
	ContactID ID     // for a visitor who has not written yet, the id of the future contact
	KID       string // the identity key that vouched for the customer; "" for a visitor
	// ConversationID is the only conversation that the session sees, because a link in a mail
	// began it; zero for all of the contact in the inbox.
	ConversationID ID
	CreatedAt      time.Time
	SeenAt         time.Time // for visitors, updated at most every five minutes
	ExpiresAt      time.Time
}

// Signed reports whether the customer came with a signed identity.
func (s CustomerSession) Signed() bool { return s.KID != "" }

// Limited reports whether the session sees a single conversation.
func (s CustomerSession) Limited() bool { return !s.ConversationID.IsZero() }

// Audience returns the audience of the session in the event log.
func (s CustomerSession) Audience() Audience {
	return Audience{ContactID: s.ContactID, InboxID: s.InboxID, ConversationID: s.ConversationID}
}

// An Audience is a contact in the widget of an inbox. The zero Audience means
// members and keys, who see every event.
type Audience struct {
	ContactID      ID
	InboxID        ID
	ConversationID ID // zero: all of them
}

// Sees reports whether an audience sees an event for another one. An event without an inbox is
// for the contact in every inbox.
func (a Audience) Sees(to Audience) bool {
	if a.ContactID != to.ContactID || to.InboxID.IsZero() {
		return a.ContactID == to.ContactID
	}
	return a.InboxID == to.InboxID && (a.ConversationID.IsZero() || a.ConversationID == to.ConversationID)
}

// IsZero reports whether the audience is members and keys.
func (a Audience) IsZero() bool { return a == Audience{} }

// A CustomerConversation is a conversation as its customer sees it.
type CustomerConversation struct {
	ID             ID
	ContactID      ID
	InboxID        ID
	Status         Status
	UnreadCount    int // the team's messages that the customer has not read, up to 100
	Agent          AgentState
	LastMessage    Message // the zero Message if there is none
	LastActivityAt time.Time
	CreatedAt      time.Time
	MergedInto     ID // the conversation that shows its messages; zero if it was not merged
}

// An IdentityMode says whether customers of a widget need a signed identity.
type IdentityMode string

// The identity modes.
const (
	IdentityOff      IdentityMode = "off"      // everybody is a visitor
	IdentityOptional IdentityMode = "optional" // a customer without identity is a visitor
	IdentityRequired IdentityMode = "required" // an identity is required
)

// IdentityModes lists the identity modes.
var IdentityModes = []IdentityMode{IdentityOff, IdentityOptional, IdentityRequired}

// A WidgetPosition is a corner of the page.
type WidgetPosition string

// WidgetPositions lists the possible corners of the widget.
var WidgetPositions = []WidgetPosition{"right", "left"}

// Limits of a widget's settings, in characters for texts.
const (
	MaxOrigins     = 20
	MaxWidgetTitle = 60
	MaxGreeting    = 500
	MaxReplyTime   = 100
)

// ContinueAfter and MaxContinueAfter are the default and the most of
// [WidgetSettings.ContinueAfter].
const (
	ContinueAfter    = 5
	MaxContinueAfter = 60
)

// WidgetSettings are the appearance of an inbox's chat widget and its rules of
// access.
type WidgetSettings struct {
	InboxID   ID
	Origins   []string // of pages that may embed the widget, such as "https://shop.example"; empty: all
	Identity  IdentityMode
	Title     string
	Greeting  string
	ReplyTime string
	Color     string // "#rrggbb", in lower case
	Position  WidgetPosition
	ShowTeam  bool // show names and pictures of members who answer
	// Ask is when visitors are asked, AskFields for what, and AskRequired whether none may
	// begin without an answer.
	Ask         AskTime
	AskFields   []AskField
	AskRequired bool
	// ContinueAfter is after how many minutes without a message of the team a customer who
	// has left gets by mail what they missed; 0 for never.
	ContinueAfter int
}

// NewWidgetSettings returns the default settings of an inbox.
func NewWidgetSettings(inbox ID) WidgetSettings {
	return WidgetSettings{
		InboxID: inbox, Identity: IdentityOptional, Title: "Chat with us", Greeting: "Hello! How can we help you?",
		Color: "#1d4ed8", Position: "right", ShowTeam: true, Ask: AskNever, ContinueAfter: ContinueAfter,
	}
}

// WellFormedColor reports whether s is a colour of the form #1d4ed8.
func WellFormedColor(s string) bool {
	matched, err := regexp.MatchString("^#[0-9a-f]{6}$", s)
	return matched && err == nil
}

// WellFormedHost reports whether s is a host with or without port, of 1 to 255
// letters, digits and .-:[], the only characters that browsers use in an
// origin.
func WellFormedHost(s string) bool {
	matched, err := regexp.MatchString(`^[A-Za-z0-9.:[\]-]{1,255}$`, s)
	return matched && err == nil
}

// A ContactDuplicate is a guess that two contacts are the same person: one of
// them came with an e-mail address or phone number that the other already has.
type ContactDuplicate struct {
	ID          ID
	Contact     ContactRef // came with the value and did not get it
	Other       ContactRef // already has the value
	Email       string     // "" if the phone number matches
	PhoneNumber string     // "" if the e-mail address matches
	CreatedAt   time.Time
}

// A CompanyMove records that a signed identity moved a contact from one company
// to another; either may be zero.
type CompanyMove struct {
	ID        ID
	ContactID ID
	From, To  CompanyRef
	MovedAt   time.Time
}

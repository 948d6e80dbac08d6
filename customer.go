package parley

import (
	"regexp"
	"time"
)

// The times of a customer's session. That of a visitor ends when it was not
// used for VisitorIdle, or, as long as the visitor wrote nothing, for
// VisitorSilent. That of a customer with a signed identity ends
// IdentityGrace after the identity does, and IdentityLife after it began at
// the latest.
const (
	VisitorIdle   = 30 * 24 * time.Hour
	VisitorSilent = 24 * time.Hour
	IdentityGrace = 12 * time.Hour
	IdentityLife  = 7 * 24 * time.Hour
)

// A CustomerSession is a customer in front of the chat widget of an inbox. The
// token itself is not kept, only its hash.
type CustomerSession struct {
	ID        ID
	Workspace WorkspaceID
	InboxID   ID
	ContactID ID     // of a visitor who wrote nothing yet, the contact to be
	KID       string // the identity key that vouched for the customer; "" for a visitor
	CreatedAt time.Time
	SeenAt    time.Time // of a visitor's, moved at most every five minutes
	ExpiresAt time.Time
}

// Signed reports whether the customer came with a signed identity.
func (s CustomerSession) Signed() bool { return s.KID != "" }

// Audience returns whose part of the event log the session may hear.
func (s CustomerSession) Audience() Audience {
	return Audience{ContactID: s.ContactID, InboxID: s.InboxID}
}

// An Audience is a contact in front of the widget of an inbox. The zero
// Audience are the members and keys, who hear everything.
type Audience struct {
	ContactID ID
	InboxID   ID
}

// IsZero reports whether the audience are members and keys.
func (a Audience) IsZero() bool { return a == Audience{} }

// A CustomerConversation is a conversation as its customer sees it.
type CustomerConversation struct {
	ID             ID
	ContactID      ID
	InboxID        ID
	Status         Status
	UnreadCount    int     // messages of the team that the customer has not read, up to MaxCustomerUnread
	LastMessage    Message // the zero Message where there is none
	LastActivityAt time.Time
	CreatedAt      time.Time
}

// MaxCustomerUnread is how far a customer's unread messages are counted.
const MaxCustomerUnread = 100

// An IdentityMode says whether the customers of a widget come with a signed
// identity.
type IdentityMode string

// The identity modes.
const (
	IdentityOff      IdentityMode = "off"      // everybody is a visitor
	IdentityOptional IdentityMode = "optional" // who comes without is a visitor
	IdentityRequired IdentityMode = "required" // nobody comes without
)

// IdentityModes lists the identity modes.
var IdentityModes = []IdentityMode{IdentityOff, IdentityOptional, IdentityRequired}

// A WidgetPosition is a corner of the page.
type WidgetPosition string

// WidgetPositions lists the corners that a widget can stand in.
var WidgetPositions = []WidgetPosition{"right", "left"}

// Limits of a widget's settings. Texts count in characters.
const (
	MaxOrigins     = 20
	MaxWidgetTitle = 60
	MaxGreeting    = 500
	MaxReplyTime   = 100
)

// WidgetSettings are how the chat widget of a web inbox looks, and whom it
// lets in.
type WidgetSettings struct {
	InboxID   ID
	Origins   []string // of the pages that may show the widget, as "https://shop.example"; none: every page
	Identity  IdentityMode
	Title     string
	Greeting  string
	ReplyTime string
	Color     string // "#rrggbb", in lower case
	Position  WidgetPosition
	ShowTeam  bool // names and pictures of those who answer
}

// NewWidgetSettings returns the settings of an inbox that nobody has set up.
func NewWidgetSettings(inbox ID) WidgetSettings {
	return WidgetSettings{
		InboxID: inbox, Identity: IdentityOptional, Title: "Chat with us", Greeting: "Hello! How can we help you?",
		Color: "#1d4ed8", Position: "right", ShowTeam: true,
	}
}

// WellFormedColor reports whether s is a colour of the form #1d4ed8.
func WellFormedColor(s string) bool {
	matched, err := regexp.MatchString("^#[0-9a-f]{6}$", s)
	return matched && err == nil
}

// WellFormedHost reports whether s is a host of 1 to 255 letters, digits and
// .-:[], which are all that browsers write in an origin, with its port or
// without.
func WellFormedHost(s string) bool {
	matched, err := regexp.MatchString(`^[A-Za-z0-9.:[\]-]{1,255}$`, s)
	return matched && err == nil
}

// A ContactDuplicate is a guess that two contacts are one person: one has the
// e-mail address or the phone number with which the other came.
type ContactDuplicate struct {
	ID          ID
	Contact     ContactRef // who came with it and did not get it
	Other       ContactRef // who has it
	Email       string     // "" where it is the phone number
	PhoneNumber string     // "" where it is the e-mail address
	CreatedAt   time.Time
}

// A CompanyMove tells which company a signed identity took a contact from, and
// to which; either may be zero.
type CompanyMove struct {
	ID        ID
	ContactID ID
	From, To  CompanyRef
	MovedAt   time.Time
}

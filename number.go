package parley

import "time"

// A Driver is the connector that carries a number.
type Driver string

// The drivers.
const (
	DriverSandbox  Driver = "sandbox"
	DriverWhatsApp Driver = "whatsapp"
)

// Drivers lists the drivers.
var Drivers = []Driver{DriverSandbox, DriverWhatsApp}

// A NumberStatus says whether a number can be used.
type NumberStatus string

// The number statuses.
const (
	NumberConnected    NumberStatus = "connected"
	NumberDisconnected NumberStatus = "disconnected"
	NumberPairing      NumberStatus = "pairing"    // waiting for a person with the phone
	NumberLoggedOut    NumberStatus = "logged_out" // must be paired again
	NumberBanned       NumberStatus = "banned"     // by the application, temporarily or for good
	NumberOutdated     NumberStatus = "outdated"   // the application requires a newer Parley
)

// A Number is a phone number of the workspace in the messaging application.
type Number struct {
	ID     ID
	Phone  Phone
	Driver Driver
	Status NumberStatus
	// Until is the end of a ban, if Status is NumberBanned; zero if unknown.
	Until time.Time
	// RestrictedUntil is set while the application only lets the number write
	// to people who have written to it.
	RestrictedUntil time.Time
	Reason          string // of the status, for display; "" for none
	Enabled         bool   // it should be kept connected
	Device          string // the paired device; "" for none. Not shown to callers.
	// NetworkPhone is the application's spelling of Phone, if it differs, as in
	// some countries; else "".
	NetworkPhone Phone
	InboxID      ID // the inbox of its conversations
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Paired reports whether the number can be connected. Sandbox numbers need no
// pairing.
func (n *Number) Paired() bool { return n.Driver == DriverSandbox || n.Device != "" }

// Is reports whether a phone is the number itself, in either spelling.
func (n *Number) Is(phone Phone) bool {
	return phone != "" && (phone == n.Phone || phone == n.NetworkPhone)
}

// A Pairing is the current step of pairing a number with a phone.
type Pairing struct {
	NumberID  ID
	By        string    // qr or code
	Kind      string    // starting, qr_code, phone_code, or finally paired, expired or refused
	Code      string    // a secret: anyone who has it can read the messages
	Until     time.Time // expiry of Code
	Reason    string    // why it was refused, for display
	UpdatedAt time.Time
}

// IsQR reports whether Code is the text of a QR code.
func (p *Pairing) IsQR() bool { return p.Kind == "qr_code" }

// Over reports whether a pairing has ended.
func (p *Pairing) Over() bool {
	return p.Kind == "paired" || p.Kind == "expired" || p.Kind == "refused"
}

// A Budget limits how much a number does in a period, because the messaging
// application bans numbers that do too much.
type Budget string

// The budgets.
const (
	GroupsPerHour  Budget = "groupsPerHour"
	GroupsPerDay   Budget = "groupsPerDay"
	AddsPerHour    Budget = "addsPerHour"    // numbers added to existing groups
	InvitesPerHour Budget = "invitesPerHour" // links sent in direct messages
	SendsPerMinute Budget = "sendsPerMinute"
)

// Budgets lists the budgets.
var Budgets = []Budget{GroupsPerHour, GroupsPerDay, AddsPerHour, InvitesPerHour, SendsPerMinute}

// MaxBudget is the most that a budget can allow.
const MaxBudget = 100000

// NoBudget means that a budget has no limit.
const NoBudget = -1

// A BudgetUse is a budget of a number and its current use.
type BudgetUse struct {
	Budget  Budget
	Limit   int // NoBudget for none
	Default int // the default limit; NoBudget for none
	Used    int
}

// A Group is a conversation with several customers in the messaging
// application.
type Group struct {
	ConversationID ID
	NumberID       ID     // the host
	JID            string // its id in the application
	InviteLink     string // "" if the application gives none
	Found          bool   // discovered by a message, not created by Parley
}

// A GroupOutcome says what happened to the numbers that were to join a group.
// Each number is in the form of ParsePhone.
type GroupOutcome struct {
	Group        Group
	Added        []Phone
	Invited      []Phone // could not be added, must join by the link
	InvitesSent  []Phone // the subset of Invited that was sent the link
	NotOnChatapp []Phone
}

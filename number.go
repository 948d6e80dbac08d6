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
	NumberPairing      NumberStatus = "pairing"    // waits for a person with the phone
	NumberLoggedOut    NumberStatus = "logged_out" // must be paired anew
	NumberBanned       NumberStatus = "banned"     // by the application, for a while or for good
	NumberOutdated     NumberStatus = "outdated"   // the application demands a newer Parley
)

// A Number is a phone number of the workspace in the messaging application.
type Number struct {
	ID     ID
	Phone  Phone
	Driver Driver
	Status NumberStatus
	// Until is the end of a ban where Status is NumberBanned; zero where nobody
	// knows.
	Until time.Time
	// RestrictedUntil is set while the application lets the number write to
	// nobody who never wrote to it.
	RestrictedUntil time.Time
	Reason          string // of the status, for people; "" for none
	Enabled         bool   // it is to be kept connected
	Device          string // names what was paired; "" for nothing. Not shown to callers.
	// NetworkPhone is how the application spells Phone where it does so in
	// another way, as it does in some countries; else "".
	NetworkPhone Phone
	InboxID      ID // the inbox of its conversations
	CreatedAt    time.Time
	UpdatedAt    time.Time
}

// Paired reports whether there is a connection to the application to open.
// Numbers of the sandbox need none.
func (n *Number) Paired() bool { return n.Driver == DriverSandbox || n.Device != "" }

// Is reports whether a phone is the number itself, in either spelling.
func (n *Number) Is(phone Phone) bool {
	return phone != "" && (phone == n.Phone || phone == n.NetworkPhone)
}

// A Pairing is a number on its way to be paired with a phone.
type Pairing struct {
	NumberID  ID
	By        string    // qr or code
	Kind      string    // starting, qr_code, phone_code, paired, expired or refused; those from paired on are the last
	Code      string    // a secret: who has it can read along
	Until     time.Time // how long Code holds
	Reason    string    // why it was refused, for people
	UpdatedAt time.Time
}

// IsQR reports whether Code is the text of a QR code.
func (p *Pairing) IsQR() bool { return p.Kind == "qr_code" }

// Over reports whether a pairing has come to its end.
func (p *Pairing) Over() bool {
	return p.Kind == "paired" || p.Kind == "expired" || p.Kind == "refused"
}

// A Budget bounds how much a number does in a time, for the messaging
// application bans who does too much.
type Budget string

// The budgets.
const (
	GroupsPerHour  Budget = "groupsPerHour"
	GroupsPerDay   Budget = "groupsPerDay"
	AddsPerHour    Budget = "addsPerHour"    // numbers added to groups that exist
	InvitesPerHour Budget = "invitesPerHour" // links sent to people one to one
	SendsPerMinute Budget = "sendsPerMinute"
)

// Budgets lists the budgets.
var Budgets = []Budget{GroupsPerHour, GroupsPerDay, AddsPerHour, InvitesPerHour, SendsPerMinute}

// MaxBudget is the most that a budget can allow.
const MaxBudget = 100000

// NoBudget is the limit of a budget that bounds nothing.
const NoBudget = -1

// A BudgetUse is a budget of a number and what is used of it now.
type BudgetUse struct {
	Budget  Budget
	Limit   int // NoBudget for none
	Default int // the limit unless somebody sets another; NoBudget for none
	Used    int
}

// A Group is a conversation with several customers in the messaging
// application.
type Group struct {
	ConversationID ID
	NumberID       ID     // the host
	JID            string // the application's own name of the group
	InviteLink     string // "" while the application gives none
	Found          bool   // it was not made here: somebody wrote in it
}

// A GroupOutcome says what became of the numbers that should join a group.
// Each number stands as digits, as ParsePhone gave it.
type GroupOutcome struct {
	Group        Group
	Added        []Phone
	Invited      []Phone // could not be added directly, must join by the link
	InvitesSent  []Phone // those of Invited to whom the link was sent
	NotOnChatapp []Phone
}

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
)

// A Number is a phone number of the workspace in the messaging application.
type Number struct {
	ID        ID
	Phone     Phone
	Driver    Driver
	Status    NumberStatus
	InboxID   ID // the inbox of its conversations
	CreatedAt time.Time
	UpdatedAt time.Time
}

// A Group is a conversation with several customers in the messaging
// application.
type Group struct {
	ConversationID ID
	NumberID       ID     // the host
	JID            string // the application's own name of the group
	InviteLink     string // "" while the application gives none
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

package parley

import "time"

// A Mail is one that the server sends, without its contents and its address.
type Mail struct {
	ID    ID
	Kind  MailKind
	State MailState
	// MemberID, ContactID and InvitationID say whom it is for, as far as it is known.
	MemberID                                UserID
	ContactID, InvitationID, ConversationID ID
	Attempts                                int    // to hand it over
	Problem                                 string // of the last attempt; "" if there was none
	// Resendable says that it has ended without being sent, and its contents are still there.
	Resendable bool
	CreatedAt  time.Time
	EndedAt    time.Time // zero while it waits or is being sent
}

// A MailKind says what a mail is about.
type MailKind string

// The kinds of mails.
const (
	MailInvitation MailKind = "invitation"
	MailReset      MailKind = "reset"
	MailDigest     MailKind = "digest"  // what a member has not seen
	MailMissed     MailKind = "missed"  // what a customer has not seen
	MailConfirm    MailKind = "confirm" // to an address that somebody typed
	MailTest       MailKind = "test"
	MailAccount    MailKind = "account" // what happened to a member's account
)

// Stoppable reports whether whoever gets mails of a kind can end them.
func (k MailKind) Stoppable() bool {
	return k == MailDigest || k == MailMissed || k == MailConfirm
}

// A MailState says what became of a mail.
type MailState string

// The states of mails.
const (
	MailWaiting    MailState = "waiting"
	MailSending    MailState = "sending" // its contents are being handed over
	MailSent       MailState = "sent"    // the mail server took it
	MailFailed     MailState = "failed"  // the mail server did not take it
	MailUnknown    MailState = "unknown" // nobody knows whether the mail server took it
	MailSuperseded MailState = "superseded"
)

// MailStates are the states of mails.
var MailStates = []MailState{MailWaiting, MailSending, MailSent, MailFailed, MailUnknown, MailSuperseded}

// Times of mails.
const (
	// MailPatience is how long a mail that cannot be handed over is tried again.
	MailPatience = 72 * time.Hour
	// MailContents is how long the contents of a mail stay that was not sent.
	MailContents = 7 * 24 * time.Hour
	// MailRetention is how long a mail is listed after its end.
	MailRetention = 30 * 24 * time.Hour
)

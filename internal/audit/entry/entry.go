// Package entry has the words of the audit log: what it records, of whom, and about what.
// The store keeps them as they are here.
//
// It may import the vocabulary.
package entry

import (
	"time"

	"parley"
)

// A Client is from where a request came.
type Client struct {
	Address   string // on the network; "" if unknown
	UserAgent string // the header of that name; "" if there was none
	Operator  bool   // the command line of the server
}

// An Actor is the kind of who did what the audit log records.
type Actor string

// The kinds of actors.
const (
	Member   Actor = "member"   // a signed-in member, or one who signed in by it
	Key      Actor = "key"      // a program with an API key
	Operator Actor = "operator" // the command line of the server
	Server   Actor = "server"   // the server itself, or somebody it does not know
)

// Actors lists the kinds of actors.
var Actors = []Actor{Member, Key, Operator, Server}

// An Action says what was done, as "noun.verb". The store keeps the names.
type Action string

// The actions.
const (
	SignedIn           Action = "session.started"
	SignInRefused      Action = "session.refused"
	SignedOut          Action = "session.ended"
	SessionsEnded      Action = "sessions.ended"       // all of a member, or all others
	Confirmed          Action = "session.confirmed"    // the member proved anew who they are
	NotConfirmed       Action = "confirmation.refused" // a signed-in member gave a wrong password or code
	PasswordChanged    Action = "password.changed"
	PasswordReset      Action = "password.reset"
	ResetCreated       Action = "password_link.created"
	FactorSet          Action = "second_factor.set"
	FactorTurnedOff    Action = "second_factor.turned_off"
	FactorReset        Action = "second_factor.reset"
	CodesRenewed       Action = "recovery_codes.renewed"
	Invited            Action = "invitation.created"
	InvitationDeleted  Action = "invitation.deleted"
	InvitationAccepted Action = "invitation.accepted"
	MemberCreated      Action = "member.created"
	MemberUpdated      Action = "member.updated"
	MemberRemoved      Action = "member.removed"
	KeyCreated         Action = "key.created"
	KeyUpdated         Action = "key.updated"
	KeyRevoked         Action = "key.revoked"
	IdentityCreated    Action = "identity_key.created"
	IdentityRetired    Action = "identity_key.retired"
	IdentityRevoked    Action = "identity_key.revoked"
	OpenIDUpdated      Action = "sign_in_provider.updated"
	OpenIDDeleted      Action = "sign_in_provider.deleted"
	PersonBound        Action = "provider_person.bound"   // a member is a person of the provider from now on
	PersonUnbound      Action = "provider_person.removed" // and no longer
	WorkspaceCreated   Action = "workspace.created"
	WorkspaceUpdated   Action = "workspace.updated"
	InboxCreated       Action = "inbox.created"
	InboxUpdated       Action = "inbox.updated"
	RetentionUpdated   Action = "retention.updated"
	WidgetUpdated      Action = "widget.updated"
	TextsUpdated       Action = "widget_texts.updated"
	HoursUpdated       Action = "office_hours.updated"
	ProductCreated     Action = "product.created"
	ProductUpdated     Action = "product.updated"
	AgentUpdated       Action = "product_agent.updated"
	TeamCreated        Action = "team.created"
	TeamUpdated        Action = "team.updated"
	TeamDeleted        Action = "team.deleted"
	HelpCenterCreated  Action = "help_center.created"
	HelpCenterUpdated  Action = "help_center.updated"
	HelpCenterDeleted  Action = "help_center.deleted"
	ProviderCreated    Action = "model_provider.created"
	ProviderUpdated    Action = "model_provider.updated"
	ProviderDeleted    Action = "model_provider.deleted"
	NumberCreated      Action = "number.created"
	NumberUpdated      Action = "number.updated"
	NumberPaired       Action = "number.paired"
	BudgetUpdated      Action = "number_budget.updated"
	Erased             Action = "contact.erased"
	PersonExported     Action = "contact.exported"
	ConversationErased Action = "conversation.deleted"
	Exported           Action = "audit.exported"
	BackedUp           Action = "backup.created"
	BackupFailed       Action = "backup.failed"
	Restored           Action = "backup.restored"    // the workspace is as it was in a backup
	KeyRotated         Action = "master_key.rotated" // all secrets are sealed anew
	ArticleDeleted     Action = "article.deleted"    // or its text in a language
	CustomerSignedOut  Action = "contact.signed_out" // of the chat, everywhere
)

// Actions lists the actions.
var Actions = []Action{
	SignedIn, SignInRefused, SignedOut, SessionsEnded, Confirmed, NotConfirmed, PasswordChanged, PasswordReset, ResetCreated,
	FactorSet, FactorTurnedOff, FactorReset, CodesRenewed,
	Invited, InvitationDeleted, InvitationAccepted, MemberCreated, MemberUpdated, MemberRemoved,
	KeyCreated, KeyUpdated, KeyRevoked, IdentityCreated, IdentityRetired, IdentityRevoked,
	OpenIDUpdated, OpenIDDeleted, PersonBound, PersonUnbound,
	WorkspaceCreated, WorkspaceUpdated, InboxCreated, InboxUpdated, RetentionUpdated, WidgetUpdated,
	TextsUpdated, HoursUpdated, ProductCreated, ProductUpdated, AgentUpdated,
	TeamCreated, TeamUpdated, TeamDeleted, HelpCenterCreated, HelpCenterUpdated, HelpCenterDeleted,
	ProviderCreated, ProviderUpdated, ProviderDeleted, NumberCreated, NumberUpdated, NumberPaired,
	BudgetUpdated, Erased, PersonExported, ConversationErased, Exported, BackedUp,
	BackupFailed, Restored, KeyRotated, ArticleDeleted, CustomerSignedOut,
}

// An Subject is the kind of the record that an action is about.
type Subject string

// The kinds of subjects.
const (
	SubjectMember       Subject = "member"
	SubjectInvitation   Subject = "invitation"
	SubjectKey          Subject = "key"
	SubjectIdentityKey  Subject = "identity_key"
	SubjectWorkspace    Subject = "workspace"
	SubjectInbox        Subject = "inbox"
	SubjectProduct      Subject = "product"
	SubjectTeam         Subject = "team"
	SubjectHelpCenter   Subject = "help_center"
	SubjectProvider     Subject = "model_provider"
	SubjectNumber       Subject = "number"
	SubjectContact      Subject = "contact"
	SubjectConversation Subject = "conversation"
	SubjectArticle      Subject = "article"
)

// Subjects lists the kinds of subjects.
var Subjects = []Subject{
	SubjectMember, SubjectInvitation, SubjectKey, SubjectIdentityKey, SubjectWorkspace, SubjectInbox, SubjectProduct, SubjectTeam,
	SubjectHelpCenter, SubjectProvider, SubjectNumber, SubjectContact, SubjectConversation, SubjectArticle,
}

// An Change names a field that was changed. From and To are the values of harmless
// settings, such as roles; "" for all others. They never hold a secret, nor what
// somebody wrote.
type Change struct {
	Field string
	From  string
	To    string
}

// BrowserField is the field of a sign-in from a browser that never signed in to the account
// before, with the value [NewBrowser].
const (
	BrowserField = "browser"
	NewBrowser   = "new"
)

// Retention is how long the audit log keeps its entries, unless an operator
// chooses otherwise.
const Retention = 400 * 24 * time.Hour

// MinRetention is the least that an operator may choose.
const MinRetention = 30 * 24 * time.Hour

// MaxAgent is how many characters of a User-Agent the audit log keeps.
const MaxAgent = 200

// An Entry is a line of the audit log. It is written in the transaction of what it
// records, and never changed.
type Entry struct {
	ID          parley.ID
	At          time.Time
	ActorType   Actor
	ActorID     string // of the member or the key; "" for none
	ActorName   string // the present name; "" if it is unknown. It is not stored.
	Address     string // the client's network address; "" if unknown
	UserAgent   string // shortened; "" if unknown
	Action      Action
	SubjectType Subject // "" for none
	SubjectID   string
	SubjectName string   // as ActorName
	Changes     []Change // sorted as they were made
	// Count is how often it happened since the last such entry: 1, but for refused
	// sign-ins, which are counted.
	Count int
}

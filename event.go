package parley

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// An EventType says what happened, and to what.
type EventType string

// The event types.
const (
	ConversationCreated EventType = "conversation.created"
	ConversationUpdated EventType = "conversation.updated"
	MessageCreated      EventType = "message.created"
	MessageUpdated      EventType = "message.updated"
	ContactCreated      EventType = "contact.created"
	ContactUpdated      EventType = "contact.updated"
	CompanyCreated      EventType = "company.created"
	CompanyUpdated      EventType = "company.updated"
	ProductCreated      EventType = "product.created"
	ProductUpdated      EventType = "product.updated"
	InboxCreated        EventType = "inbox.created"
	InboxUpdated        EventType = "inbox.updated"
	MemberCreated       EventType = "member.created"
	MemberUpdated       EventType = "member.updated"
	MemberRemoved       EventType = "member.removed"
	NumberCreated       EventType = "number.created"
	NumberUpdated       EventType = "number.updated"
	ContactMerged       EventType = "contact.merged"
	LabelCreated        EventType = "label.created"
	LabelUpdated        EventType = "label.updated"
	LabelDeleted        EventType = "label.deleted"
	CannedAnswerCreated EventType = "canned_answer.created"
	CannedAnswerUpdated EventType = "canned_answer.updated"
	CannedAnswerDeleted EventType = "canned_answer.deleted"
	WorkspaceUpdated    EventType = "workspace.updated"
	// Two contacts may be one person, or are not any more.
	DuplicateCreated EventType = "contact_duplicate.created"
	DuplicateDeleted EventType = "contact_duplicate.deleted"
)

// EventTypes lists the event types.
var EventTypes = []EventType{
	ConversationCreated, ConversationUpdated, MessageCreated, MessageUpdated,
	ContactCreated, ContactUpdated, ContactMerged, CompanyCreated, CompanyUpdated,
	ProductCreated, ProductUpdated, InboxCreated, InboxUpdated,
	MemberCreated, MemberUpdated, MemberRemoved, NumberCreated, NumberUpdated,
	LabelCreated, LabelUpdated, LabelDeleted,
	CannedAnswerCreated, CannedAnswerUpdated, CannedAnswerDeleted, WorkspaceUpdated,
	DuplicateCreated, DuplicateDeleted,
}

// EventWithheld is what an event is shown as to whoever may not read it. The log
// holds none.
const EventWithheld EventType = "withheld"

// Scope returns what a key needs to read events of the type. What has no scope
// of its own belongs to the work on conversations.
func (t EventType) Scope() Scope {
	noun, _, _ := strings.Cut(string(t), ".")
	switch noun {
	case "contact", "contact_duplicate":
		return ContactsRead
	case "company":
		return CompaniesRead
	case "product":
		return ProductsRead
	}
	return ConversationsRead
}

// ReadScopes lists the scopes that open the event log. Each opens a part of it.
var ReadScopes = []Scope{ConversationsRead, ContactsRead, CompaniesRead, ProductsRead}

// A LogReader is what somebody may read of the event log.
type LogReader struct {
	All    bool // a member: everything
	Scopes []Scope
}

// Holds reports whether the reader may read what takes a scope.
func (r LogReader) Holds(scope Scope) bool { return r.All || slices.Contains(r.Scopes, scope) }

// Everything reports whether nothing of the log is kept from the reader.
func (r LogReader) Everything() bool {
	return !slices.ContainsFunc(ReadScopes, func(scope Scope) bool { return !r.Holds(scope) })
}

// Show returns an event as the reader may see it. One that the reader may not
// read keeps its place in the log and says what it takes to read it. The names
// of members and keys are for whoever may list the members.
func (r LogReader) Show(e Event) Event {
	if scope := e.Type.Scope(); !r.Holds(scope) {
		return Event{Workspace: e.Workspace, Seq: e.Seq, Type: EventWithheld, CreatedAt: e.CreatedAt, Scope: scope}
	}
	if !r.Holds(ConversationsRead) {
		e.Origin.Actor.Name = ""
	}
	return e
}

// EventRetention is how long the event log is kept unless the operator asks
// for longer; never less.
const EventRetention = 7 * 24 * time.Hour

// An Event tells of one change. The events of a workspace are numbered by one
// without a gap, in the order in which they were committed, so that a reader
// can prove that it missed nothing.
type Event struct {
	Workspace      WorkspaceID
	Seq            int64
	Type           EventType
	CreatedAt      time.Time
	ConversationID ID       // zero where no conversation is concerned
	Changed        []string // names of the changed fields, of an update
	Data           []byte   // the resource after the change, in the JSON of the API
	Origin         Origin   // who brought it about, and what it follows from
	Moved          []byte   // what a new message moved in its conversation, in JSON; empty for nothing
	Scope          Scope    // of EventWithheld: what it takes to read the event
	Check          string   // random characters, given with Seq; "" for events from before there were any
}

// EventCheckLength is the number of characters of an event's Check: 35 bits tell
// the events of two histories apart.
const EventCheckLength = 7

// A LogPosition is a place in a workspace's event log: behind the event Seq of
// the history Epoch. Check is that event's own, so that a place of another
// history is known as such: a store that was set back to an older copy soon has
// an event of every number again. It is "" before the first event.
type LogPosition struct {
	Epoch string
	Seq   int64
	Check string
}

// String writes a position as "epoch.seq.check", and as "epoch.seq" where the
// event has no check.
func (p LogPosition) String() string {
	text := p.Epoch + "." + strconv.FormatInt(p.Seq, 10)
	if p.Check != "" {
		text += "." + p.Check
	}
	return text
}

// ParseLogPosition reads what String wrote.
func ParseLogPosition(text string) (LogPosition, bool) {
	epoch, rest, ok := strings.Cut(text, ".")
	seq, check, checked := strings.Cut(rest, ".")
	n, err := strconv.ParseInt(seq, 10, 64)
	valid := ok && err == nil && n >= 0 && epoch != "" && len(epoch) <= 40 && strconv.FormatInt(n, 10) == seq &&
		checked == (check != "") && len(check) <= 40 && !strings.ContainsFunc(check, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	return LogPosition{Epoch: epoch, Seq: n, Check: check}, valid
}

// A LogHead is the end of a workspace's event log. Access counts what ended
// somebody's access to the workspace.
type LogHead struct {
	Workspace WorkspaceID
	LogPosition
	Access int64
}

// A CredentialKind says what kind of credential a stream was opened with.
type CredentialKind string

// The kinds of credentials.
const (
	CredentialKey      CredentialKind = "key"
	CredentialMember   CredentialKind = "member"   // the session of a member
	CredentialCustomer CredentialKind = "customer" // the session of a customer
)

// A Credential is what a stream was opened with.
type Credential struct {
	Kind CredentialKind
	ID   ID
	// Contact is the customer's contact when the stream was opened: one who
	// becomes part of another contact opens another stream.
	Contact ID
	// Scopes are those of the key when the stream was opened, with spaces between:
	// a key that gets others opens another stream.
	Scopes string
}

// NewKeyCredential returns a key as the credential of a stream.
func NewKeyCredential(k *Key) Credential {
	return Credential{Kind: CredentialKey, ID: k.ID, Scopes: JoinScopes(k.Scopes)}
}

// Reader returns what the credential's holder may read of the log.
func (c Credential) Reader() LogReader {
	if c.Kind != CredentialKey {
		return LogReader{All: true}
	}
	return LogReader{Scopes: SplitScopes(c.Scopes)}
}

// An EventPage is a part of the event log. Reset says that the position asked
// for is not in the log any more (or never was), and that the page therefore
// starts at the oldest event kept: the reader must load its state anew.
type EventPage struct {
	Events  []Event
	HasMore bool
	Reset   bool
	Next    LogPosition
}

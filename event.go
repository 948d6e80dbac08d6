package parley

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// An EventType says what happened to which kind of record.
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
	// DuplicateCreated means that two contacts may be the same person,
	// DuplicateDeleted that they no longer are thought to be.
	DuplicateCreated EventType = "contact_duplicate.created"
	DuplicateDeleted EventType = "contact_duplicate.deleted"
	// ConversationDeleted, MessageDeleted and ContactDeleted mean that a record was
	// erased. Its earlier events become EventErased then, or soon after.
	ConversationDeleted EventType = "conversation.deleted"
	MessageDeleted      EventType = "message.deleted"
	ContactDeleted      EventType = "contact.deleted"
	// ArticleCreated and ArticleUpdated show texts without bodies and keywords.
	ArticleCreated         EventType = "article.created"
	ArticleUpdated         EventType = "article.updated"
	ArticleDeleted         EventType = "article.deleted"
	ArticleCategoryCreated EventType = "article_category.created"
	ArticleCategoryUpdated EventType = "article_category.updated"
	ArticleCategoryDeleted EventType = "article_category.deleted"
	HelpCenterCreated      EventType = "help_center.created"
	HelpCenterUpdated      EventType = "help_center.updated"
	HelpCenterDeleted      EventType = "help_center.deleted"
	// ConversationMerged means that a conversation's messages are in another one now,
	// ConversationSplit that it began with messages of another one.
	// ConversationUnmerged means that a merge was undone.
	ConversationMerged      EventType = "conversation.merged"
	ConversationUnmerged    EventType = "conversation.unmerged"
	ConversationSplit       EventType = "conversation.split"
	TeamCreated             EventType = "team.created"
	TeamUpdated             EventType = "team.updated"
	TeamDeleted             EventType = "team.deleted"
	ViewCreated             EventType = "view.created"
	ViewUpdated             EventType = "view.updated"
	ViewDeleted             EventType = "view.deleted"
	MacroCreated            EventType = "macro.created"
	MacroUpdated            EventType = "macro.updated"
	MacroDeleted            EventType = "macro.deleted"
	ScheduledMessageCreated EventType = "scheduled_message.created"
	ScheduledMessageUpdated EventType = "scheduled_message.updated"
	ScheduledMessageDeleted EventType = "scheduled_message.deleted"
)

// EventTypes lists the event types.
var EventTypes = []EventType{
	ConversationCreated, ConversationUpdated, MessageCreated, MessageUpdated,
	ContactCreated, ContactUpdated, ContactMerged, CompanyCreated, CompanyUpdated,
	ProductCreated, ProductUpdated, InboxCreated, InboxUpdated,
	MemberCreated, MemberUpdated, MemberRemoved, NumberCreated, NumberUpdated,
	LabelCreated, LabelUpdated, LabelDeleted,
	CannedAnswerCreated, CannedAnswerUpdated, CannedAnswerDeleted, WorkspaceUpdated,
	DuplicateCreated, DuplicateDeleted, ConversationDeleted, MessageDeleted, ContactDeleted,
	ArticleCreated, ArticleUpdated, ArticleDeleted,
	ArticleCategoryCreated, ArticleCategoryUpdated, ArticleCategoryDeleted,
	HelpCenterCreated, HelpCenterUpdated, HelpCenterDeleted,
	ConversationMerged, ConversationUnmerged, ConversationSplit, TeamCreated, TeamUpdated, TeamDeleted,
	ViewCreated, ViewUpdated, ViewDeleted, MacroCreated, MacroUpdated, MacroDeleted,
	ScheduledMessageCreated, ScheduledMessageUpdated, ScheduledMessageDeleted,
}

// EventWithheld replaces the type of an event for readers who may not read it.
// The log never contains it.
const EventWithheld EventType = "withheld"

// EventHidden replaces the type of an event after which a reader no longer sees the
// conversation. The log never contains it.
const EventHidden EventType = "conversation.hidden"

// EventErased replaces the type of an event about an erased record. The event keeps
// its number, its time and its check, and nothing else.
const EventErased EventType = "erased"

// Scope returns the scope that a key needs to read events of the type. A type of
// a later version has UnknownScope.
func (t EventType) Scope() Scope {
	noun, _, _ := strings.Cut(string(t), ".")
	switch noun {
	case "conversation", "message", "inbox", "member", "number", "label", "canned_answer", "workspace",
		"team", "view", "macro", "scheduled_message":
		return ConversationsRead
	case "contact", "contact_duplicate":
		return ContactsRead
	case "company":
		return CompaniesRead
	case "product":
		return ProductsRead
	case "article", "article_category", "help_center":
		return KnowledgeRead
	}
	return UnknownScope
}

// ReadScopes lists the scopes that open parts of the event log.
var ReadScopes = []Scope{ConversationsRead, ContactsRead, CompaniesRead, ProductsRead, KnowledgeRead}

// A LogReader describes what a caller may read of the event log.
type LogReader struct {
	Visibility Visibility
	All        bool // a member: every type of event
	Scopes     []Scope
}

// Holds reports whether the reader may read what requires a scope.
func (r LogReader) Holds(scope Scope) bool { return r.All || slices.Contains(r.Scopes, scope) }

// Everything reports whether the reader may read the whole log of the workspace,
// also events that a later version wrote. No key may.
func (r LogReader) Everything() bool { return r.All && r.Visibility.Whole() }

// Show returns an event as the reader may see it. An event that the reader may
// not read keeps its place in the log and names the scope it requires.
func (r LogReader) Show(e Event) Event {
	if e.Type == EventErased {
		return e
	}
	if r.Visibility.Loses(&e) {
		return Event{Workspace: e.Workspace, Seq: e.Seq, Type: EventHidden, CreatedAt: e.CreatedAt, ConversationID: e.ConversationID}
	}
	if scope := e.Type.Scope(); !r.Holds(scope) || !r.Visibility.Includes(&e) {
		return Event{Workspace: e.Workspace, Seq: e.Seq, Type: EventWithheld, CreatedAt: e.CreatedAt, Scope: scope}
	}
	e.Origin.Actor = r.ShowActor(e.Origin.Actor)
	return e
}

// ShowActor returns an actor as the reader may see it. Only readers who may list
// the members see the names of members and keys.
func (r LogReader) ShowActor(a Actor) Actor {
	if !r.Holds(ConversationsRead) {
		a.Name = ""
	}
	return a
}

// EventRetention is the minimum retention of the event log; operators can
// extend it.
const EventRetention = 7 * 24 * time.Hour

// An Event describes one change. The events of a workspace have consecutive
// numbers without gaps, in commit order, so a reader can prove that it missed
// none.
type Event struct {
	Workspace      WorkspaceID
	Seq            int64
	Type           EventType
	CreatedAt      time.Time
	ConversationID ID       // zero if no conversation is concerned
	Changed        []string // for an update, the names of the changed fields
	Data           []byte   // the resource after the change, as JSON of the API
	Origin         Origin   // who caused it, and what it follows from
	Moved          []byte   // what a new message changed in its conversation, as JSON; empty for nothing
	Scope          Scope    // for EventWithheld: the scope required to read the event
	Check          string   // random characters, assigned with Seq; "" for older events without one
	// Place is where the conversation stands after the event. If it is zero, the store
	// reads it from the conversation.
	Place Place
	// Before is where the conversation stood, if the event changed its team or its
	// assignee.
	Before Optional[Place]
}

// A Place is what decides, besides the workspace, who may see a conversation.
type Place struct {
	InboxID    ID
	TeamID     ID     // zero for none
	AssigneeID UserID // "" for nobody
}

// EventCheckLength is the number of characters of an event's Check: 35 bits
// distinguish the events of two histories.
const EventCheckLength = 7

// A LogPosition is a position in a workspace's event log: after event Seq of
// the history Epoch. Check is the check of that event. It reveals a position
// from another history: a store restored from an older copy soon has an event
// for every number again. Check is "" before the first event.
type LogPosition struct {
	Epoch string
	Seq   int64
	Check string
}

// String formats a position as "epoch.seq.check", or "epoch.seq" if the event
// has no check.
func (p LogPosition) String() string {
	text := p.Epoch + "." + strconv.FormatInt(p.Seq, 10)
	if p.Check != "" {
		text += "." + p.Check
	}
	return text
}

// ParseLogPosition parses the format of [LogPosition.String].
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

// A LogHead is the end of a workspace's event log. Access increases whenever a
// credential loses access to the workspace.
type LogHead struct {
	Workspace WorkspaceID
	LogPosition
	Access int64
}

// A LogTail is the events of a log after a position.
type LogTail struct {
	Events []Event
	Lost   bool  // the log has a different event at the position
	Access int64 // see LogHead; at least as new as the events
}

// A CredentialKind is the kind of a Credential.
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
	// Contact is the customer's contact when the stream was opened. A customer
	// who is merged into another contact must open a new stream.
	Contact ID
	// Scopes are the key's scopes when the stream was opened, separated by
	// spaces. A key with changed scopes must open a new stream.
	Scopes string
	// Sight is the member's Sight.Since when the stream was opened. A member who sees
	// other conversations must open a new stream.
	Sight int64
}

// NewKeyCredential returns a key as the credential of a stream.
func NewKeyCredential(k *Key) Credential {
	return Credential{Kind: CredentialKey, ID: k.ID, Scopes: JoinScopes(k.Scopes)}
}

// Reader returns what the holder of the credential may read of the log. The holder
// may see vis.
func (c Credential) Reader(vis Visibility) LogReader {
	if c.Kind != CredentialKey {
		return LogReader{Visibility: vis, All: true}
	}
	return LogReader{Visibility: vis, Scopes: SplitScopes(c.Scopes)}
}

// An EventPage is a part of the event log. Reset says that the requested
// position is not in the log, so the page starts at the oldest event and the
// reader must reload its state.
type EventPage struct {
	Events  []Event
	HasMore bool
	Reset   bool
	Next    LogPosition
}

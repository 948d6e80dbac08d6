package parley

import "time"

// A Direction is the direction of a message (contract: messageType).
type Direction string

// The directions.
const (
	Outgoing Direction = "outgoing"
	Incoming Direction = "incoming"
)

// Directions lists the directions.
var Directions = []Direction{Outgoing, Incoming}

// A ContentType says how to interpret the content of a message.
type ContentType string

// The content types that a caller can post.
const (
	Text     ContentType = "text"
	Markdown ContentType = "markdown"
)

// The content types of a message with attachments; the first attachment
// decides.
const (
	Image ContentType = "image"
	Audio ContentType = "audio"
	Video ContentType = "video"
	File  ContentType = "file"
)

// Notice is the content type of messages by Parley itself, such as who joined a
// group.
const Notice ContentType = "system"

// PostedContentTypes lists the content types that a caller can post.
var PostedContentTypes = []ContentType{Text, Markdown}

// A SenderType is the kind of a sender.
type SenderType string

// The sender types.
const (
	SenderAgent   SenderType = "agent"   // a member of the workspace
	SenderBot     SenderType = "bot"     // the automated agent
	SenderContact SenderType = "contact" // a customer
	SenderSystem  SenderType = "system"  // Parley itself
)

// PhoneName is the sender name of messages written on the number's own phone.
// Which agent wrote them is unknown.
const PhoneName = "Phone"

// BotName is the sender name of the automated agent.
const BotName = "Automated agent"

// A MessageStatus is the progress of a message's delivery.
type MessageStatus string

// The message statuses.
const (
	Queued    MessageStatus = "queued" // waiting for its channel
	Sent      MessageStatus = "sent"
	Delivered MessageStatus = "delivered"
	Read      MessageStatus = "read"
	Failed    MessageStatus = "failed"
)

// MaxContent is the most bytes that a message's content may take.
const MaxContent = 65536

// A Message is one contribution to a conversation. Its id carries CreatedAt,
// so messages sort by id.
type Message struct {
	ID             ID
	ConversationID ID
	Content        string
	ContentType    ContentType
	Direction      Direction
	Status         MessageStatus
	Private        bool // a note among members, never sent to the customer
	Sender         Sender
	Error          string // why it failed, when Status is Failed
	Attachments    []Attachment
	Agent          AgentRecord // of a message by the automated agent; "" for others, those of programs too
	Mentions       []string    // ids of the members and teams that a note names
	CreatedAt      time.Time
}

// MaxMentions is how many members and teams a note may name.
const MaxMentions = 50

// MaxPreview is the most characters of a message preview.
const MaxPreview = 200

// A MessagePreview is what a list shows of a conversation's latest message.
type MessagePreview struct {
	ID             ID
	ConversationID ID
	// Text is the start of the content, at most MaxPreview characters, or the
	// name of the first file if the message has no text.
	Text        string
	ContentType ContentType
	Direction   Direction
	Private     bool
	SenderType  SenderType
	Attachments int // number of files
	CreatedAt   time.Time
}

// A Sender is the author of a message. MemberID is set for type agent,
// ContactID for type contact.
type Sender struct {
	Type      SenderType
	MemberID  UserID
	ContactID ID
	Name      string
	Image     string
}

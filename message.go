package parley

import "time"

// A Direction says which way a message goes (contract: messageType).
type Direction string

// The directions.
const (
	Outgoing Direction = "outgoing"
	Incoming Direction = "incoming"
)

// Directions lists the directions.
var Directions = []Direction{Outgoing, Incoming}

// A ContentType says how a message's content is to be read.
type ContentType string

// The content types that a caller can post.
const (
	Text     ContentType = "text"
	Markdown ContentType = "markdown"
)

// The content types of a message that has attachments, by the first of them.
const (
	Image ContentType = "image"
	Audio ContentType = "audio"
	Video ContentType = "video"
	File  ContentType = "file"
)

// Notice is the content type of what Parley itself says in a conversation, such
// as who joined a group.
const Notice ContentType = "system"

// PostedContentTypes lists the content types that a caller can post.
var PostedContentTypes = []ContentType{Text, Markdown}

// A SenderType says who wrote a message.
type SenderType string

// The sender types.
const (
	SenderAgent   SenderType = "agent"   // a member of the workspace
	SenderBot     SenderType = "bot"     // the automated agent
	SenderContact SenderType = "contact" // a customer
	SenderSystem  SenderType = "system"  // Parley itself
)

// PhoneName is the name under which what a person wrote on the number's own
// phone shows: an agent of whom nobody knows who it was.
const PhoneName = "Phone"

// BotName is the name under which the automated agent shows.
const BotName = "Automated agent"

// A MessageStatus says how far a message has come.
type MessageStatus string

// The message statuses.
const (
	Queued    MessageStatus = "queued" // waits for a channel
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
	CreatedAt      time.Time
}

// MaxPreview is how much of a message's content a preview has, in characters.
const MaxPreview = 200

// A MessagePreview is what a list shows of a conversation's newest message.
type MessagePreview struct {
	ID             ID
	ConversationID ID
	// Text is the beginning of the content, at most MaxPreview characters; of a
	// message without words the name of its first file.
	Text        string
	ContentType ContentType
	Direction   Direction
	Private     bool
	SenderType  SenderType
	Attachments int // how many files it has
	CreatedAt   time.Time
}

// A Sender is who wrote a message. MemberID is set when the type is agent,
// ContactID when it is contact.
type Sender struct {
	Type      SenderType
	MemberID  UserID
	ContactID ID
	Name      string
	Image     string
}

package parley

import "time"

// A Draft is what a member has written in a conversation and not sent. Only its
// author may read it; others may know that it exists.
type Draft struct {
	ConversationID ID
	MemberID       UserID
	Content        string
	Private        bool // a note among members
	AttachmentIDs  []ID // of uploaded files, some of which may have expired
	// BegunID is the newest message of the conversation when the draft was begun;
	// zero if unknown.
	BegunID ID
	// Version grows with each change of the draft, and no two drafts of a member in
	// a conversation share one; 0: there is no draft.
	Version   int64
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Empty reports whether nothing was written or attached.
func (d *Draft) Empty() bool { return d.Content == "" && len(d.AttachmentIDs) == 0 }

// A DraftMark says that a member has a draft in a conversation.
type DraftMark struct {
	ConversationID ID
	MemberID       UserID
	// Preview is the start of the content, at most MaxPreview characters, for the
	// author alone.
	Preview   string
	Version   int64
	CreatedAt time.Time
}

// MaxDraftMarks is how many drafts of a member, and how many of the others, a list
// shows at most, the latest ones.
const MaxDraftMarks = 500

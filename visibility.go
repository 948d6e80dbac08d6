package parley

import (
	"slices"
	"time"
)

// A Visibility says which conversations a reader may see, including their messages,
// files, history, events and counts. A read that serves a caller takes a Visibility
// instead of a workspace. The zero Visibility includes nothing.
//
// The rule has two implementations that must change together: the methods of this
// file check values in memory, and internal/store/visibility.go builds conditions
// for statements.
type Visibility struct {
	workspace WorkspaceID
	whole     bool
	own       *Own     // of a member who does not see everything
	since     int64    // see Sight
	audience  Audience // unless whole or own
}

// WholeWorkspace returns the Visibility of API keys and the server itself: every
// conversation of the workspace.
func WholeWorkspace(ws WorkspaceID) Visibility { return Visibility{workspace: ws, whole: true} }

// Visibility returns what the session's customer may see: the conversations of the
// session's contact in the session's inbox, or the one that the session is limited to.
func (s CustomerSession) Visibility() Visibility {
	return Visibility{workspace: s.Workspace, audience: s.Audience()}
}

// Own are the conversations of a member who does not see everything: those of some
// inboxes, of the member's teams, and those assigned to the member. Mentions and
// follows add none.
type Own struct {
	Member  UserID
	Inboxes []ID
	Teams   []ID
}

// includes reports whether a conversation that stands at a place is among them.
func (o *Own) includes(p Place) bool {
	return slices.Contains(o.Inboxes, p.InboxID) && !p.InboxID.IsZero() || !p.TeamID.IsZero() && slices.Contains(o.Teams, p.TeamID) ||
		p.AssigneeID != "" && p.AssigneeID == o.Member
}

// A Sight is what a member may see, and since when.
type Sight struct {
	Own *Own // nil: everything
	// Since is the number of the first event of the log for which this is right. State
	// from before must be loaded again. It identifies the Sight among those that the
	// member had.
	Since int64
}

// ErrSightChanged is the error of a read for which a member was admitted who sees other
// conversations in the meantime.
var ErrSightChanged error = &Error{Kind: Unavailable, Message: "what you may see has changed; try again", RetryAfter: time.Second}

// Visibility returns the Sight as the rule for a member's reads.
func (s Sight) Visibility(ws WorkspaceID) Visibility {
	return Visibility{workspace: ws, whole: s.Own == nil, own: s.Own, since: s.Since}
}

// Workspace returns the workspace of the conversations.
func (v Visibility) Workspace() WorkspaceID { return v.workspace }

// Audience returns the customer to whom the Visibility is limited. It is zero for
// the team.
func (v Visibility) Audience() Audience { return v.audience }

// Own returns the conversations to which a member is limited, or nil.
func (v Visibility) Own() *Own { return v.own }

// Since returns the number of the first event for which the Visibility is right.
func (v Visibility) Since() int64 { return v.since }

// Whole reports whether the Visibility includes every conversation of the workspace.
func (v Visibility) Whole() bool { return v.whole }

// NeedsAll returns Forbidden if the reader does not see every conversation. It is for what
// adds up conversations of all inboxes, or shows words of them.
func (v Visibility) NeedsAll() error {
	if v.whole {
		return nil
	}
	return Errorf(Forbidden, "you see only the conversations of your inboxes and teams; this is about all")
}

// Team reports whether the Visibility is that of a member or a key, and not of a
// customer.
func (v Visibility) Team() bool { return v.whole || v.own != nil }

// IncludesPlace reports whether the Visibility includes a conversation that stands at
// a place. That of a customer includes none, because a place names no customer.
func (v Visibility) IncludesPlace(p Place) bool { return v.whole || v.own != nil && v.own.includes(p) }

// Includes reports whether the Visibility includes an event of the log. An event
// does not name the customer whom its conversation belongs to now, so the Visibility
// of a customer includes no event. The events for customers are selected from the
// store. A member who does not see everything sees no event about a conversation from
// before the member saw as now.
func (v Visibility) Includes(e *Event) bool {
	if e.Workspace != v.workspace || !v.Team() {
		return false
	}
	return v.whole || e.ConversationID.IsZero() || e.Seq >= v.since && v.own.includes(e.Place)
}

// Loses reports whether the reader may have seen the conversation of an event before,
// and does not see it from the event on. The event does not say so in every case: an
// erased one in between may have. That of a deleted conversation is therefore for all.
func (v Visibility) Loses(e *Event) bool {
	if e.Workspace != v.workspace || v.own == nil || e.ConversationID.IsZero() || e.Seq < v.since || v.own.includes(e.Place) {
		return false
	}
	if e.Type == ConversationDeleted {
		return true
	}
	before := e.Before.Value
	before.InboxID = e.Place.InboxID // which never changes
	return e.Before.Set && v.own.includes(before)
}

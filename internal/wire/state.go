package wire

import "parley"

// A State is what a dashboard loads first; see desk.State.
type State struct {
	Workspace     *parley.Workspace
	Member        *parley.Member // the signed-in member
	Members       []parley.Member
	FormerMembers []parley.Member
	Inboxes       []parley.Inbox
	Products      []parley.Product
	Labels        []parley.Label
	CannedAnswers []parley.CannedAnswer
	Numbers       []parley.Number
	Teams         []parley.Team
}

// AppendState appends what a dashboard loads first, and the position of the log
// from which it continues.
func AppendState(b []byte, s *State) []byte {
	o := open(b)
	o.text("position", s.Workspace.End().String())
	raw(&o, "workspace", AppendWorkspace(nil, s.Workspace))
	raw(&o, "member", AppendMember(nil, s.Member))
	list(&o, "members", s.Members, AppendMember)
	list(&o, "formerMembers", s.FormerMembers, AppendMember)
	list(&o, "inboxes", s.Inboxes, AppendInbox)
	list(&o, "products", s.Products, AppendProduct)
	list(&o, "labels", s.Labels, AppendLabel)
	list(&o, "cannedAnswers", s.CannedAnswers, AppendCannedAnswer)
	list(&o, "numbers", s.Numbers, AppendNumber)
	list(&o, "teams", s.Teams, AppendTeam)
	return o.close()
}

// AppendCounts appends the numbers of conversations of some kinds.
func AppendCounts(b []byte, n *parley.Counts) []byte {
	o := open(b)
	o.integer("open", int64(n.Open))
	o.integer("pending", int64(n.Pending))
	o.integer("mine", int64(n.Mine))
	o.integer("unassigned", int64(n.Unassigned))
	o.integer("unread", int64(n.Unread))
	o.integer("waiting", int64(n.Waiting))
	o.integer("toRead", int64(n.ToRead))
	o.integer("snoozed", int64(n.Snoozed))
	o.integer("back", int64(n.Back))
	return o.close()
}

// AppendUnread appends the conversations that a member has not read.
func AppendUnread(b []byte, u *parley.Unread) []byte {
	o := open(b)
	list(&o, "new", u.New, appendID)
	list(&o, "marked", u.Marked, appendID)
	return o.close()
}

// AppendReading appends that a member has read a conversation, or marked it as
// unread.
func AppendReading(b []byte, conversation parley.ID, unread bool) []byte {
	o := open(b)
	o.id("conversationId", conversation)
	o.boolean("unread", unread)
	return o.close()
}

// AppendPresence appends where a member is and whether they are typing.
// conversation is zero if none is open.
func AppendPresence(b []byte, member parley.UserID, conversation parley.ID, typing bool) []byte {
	o := open(b)
	o.text("memberId", string(member))
	o.idOrNull("conversationId", conversation)
	o.boolean("typing", typing)
	return o.close()
}

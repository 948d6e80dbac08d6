package store

import (
	"strings"
	"time"

	"parley"
)

// searchExamined is how many messages a filtered search examines: the newest with the
// words, or the newest of all if there are no words. It bounds the time of a filter
// that matches few of very many.
const searchExamined = 20_000

// A MessageSearch selects messages by their words, by time, and by conditions. Zero
// fields do not limit.
type MessageSearch struct {
	Alternatives   [][]parley.SearchTerm // as in [View.Search]
	ConversationID parley.ID
	After, Before  time.Time // written at After or later, and before Before
	Conditions     []MessageCondition
}

// A MessageCondition is a condition on a message g of a conversation c.
type MessageCondition struct {
	sql func(c *clause, ws parley.WorkspaceID) string
}

// Not returns the opposite of a condition. No condition of this file is unknown (NULL),
// so a message matches either it or its opposite.
func Not(m MessageCondition) MessageCondition {
	return MessageCondition{func(c *clause, ws parley.WorkspaceID) string { return "NOT (" + m.sql(c, ws) + ")" }}
}

// AnyOf returns the condition that at least one of the conditions is true. Without
// conditions, nothing matches.
func AnyOf(conditions ...MessageCondition) MessageCondition {
	return MessageCondition{func(c *clause, ws parley.WorkspaceID) string {
		either := []string{"1 = 0"}
		for _, m := range conditions {
			either = append(either, m.sql(c, ws))
		}
		return "(" + strings.Join(either, " OR ") + ")"
	}}
}

// constantCondition is a condition without arguments.
func constantCondition(sql string) MessageCondition {
	return MessageCondition{func(*clause, parley.WorkspaceID) string { return sql }}
}

// oneOf returns the condition that a column has one of the values.
func oneOf[T any](column string, values []T) MessageCondition {
	if len(values) == 0 {
		return AnyOf()
	}
	return MessageCondition{func(c *clause, _ parley.WorkspaceID) string {
		return "(" + column + " IS NOT NULL AND " + column + " IN (" + c.list(padded(ListOf(values))) + "))"
	}}
}

// SentByType selects messages by the kind of their sender.
func SentByType(types ...parley.SenderType) MessageCondition {
	texts := make([]string, len(types))
	for i, t := range types {
		texts[i] = string(t)
	}
	return oneOf("g.sender_type", texts)
}

// SentByMembers selects the messages of members.
func SentByMembers(ids []parley.UserID) MessageCondition { return oneOf("g.sender_member_id", ids) }

// SentByContacts selects the messages of contacts.
func SentByContacts(ids []parley.ID) MessageCondition { return oneOf("g.sender_contact_id", ids) }

// InInboxes selects messages by the inbox of their conversation.
func InInboxes(ids []parley.ID) MessageCondition { return oneOf("c.inbox_id", ids) }

// InProducts selects messages by the product of their conversation.
func InProducts(ids []parley.ID) MessageCondition { return oneOf("c.product_id", ids) }

// AssignedTo selects messages by the assignee of their conversation.
func AssignedTo(ids []parley.UserID) MessageCondition { return oneOf("c.assignee_id", ids) }

// Unassigned selects messages of conversations without an assignee.
func Unassigned() MessageCondition { return constantCondition("c.assignee_id IS NULL") }

// Unread selects messages of conversations that have unread messages.
func Unread() MessageCondition { return constantCondition("c.unread_count > 0") }

// WaitingForAnswer selects messages of conversations whose customer waits.
func WaitingForAnswer() MessageCondition { return constantCondition("c.waiting_since > 0") }

// InTeams selects messages by the team of their conversation.
func InTeams(ids []parley.ID) MessageCondition { return oneOf("c.team_id", ids) }

// Snoozed selects messages of conversations that sleep until a time.
func Snoozed() MessageCondition {
	return constantCondition("(c.status = '" + string(parley.Pending) + "' AND c.snoozed_until > 0)")
}

// InSpam selects messages of conversations that are marked as spam.
func InSpam() MessageCondition { return constantCondition("c.spam") }

// Noted selects private notes.
func Noted() MessageCondition { return constantCondition("g.private") }

// WithFiles selects messages that have attachments.
func WithFiles() MessageCondition { return constantCondition("g.attachments <> ''") }

// InStatus selects messages by the status of their conversation.
func InStatus(status parley.Status) MessageCondition {
	return oneOf("c.status", []string{string(status)})
}

// Labelled selects messages of conversations that have a label.
func Labelled(label string) MessageCondition {
	return MessageCondition{func(c *clause, ws parley.WorkspaceID) string {
		condition := labelCondition(ws, label)
		return condition.matches(c)
	}}
}

// SearchMessages returns at most limit messages, newest first, that match a search.
// With conditions, it examines the newest 20,000 messages that have the words.
func (v *View) SearchMessages(vis parley.Visibility, s MessageSearch, limit int) ([]SearchRef, error) {
	var c clause
	source := s.newest(v, vis, &c)
	outer := clause{args: c.args}
	outer.conditions = append(outer.conditions, "g.workspace_id = "+outer.arg(vis.Workspace())+" AND g.conversation_id = s.conversation_id AND g.message_id = s.record_id"+
		" AND own.workspace_id = g.workspace_id AND own.conversation_id = g.conversation_id")
	if !s.After.IsZero() {
		outer.and("g.message_id >= ?", parley.FirstID(s.After))
	}
	if !s.Before.IsZero() {
		outer.and("g.message_id < ?", parley.FirstID(s.Before))
	}
	outer.conditions = append(outer.conditions, outer.visible(vis, "c")+" AND c.conversation_id = COALESCE(own.merged_into, g.conversation_id)")
	for _, m := range s.Conditions {
		outer.conditions = append(outer.conditions, m.sql(&outer, vis.Workspace()))
	}
	// Cross joins keep SQLite from starting with another table than the newest messages.
	return many(v, scanSearchRef, "SELECT s.kind, s.record_id, s.conversation_id FROM ("+source+") s CROSS JOIN messages g CROSS JOIN conversations own CROSS JOIN conversations c"+
		outer.where()+" ORDER BY s.place DESC LIMIT "+outer.arg(limit), outer.args...)
}

// newest returns the query for the messages to examine.
func (s *MessageSearch) newest(v *View, vis parley.Visibility, c *clause) string {
	if len(s.Alternatives) == 0 {
		c.conditions = append(c.conditions, c.visibleOf(vis, "n"))
		s.limit(c, vis, "n", "n.message_id", func(at time.Time) any { return parley.FirstID(at) })
		return "SELECT '" + string(parley.SearchMessage) + "' AS kind, n.message_id AS record_id, n.conversation_id, n.message_id AS place FROM messages n" +
			c.where() + " ORDER BY n.message_id DESC LIMIT " + c.arg(searchExamined)
	}
	form := v.session.searchForm()
	c.and(form.match, form.query(searchTag(vis.Workspace(), parley.SearchMessage), s.Alternatives))
	c.conditions = append(c.conditions, c.visibleOf(vis, "search_words"))
	c.and("kind = ?", string(parley.SearchMessage))
	s.limit(c, vis, "search_words", "rowid", func(at time.Time) any { return searchRow(parley.FirstID(at)) })
	return "SELECT kind, record_id, conversation_id, rowid AS place FROM search_words" +
		c.where() + " ORDER BY " + form.newest + " LIMIT " + c.arg(searchExamined)
}

// limit adds the conditions that the index of the place can use. A record may have a
// later row than its own, so those end a little later than the time.
func (s *MessageSearch) limit(c *clause, vis parley.Visibility, table, place string, at func(time.Time) any) {
	if !s.ConversationID.IsZero() {
		c.conditions = append(c.conditions, c.ofParts(vis, table, c.arg(s.ConversationID)))
	}
	if !s.After.IsZero() {
		c.and(place+" >= ?", at(s.After))
	}
	if !s.Before.IsZero() {
		c.and(place+" < ?", at(s.Before.Add(time.Millisecond)))
	}
}

package store

import (
	"strings"

	"parley"
)

// A conversation shows its own messages and those of its parts: the conversations that
// were merged into it. The messages stay where they were written, and every read of the
// messages of a conversation includes its parts.

// Parts returns the conversations that were merged into one, those merged first first.
func (v *View) Parts(vis parley.Visibility, conversation parley.ID) ([]parley.ID, error) {
	var c clause
	return many(v, func(r row, id *parley.ID) error { return r.scan(id) }, "SELECT c.conversation_id FROM conversations c WHERE "+
		c.visible(vis, "c")+" AND c.merged_into = "+c.arg(conversation)+" ORDER BY c.merged_at, c.conversation_id", c.args...)
}

// MoveParts puts the parts of a conversation where it stands, so that whoever sees it sees
// them. No event says so: it shows them.
func MoveParts(tx *Tx, ws parley.WorkspaceID, c *parley.Conversation) error {
	return tx.exec("UPDATE conversations SET team_id = $3, assignee_id = $4 WHERE workspace_id = $1 AND merged_into = $2",
		ws, c.ID, c.Team.ID, c.Assignee.ID)
}

// ofParts returns the condition that a row g with a conversation_id belongs to a
// conversation or to one of its parts.
func (c *clause) ofParts(vis parley.Visibility, row, conversation string) string {
	workspace := c.arg(vis.Workspace())
	return "(" + row + ".conversation_id = " + conversation + " OR " + row + ".conversation_id IN (SELECT part.conversation_id FROM conversations part WHERE part.workspace_id = " +
		workspace + " AND part.merged_into = " + conversation + "))"
}

// A messageSpan selects messages of a conversation and its parts in an order.
type messageSpan struct {
	conversation parley.ID
	descending   bool
	bound        string // the comparison of the message's id with at, such as "<"; "" for none
	at           parley.ID
	more         []string // conditions on a message g
	limit        int
}

// messagesIn returns a page of a span. Each conversation of it is read by its own key, so
// a page costs as much in a long conversation as in a short one.
func messagesIn(v *View, vis parley.Visibility, s messageSpan) (parley.Page[parley.Message], error) {
	parts, err := v.Parts(vis, s.conversation)
	if err != nil {
		return parley.Page[parley.Message]{}, err
	}
	order := " ORDER BY g.message_id"
	if s.descending {
		order += " DESC"
	}
	c := clause{}
	of := func(id parley.ID) string {
		conditions := append([]string{c.visibleOf(vis, "g"), "g.conversation_id = " + c.arg(id)}, s.more...)
		if s.bound != "" {
			conditions = append(conditions, "g.message_id "+s.bound+" "+c.arg(s.at))
		}
		return " WHERE " + strings.Join(conditions, " AND ")
	}
	if len(parts) == 0 {
		sql := "SELECT " + MessageColumns + MessageTables + of(s.conversation) + order + " LIMIT " + c.arg(s.limit+1)
		return messagePage(v, pageQuery{sql, c.args, s.limit})
	}
	var reads []string
	for _, id := range append(parts, s.conversation) {
		reads = append(reads, "SELECT * FROM (SELECT g.conversation_id, g.message_id FROM messages g"+of(id)+order+" LIMIT "+c.arg(s.limit+1)+") AS one")
	}
	// The cross join keeps SQLite from starting with the messages.
	found := "(SELECT g.conversation_id, g.message_id FROM (" + strings.Join(reads, " UNION ALL ") + ") AS g" + order + " LIMIT " + c.arg(s.limit+1) + ") AS found"
	tables := strings.Replace(MessageTables, " FROM messages g", " FROM "+found+" CROSS JOIN messages g", 1)
	sql := "SELECT " + MessageColumns + tables + " WHERE " + c.visibleOf(vis, "g") +
		" AND g.conversation_id = found.conversation_id AND g.message_id = found.message_id" + order
	return messagePage(v, pageQuery{sql, c.args, s.limit})
}

func messagePage(v *View, q pageQuery) (parley.Page[parley.Message], error) {
	return page(v, q, scanMessage, afterLast(func(last *parley.Message) parley.Position {
		return parley.Position{ID: last.ID}
	}))
}

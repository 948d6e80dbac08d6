package store

import (
	"regexp"

	"parley"
)

// The rule of a [parley.Visibility] in SQL. The rule is part of the statement, so it
// applies before LIMIT and before aggregates: pages are full and counts are right.
// For a whole workspace the rule is only the condition on the workspace, which every
// statement needs anyway.

// visible returns the condition that a row of conversations is visible.
func (c *clause) visible(vis parley.Visibility, conversation string) string {
	return c.rule(vis, conversation, c.arg(vis.Workspace()))
}

// visibleOf returns the condition that the conversation of a row is visible. The row
// is of another table and has a column conversation_id. Rows without a conversation
// are visible only to readers of the whole workspace.
func (c *clause) visibleOf(vis parley.Visibility, row string) string {
	return c.ruleOf(vis, row, c.arg(vis.Workspace()))
}

// rule is visible with an existing placeholder for the workspace.
func (c *clause) rule(vis parley.Visibility, conversation, workspace string) string {
	sql := conversation + ".workspace_id = " + workspace
	if own := vis.Own(); own != nil {
		return sql + " AND " + c.own(own, conversation)
	}
	if a := vis.Audience(); !vis.Whole() {
		sql += " AND " + conversation + ".contact_id = " + c.arg(a.ContactID) + " AND " + conversation + ".inbox_id = " + c.arg(a.InboxID)
		if !a.ConversationID.IsZero() {
			id := c.arg(a.ConversationID)
			sql += " AND (" + conversation + ".conversation_id = " + id + " OR " + conversation + ".merged_into = " + id + ")"
		}
	}
	return sql
}

// own returns the condition that a row of conversations is among those of a member. Its
// form keeps the planners off the indexes of the three columns: each of them alone may
// have nearly all rows, and a list is read in its order; see ownCondition.
func (c *clause) own(own *parley.Own, conversation string) string {
	return "NOT (" + c.outside(own.Inboxes, conversation+".inbox_id") + " AND " + c.outside(own.Teams, conversation+".team_id") +
		" AND COALESCE(" + conversation + ".assignee_id, '') <> " + c.arg(string(own.Member)) + ")"
}

// outside returns the condition that a column has none of the ids.
func (c *clause) outside(ids []parley.ID, column string) string {
	if len(ids) == 0 {
		return "1 = 1"
	}
	return "(" + column + " IS NULL OR " + column + " NOT IN (" + c.list(padded(ListOf(ids))) + "))"
}

// ownCondition selects the conversations of a member by the indexes of inboxes, teams
// and assignees, among those of a status or, without one, all.
func ownCondition(ws parley.WorkspaceID, own *parley.Own, status parley.Status) condition {
	return condition{
		matches: func(*clause) string { return "1 = 1" }, // the rule is in every list
		ids:     func(c *clause) string { return c.ownIDs(own, c.arg(ws), status) },
	}
}

// ownIDs returns the query of [ownCondition] with an existing placeholder for the
// workspace. Its parts have no row in common.
func (c *clause) ownIDs(own *parley.Own, workspace string, status parley.Status) string {
	ids := "SELECT o.conversation_id FROM conversations o WHERE o.workspace_id = " + workspace
	if status != "" && status != parley.Resolved {
		// Each index has the status; that of inboxes is partial.
		ids += " AND o.status = " + c.arg(string(status)) + " AND o.status <> 'resolved'"
	}
	sql := ids + " AND o.assignee_id = " + c.arg(own.Member)
	if len(own.Inboxes)+len(own.Teams) == 0 {
		return sql
	}
	mine := " AND COALESCE(o.assignee_id, '') <> " + c.arg(string(own.Member))
	if len(own.Inboxes) > 0 {
		sql += " UNION ALL " + ids + " AND o.inbox_id IN (" + c.list(padded(ListOf(own.Inboxes))) + ")" + mine
	}
	if len(own.Teams) > 0 {
		sql += " UNION ALL " + ids + " AND o.team_id IS NOT NULL AND o.team_id IN (" + c.list(padded(ListOf(own.Teams))) + ")" + mine +
			" AND " + c.outside(own.Inboxes, "o.inbox_id")
	}
	return sql
}

// Seen is a Visibility whose open or pending conversations are read like a list: those of
// a member who sees few of them by their indexes, otherwise all in the order of the statement.
type Seen struct {
	parley.Visibility
	status parley.Status
	few    bool
}

// SeenBy returns how to read the open conversations of a reader, and the pending ones.
func SeenBy(v Reader, vis parley.Visibility) (open, pending Seen, err error) {
	open, pending = Seen{Visibility: vis, status: parley.Open}, Seen{Visibility: vis, status: parley.Pending}
	own := vis.Own()
	if own == nil {
		return open, pending, nil
	}
	l := conversationList{visibility: vis}
	for _, seen := range []*Seen{&open, &pending} {
		one := ownCondition(vis.Workspace(), own, seen.status)
		n, err := l.count(v.reader(), &one, listScanLimits.sortable+1)
		if err != nil {
			return open, pending, err
		}
		seen.few = n <= listScanLimits.sortable
	}
	return open, pending, nil
}

// table returns the table of conversations with a name, with an existing placeholder for
// the workspace.
func (s *Seen) table(c *clause, name, workspace string) string {
	if !s.few {
		return "conversations " + name
	}
	// The cross join keeps SQLite from starting with the conversations.
	return "(SELECT o.* FROM (" + c.ownIDs(s.Own(), workspace, s.status) + ") x CROSS JOIN conversations o WHERE o.workspace_id = " + workspace +
		" AND o.conversation_id = x.conversation_id) " + name
}

// ruleOf is visibleOf with an existing placeholder for the workspace.
func (c *clause) ruleOf(vis parley.Visibility, row, workspace string) string {
	sql := row + ".workspace_id = " + workspace
	if !vis.Whole() {
		sql += " AND EXISTS (SELECT 1 FROM conversations visible WHERE " + c.rule(vis, "visible", workspace) +
			" AND visible.conversation_id = " + row + ".conversation_id)"
	}
	return sql
}

// ruleOfSums returns the condition that a row of report_cells is visible, with an
// existing placeholder for the workspace. A member who does not see everything sees the
// sums of single inboxes, of those whose conversations are all visible.
func (c *clause) ruleOfSums(vis parley.Visibility, row, workspace string) string {
	sql := row + ".workspace_id = " + workspace
	switch own := vis.Own(); {
	case vis.Whole():
	case own == nil || len(own.Inboxes) == 0:
		sql += " AND 1 = 0"
	default:
		items := make([]any, len(own.Inboxes))
		for i, id := range own.Inboxes {
			items[i] = id.String()
		}
		sql += " AND " + row + ".dimension = 'inbox' AND " + row + ".item IN (" + c.list(padded(items)) + ")"
	}
	return sql
}

// visibleMarks matches the placeholders of the rule in a constant statement:
// VISIBLE(c) stands for visible, OF_VISIBLE(r) for visibleOf, and SUMS_VISIBLE(r)
// for ruleOfSums. SEEN(c) is the table of a [Seen].
var visibleMarks = regexp.MustCompile(`\b(OF_VISIBLE|SUMS_VISIBLE|VISIBLE|SEEN)\((\w+)\)`)

// withVisibility replaces the marks of a statement whose $1 is the workspace, and
// appends the arguments of the rule.
func withVisibility(vis Seen, sql string, args []any) (string, []any) {
	c := clause{args: args}
	sql = visibleMarks.ReplaceAllStringFunc(sql, func(mark string) string {
		part := visibleMarks.FindStringSubmatch(mark)
		switch part[1] {
		case "OF_VISIBLE":
			return c.ruleOf(vis.Visibility, part[2], "$1")
		case "SUMS_VISIBLE":
			return c.ruleOfSums(vis.Visibility, part[2], "$1")
		case "SEEN":
			return vis.table(&c, part[2], "$1")
		}
		return c.rule(vis.Visibility, part[2], "$1")
	})
	return sql, c.args
}

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
	if a := vis.Audience(); !vis.Whole() {
		sql += " AND " + conversation + ".contact_id = " + c.arg(a.ContactID) + " AND " + conversation + ".inbox_id = " + c.arg(a.InboxID)
		if !a.ConversationID.IsZero() {
			id := c.arg(a.ConversationID)
			sql += " AND (" + conversation + ".conversation_id = " + id + " OR " + conversation + ".merged_into = " + id + ")"
		}
	}
	return sql
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

// ruleOfSums returns the condition that a row is visible which counts conversations
// of the whole workspace.
func ruleOfSums(vis parley.Visibility, row, workspace string) string {
	sql := row + ".workspace_id = " + workspace
	if !vis.Whole() {
		sql += " AND 1 = 0"
	}
	return sql
}

// visibleMarks matches the placeholders of the rule in a constant statement:
// VISIBLE(c) stands for visible, OF_VISIBLE(r) for visibleOf, and SUMS_VISIBLE(r)
// for ruleOfSums.
var visibleMarks = regexp.MustCompile(`\b(OF_|SUMS_)?VISIBLE\((\w+)\)`)

// withVisibility replaces the marks of a statement whose $1 is the workspace, and
// appends the arguments of the rule.
func withVisibility(vis parley.Visibility, sql string, args []any) (string, []any) {
	c := clause{args: args}
	sql = visibleMarks.ReplaceAllStringFunc(sql, func(mark string) string {
		part := visibleMarks.FindStringSubmatch(mark)
		switch part[1] {
		case "OF_":
			return c.ruleOf(vis, part[2], "$1")
		case "SUMS_":
			return ruleOfSums(vis, part[2], "$1")
		}
		return c.rule(vis, part[2], "$1")
	})
	return sql, c.args
}

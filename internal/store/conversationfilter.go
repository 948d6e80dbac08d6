package store

import (
	"strings"
	"time"

	"parley"
)

// A ConversationFilter narrows a list of conversations. Zero fields do not
// filter, except for Spam, Merged and AnyMerged: without them, what is marked as spam
// and what was merged into another conversation is left out, unless the list tells what
// changed.
type ConversationFilter struct {
	IDs          []parley.ID // at most 1,000; nil: all
	Status       parley.Status
	InboxID      parley.ID
	ContactID    parley.ID // also the id of a contact that was merged into another
	CompanyID    parley.ID
	ProductID    parley.Optional[parley.ID]       // null: those without a product
	AssigneeID   parley.Optional[parley.UserID]   // null: unassigned
	TeamID       parley.Optional[parley.ID]       // null: those without a team
	Priority     parley.Optional[parley.Priority] // null: those without a priority
	Labels       []string                         // all of them
	NotLabel     string
	Spam         parley.SpamChoice
	HandedOver   bool // by the automated agent
	Snoozed      parley.Optional[bool]
	Woke         bool      // opened again by themselves, and neither answered nor changed their status since
	Merged       bool      // only those that were merged into others
	AnyMerged    bool      // those, too
	ActiveAfter  time.Time // least LastActivityAt
	ActiveBefore time.Time // later than LastActivityAt
	UpdatedSince time.Time // least UpdatedAt; sorts by oldest change first
	Waiting      bool      // the customer waits for an answer; longest first; excludes UpdatedSince
}

// A condition is one field of a filter. matches is true for a conversation c,
// in a form that keeps the planner off the index of that column; ids is a query
// for the matching conversations that uses this index.
type condition struct {
	matches, ids func(*clause) string
}

// conditionsFor returns the conditions of the filter, with the rule of a member who does
// not see everything.
func (f *ConversationFilter) conditionsFor(vis parley.Visibility) []condition {
	all := f.conditions(vis.Workspace())
	if own := vis.Own(); own != nil {
		all = append(all, ownCondition(vis.Workspace(), own, f.Status))
	}
	return all
}

// conditions returns the fields of the filter that have their own index.
func (f *ConversationFilter) conditions(ws parley.WorkspaceID) []condition {
	var all []condition
	if f.IDs != nil {
		all = append(all, idsCondition(ws, f.IDs))
	}
	if !f.ContactID.IsZero() {
		all = append(all, contactCondition(ws, f.ContactID))
	}
	if !f.CompanyID.IsZero() {
		all = append(all, companyCondition(ws, f.CompanyID))
	}
	for _, label := range f.Labels {
		all = append(all, labelCondition(ws, label))
	}
	if !f.InboxID.IsZero() {
		all = append(all, columnCondition(ws, "inbox_id", f.InboxID, false))
	}
	if f.Spam == parley.OnlySpam {
		all = append(all, spamCondition(ws))
	}
	if f.HandedOver {
		all = append(all, handedOverCondition(ws))
	}
	if f.Snoozed.Or(false) {
		all = append(all, snoozedCondition(ws))
	}
	if f.Woke {
		all = append(all, partialCondition(ws, "woke_at > 0", "NOT (c.woke_at <= 0)"))
	}
	if f.Merged {
		all = append(all, partialCondition(ws, "merged_into IS NOT NULL", "NOT (c.merged_into IS NULL)"))
	}
	if f.TeamID.Has() {
		x := columnCondition(ws, "team_id", f.TeamID.Value, false)
		// The alternative hides from SQLite that the index of teams has these rows.
		x.matches = func(c *clause) string { return "NOT (c.team_id <> " + c.arg(f.TeamID.Value) + " OR c.team_id IS NULL)" }
		all = append(all, x)
	}
	if f.Priority.Has() {
		x := columnCondition(ws, "priority", string(f.Priority.Value), false)
		all = append(all, condition{x.matches, func(c *clause) string { return x.ids(c) + " AND priority <> ''" }})
	}
	if f.ProductID.Set {
		all = append(all, columnCondition(ws, "product_id", f.ProductID.Value, f.ProductID.Null))
	}
	if f.AssigneeID.Set {
		all = append(all, columnCondition(ws, "assignee_id", f.AssigneeID.Value, f.AssigneeID.Null))
	}
	if f.Status != "" && f.Status != parley.Resolved && !f.UpdatedSince.IsZero() {
		all = append(all, condition{
			matches: func(c *clause) string { return "c.status <> 'resolved'" },
			ids: func(c *clause) string {
				return "SELECT conversation_id FROM conversations WHERE workspace_id = " + c.arg(ws) +
					" AND status = " + c.arg(string(f.Status)) + " AND status <> 'resolved'"
			},
		})
	}
	return all
}

func idsCondition(ws parley.WorkspaceID, ids []parley.ID) condition {
	these := func(c *clause) string { return "conversation_id IN (" + c.list(padded(ListOf(ids))) + ")" }
	if len(ids) == 0 {
		ids = []parley.ID{{}}
	}
	// The limit, which is never met, makes PostgreSQL find these rows before it joins or sorts.
	return condition{
		matches: func(c *clause) string { return "c." + these(c) },
		ids: func(c *clause) string {
			return "SELECT conversation_id FROM conversations WHERE workspace_id = " + c.arg(ws) + " AND " + these(c) + " LIMIT 1000"
		},
	}
}

// restrict adds the conditions that most conversations match, so that no index helps.
func (f *ConversationFilter) restrict(c *clause, ws parley.WorkspaceID) {
	if f.Spam == parley.WithoutSpam || f.Spam == "" && f.UpdatedSince.IsZero() {
		c.conditions = append(c.conditions, "NOT c.spam")
	}
	if !f.Merged && !f.AnyMerged && f.UpdatedSince.IsZero() {
		c.conditions = append(c.conditions, "c.merged_into IS NULL")
	}
	if f.Snoozed.Set && !f.Snoozed.Value {
		c.conditions = append(c.conditions, "NOT ("+snoozed+")")
	}
	if f.TeamID.Null {
		c.conditions = append(c.conditions, "c.team_id IS NULL")
	}
	if f.Priority.Null {
		c.conditions = append(c.conditions, "NOT (c.priority <> '')")
	}
	if f.NotLabel != "" {
		x := labelCondition(ws, f.NotLabel)
		c.conditions = append(c.conditions, "NOT "+x.matches(c))
	}
}

// snoozed is true for a conversation c that sleeps. A node of an older version may have
// left the time of one that it opened.
const snoozed = "c.snoozed_until > 0 AND NOT (c.status <> 'pending')"

func snoozedCondition(ws parley.WorkspaceID) condition {
	return condition{
		matches: func(*clause) string { return "NOT (c.snoozed_until <= 0) AND NOT (c.status <> 'pending')" },
		ids: func(c *clause) string {
			return "SELECT c.conversation_id FROM conversations c WHERE c.workspace_id = " + c.arg(ws) + " AND " + snoozed
		},
	}
}

// partialCondition selects the rows of a partial index by its own condition.
func partialCondition(ws parley.WorkspaceID, rows, matches string) condition {
	return condition{
		matches: func(*clause) string { return matches },
		ids: func(c *clause) string {
			return "SELECT conversation_id FROM conversations WHERE workspace_id = " + c.arg(ws) + " AND " + rows
		},
	}
}

func columnCondition(ws parley.WorkspaceID, column string, value any, null bool) condition {
	const ids = "SELECT conversation_id FROM conversations WHERE workspace_id = "
	if null {
		return condition{
			matches: func(*clause) string { return "NOT (c." + column + " IS NOT NULL)" },
			ids:     func(c *clause) string { return ids + c.arg(ws) + " AND " + column + " IS NULL" },
		}
	}
	return condition{
		matches: func(c *clause) string { return "NOT (c." + column + " <> " + c.arg(value) + ")" },
		ids:     func(c *clause) string { return ids + c.arg(ws) + " AND " + column + " = " + c.arg(value) },
	}
}

// spamCondition selects by the mark of spam. Marked conversations are few and have an
// index, which SQLite uses if the query names both its condition and its column; the
// others are nearly all, and need none.
func spamCondition(ws parley.WorkspaceID) condition {
	return condition{
		matches: func(c *clause) string { return "NOT (c.spam <> " + c.arg(true) + ")" },
		ids: func(c *clause) string {
			return "SELECT conversation_id FROM conversations WHERE workspace_id = " + c.arg(ws) + " AND spam AND spam = TRUE"
		},
	}
}

// handedOverCondition selects what the automated agent handed over, by its index.
func handedOverCondition(ws parley.WorkspaceID) condition {
	x := columnCondition(ws, "agent_state", string(parley.AgentHandedOver), false)
	return condition{x.matches, func(c *clause) string { return x.ids(c) + " AND agent_state = 'handed_over'" }}
}

func contactCondition(ws parley.WorkspaceID, contact parley.ID) condition {
	now := func(c *clause) string {
		id := c.arg(contact)
		return "COALESCE((SELECT into_id FROM merged_contacts WHERE workspace_id = " + c.arg(ws) + " AND contact_id = " + id + "), " + id + ")"
	}
	return condition{
		matches: func(c *clause) string { return "NOT (c.contact_id <> " + now(c) + ")" },
		ids: func(c *clause) string {
			return "SELECT conversation_id FROM conversations WHERE workspace_id = " + c.arg(ws) + " AND contact_id = " + now(c)
		},
	}
}

func companyCondition(ws parley.WorkspaceID, company parley.ID) condition {
	return condition{
		matches: func(c *clause) string {
			return "EXISTS (SELECT 1 FROM contacts o WHERE o.workspace_id = " + c.arg(ws) +
				" AND o.contact_id = c.contact_id AND NOT (o.company_id <> " + c.arg(company) + "))"
		},
		ids: func(c *clause) string {
			return "SELECT t.conversation_id FROM contacts o CROSS JOIN conversations t WHERE o.workspace_id = " + c.arg(ws) +
				" AND o.company_id = " + c.arg(company) + " AND t.workspace_id = " + c.arg(ws) + " AND t.contact_id = o.contact_id"
		},
	}
}

func labelCondition(ws parley.WorkspaceID, label string) condition {
	spellings := parley.LabelSpellings(label)
	distinct := "" // a conversation may have both
	if len(spellings) > 1 {
		distinct = "DISTINCT "
	}
	spelled := func(c *clause) string {
		args := []string{}
		for _, spelling := range spellings {
			args = append(args, c.arg(spelling))
		}
		return " IN (" + strings.Join(args, ", ") + ")"
	}
	return condition{
		matches: func(c *clause) string {
			return "EXISTS (SELECT 1 FROM conversation_labels l WHERE l.workspace_id = " + c.arg(ws) + " AND l.label" + spelled(c) +
				" AND l.conversation_id = c.conversation_id)"
		},
		ids: func(c *clause) string {
			return "SELECT " + distinct + "conversation_id FROM conversation_labels WHERE workspace_id = " + c.arg(ws) + " AND label" + spelled(c)
		},
	}
}

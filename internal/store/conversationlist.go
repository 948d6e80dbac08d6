package store

import (
	"strings"
	"time"

	"parley"
)

// PostgreSQL keeps statistics and uses them to plan a filtered list. SQLite has
// none, so the store plans for it:
//
// 1. Read the list in its order and skip the rows that do not match. This is
//    fast if many match.
// 2. If the page is not full, count the matches of each condition by the index
//    of that condition, up to a limit. If some condition has few matches, sort
//    those.
// 3. Otherwise read further in the order, and sort only if the page is still
//    not full.
//
// The conditions are written NOT (column <> value): SQLite cannot use an index
// for that, and PostgreSQL treats it as an equality.

// scanLimits bound the steps above. A negative number skips its step.
type scanLimits struct {
	first    int // rows read before anything is counted
	sortable int // matches that are worth sorting
	last     int // rows read in the order at most
}

// listScanLimits suit a page of 50. A filter that matches one row in four needs
// only the first step. With a million conversations, sorting 5,000 takes about
// as long as reading 10,000 in order to find 50 of them.
var listScanLimits = scanLimits{first: 200, sortable: 5_000, last: 10_000}

// A ConversationFilter narrows a list of conversations. Zero fields do not
// filter, except for Spam: without it, what is marked so is left out, unless the list
// tells what changed.
type ConversationFilter struct {
	Status       parley.Status
	InboxID      parley.ID
	ContactID    parley.ID // also the id of a contact that was merged into another
	CompanyID    parley.ID
	ProductID    parley.Optional[parley.ID]     // null: those without a product
	AssigneeID   parley.Optional[parley.UserID] // null: unassigned
	Label        string
	Spam         parley.SpamChoice
	HandedOver   bool      // by the automated agent
	UpdatedSince time.Time // least UpdatedAt; sorts by oldest change first
	Waiting      bool      // the customer waits for an answer; longest first; excludes UpdatedSince
}

// Conversations returns conversations, most recently active first. UpdatedSince
// sorts by UpdatedAt instead, oldest first; Waiting sorts by WaitingSince,
// longest wait first.
func (v *View) Conversations(vis parley.Visibility, f ConversationFilter, after parley.Position, limit int) (parley.Page[parley.Conversation], error) {
	return conversationPage(v, conversationList{visibility: vis, filter: f, after: after, limit: limit, conditions: f.conditions(vis.Workspace())}, listScanLimits)
}

// ConversationsToPreview is [View.Conversations] with smaller pages, so that
// the [parley.MessagePreview] of each conversation fits too.
func (v *View) ConversationsToPreview(vis parley.Visibility, f ConversationFilter, after parley.Position, limit int) (parley.Page[parley.Conversation], error) {
	return conversationPage(v, conversationList{visibility: vis, filter: f, after: after, limit: limit, conditions: f.conditions(vis.Workspace()), previews: true}, listScanLimits)
}

func conversationPage(v *View, l conversationList, limits scanLimits) (parley.Page[parley.Conversation], error) {
	if len(l.conditions) == 0 || v.session.statistics() {
		return l.read(v, nil, nil)
	}
	if page, full, err := l.scanInOrder(v, limits.first); full || err != nil {
		return page, err
	}
	rarest, found := 0, limits.sortable+1
	for i := range l.conditions {
		n, err := l.count(v, &l.conditions[i], limits.sortable+1)
		if err != nil {
			return parley.Page[parley.Conversation]{}, err
		}
		if n < found {
			rarest, found = i, n
		}
	}
	if found > limits.sortable {
		if page, full, err := l.scanInOrder(v, limits.last); full || err != nil {
			return page, err
		}
	}
	return l.read(v, &l.conditions[rarest], nil)
}

// scanInOrder reads the page among the next rows in the order. full reports
// that no later row can belong to the page.
func (l *conversationList) scanInOrder(v *View, passed int) (page parley.Page[parley.Conversation], full bool, err error) {
	if passed < 0 {
		return page, false, nil
	}
	end, err := l.end(v, passed)
	if err == nil {
		page, err = l.read(v, nil, end)
	}
	return page, end == nil || page.HasMore, err
}

// A conversationList is one page of a list.
type conversationList struct {
	visibility parley.Visibility
	filter     ConversationFilter
	after      parley.Position
	limit      int
	conditions []condition
	previews   bool // leave space for them
}

// A condition is one field of a filter. matches is true for a conversation c,
// in a form that keeps the planner off the index of that column; ids is a query
// for the matching conversations that uses this index.
type condition struct {
	matches, ids func(*clause) string
}

// A listOrder is the order of a list: its SQL, its leading column, and the
// operators for rows after a position, and up to a position.
type listOrder struct{ sql, column, later, upTo string }

func (l *conversationList) order() listOrder {
	switch {
	case l.filter.Waiting:
		return listOrder{" ORDER BY c.waiting_since, c.conversation_id", "c.waiting_since", ">", "<="}
	case !l.filter.UpdatedSince.IsZero():
		return listOrder{" ORDER BY c.changed_at, c.conversation_id", "c.changed_at", ">", "<="}
	}
	return listOrder{" ORDER BY c.last_activity_at DESC, c.conversation_id DESC", "c.last_activity_at", "<", ">="}
}

// compare returns the condition that relates a conversation to a position.
func (o *listOrder) compare(c *clause, operator string, place parley.Position) string {
	return "(" + o.column + ", c.conversation_id) " + operator + " (" + c.arg(place.At) + ", " + c.arg(place.ID) + ")"
}

// start returns the conditions for the conversations after the position.
func (l *conversationList) start() clause {
	var c clause
	c.conditions = append(c.conditions, c.visible(l.visibility, "c"))
	order := l.order()
	switch {
	case !l.after.IsZero():
		c.conditions = append(c.conditions, order.compare(&c, order.later, l.after))
	case !l.filter.UpdatedSince.IsZero():
		c.and("c.changed_at >= ?", l.filter.UpdatedSince)
	}
	if l.filter.Waiting {
		c.conditions = append(c.conditions, "c.waiting_since > 0")
	}
	if f := &l.filter; f.byActivity() && f.Status != "" && f.Status != parley.Resolved {
		// This allows the index conversations_unresolved, which has this order.
		c.and("c.status = ? AND c.status <> 'resolved'", string(f.Status))
	}
	return c
}

// count returns the number of conversations that match a condition, up to
// limit.
func (l *conversationList) count(v *View, one *condition, limit int) (int, error) {
	var c clause
	sql := "SELECT count(*) FROM (SELECT 1 AS found FROM (" + one.ids(&c) + ") x LIMIT " + c.arg(limit) + ") n"
	n := 0
	err := v.session.query(v.ctx, sql, c.args, func(r row) error { return r.scan(&n) })
	return n, err
}

// end returns the position of the last row to read, or nil if there are fewer.
func (l *conversationList) end(v *View, passed int) (*parley.Position, error) {
	c := l.start()
	order := l.order()
	sql := "SELECT " + order.column + ", c.conversation_id FROM conversations c" + c.where() + order.sql + " LIMIT 1 OFFSET " + c.arg(passed-1)
	var end *parley.Position
	err := v.session.query(v.ctx, sql, c.args, func(r row) error {
		end = &parley.Position{}
		return r.scan(&end.At, &end.ID)
	})
	return end, err
}

// read reads the page, either among the matches of the condition from or in the
// order of the list. A non-nil end is the last position to read.
func (l *conversationList) read(v *View, from *condition, end *parley.Position) (parley.Page[parley.Conversation], error) {
	c := l.start()
	order := l.order()
	for i := range l.conditions {
		if one := &l.conditions[i]; one != from {
			c.conditions = append(c.conditions, one.matches(&c))
		}
	}
	if f := &l.filter; f.Status == parley.Resolved || f.Status != "" && !f.byActivity() {
		c.and("NOT (c.status <> ?)", string(f.Status))
	}
	if f := &l.filter; f.Spam == parley.WithoutSpam || f.Spam == "" && f.UpdatedSince.IsZero() {
		c.conditions = append(c.conditions, "NOT c.spam")
	}
	if end != nil {
		c.conditions = append(c.conditions, order.compare(&c, order.upTo, *end))
	}
	source := "conversations c"
	if from != nil {
		// A cross join keeps SQLite from starting with the conversations.
		source = "(" + from.ids(&c) + ") x CROSS JOIN conversations c"
		c.conditions = append(c.conditions, "c.conversation_id = x.conversation_id")
	}
	// Select the page before joining, so that only its rows are joined.
	sql := "SELECT " + conversationColumns + " FROM (SELECT c.* FROM " + source + c.where() + order.sql + " LIMIT " + c.arg(l.limit+1) + ") c" +
		conversationJoins + order.sql
	return page(v, pageQuery{sql, c.args, l.limit}, l.scan, afterLast(func(last *parley.Conversation) parley.Position {
		switch {
		case l.filter.Waiting:
			return parley.Position{At: last.WaitingSince, ID: last.ID}
		case !l.filter.UpdatedSince.IsZero():
			return parley.Position{At: last.UpdatedAt, ID: last.ID}
		}
		return parley.Position{At: last.LastActivityAt, ID: last.ID}
	}))
}

func (l *conversationList) scan(r row, c *parley.Conversation) error {
	if l.previews {
		weigh(r, previewBytes)
	}
	return scanConversation(r, c)
}

// byActivity reports whether the list is in the order of the last activity.
func (f *ConversationFilter) byActivity() bool { return !f.Waiting && f.UpdatedSince.IsZero() }

// conditions returns the fields of the filter that have their own index.
func (f *ConversationFilter) conditions(ws parley.WorkspaceID) []condition {
	var all []condition
	if !f.ContactID.IsZero() {
		all = append(all, contactCondition(ws, f.ContactID))
	}
	if !f.CompanyID.IsZero() {
		all = append(all, companyCondition(ws, f.CompanyID))
	}
	if f.Label != "" {
		all = append(all, labelCondition(ws, f.Label))
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

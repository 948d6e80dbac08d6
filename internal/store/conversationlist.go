package store

import (
	"strings"
	"time"

	"parley"
)

// PostgreSQL keeps statistics, by which it chooses how to read a list with a
// filter. SQLite knows nothing of the data, so the store chooses there: it reads
// the list along the index of its order and passes over what does not fit, which
// is quick where the filter finds much. Where it finds little, that would pass
// all conversations; so the store first counts what the filter finds, by an
// index of the filter's own, and sorts it where it is little. Where it is much,
// but not among what is next in the order, it is sorted too.
//
// The conditions read NOT (column <> value): SQLite has no use of an index for
// that, and PostgreSQL reads an equality in it.

// A reach says which way a list is read; a negative number leaves a way out.
type reach struct {
	near int // so many are passed before anything is counted
	few  int // so many found are sorted
	far  int // so many are passed at most
}

// listReach is chosen for a page of 50. A filter that finds one in four needs no
// more than the first step. Of a million conversations, 5,000 are sorted about
// as fast as the 10,000 are passed among which 50 of them are.
var listReach = reach{near: 200, few: 5_000, far: 10_000}

// A ConversationFilter narrows a list of conversations. The zero value of each
// member does not.
type ConversationFilter struct {
	Status       parley.Status
	InboxID      parley.ID
	ContactID    parley.ID // also the id of a contact that was merged into another
	CompanyID    parley.ID
	ProductID    parley.Optional[parley.ID]     // null: those without a product
	AssigneeID   parley.Optional[parley.UserID] // null: those that nobody is assigned to
	Label        string
	UpdatedSince time.Time // those whose UpdatedAt is not before it, oldest change first
	Waiting      bool      // those whose customer waits for an answer, longest first; not with UpdatedSince
}

// Conversations returns conversations, most recently active first, or with
// UpdatedSince by their UpdatedAt, oldest change first, or with Waiting by their
// WaitingSince, longest first.
func (v *View) Conversations(ws parley.WorkspaceID, f ConversationFilter, after parley.Position, limit int) (parley.Page[parley.Conversation], error) {
	return v.conversations(conversationList{ws: ws, filter: f, after: after, limit: limit, conditions: f.conditions(ws)}, listReach)
}

// ConversationsToPreview is Conversations with room on the page for the
// MessagePreview of each.
func (v *View) ConversationsToPreview(ws parley.WorkspaceID, f ConversationFilter, after parley.Position, limit int) (parley.Page[parley.Conversation], error) {
	return v.conversations(conversationList{ws: ws, filter: f, after: after, limit: limit, conditions: f.conditions(ws), previews: true}, listReach)
}

func (v *View) conversations(l conversationList, r reach) (parley.Page[parley.Conversation], error) {
	if len(l.conditions) == 0 || v.session.statistics() {
		return l.read(v, nil, nil)
	}
	if page, full, err := l.walk(v, r.near); full || err != nil {
		return page, err
	}
	rarest, found := 0, r.few+1
	for i := range l.conditions {
		n, err := l.count(v, &l.conditions[i], r.few+1)
		if err != nil {
			return parley.Page[parley.Conversation]{}, err
		}
		if n < found {
			rarest, found = i, n
		}
	}
	if found > r.few {
		if page, full, err := l.walk(v, r.far); full || err != nil {
			return page, err
		}
	}
	return l.read(v, &l.conditions[rarest], nil)
}

// walk reads the page among the next conversations in the order. It is full
// unless more of it may come behind them.
func (l *conversationList) walk(v *View, passed int) (page parley.Page[parley.Conversation], full bool, err error) {
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
	ws         parley.WorkspaceID
	filter     ConversationFilter
	after      parley.Position
	limit      int
	conditions []condition
	previews   bool // shown with each conversation
}

// A condition is one member of a filter. fits is true of a conversation c, and
// keeps the planner from the index of its column; ids is a query of the
// conversations that it finds, from that index.
type condition struct {
	fits, ids func(*clause) string
}

// A listOrder is the order of a list: its SQL, the column that it begins with,
// and how what comes later, and what comes up to there, compares with a place.
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

// compare returns the condition that a conversation stands so to a place.
func (o *listOrder) compare(c *clause, operator string, place parley.Position) string {
	return "(" + o.column + ", c.conversation_id) " + operator + " (" + c.arg(place.At) + ", " + c.arg(place.ID) + ")"
}

// start returns the clause of the conversations behind the position.
func (l *conversationList) start() clause {
	var c clause
	c.and("c.workspace_id = ?", l.ws)
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
		// That opens the way to conversations_unresolved, which is in this order.
		c.and("c.status = ? AND c.status <> 'resolved'", string(f.Status))
	}
	return c
}

// count returns how many conversations a condition finds, up to limit.
func (l *conversationList) count(v *View, one *condition, limit int) (int, error) {
	var c clause
	sql := "SELECT count(*) FROM (SELECT 1 AS found FROM (" + one.ids(&c) + ") x LIMIT " + c.arg(limit) + ") n"
	n := 0
	err := v.session.query(v.ctx, sql, c.args, func(r row) error { return r.scan(&n) })
	return n, err
}

// end returns the position of the conversation that is the last to be passed,
// nil where there are not so many.
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

// read reads the page: among the conversations that the condition from finds,
// or along the order, as far as the position end where there is one.
func (l *conversationList) read(v *View, from *condition, end *parley.Position) (parley.Page[parley.Conversation], error) {
	c := l.start()
	order := l.order()
	for i := range l.conditions {
		if one := &l.conditions[i]; one != from {
			c.conditions = append(c.conditions, one.fits(&c))
		}
	}
	if f := &l.filter; f.Status == parley.Resolved || f.Status != "" && !f.byActivity() {
		c.and("NOT (c.status <> ?)", string(f.Status))
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
	// First the page, then its joins: so no more rows are joined than shown.
	sql := "SELECT " + conversationColumns + " FROM (SELECT c.* FROM " + source + c.where() + order.sql + " LIMIT " + c.arg(l.limit+1) + ") c" +
		conversationJoins + order.sql
	return page(v, pageQuery{sql, c.args, l.limit}, l.scan, behind(func(last *parley.Conversation) parley.Position {
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

// conditions returns those members of the filter that have an index of their
// own.
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
	if f.ProductID.Set {
		all = append(all, columnCondition(ws, "product_id", f.ProductID.Value, f.ProductID.Null))
	}
	if f.AssigneeID.Set {
		all = append(all, columnCondition(ws, "assignee_id", f.AssigneeID.Value, f.AssigneeID.Null))
	}
	if f.Status != "" && f.Status != parley.Resolved && !f.UpdatedSince.IsZero() {
		all = append(all, condition{
			fits: func(c *clause) string { return "c.status <> 'resolved'" },
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
			fits: func(*clause) string { return "NOT (c." + column + " IS NOT NULL)" },
			ids:  func(c *clause) string { return ids + c.arg(ws) + " AND " + column + " IS NULL" },
		}
	}
	return condition{
		fits: func(c *clause) string { return "NOT (c." + column + " <> " + c.arg(value) + ")" },
		ids:  func(c *clause) string { return ids + c.arg(ws) + " AND " + column + " = " + c.arg(value) },
	}
}

func contactCondition(ws parley.WorkspaceID, contact parley.ID) condition {
	now := func(c *clause) string {
		id := c.arg(contact)
		return "COALESCE((SELECT into_id FROM merged_contacts WHERE workspace_id = " + c.arg(ws) + " AND contact_id = " + id + "), " + id + ")"
	}
	return condition{
		fits: func(c *clause) string { return "NOT (c.contact_id <> " + now(c) + ")" },
		ids: func(c *clause) string {
			return "SELECT conversation_id FROM conversations WHERE workspace_id = " + c.arg(ws) + " AND contact_id = " + now(c)
		},
	}
}

func companyCondition(ws parley.WorkspaceID, company parley.ID) condition {
	return condition{
		fits: func(c *clause) string {
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
	distinct := "" // a conversation may have been given both
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
		fits: func(c *clause) string {
			return "EXISTS (SELECT 1 FROM conversation_labels l WHERE l.workspace_id = " + c.arg(ws) + " AND l.label" + spelled(c) +
				" AND l.conversation_id = c.conversation_id)"
		},
		ids: func(c *clause) string {
			return "SELECT " + distinct + "conversation_id FROM conversation_labels WHERE workspace_id = " + c.arg(ws) + " AND label" + spelled(c)
		},
	}
}

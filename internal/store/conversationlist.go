package store

import (
	"slices"
	"strconv"
	"strings"

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

// Conversations returns conversations, most recently active first. UpdatedSince
// sorts by UpdatedAt instead, oldest first; Waiting sorts by WaitingSince,
// longest wait first.
func (v *View) Conversations(vis parley.Visibility, f ConversationFilter, after parley.Position, limit int) (parley.Page[parley.Conversation], error) {
	return conversationPage(v, conversationList{visibility: vis, filter: f, after: after, limit: limit, conditions: f.conditionsFor(vis)}, listScanLimits)
}

// ConversationsToPreview is [View.Conversations] with smaller pages, so that
// the [parley.MessagePreview] of each conversation fits too.
func (v *View) ConversationsToPreview(vis parley.Visibility, f ConversationFilter, after parley.Position, limit int) (parley.Page[parley.Conversation], error) {
	return conversationPage(v, conversationList{visibility: vis, filter: f, after: after, limit: limit, conditions: f.conditionsFor(vis), previews: true}, listScanLimits)
}

// ConversationIDs is [View.Conversations] with the ids alone, up to about a thousand on a
// page.
func (v *View) ConversationIDs(vis parley.Visibility, f ConversationFilter, after parley.Position, limit int) (parley.Page[parley.ID], error) {
	p, err := conversationPage(v, conversationList{visibility: vis, filter: f, after: after, limit: limit, conditions: f.conditionsFor(vis), bare: true}, listScanLimits)
	ids := parley.Page[parley.ID]{Items: make([]parley.ID, len(p.Items)), HasMore: p.HasMore, Next: p.Next}
	for i := range p.Items {
		ids.Items[i] = p.Items[i].ID
	}
	return ids, err
}

func conversationPage(v *View, l conversationList, limits scanLimits) (parley.Page[parley.Conversation], error) {
	if l.filter.IDs != nil {
		return l.read(v, &l.conditions[0], nil) // they are the first condition, and few
	}
	if len(l.conditions) == 0 || v.session.statistics() && l.visibility.Own() == nil {
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
	bare       bool // read only the id and what the list is ordered by
}

// A listOrder is the order of a list: its SQL, its leading column, and the
// operators for rows after a position, and up to a position.
type listOrder struct {
	sql, column, later, upTo string
	// status, if it is not "", is the one of all rows, and the first column of the order.
	// Only the index conversations_unresolved has that order. By the others alone,
	// PostgreSQL may read all conversations instead, because its statistics do not know
	// that many were resolved just now.
	status parley.Status
}

func (l *conversationList) order() listOrder {
	switch f := &l.filter; {
	case f.Waiting:
		return listOrder{sql: " ORDER BY c.waiting_since, c.conversation_id", column: "c.waiting_since", later: ">", upTo: "<="}
	case !f.UpdatedSince.IsZero():
		return listOrder{sql: " ORDER BY c.changed_at, c.conversation_id", column: "c.changed_at", later: ">", upTo: "<="}
	case f.Status != "" && f.Status != parley.Resolved:
		return listOrder{" ORDER BY c.status DESC, c.last_activity_at DESC, c.conversation_id DESC", "c.last_activity_at", "<", ">=", f.Status}
	}
	return listOrder{sql: " ORDER BY c.last_activity_at DESC, c.conversation_id DESC", column: "c.last_activity_at", later: "<", upTo: ">="}
}

// compare returns the condition that relates a conversation to a position.
func (o *listOrder) compare(c *clause, operator string, place parley.Position) string {
	return o.relate(c, operator, []string{o.column, "c.conversation_id"}, place.At, place.ID)
}

// relate returns the condition that relates columns that follow the status in the order,
// if that has one, to values.
func (o *listOrder) relate(c *clause, operator string, columns []string, values ...any) string {
	if o.status != "" {
		columns, values = slices.Insert(columns, 0, "c.status"), slices.Insert(values, 0, any(string(o.status)))
	}
	args := make([]string, len(values))
	for i, value := range values {
		args[i] = c.arg(value)
	}
	return "(" + strings.Join(columns, ", ") + ") " + operator + " (" + strings.Join(args, ", ") + ")"
}

// start returns the conditions for the conversations after the position, and up to end if
// that is not nil, that a visibility includes.
func (l *conversationList) start(vis parley.Visibility, end *parley.Position) clause {
	var c clause
	c.conditions = append(c.conditions, c.visible(vis, "c"))
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
	if end != nil {
		c.conditions = append(c.conditions, order.compare(&c, order.upTo, *end))
	}
	if order.status != "" {
		l.boundStatus(&c, string(order.status), end != nil)
	}
	if !l.filter.ActiveBefore.IsZero() {
		c.conditions = append(c.conditions, order.relate(&c, "<", []string{"c.last_activity_at"}, l.filter.ActiveBefore))
	}
	if !l.filter.ActiveAfter.IsZero() {
		c.conditions = append(c.conditions, order.relate(&c, ">=", []string{"c.last_activity_at"}, l.filter.ActiveAfter))
	}
	return c
}

// boundStatus adds the status that is the first column of the order. As an equality it
// would leave the order; alone, it would make SQLite compare its value with the condition
// of an index, and so plan again whenever that changes. Where another condition is a bound
// already, a second one would be the only one that SQLite looks for in the index.
func (l *conversationList) boundStatus(c *clause, status string, ends bool) {
	c.conditions = append(c.conditions, "c.status <> 'resolved'") // as the index says
	if l.after.IsZero() && l.filter.ActiveBefore.IsZero() {
		c.and("(c.status, c.last_activity_at) <= (?, 9223372036854775807)", status)
	}
	if !ends && l.filter.ActiveAfter.IsZero() {
		c.and("(c.status, c.last_activity_at) >= (?, 0)", status)
	}
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
	vis := l.visibility
	if vis.Own() != nil {
		vis = parley.WholeWorkspace(vis.Workspace()) // rows that are skipped count
	}
	c := l.start(vis, nil)
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
	c := l.start(l.visibility, end)
	order := l.order()
	for i := range l.conditions {
		if one := &l.conditions[i]; one != from {
			c.conditions = append(c.conditions, one.matches(&c))
		}
	}
	if f := &l.filter; f.Status == parley.Resolved || f.Status != "" && !f.byActivity() {
		c.and("NOT (c.status <> ?)", string(f.Status))
	}
	l.filter.restrict(&c, l.visibility.Workspace())
	source := "conversations c"
	if from != nil {
		// A cross join keeps SQLite from starting with the conversations.
		source = "(" + from.ids(&c) + ") x CROSS JOIN conversations c"
		c.conditions = append(c.conditions, "c.conversation_id = x.conversation_id")
	}
	// Select the page before joining, so that only its rows are joined.
	sql := "SELECT " + conversationColumns + " FROM (SELECT c.* FROM " + source + c.where() + order.sql + " LIMIT " + c.arg(l.limit+1) + ") c" +
		conversationJoins + order.sql
	if l.bare {
		sql = "SELECT c.conversation_id, c.last_activity_at, c.changed_at, c.waiting_since FROM " + source + c.where() + order.sql + " LIMIT $" + strconv.Itoa(len(c.args))
	}
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
	if l.bare {
		return r.scan(&c.ID, &c.LastActivityAt, &c.UpdatedAt, &c.WaitingSince)
	}
	if l.previews {
		weigh(r, previewBytes)
	}
	return scanConversation(r, c)
}

// byActivity reports whether the list is in the order of the last activity.
func (f *ConversationFilter) byActivity() bool { return !f.Waiting && f.UpdatedSince.IsZero() }

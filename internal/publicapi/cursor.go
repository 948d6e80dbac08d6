package publicapi

import (
	"strconv"
	"strings"

	"parley"
	"parley/internal/desk"
	"parley/internal/httpjson"
	"parley/internal/knowledge"
	"parley/internal/wire"
)

// cursor reads the query parameter with a cursor of a list. list names the list
// and its filters.
func (c *call) cursor(name, list string) parley.Position {
	return c.QueryCursor(name, httpjson.List{Workspace: c.ws, Name: list})
}

// nextCursor returns the cursor of a position in a list, "" on the last page.
func (c *call) nextCursor(list string, p parley.Position) string {
	return httpjson.List{Workspace: c.ws, Name: list}.Cursor(p)
}

// maxPage is the most bytes of JSON on a page, unless its first item alone has more.
const maxPage = 1 << 20

// renderPart renders a page of a list that the store returns as a whole: up to limit items
// from a position, which is an offset.
func renderPart[T any](c *call, part part, all []T, item func([]byte, *T) []byte) []byte {
	rest := all[min(part.after.Offset, len(all)):]
	n, size, buffer := 0, 0, []byte(nil)
	for ; n < min(part.limit, len(rest)); n++ {
		buffer = item(buffer[:0], &rest[n])
		if size += len(buffer) + 1; size > maxPage && n > 0 {
			break
		}
	}
	next := ""
	if n < len(rest) {
		next = c.nextCursor(part.list, parley.Position{Offset: part.after.Offset + n})
	}
	return wire.AppendPage(nil, rest[:n], n < len(rest), next, item)
}

// A part says which items of a list [renderPart] renders.
type part struct {
	list  string
	limit int
	after parley.Position
}

func (c *call) part(list string) part {
	return part{list, c.limit("limit", parley.DefaultLimit), c.cursor("cursor", list)}
}

// Cursors that callers hold are bound to the names of lists, so each name is
// written out here. It does not depend on the order or the types of a filter's
// fields.

// conversationList names a list of conversations. Lists without spam keep the name that
// all lists had before the mark existed, so that older cursors remain valid.
func conversationList(f *desk.ConversationFilter) string {
	spam := ""
	if f.Spam != "" && (f.Spam != parley.WithoutSpam || !f.UpdatedSince.IsZero()) {
		spam = " " + string(f.Spam)
	}
	if f.HandedOver {
		spam += " handed over"
	}
	work := ""
	if f.TeamID.Set || f.Priority.Set || f.NotLabel != "" || f.Snoozed.Set || f.Woke || f.Merged || !f.ActiveAfter.IsZero() || !f.ActiveBefore.IsZero() {
		work = group(optional(f.TeamID, f.TeamID.Value.String()), optional(f.Priority, string(f.Priority.Value)), strconv.Quote(f.NotLabel),
			optional(f.Snoozed, strconv.FormatBool(f.Snoozed.Value)), strconv.FormatBool(f.Woke), strconv.FormatBool(f.Merged),
			f.ActiveAfter.Format(listedTime), f.ActiveBefore.Format(listedTime))
	}
	return "conversations " + group(
		string(f.Status), f.InboxID.String(), f.ContactID.String(), f.CompanyID.String(),
		optional(f.ProductID, f.ProductID.Value.String()), optional(f.AssigneeID, string(f.AssigneeID.Value)),
		strings.Join(f.Labels, "\n"), f.UpdatedSince.Format(listedTime), strconv.FormatBool(f.Waiting),
	) + spam + work
}

// listedTime is the format of a time in the name of a list.
const listedTime = "2006-01-02 15:04:05.999999999 -0700 MST"

// contactList names a list of contacts.
func contactList(f *desk.ContactFilter) string {
	return "contacts " + group(strconv.Quote(f.Email), strconv.Quote(f.Identifier), strconv.Quote(f.Phone), strconv.Quote(f.CompanyID.String()))
}

// articleList names a list of articles.
func articleList(f *knowledge.ArticleFilter) string {
	return "articles " + group(
		optional(f.ProductID, f.ProductID.Value.String()), optional(f.CategoryID, f.CategoryID.Value.String()), string(f.State),
		string(f.Language), f.UpdatedSince.Format(listedTime),
	)
}

// companyList names a list of companies.
func companyList(f *desk.CompanyFilter) string {
	return "companies " + group(strconv.Quote(f.Search), strconv.Quote(f.ExternalID))
}

// messageList names the messages of a conversation in an order.
func messageList(q *desk.MessageQuery) string {
	return "messages of " + q.ConversationID.String() + " " + string(q.Order)
}

func group(members ...string) string { return "{" + strings.Join(members, " ") + "}" }

func optional[T any](o parley.Optional[T], value string) string {
	return group(strconv.FormatBool(o.Set), strconv.FormatBool(o.Null), value)
}

// Package reports counts what happens to conversations and reports it: how many
// were opened and resolved, and how long answers and resolutions took. A
// [Counter] adds to the cells of a day in the transaction of the event, so
// reports are current and read no conversations; [Make] adds up the cells of
// some days. It imports the vocabulary and the store; the desk counts with it.
package reports

import (
	"cmp"
	"fmt"
	"slices"

	"parley"
	"parley/internal/store"
)

// A Query asks for a report.
type Query struct {
	From, To parley.Optional[parley.Day] // both included; absent: the 30 days until To, or until today
	By       parley.ReportBy
	Filters  []Filter // at most one
}

// A Filter narrows a report to one product, inbox, member or company.
type Filter struct {
	By   parley.ReportBy // not ByDay
	Item string          // an id, in canonical form; "" for none
}

// name is the filter's name in a request.
func (f Filter) name() string { return string(f.By) + "Id" }

// Checked returns the query with both of its days. Days that make no range of at
// most parley.MaxReportDays are Invalid, and so is a filter that does not fit the
// rows: it works with rows by day or by its own dimension, because nothing is
// counted by two dimensions.
func (q Query) Checked(vis parley.Visibility, today parley.Day) (Query, error) {
	from, to, err := q.days(today)
	if err == nil {
		err = q.checkFilters()
	}
	if err == nil {
		err = q.checkReader(vis)
	}
	q.From, q.To = parley.Some(from), parley.Some(to)
	return q, err
}

// Make makes the report of a checked query. By day it has a row for each day;
// otherwise one for each item with activity, most conversations first. An
// unknown id gives an empty report.
func Make(v *store.View, vis parley.Visibility, q Query) (parley.Report, error) {
	r := parley.Report{From: q.From.Value, To: q.To.Value, By: q.By, Total: parley.ReportRow{Label: "Total"}}
	cells, err := q.cells(v, vis)
	if err != nil {
		return r, err
	}
	rows := reportRows{at: map[string]int{}}
	if q.By == parley.ByDay {
		for day := r.From; day <= r.To; day++ {
			rows.row(day.String())
		}
	}
	for i := range cells {
		key := cells[i].Item
		if q.By == parley.ByDay {
			key = cells[i].Day.String()
		}
		if err := addCell(&rows.list[rows.row(key)], &cells[i]); err != nil {
			return r, err
		}
	}
	r.Rows = rows.list
	if len(r.Rows) == parley.MaxReportRows {
		return r, countAll(v, vis, &r)
	}
	for i := range r.Rows {
		addRow(&r.Total, &r.Rows[i])
	}
	return r, finishRows(v, vis.Workspace(), &r)
}

// countAll completes a report that does not show all of its rows: the total is
// the sum of the days.
func countAll(v *store.View, vis parley.Visibility, r *parley.Report) error {
	cells, err := SelectReportDays(v, vis, countedBy(vis, parley.ByDay), r.From, r.To)
	if err != nil {
		return err
	}
	for i := range cells {
		if err := addCell(&r.Total, &cells[i]); err != nil {
			return err
		}
	}
	return finishRows(v, vis.Workspace(), r)
}

// days returns the date range of the report.
func (q Query) days(today parley.Day) (from, to parley.Day, err error) {
	return parley.ReportDays(q.From, q.To, today)
}

func (q Query) checkFilters() error {
	if len(q.Filters) > 1 {
		return parley.InvalidField(q.Filters[1].name(), "be absent where "+q.Filters[0].name()+" is given")
	}
	if len(q.Filters) == 1 && q.By != parley.ByDay && q.By != q.Filters[0].By {
		return parley.InvalidField("by", fmt.Sprintf("be day or %s where %s is given", q.Filters[0].By, q.Filters[0].name()))
	}
	return nil
}

func (q Query) cells(v *store.View, vis parley.Visibility) ([]Cell, error) {
	if len(q.Filters) == 1 {
		return SelectReportItemDays(v, vis, q.Filters[0], q.From.Value, q.To.Value)
	}
	return SelectReportDays(v, vis, countedBy(vis, q.By), q.From.Value, q.To.Value)
}

// countedBy returns the dimension whose cells add up to a report. A member who does not
// see everything sees the sums of inboxes alone, also by day.
func countedBy(vis parley.Visibility, by parley.ReportBy) parley.ReportBy {
	if vis.Own() != nil && by == parley.ByDay {
		return parley.ByInbox
	}
	return by
}

// checkReader refuses a report that a reader may not see: a member who does not see
// everything sees those by day and by inbox.
func (q Query) checkReader(vis parley.Visibility) error {
	if vis.Own() == nil {
		return nil
	}
	if q.By != parley.ByDay && q.By != parley.ByInbox {
		return parley.FieldErrorf(parley.Forbidden, "by", "must be day or inbox, because you see only some conversations")
	}
	for _, f := range q.Filters {
		if f.By != parley.ByInbox {
			return parley.FieldErrorf(parley.Forbidden, f.name(), "must be absent, because you see only some conversations")
		}
	}
	return nil
}

// reportRows are rows in the order of their first use.
type reportRows struct {
	list []parley.ReportRow
	at   map[string]int
}

func (rows *reportRows) row(key string) int {
	i, ok := rows.at[key]
	if !ok {
		i = len(rows.list)
		rows.at[key] = i
		rows.list = append(rows.list, parley.ReportRow{Key: key, Label: key})
	}
	return i
}

func addCell(row *parley.ReportRow, cell *Cell) error {
	row.Opened += cell.Opened
	if err := row.FirstResponses.AddText(cell.FirstResponses); err != nil {
		return err
	}
	return row.Resolutions.AddText(cell.Resolutions)
}

func addRow(sum, row *parley.ReportRow) {
	sum.Opened += row.Opened
	sum.FirstResponses.AddAll(row.FirstResponses)
	sum.Resolutions.AddAll(row.Resolutions)
}

// finishRows names and sorts the rows. Rows by day are named and sorted
// already.
func finishRows(v *store.View, ws parley.WorkspaceID, r *parley.Report) error {
	if r.By == parley.ByDay {
		return nil
	}
	var items []string
	for i := range r.Rows {
		if r.Rows[i].Key != "" {
			items = append(items, r.Rows[i].Key)
		}
	}
	names, err := SelectReportNames(v, ws, r.By, items)
	if err != nil {
		return err
	}
	for i := range r.Rows {
		if name, ok := names[r.Rows[i].Key]; ok {
			r.Rows[i].Label = name
		} else if r.Rows[i].Key == "" {
			r.Rows[i].Label = nobody(r.By)
		}
	}
	// Counting takes time, so it happens once per row.
	resolved := make(map[string]int, len(r.Rows))
	for i := range r.Rows {
		resolved[r.Rows[i].Key] = r.Rows[i].Resolutions.Count()
	}
	slices.SortFunc(r.Rows, func(a, b parley.ReportRow) int {
		return cmp.Or(cmp.Compare(b.Opened, a.Opened), cmp.Compare(resolved[b.Key], resolved[a.Key]),
			cmp.Compare(a.Label, b.Label), cmp.Compare(a.Key, b.Key))
	})
	return nil
}

// nobody is the label of the row without an item.
func nobody(by parley.ReportBy) string {
	if by == parley.ByMember {
		return "Customers and API"
	}
	return "No " + string(by)
}

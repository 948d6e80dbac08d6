package desk

import (
	"cmp"
	"fmt"
	"slices"

	"parley"
	"parley/internal/store"
)

// A ReportQuery asks for a report.
type ReportQuery struct {
	From, To parley.Optional[parley.Day] // both included; absent: the 30 days until To, or until today
	By       parley.ReportBy
	Filters  []ReportFilter // at most one
}

// A ReportFilter narrows a report to one product, inbox, member or company.
type ReportFilter struct {
	By   parley.ReportBy // not ByDay
	Item string          // an id, in canonical form; "" for none
}

// name is the filter's name in a request.
func (f ReportFilter) name() string { return string(f.By) + "Id" }

// Report returns a report. By day it has a row for each day; otherwise one for
// each item with activity, most conversations first. A filter works with rows
// by day or by its own dimension, because nothing is counted by two dimensions.
// An unknown id gives an empty report.
func (d *Desk) Report(vis parley.Visibility, q ReportQuery) Read[parley.Report] {
	from, to, err := q.days(parley.DayOf(d.clock.Now()))
	if err == nil {
		err = q.checkFilters()
	}
	if err != nil {
		return Refused[parley.Report](err)
	}
	return Snapshot(d, func(v *store.View) (parley.Report, error) {
		r := parley.Report{From: from, To: to, By: q.By, Total: parley.ReportRow{Label: "Total"}}
		cells, err := q.cells(v, vis, from, to)
		if err != nil {
			return r, err
		}
		rows := reportRows{at: map[string]int{}}
		if q.By == parley.ByDay {
			for day := from; day <= to; day++ {
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
			return r, q.countAll(v, vis, &r)
		}
		for i := range r.Rows {
			addRow(&r.Total, &r.Rows[i])
		}
		return r, finishRows(v, vis.Workspace(), &r)
	})
}

// countAll completes a report that does not show all of its rows: the total is
// the sum of the days.
func (q *ReportQuery) countAll(v *store.View, vis parley.Visibility, r *parley.Report) error {
	cells, err := v.ReportDays(vis, parley.ByDay, r.From, r.To)
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
func (q *ReportQuery) days(today parley.Day) (from, to parley.Day, err error) {
	to = q.To.Or(today)
	from = q.From.Or(max(0, to-parley.DefaultReportDays+1))
	switch {
	case from > to && q.To.Set:
		return 0, 0, parley.InvalidField("to", "not be before from")
	case from > to:
		return 0, 0, parley.InvalidField("from", "not be after today, unless to is given")
	case to-from >= parley.MaxReportDays:
		return 0, 0, parley.InvalidField("from", fmt.Sprintf("be at most %d days before to", parley.MaxReportDays-1))
	}
	return from, to, nil
}

func (q *ReportQuery) checkFilters() error {
	if len(q.Filters) > 1 {
		return parley.InvalidField(q.Filters[1].name(), "be absent where "+q.Filters[0].name()+" is given")
	}
	if len(q.Filters) == 1 && q.By != parley.ByDay && q.By != q.Filters[0].By {
		return parley.InvalidField("by", fmt.Sprintf("be day or %s where %s is given", q.Filters[0].By, q.Filters[0].name()))
	}
	return nil
}

func (q *ReportQuery) cells(v *store.View, vis parley.Visibility, from, to parley.Day) ([]store.ReportCell, error) {
	if len(q.Filters) == 1 {
		return v.ReportItemDays(vis, q.Filters[0].By, q.Filters[0].Item, from, to)
	}
	return v.ReportDays(vis, q.By, from, to)
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

func addCell(row *parley.ReportRow, cell *store.ReportCell) error {
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
	names, err := v.ReportNames(ws, r.By, items)
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

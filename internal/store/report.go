package store

import (
	"errors"
	"slices"
	"strings"

	"parley"
)

// ReportItems are the items of the report dimensions that an event of a
// conversation counts for. A zero id means none.
type ReportItems struct {
	Product parley.ID
	Inbox   parley.ID
	Company parley.ID
	Member  parley.UserID
}

// of returns the item of a dimension, in its stored form.
func (i *ReportItems) of(by parley.ReportBy) string {
	id := parley.ID{}
	switch by {
	case parley.ByMember:
		return string(i.Member)
	case parley.ByProduct:
		id = i.Product
	case parley.ByInbox:
		id = i.Inbox
	case parley.ByCompany:
		id = i.Company
	}
	if id.IsZero() {
		return "" // none, or the dimension day, which has one item
	}
	return id.String()
}

// A ReportCell counts what happened on one day for one item of a dimension. The
// dimension "day" has a single item, "". The texts are encoded
// [parley.Durations].
type ReportCell struct {
	By             parley.ReportBy
	Day            parley.Day
	Item           string // an id; "" for none
	Opened         int
	FirstResponses string
	Resolutions    string
}

// A CountedCell is a ReportCell with its split by hour, an encoded
// [parley.Hours]. The hours may add up to less than the cell: older versions
// counted days only.
type CountedCell struct {
	ReportCell
	Hours string
}

const reportColumns = "r.dimension, r.day, r.item, r.opened, r.first_responses, r.resolutions"

func scanReportCell(r row, c *ReportCell) error {
	return r.scan((*string)(&c.By), (*int)(&c.Day), &c.Item, &c.Opened, &c.FirstResponses, &c.Resolutions)
}

func scanCountedCell(r row, c *CountedCell) error {
	return r.scan((*string)(&c.By), (*int)(&c.Day), &c.Item, &c.Opened, &c.FirstResponses, &c.Resolutions, &c.Hours)
}

// UpsertReportCells inserts cells or replaces them.
func (tx *Tx) UpsertReportCells(ws parley.WorkspaceID, cells []CountedCell) error {
	var c clause
	rows := make([]string, len(cells))
	for i := range cells {
		cell := &cells[i]
		rows[i] = "(" + c.list([]any{
			ws, string(cell.By), int(cell.Day), cell.Item, cell.Opened, cell.FirstResponses, cell.Resolutions, cell.Hours,
		}) + ")"
	}
	return tx.exec(`INSERT INTO report_cells (workspace_id, dimension, day, item, opened, first_responses, resolutions, hours)
		VALUES `+strings.Join(rows, ", ")+` ON CONFLICT (workspace_id, dimension, day, item) DO UPDATE SET opened = excluded.opened,
		first_responses = excluded.first_responses, resolutions = excluded.resolutions, hours = excluded.hours`, c.args...)
}

// ReportCells returns the cells of the items on a day, one for each dimension.
// Missing cells are returned empty.
func (v *View) ReportCells(ws parley.WorkspaceID, day parley.Day, items ReportItems) ([]CountedCell, error) {
	var c clause
	cells := make([]CountedCell, len(parley.ReportBys))
	points := make([]string, len(cells))
	for i, by := range parley.ReportBys {
		cells[i].ReportCell = ReportCell{By: by, Day: day, Item: items.of(by)}
		points[i] = "SELECT " + reportColumns + ", r.hours FROM report_cells r WHERE r.workspace_id = " + c.arg(ws) +
			" AND r.dimension = " + c.arg(string(by)) + " AND r.day = " + c.arg(int(day)) + " AND r.item = " + c.arg(cells[i].Item)
	}
	found, err := many(v, scanCountedCell, strings.Join(points, " UNION ALL "), c.args...)
	for i := range found {
		cells[slices.Index(parley.ReportBys, found[i].By)] = found[i]
	}
	return cells, err
}

// ReportDays returns the cells of a dimension between two days, both included,
// ordered by day. For companies it returns only the parley.MaxReportRows with
// the most opened conversations.
func (v *View) ReportDays(vis parley.Visibility, by parley.ReportBy, from, to parley.Day) ([]ReportCell, error) {
	var c clause
	c.conditions = append(c.conditions, c.visibleSums(vis, "r"))
	c.and("r.dimension = ?", string(by))
	c.and("r.day >= ?", int(from))
	c.and("r.day <= ?", int(to))
	if by == parley.ByCompany {
		c.conditions = append(c.conditions, `r.item IN (SELECT s.item FROM report_cells s WHERE s.workspace_id = $1 AND s.dimension = $2
			AND s.day >= $3 AND s.day <= $4 GROUP BY s.item ORDER BY sum(s.opened) DESC, s.item LIMIT `+c.arg(parley.MaxReportRows)+")")
	}
	return many(v, scanReportCell, "SELECT "+reportColumns+" FROM report_cells r"+c.where()+" ORDER BY r.day", c.args...)
}

// ReportItemDays returns the cells of one item of a dimension between two days,
// both included, ordered by day.
func (v *View) ReportItemDays(vis parley.Visibility, by parley.ReportBy, item string, from, to parley.Day) ([]ReportCell, error) {
	// One lookup per day is faster than a scan over all items. The cross join
	// makes SQLite start with the days.
	c := clause{args: []any{int(from), int(to), string(by), item}}
	return many(v, scanReportCell, `WITH RECURSIVE days (day) AS (
			SELECT CAST($1 AS bigint) UNION ALL SELECT day + 1 FROM days WHERE day < $2
		) SELECT `+reportColumns+` FROM days CROSS JOIN report_cells r
		WHERE `+c.visibleSums(vis, "r")+" AND r.dimension = $3 AND r.day = days.day AND r.day <= $2 AND r.item = $4 ORDER BY r.day", c.args...)
}

// reportNames is how many names one statement reads.
const reportNames = 100

// ReportNames returns the names of items of a dimension by id. Items that do
// not exist are left out.
func (v *View) ReportNames(ws parley.WorkspaceID, by parley.ReportBy, items []string) (map[string]string, error) {
	table, key := "", ""
	switch by {
	case parley.ByProduct:
		table, key = "products", "product_id"
	case parley.ByInbox:
		table, key = "inboxes", "inbox_id"
	case parley.ByMember:
		table, key = "members", "member_id"
	case parley.ByCompany:
		table, key = "companies", "company_id"
	default:
		return nil, errors.New("store: the items of " + string(by) + " have no names")
	}
	names := make(map[string]string, len(items))
	for part := range slices.Chunk(items, reportNames) {
		var c clause
		c.and("workspace_id = ?", ws)
		ids := make([]any, len(part))
		for i, item := range part {
			ids[i] = reportID(by, item)
		}
		sql := "SELECT " + key + ", name FROM " + table + c.where() + " AND " + key + " IN (" + c.list(ids) + ")"
		err := v.session.query(v.ctx, sql, c.args, func(r row) error {
			item, name, err := scanReportName(by, r)
			names[item] = name
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return names, nil
}

// reportID returns an item as a query argument, or NULL, which equals nothing,
// if the item is not an id.
func reportID(by parley.ReportBy, item string) any {
	if by == parley.ByMember {
		return parley.UserID(item)
	}
	id, _ := parley.ParseID(item)
	return id
}

func scanReportName(by parley.ReportBy, r row) (item, name string, err error) {
	if by == parley.ByMember {
		err = r.scan(&item, &name)
		return item, name, err
	}
	var id parley.ID
	err = r.scan(&id, &name)
	return id.String(), name, err
}

package reports

import (
	"errors"
	"slices"

	"parley"
	"parley/internal/store"
)

// A Cell counts what happened on one day for one item of a dimension. The
// dimension "day" has a single item, "". The texts are encoded
// [parley.Durations].
type Cell struct {
	By             parley.ReportBy
	Day            parley.Day
	Item           string // an id; "" for none
	Opened         int
	FirstResponses string
	Resolutions    string
}

// A CountedCell is a Cell with its split by hour, an encoded [parley.Hours].
// The hours may add up to less than the cell: older versions counted days only.
type CountedCell struct {
	Cell
	Hours string
}

// dimensions is the number of [parley.ReportBys].
const dimensions = 5

// Cells are the cells of a day in which some events count.
type Cells struct {
	All []CountedCell // those of each Items: one for each of [parley.ReportBys], in that order
	at  map[cellName]int
}

type cellName struct {
	by   parley.ReportBy
	item string
}

// Of returns the cells of items that the Cells were read for.
func (c *Cells) Of(items Items) []*CountedCell {
	of := make([]*CountedCell, 0, dimensions)
	for _, by := range parley.ReportBys {
		of = append(of, &c.All[c.at[cellName{by, items.of(by)}]])
	}
	return of
}

const cellColumns = "r.dimension, r.day, r.item, r.opened, r.first_responses, r.resolutions"

func scanCell(r store.Row, c *Cell) error {
	return r.Scan((*string)(&c.By), (*int)(&c.Day), &c.Item, &c.Opened, &c.FirstResponses, &c.Resolutions)
}

func scanCountedCell(r store.Row, c *CountedCell) error {
	return r.Scan((*string)(&c.By), (*int)(&c.Day), &c.Item, &c.Opened, &c.FirstResponses, &c.Resolutions, &c.Hours)
}

// UpsertReportCells inserts different cells or replaces them.
func UpsertReportCells(tx store.Writer, ws parley.WorkspaceID, cells []CountedCell) error {
	for ; len(cells) >= dimensions; cells = cells[dimensions:] {
		var args []any
		for i := range cells[:dimensions] {
			args = append(args, cells[i].values()...)
		}
		if err := store.Exec(tx, ws, `INSERT INTO report_cells (workspace_id, dimension, day, item, opened, first_responses, resolutions, hours)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8), ($1, $9, $10, $11, $12, $13, $14, $15), ($1, $16, $17, $18, $19, $20, $21, $22),
				($1, $23, $24, $25, $26, $27, $28, $29), ($1, $30, $31, $32, $33, $34, $35, $36)
			ON CONFLICT (workspace_id, dimension, day, item) DO UPDATE SET opened = excluded.opened,
			first_responses = excluded.first_responses, resolutions = excluded.resolutions, hours = excluded.hours`, args...); err != nil {
			return err
		}
	}
	for i := range cells {
		if err := store.Exec(tx, ws, `INSERT INTO report_cells (workspace_id, dimension, day, item, opened, first_responses, resolutions, hours)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
			ON CONFLICT (workspace_id, dimension, day, item) DO UPDATE SET opened = excluded.opened,
			first_responses = excluded.first_responses, resolutions = excluded.resolutions, hours = excluded.hours`, cells[i].values()...); err != nil {
			return err
		}
	}
	return nil
}

func (c *CountedCell) values() []any {
	return []any{string(c.By), int(c.Day), c.Item, c.Opened, c.FirstResponses, c.Resolutions, c.Hours}
}

// cellsOf selects the cells of the day $2.
const cellsOf = "SELECT " + cellColumns + ", r.hours FROM report_cells r WHERE r.workspace_id = $1 AND r.day = $2 AND "

// SelectReportCells returns the cells of some items on a day. Missing cells are
// returned empty.
func SelectReportCells(v store.Reader, ws parley.WorkspaceID, day parley.Day, all []Items) (Cells, error) {
	cells := Cells{at: map[cellName]int{}}
	var names []string
	for i := range all {
		for _, by := range parley.ReportBys {
			name := cellName{by, all[i].of(by)}
			if _, known := cells.at[name]; known {
				continue
			}
			cells.at[name] = len(cells.All)
			cells.All = append(cells.All, CountedCell{Cell: Cell{By: by, Day: day, Item: name.item}})
			if !slices.Contains(names, name.item) {
				names = append(names, name.item)
			}
		}
	}
	if len(names) == 0 {
		return cells, nil
	}
	found, err := store.Many(v, ws, scanCountedCell, cellsOf+"r.dimension = 'day' AND r.item IN ($3...) UNION ALL "+
		cellsOf+"r.dimension = 'product' AND r.item IN ($3...) UNION ALL "+cellsOf+"r.dimension = 'inbox' AND r.item IN ($3...) UNION ALL "+
		cellsOf+"r.dimension = 'member' AND r.item IN ($3...) UNION ALL "+cellsOf+"r.dimension = 'company' AND r.item IN ($3...)",
		int(day), store.ListOf(names))
	for i := range found {
		if at, asked := cells.at[cellName{found[i].By, found[i].Item}]; asked {
			cells.All[at] = found[i]
		}
	}
	return cells, err
}

// SelectCompaniesOf returns the companies of some contacts, by the contact. Those
// without a company are left out. There must be at least one contact.
func SelectCompaniesOf(v store.Reader, ws parley.WorkspaceID, contacts []parley.ID) (map[parley.ID]parley.ID, error) {
	type pair struct{ contact, company parley.ID }
	found, err := store.Many(v, ws, func(r store.Row, p *pair) error { return r.Scan(&p.contact, &p.company) },
		"SELECT contact_id, company_id FROM contacts WHERE workspace_id = $1 AND company_id IS NOT NULL AND contact_id IN ($2...)", store.ListOf(contacts))
	companies := make(map[parley.ID]parley.ID, len(found))
	for _, p := range found {
		companies[p.contact] = p.company
	}
	return companies, err
}

// daysOf selects the cells of a dimension between two days.
const daysOf = "SELECT " + cellColumns + " FROM report_cells r WHERE SUMS_VISIBLE(r) AND r.dimension = $2 AND r.day >= $3 AND r.day <= $4"

// SelectReportDays returns the cells of a dimension between two days, both
// included, ordered by day. For companies it returns only the
// parley.MaxReportRows with the most opened conversations.
func SelectReportDays(v store.Reader, vis parley.Visibility, by parley.ReportBy, from, to parley.Day) ([]Cell, error) {
	if by == parley.ByCompany {
		return store.Many(v, vis, scanCell, daysOf+` AND r.item IN (SELECT s.item FROM report_cells s WHERE s.workspace_id = $1
			AND s.dimension = $2 AND s.day >= $3 AND s.day <= $4 GROUP BY s.item ORDER BY sum(s.opened) DESC, s.item LIMIT $5) ORDER BY r.day`,
			string(by), int(from), int(to), parley.MaxReportRows)
	}
	return store.Many(v, vis, scanCell, daysOf+" ORDER BY r.day", string(by), int(from), int(to))
}

// SelectReportItemDays returns the cells of one item of a dimension between two
// days, both included, ordered by day.
func SelectReportItemDays(v store.Reader, vis parley.Visibility, f Filter, from, to parley.Day) ([]Cell, error) {
	// One lookup per day is faster than a scan over all items. The cross join
	// makes SQLite start with the days.
	return store.Many(v, vis, scanCell, `WITH RECURSIVE days (day) AS (
			SELECT CAST($2 AS bigint) UNION ALL SELECT day + 1 FROM days WHERE day < $3
		) SELECT `+cellColumns+` FROM days CROSS JOIN report_cells r
		WHERE SUMS_VISIBLE(r) AND r.dimension = $4 AND r.day = days.day AND r.day <= $3 AND r.item = $5 ORDER BY r.day`,
		int(from), int(to), string(f.By), f.Item)
}

// A namedItem is an item of a dimension with its name.
type namedItem struct{ item, name string }

func scanNamedID(r store.Row, n *namedItem) error {
	var id parley.ID
	err := r.Scan(&id, &n.name)
	n.item = id.String()
	return err
}

// maxNames is how many names one statement reads.
const maxNames = 100

// SelectReportNames returns the names of items of a dimension by id. Items that
// do not exist are left out.
func SelectReportNames(v store.Reader, ws parley.WorkspaceID, by parley.ReportBy, items []string) (map[string]string, error) {
	names := make(map[string]string, len(items))
	for part := range slices.Chunk(items, maxNames) {
		found, err := selectNamed(v, ws, by, part)
		if err != nil {
			return nil, err
		}
		for _, n := range found {
			names[n.item] = n.name
		}
	}
	return names, nil
}

func selectNamed(v store.Reader, ws parley.WorkspaceID, by parley.ReportBy, items []string) ([]namedItem, error) {
	ids := make(store.List, len(items))
	for i, item := range items {
		ids[i] = argument(by, item)
	}
	switch by {
	case parley.ByProduct:
		return store.Many(v, ws, scanNamedID, "SELECT product_id, name FROM products WHERE workspace_id = $1 AND product_id IN ($2...)", ids)
	case parley.ByInbox:
		return store.Many(v, ws, scanNamedID, "SELECT inbox_id, name FROM inboxes WHERE workspace_id = $1 AND inbox_id IN ($2...)", ids)
	case parley.ByCompany:
		return store.Many(v, ws, scanNamedID, "SELECT company_id, name FROM companies WHERE workspace_id = $1 AND company_id IN ($2...)", ids)
	case parley.ByMember:
		return store.Many(v, ws, func(r store.Row, n *namedItem) error { return r.Scan(&n.item, &n.name) },
			"SELECT member_id, name FROM members WHERE workspace_id = $1 AND member_id IN ($2...)", ids)
	}
	return nil, errors.New("reports: the items of " + string(by) + " have no names")
}

// argument returns an item as an argument of a statement, or NULL, which equals
// nothing, if the item is not an id.
func argument(by parley.ReportBy, item string) any {
	if by == parley.ByMember {
		return parley.UserID(item)
	}
	id, _ := parley.ParseID(item)
	return id
}

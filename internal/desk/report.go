package desk

import (
	"parley"
	"parley/internal/reports"
	"parley/internal/store"
)

// Report returns the report that a query asks for; see [reports.Make].
func (d *Desk) Report(vis parley.Visibility, q reports.Query) Read[parley.Report] {
	q, err := q.Checked(vis, parley.DayOf(d.clock.Now()))
	if err != nil {
		return Refused[parley.Report](err)
	}
	return Snapshot(d, func(v *store.View) (parley.Report, error) { return reports.Make(v, vis, q) })
}

// counter counts for reports what the transaction does.
func (t *Tx) counter() reports.Counter {
	return reports.Counter{Tx: t.Tx, WS: t.WS, Member: t.MemberID, Now: t.Now}
}

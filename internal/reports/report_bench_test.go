package reports_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"parley"
	"parley/internal/desk"
	"parley/internal/reports"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// busyYear stores the cells of a million conversations in a year, with 1,000
// companies, 20 members and 5 products: about 2,740 a day, each opened,
// answered and resolved. It stores no conversations, because reports do not
// read them.
func busyYear(b *testing.B, s *store.Store, ws parley.WorkspaceID, last parley.Day) (company parley.ID) {
	b.Helper()
	ids, random := parley.NewIDs(nil), rand.New(rand.NewPCG(1, 2))
	at := time.Unix(int64(last)*86400, 0)
	items := map[parley.ReportBy][]string{parley.ByDay: {""}}
	write := func(fn func(*store.Tx) error) {
		if err := s.Write(b.Context(), ws, fn); err != nil {
			b.Fatal(err)
		}
	}
	write(func(tx *store.Tx) error {
		if err := tx.InsertWorkspace(&parley.Workspace{ID: ws, Name: "W", Epoch: "e"}); err != nil {
			return err
		}
		for i := range 1000 {
			c := parley.Company{ID: ids.New(at), Name: fmt.Sprint("Company ", i)}
			if _, err := tx.InsertCompany(ws, &c); err != nil {
				return err
			}
			company = c.ID
		}
		return nil
	})
	for by, count := range map[parley.ReportBy]int{parley.ByProduct: 5, parley.ByInbox: 3, parley.ByMember: 20, parley.ByCompany: 999} {
		for range count {
			items[by] = append(items[by], ids.New(at).String())
		}
	}
	items[parley.ByCompany] = append(items[parley.ByCompany], company.String())
	for day := last - 364; day <= last; day++ {
		write(func(tx *store.Tx) error {
			for by, of := range items {
				for _, cell := range busyDay(random, by, day, of) {
					if err := insertCell(tx, ws, &cell); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
	return company
}

func busyDay(random *rand.Rand, by parley.ReportBy, day parley.Day, items []string) []reports.CountedCell {
	type times struct {
		day   parley.HourCounts
		hours parley.Hours
	}
	all := map[string]*times{}
	for range 2740 {
		item := items[random.IntN(len(items))]
		if all[item] == nil {
			all[item] = &times{}
		}
		answered := time.Duration(math.Exp(random.NormFloat64()) * float64(10*time.Minute))
		resolved := time.Duration(math.Exp(2*random.NormFloat64()) * float64(5*time.Hour))
		at := 8 + random.IntN(10) // the hours of an office
		for _, c := range []*parley.HourCounts{&all[item].day, &all[item].hours[at]} {
			c.Opened++
			c.FirstResponses.Add(answered)
			c.Resolutions.Add(resolved)
		}
	}
	var cells []reports.CountedCell
	for item, t := range all {
		cells = append(cells, reports.CountedCell{
			Cell: reports.Cell{
				By: by, Day: day, Item: item, Opened: t.day.Opened, FirstResponses: t.day.FirstResponses.String(), Resolutions: t.day.Resolutions.String(),
			},
			Hours: t.hours.String(),
		})
	}
	return cells
}

// insertCell inserts one cell; Parley itself always counts in those of one event.
func insertCell(tx *store.Tx, ws parley.WorkspaceID, c *reports.CountedCell) error {
	return store.Exec(tx, ws, `INSERT INTO report_cells (workspace_id, dimension, day, item, opened, first_responses, resolutions, hours)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, string(c.By), int(c.Day), c.Item, c.Opened, c.FirstResponses, c.Resolutions, c.Hours)
}

// BenchmarkReport makes reports of the cells of a million conversations.
func BenchmarkReport(b *testing.B) {
	o := storetest.MigratedSQLite(b)
	s := storetest.Open(b, o)
	ws, last := parley.WorkspaceID{15: 1}, parley.Day(20_000)
	company := busyYear(b, s, ws, last)
	d := desk.New(desk.Options{Store: s, IDs: parley.NewIDs(nil), Log: storetest.Quiet(),
		Clock: func() time.Time { return time.Unix(int64(last)*86400, 0).UTC() }})
	for _, days := range []parley.Day{30, 365} {
		for _, by := range parley.ReportBys {
			b.Run(fmt.Sprint(by, "/", int(days)), func(b *testing.B) {
				benchReport(b, d, ws, reports.Query{By: by, From: parley.Some(last - days + 1)})
			})
		}
		b.Run(fmt.Sprint("one company/", int(days)), func(b *testing.B) {
			filter := []reports.Filter{{By: parley.ByCompany, Item: company.String()}}
			benchReport(b, d, ws, reports.Query{By: parley.ByDay, From: parley.Some(last - days + 1), Filters: filter})
		})
	}
}

func benchReport(b *testing.B, d *desk.Desk, ws parley.WorkspaceID, q reports.Query) {
	for b.Loop() {
		r, err := d.Report(parley.WholeWorkspace(ws), q).Now(b.Context())
		if err != nil || r.Total.Opened == 0 {
			b.Fatalf("the report has %d opened, %v", r.Total.Opened, err)
		}
	}
}

package reports_test

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"parley"
	"parley/internal/reports"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// reportDay is the day on which something happens.
const reportDay parley.Day = 20_000

// countOpened counts an opening in the cells of some items.
func countOpened(tx *store.Tx, ws parley.WorkspaceID, day parley.Day, items reports.Items) error {
	cells, err := reports.SelectReportCells(tx, ws, day, []reports.Items{items})
	if err != nil {
		return err
	}
	for i := range cells.All {
		cells.All[i].Opened++
	}
	return reports.UpsertReportCells(tx, ws, cells.All)
}

// TestReportCells counts openings of two items in turns and reads ranges of
// days.
func TestReportCells(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := storetest.NewHome(t, s)
		product, company := h.NewID(1), h.NewID(2)
		all := reports.Items{Product: product, Inbox: h.Inbox.ID, Company: company, Member: h.Member.ID}
		none := reports.Items{Inbox: h.Inbox.ID}
		h.Write(func(tx *store.Tx) error {
			return errors.Join(
				countOpened(tx, h.WS, reportDay, none),
				countOpened(tx, h.WS, reportDay, all),
				countOpened(tx, h.WS, reportDay, all),
				countOpened(tx, h.WS, reportDay+2, none),
			)
		})
		for _, c := range []struct {
			by   parley.ReportBy
			want map[string]int // openings by day after the first, and item
		}{
			{parley.ByDay, map[string]int{"0 ": 3, "2 ": 1}},
			{parley.ByInbox, map[string]int{"0 " + h.Inbox.ID.String(): 3, "2 " + h.Inbox.ID.String(): 1}},
			{parley.ByProduct, map[string]int{"0 ": 1, "0 " + product.String(): 2, "2 ": 1}},
			{parley.ByCompany, map[string]int{"0 ": 1, "0 " + company.String(): 2, "2 ": 1}},
			{parley.ByMember, map[string]int{"0 ": 1, "0 " + string(h.Member.ID): 2, "2 ": 1}},
		} {
			h.View(func(v *store.View) error {
				cells, err := reports.SelectReportDays(v, parley.WholeWorkspace(h.WS), c.by, reportDay, reportDay+2)
				if err != nil {
					return err
				}
				if got := openings(cells); !maps.Equal(got, c.want) {
					t.Errorf("by %s there are %v, want %v", c.by, got, c.want)
				}
				for _, cell := range cells {
					one, err := reports.SelectReportItemDays(v, parley.WholeWorkspace(h.WS), reports.Filter{By: c.by, Item: cell.Item}, cell.Day, cell.Day)
					if err != nil || !slices.Equal(one, []reports.Cell{cell}) {
						t.Errorf("the cell of %q alone is %v, %v, want %v", cell.Item, one, err, cell)
					}
				}
				for _, out := range [][2]parley.Day{{reportDay + 1, reportDay + 1}, {reportDay + 3, reportDay + 400}, {reportDay - 400, reportDay - 1}, {reportDay, reportDay - 1}} {
					if got, err := reports.SelectReportDays(v, parley.WholeWorkspace(h.WS), c.by, out[0], out[1]); err != nil || len(got) != 0 {
						t.Errorf("from %d to %d there are %v, %v", out[0], out[1], got, err)
					}
					if got, err := reports.SelectReportItemDays(v, parley.WholeWorkspace(h.WS), reports.Filter{By: c.by, Item: cells[0].Item}, out[0], out[1]); err != nil || len(got) != 0 {
						t.Errorf("from %d to %d there are %v of an item, %v", out[0], out[1], got, err)
					}
				}
				return nil
			})
		}
	})
}

// TestHoursBesideTheVersionBefore has that version, which knows no hours, count
// in a cell that has some, and in one of its own.
func TestHoursBesideTheVersionBefore(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := storetest.NewHome(t, s)
		h.Write(func(tx *store.Tx) error {
			cells, err := reports.SelectReportCells(tx, h.WS, reportDay, []reports.Items{{}})
			if err != nil {
				return err
			}
			cell := &cells.All[0]
			cell.Opened, cell.FirstResponses, cell.Resolutions, cell.Hours = 1, "3:1", "4:2", "9=1/3:1/4:2"
			return reports.UpsertReportCells(tx, h.WS, cells.All)
		})
		const opening = `INSERT INTO report_cells (workspace_id, dimension, day, item, opened, first_responses, resolutions)
			VALUES ($1, 'day', $2, '', 1, '', '') ON CONFLICT (workspace_id, dimension, day, item)
			DO UPDATE SET opened = report_cells.opened + excluded.opened`
		const times = `INSERT INTO report_cells (workspace_id, dimension, day, item, opened, first_responses, resolutions)
			VALUES ($1, 'day', $2, '', 0, '3:2', '4:2') ON CONFLICT (workspace_id, dimension, day, item)
			DO UPDATE SET first_responses = excluded.first_responses, resolutions = excluded.resolutions`
		h.Write(func(tx *store.Tx) error {
			return errors.Join(
				store.Exec(tx, h.WS, opening, int(reportDay)), store.Exec(tx, h.WS, times, int(reportDay)),
				store.Exec(tx, h.WS, opening, int(reportDay+1)), countOpened(tx, h.WS, reportDay+1, reports.Items{}),
			)
		})
		h.View(func(v *store.View) error {
			for day, want := range map[parley.Day]reports.CountedCell{
				reportDay:     {Cell: reports.Cell{Opened: 2, FirstResponses: "3:2", Resolutions: "4:2"}, Hours: "9=1/3:1/4:2"},
				reportDay + 1: {Cell: reports.Cell{Opened: 2}},
			} {
				want.By, want.Day = parley.ByDay, day
				cells, err := reports.SelectReportCells(v, h.WS, day, []reports.Items{{}})
				if err != nil || cells.All[0] != want {
					t.Errorf("the cell is %+v, %v, want %+v", cells.All[0], err, want)
				}
			}
			return nil
		})
	})
}

func openings(cells []reports.Cell) map[string]int {
	all := map[string]int{}
	for _, c := range cells {
		all[fmt.Sprint(int(c.Day-reportDay), " ", c.Item)] += c.Opened
	}
	return all
}

// TestReportNames requests more names than one statement takes, some of which
// do not exist.
func TestReportNames(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		h := storetest.NewHome(t, s)
		want := map[string]string{}
		asked := []string{h.NewID(0).String(), "no id"}
		h.Write(func(tx *store.Tx) error {
			var errs []error
			for i := range 231 {
				c := parley.Company{ID: h.NewID(0), Name: fmt.Sprint("Company ", i)}
				errs = append(errs, storetest.Did(tx.InsertCompany(h.WS, &c)))
				want[c.ID.String()] = c.Name
				asked = append(asked, c.ID.String())
			}
			return errors.Join(errs...)
		})
		h.View(func(v *store.View) error {
			got, err := reports.SelectReportNames(v, h.WS, parley.ByCompany, asked)
			if err != nil || !maps.Equal(got, want) {
				t.Errorf("the names are %v, %v, want %v", got, err, want)
			}
			for by, name := range map[parley.ReportBy][2]string{
				parley.ByInbox: {h.Inbox.ID.String(), h.Inbox.Name}, parley.ByMember: {string(h.Member.ID), h.Member.Name},
			} {
				got, err := reports.SelectReportNames(v, h.WS, by, []string{name[0], ""})
				if err != nil || !maps.Equal(got, map[string]string{name[0]: name[1]}) {
					t.Errorf("the names by %s are %v, %v, want %v", by, got, err, name)
				}
			}
			if _, err := reports.SelectReportNames(v, h.WS, parley.ByDay, []string{"20000"}); err == nil {
				t.Error("days have names")
			}
			return nil
		})
	})
}

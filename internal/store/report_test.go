package store_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"parley"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// reportDay is the day on which something happens in a world.
const reportDay parley.Day = 20_000

// countedCells are the cells of a world.
func (w *world) countedCells() []store.CountedCell {
	items := map[parley.ReportBy]string{
		parley.ByProduct: w.report.Product.String(), parley.ByInbox: w.report.Inbox.String(),
		parley.ByCompany: w.report.Company.String(), parley.ByMember: string(w.report.Member),
	}
	var cells []store.CountedCell
	for _, by := range parley.ReportBys {
		cells = append(cells, store.CountedCell{
			ReportCell: store.ReportCell{By: by, Day: reportDay, Item: items[by], Opened: 1, FirstResponses: "3:1", Resolutions: "4:2"},
			Hours:      "9=1/3:1/4:2",
		})
	}
	return cells
}

// reportCells are the cells of a world as reports read them.
func (w *world) reportCells() []store.ReportCell {
	var cells []store.ReportCell
	for _, c := range w.countedCells() {
		cells = append(cells, c.ReportCell)
	}
	return cells
}

// happened leaves out cells in which nothing happened.
func happened(cells []store.CountedCell, err error) ([]store.CountedCell, error) {
	return slices.DeleteFunc(cells, func(c store.CountedCell) bool { return c.Opened == 0 }), err
}

// countOpened counts an opening in the cells of some items.
func countOpened(tx *store.Tx, ws parley.WorkspaceID, day parley.Day, items store.ReportItems) error {
	cells, err := tx.ReportCells(ws, day, items)
	if err != nil {
		return err
	}
	for i := range cells {
		cells[i].Opened++
	}
	return tx.UpsertReportCells(ws, cells)
}

// TestReportCells counts openings of two items in turns and reads ranges of
// days.
func TestReportCells(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", true)
		w.insert(t, s)
		none := store.ReportItems{Inbox: w.inbox.ID}
		write(t, s, w.ws, func(tx *store.Tx) error {
			return errors.Join(
				countOpened(tx, w.ws, reportDay, none),
				countOpened(tx, w.ws, reportDay, w.report),
				countOpened(tx, w.ws, reportDay+2, none),
			)
		})
		for _, c := range []struct {
			by   parley.ReportBy
			want map[string]int // openings by day after the first, and item
		}{
			{parley.ByDay, map[string]int{"0 ": 3, "2 ": 1}},
			{parley.ByInbox, map[string]int{"0 " + w.inbox.ID.String(): 3, "2 " + w.inbox.ID.String(): 1}},
			{parley.ByProduct, map[string]int{"0 ": 1, "0 " + w.product.ID.String(): 2, "2 ": 1}},
			{parley.ByCompany, map[string]int{"0 ": 1, "0 " + w.company.ID.String(): 2, "2 ": 1}},
			{parley.ByMember, map[string]int{"0 ": 1, "0 " + string(w.member.ID): 2, "2 ": 1}},
		} {
			view(t, s, func(v *store.View) error {
				all, err := v.ReportDays(parley.WholeWorkspace(w.ws), c.by, reportDay, reportDay+2)
				if err != nil {
					return err
				}
				if got := openings(all); !maps.Equal(got, c.want) {
					t.Errorf("by %s there are %v, want %v", c.by, got, c.want)
				}
				for _, cell := range all {
					one, err := v.ReportItemDays(parley.WholeWorkspace(w.ws), c.by, cell.Item, cell.Day, cell.Day)
					if err != nil || !slices.Equal(one, []store.ReportCell{cell}) {
						t.Errorf("the cell of %q alone is %v, %v, want %v", cell.Item, one, err, cell)
					}
				}
				for _, out := range [][2]parley.Day{{reportDay + 1, reportDay + 1}, {reportDay + 3, reportDay + 400}, {reportDay - 400, reportDay - 1}, {reportDay, reportDay - 1}} {
					if got, err := v.ReportDays(parley.WholeWorkspace(w.ws), c.by, out[0], out[1]); err != nil || len(got) != 0 {
						t.Errorf("from %d to %d there are %v, %v", out[0], out[1], got, err)
					}
					if got, err := v.ReportItemDays(parley.WholeWorkspace(w.ws), c.by, all[0].Item, out[0], out[1]); err != nil || len(got) != 0 {
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
		w := newWorld("x", true)
		w.insert(t, s)
		const opening = `INSERT INTO report_cells (workspace_id, dimension, day, item, opened, first_responses, resolutions)
			VALUES ($1, 'day', $2, '', 1, '', '') ON CONFLICT (workspace_id, dimension, day, item)
			DO UPDATE SET opened = report_cells.opened + excluded.opened`
		const times = `INSERT INTO report_cells (workspace_id, dimension, day, item, opened, first_responses, resolutions)
			VALUES ($1, 'day', $2, '', 0, '3:2', '4:2') ON CONFLICT (workspace_id, dimension, day, item)
			DO UPDATE SET first_responses = excluded.first_responses, resolutions = excluded.resolutions`
		write(t, s, w.ws, func(tx *store.Tx) error {
			return errors.Join(
				tx.Exec(opening, w.ws, int(reportDay)), tx.Exec(times, w.ws, int(reportDay)),
				tx.Exec(opening, w.ws, int(reportDay+1)), countOpened(tx, w.ws, reportDay+1, store.ReportItems{}),
			)
		})
		view(t, s, func(v *store.View) error {
			for day, want := range map[parley.Day]store.CountedCell{
				reportDay:     {ReportCell: store.ReportCell{Opened: 2, FirstResponses: "3:2", Resolutions: "4:2"}, Hours: "9=1/3:1/4:2"},
				reportDay + 1: {ReportCell: store.ReportCell{Opened: 2}},
			} {
				want.By, want.Day = parley.ByDay, day
				cells, err := v.ReportCells(w.ws, day, store.ReportItems{})
				if err != nil || cells[0] != want {
					t.Errorf("the cell is %+v, %v, want %+v", cells[0], err, want)
				}
			}
			return nil
		})
	})
}

func openings(cells []store.ReportCell) map[string]int {
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
		w := newWorld("x", true)
		w.insert(t, s)
		want := map[string]string{w.company.ID.String(): w.company.Name}
		asked := []string{w.company.ID.String(), ids.New(at(0)).String(), "no id"}
		write(t, s, w.ws, func(tx *store.Tx) error {
			var errs []error
			for i := range 230 {
				c := parley.Company{ID: ids.New(at(0)), Name: fmt.Sprint("Company ", i)}
				errs = append(errs, inserted(tx.InsertCompany(w.ws, &c)))
				want[c.ID.String()] = c.Name
				asked = append(asked, c.ID.String())
			}
			return errors.Join(errs...)
		})
		view(t, s, func(v *store.View) error {
			got, err := v.ReportNames(w.ws, parley.ByCompany, asked)
			if err != nil || !maps.Equal(got, want) {
				t.Errorf("the names are %v, %v, want %v", got, err, want)
			}
			for by, name := range map[parley.ReportBy][2]string{
				parley.ByInbox: {w.inbox.ID.String(), w.inbox.Name}, parley.ByMember: {string(w.member.ID), w.member.Name},
			} {
				got, err := v.ReportNames(w.ws, by, []string{name[0], ""})
				if err != nil || !maps.Equal(got, map[string]string{name[0]: name[1]}) {
					t.Errorf("the names by %s are %v, %v, want %v", by, got, err, name)
				}
			}
			if _, err := v.ReportNames(w.ws, parley.ByDay, nil); err == nil {
				t.Error("days have names")
			}
			return nil
		})
	})
}

// TestReportPlan reads the engines' plans of the reports: all days of all items
// are a range of the key, the days of one item are points of it.
func TestReportPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("writes many rows, and nothing at once")
	}
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		w := newWorld("x", true)
		w.insert(t, s)
		fill(t, s, w.ws, 4000, func(tx *store.Tx, i int) error {
			return countOpened(tx, w.ws, parley.Day(i/20), store.ReportItems{Inbox: w.inbox.ID, Company: ids.New(at(0))})
		})
		vacuum(t, s)
		view(t, s, func(v *store.View) error {
			for name, read := range map[string]func(v *store.View) error{
				"days": func(v *store.View) error {
					_, err := v.ReportDays(parley.WholeWorkspace(w.ws), parley.ByCompany, 100, 110)
					return err
				},
				"days of an item": func(v *store.View) error {
					_, err := v.ReportItemDays(parley.WholeWorkspace(w.ws), parley.ByCompany, w.company.ID.String(), 100, 110)
					return err
				},
				"cells": func(v *store.View) error {
					_, err := v.ReportCells(w.ws, 100, w.report)
					return err
				},
			} {
				plan, err := v.Plan(read)
				if err != nil {
					return err
				}
				if strings.Contains(plan, "SCAN r") || strings.Contains(plan, "Seq Scan on report_cells") || strings.Contains(plan, "AUTOMATIC") {
					t.Errorf("%s: not by the key:\n%s", name, plan)
				}
				// SQLite reports how much of the key it uses.
				if strings.Contains(plan, "SEARCH r") && name != "days" && !strings.Contains(plan, "day=? AND item=?") {
					t.Errorf("%s: not by the whole key:\n%s", name, plan)
				}
			}
			return nil
		})
	})
}

// TestReportsOfOlderStores migrates a store without reports to the newest
// schema.
func TestReportsOfOlderStores(t *testing.T) {
	empty(t, func(t *testing.T, o store.Options) {
		if err := store.MigrateTo(t.Context(), o, 2); err != nil {
			t.Fatal(err)
		}
		w := newWorld("x", true)
		w.company.Name = "x"
		ws, second := w.ws, ids.New(at(0))
		older := storetest.Open(t, o)
		const day = 24 * 60 * 60 * 1000
		begin := at(0).UnixMilli() / day * day // a midnight
		writeOlder(t, older, func(tx *store.Tx) error {
			conversation := func(id parley.ID, contact, product parley.ID, created int64) error {
				return tx.Exec(`INSERT INTO conversations (workspace_id, conversation_id, contact_id, inbox_id, product_id, status, priority,
					labels, unread_count, custom_attributes, last_activity_at, changed_at, created_at)
					VALUES ($1, $2, $3, $4, $5, 'open', '', '', 0, '', $6, $6, $6)`, ws, id, contact, w.inbox.ID, product, created)
			}
			contact := func(id, company parley.ID) error {
				return tx.Exec(`INSERT INTO contacts (workspace_id, contact_id, name, email, email_key, phone_number, phone_key, shop_name,
					avatar_url, identifier, company_id, custom_attributes, created_at, updated_at, last_activity_at)
					VALUES ($1, $2, 'x', '', '', '', '', '', '', '', $3, '', $4, $4, $4)`, ws, id, company, begin)
			}
			company := func() error {
				return tx.Exec(`INSERT INTO companies (workspace_id, company_id, name, external_id, created_at, updated_at, search_key)
				VALUES ($1, $2, 'x', '', $3, $3, 'x')`, ws, w.company.ID, begin)
			}
			message := func(seconds int, direction, sender string, private bool) error {
				return tx.Exec(`INSERT INTO messages (workspace_id, conversation_id, message_id, content, content_type, direction, status,
					private, sender_type, error, created_at) VALUES ($1, $2, $3, '', 'text', $4, 'sent', $5, $6, '', $7)`,
					ws, w.conversation.ID, ids.New(at(0)), direction, private, sender, begin+int64(seconds)*1000)
			}
			return errors.Join(
				tx.InsertWorkspace(&w.workspace), inserted(tx.InsertMember(ws, &w.member)), tx.InsertProduct(ws, &w.product),
				tx.InsertInbox(ws, &w.inbox), company(), contact(w.contact.ID, w.company.ID), contact(second, parley.ID{}),
				conversation(w.conversation.ID, w.contact.ID, w.product.ID, begin),
				conversation(ids.New(at(0)), w.contact.ID, parley.ID{}, begin+day-1),
				conversation(ids.New(at(0)), second, w.product.ID, begin+day),
				message(1, "incoming", "contact", false), message(2, "outgoing", "bot", false), message(3, "outgoing", "agent", true),
				message(4, "outgoing", "agent", false), message(5, "outgoing", "agent", false),
			)
		})
		if err := older.Close(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := store.Migrate(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		first := parley.DayOf(at(0))
		cell := func(by parley.ReportBy, after parley.Day, item string, opened int) store.ReportCell {
			return store.ReportCell{By: by, Day: first + after, Item: item, Opened: opened}
		}
		product, company, inbox := w.product.ID.String(), w.company.ID.String(), w.inbox.ID.String()
		view(t, storetest.Open(t, o), func(v *store.View) error {
			for _, want := range [][]store.ReportCell{
				{cell(parley.ByDay, 0, "", 2), cell(parley.ByDay, 1, "", 1)},
				{cell(parley.ByMember, 0, "", 2), cell(parley.ByMember, 1, "", 1)},
				{cell(parley.ByInbox, 0, inbox, 2), cell(parley.ByInbox, 1, inbox, 1)},
				{cell(parley.ByProduct, 0, "", 1), cell(parley.ByProduct, 0, product, 1), cell(parley.ByProduct, 1, product, 1)},
				{cell(parley.ByCompany, 0, company, 2), cell(parley.ByCompany, 1, "", 1)},
			} {
				got, err := v.ReportDays(parley.WholeWorkspace(ws), want[0].By, 0, first+9)
				slices.SortFunc(got, func(a, b store.ReportCell) int {
					return strings.Compare(fmt.Sprint(int(a.Day), a.Item), fmt.Sprint(int(b.Day), b.Item))
				})
				if err != nil || !reflect.DeepEqual(got, want) {
					t.Errorf("by %s there are %v, %v, want %v", want[0].By, got, err, want)
				}
			}
			c, err := v.Conversation(parley.WholeWorkspace(ws), w.conversation.ID)
			if c.OpenedAt.UnixMilli() != begin || c.FirstResponseAt.UnixMilli() != begin+4000 {
				t.Errorf("the conversation was opened at %s, answered at %s", c.OpenedAt, c.FirstResponseAt)
			}
			return err
		})
	})
}

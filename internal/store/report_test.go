package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"parley"
	"parley/internal/reports"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// reportDay is the day on which something happens in a world.
const reportDay parley.Day = 20_000

// countedCells are the cells of a world.
func (w *world) countedCells() []reports.CountedCell {
	items := map[parley.ReportBy]string{
		parley.ByProduct: w.report.Product.String(), parley.ByInbox: w.report.Inbox.String(),
		parley.ByCompany: w.report.Company.String(), parley.ByMember: string(w.report.Member),
	}
	cells := make([]reports.CountedCell, len(parley.ReportBys))
	for i, by := range parley.ReportBys {
		cells[i] = reports.CountedCell{
			Cell:  reports.Cell{By: by, Day: reportDay, Item: items[by], Opened: 1, FirstResponses: "3:1", Resolutions: "4:2"},
			Hours: "9=1/3:1/4:2",
		}
	}
	return cells
}

// reportCells are the cells of a world as reports read them.
func (w *world) reportCells() []reports.Cell {
	var cells []reports.Cell
	for _, c := range w.countedCells() {
		cells = append(cells, c.Cell)
	}
	return cells
}

// happened leaves out cells in which nothing happened.
func happened(cells reports.Cells, err error) ([]reports.CountedCell, error) {
	return slices.DeleteFunc(cells.All, func(c reports.CountedCell) bool { return c.Opened == 0 }), err
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
			c := parley.Conversation{OpenedAt: time.Unix(int64(i/20)*86400, 0), Inbox: parley.InboxRef{ID: w.inbox.ID}}
			return reports.Counter{Tx: tx, WS: w.ws}.Opened(&c, ids.New(at(0)))
		})
		vacuum(t, s)
		view(t, s, func(v *store.View) error {
			for name, read := range map[string]func(v *store.View) error{
				"days": func(v *store.View) error {
					_, err := reports.SelectReportDays(v, parley.WholeWorkspace(w.ws), parley.ByCompany, 100, 110)
					return err
				},
				"days of an item": func(v *store.View) error {
					_, err := reports.SelectReportItemDays(v, parley.WholeWorkspace(w.ws), reports.Filter{By: parley.ByCompany, Item: w.company.ID.String()}, 100, 110)
					return err
				},
				"cells": func(v *store.View) error {
					_, err := reports.SelectReportCells(v, w.ws, 100, []reports.Items{w.report})
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
			member := func() error {
				return tx.Exec(`INSERT INTO members (workspace_id, member_id, email, email_key, name, image, role, password_hash, created_at, updated_at,
					removed_at) VALUES ($1, $2, 'x', 'x', 'x', '', 'agent', '', $3, $3, 0)`, ws, w.member.ID, begin)
			}
			return errors.Join(
				tx.InsertWorkspace(&w.workspace), member(), tx.InsertProduct(ws, &w.product),
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
		cell := func(by parley.ReportBy, after parley.Day, item string, opened int) reports.Cell {
			return reports.Cell{By: by, Day: first + after, Item: item, Opened: opened}
		}
		product, company, inbox := w.product.ID.String(), w.company.ID.String(), w.inbox.ID.String()
		view(t, storetest.Open(t, o), func(v *store.View) error {
			for _, want := range [][]reports.Cell{
				{cell(parley.ByDay, 0, "", 2), cell(parley.ByDay, 1, "", 1)},
				{cell(parley.ByMember, 0, "", 2), cell(parley.ByMember, 1, "", 1)},
				{cell(parley.ByInbox, 0, inbox, 2), cell(parley.ByInbox, 1, inbox, 1)},
				{cell(parley.ByProduct, 0, "", 1), cell(parley.ByProduct, 0, product, 1), cell(parley.ByProduct, 1, product, 1)},
				{cell(parley.ByCompany, 0, company, 2), cell(parley.ByCompany, 1, "", 1)},
			} {
				got, err := reports.SelectReportDays(v, parley.WholeWorkspace(ws), want[0].By, 0, first+9)
				slices.SortFunc(got, func(a, b reports.Cell) int {
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

package store_test

import (
	"strings"
	"testing"

	"parley"
	"parley/internal/store"
	"parley/internal/store/storetest"
)

// TestConversationListPlan reads the engines' plans of the list of
// conversations: its pages come from the index, and nothing sorts all rows.
func TestConversationListPlan(t *testing.T) {
	storetest.Each(t, func(t *testing.T, s *store.Store) {
		ws, first := found(t, s)
		const count = 3000 // enough for PostgreSQL to prefer an index
		fill(t, s, ws, count, func(tx *store.Tx, i int) error {
			c := first
			c.LastActivityAt = at(int64(i))
			c.CreatedAt = c.LastActivityAt
			c.ID = ids.New(c.LastActivityAt)
			if i%100 != 0 {
				c.Status = parley.Resolved
			}
			return tx.InsertConversation(ws, &c)
		})
		write(t, s, ws, func(tx *store.Tx) error { return tx.Exec("ANALYZE") })
		view(t, s, func(v *store.View) error {
			plan, err := v.Plan(func(v *store.View) error {
				_, err := v.Conversations(ws, store.ConversationFilter{UpdatedSince: at(2990)}, parley.Position{}, 50)
				return err
			})
			if !strings.Contains(plan, "conversations_active") || !strings.Contains(plan, "conversations_changed") {
				t.Errorf("the recently updated do not come from both indexes:\n%s", plan)
			}
			return err
		})
		for name, list := range map[string]func(v *store.View) error{
			"first page": func(v *store.View) error {
				_, err := v.Conversations(ws, store.ConversationFilter{}, parley.Position{}, 50)
				return err
			},
			"later page": func(v *store.View) error {
				_, err := v.Conversations(ws, store.ConversationFilter{}, parley.Position{At: at(1000), ID: first.ID}, 50)
				return err
			},
			"open": func(v *store.View) error {
				_, err := v.Conversations(ws, store.ConversationFilter{Status: parley.Open}, parley.Position{}, 50)
				return err
			},
		} {
			view(t, s, func(v *store.View) error {
				plan, err := v.Plan(list)
				if err != nil {
					return err
				}
				index := "conversations_active"
				if name == "open" {
					index = "conversations_unresolved"
				}
				if !strings.Contains(plan, index) || strings.Contains(plan, "Seq Scan on conversations") {
					t.Errorf("%s: the page does not come from %s:\n%s", name, index, plan)
				}
				if strings.Contains(plan, "TEMP B-TREE") || strings.Contains(plan, "Sort") {
					t.Errorf("%s: rows are sorted:\n%s", name, plan)
				}
				return nil
			})
		}
	})
}

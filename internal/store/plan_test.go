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
			return tx.InsertConversation(ws, &c, c.LastActivityAt)
		})
		write(t, s, ws, func(tx *store.Tx) error { return tx.Exec("ANALYZE") })
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
			"updated of late": func(v *store.View) error {
				_, err := v.Conversations(ws, store.ConversationFilter{UpdatedSince: at(2990)}, parley.Position{}, 50)
				return err
			},
			"updated since the middle": func(v *store.View) error {
				_, err := v.Conversations(ws, store.ConversationFilter{UpdatedSince: at(1500)}, parley.Position{}, 50)
				return err
			},
			"updated since ever": func(v *store.View) error {
				_, err := v.Conversations(ws, store.ConversationFilter{UpdatedSince: at(1)}, parley.Position{}, 50)
				return err
			},
			"updated since ever, later page": func(v *store.View) error {
				_, err := v.Conversations(ws, store.ConversationFilter{UpdatedSince: at(1)}, parley.Position{At: at(2000), ID: first.ID}, 50)
				return err
			},
		} {
			view(t, s, func(v *store.View) error {
				plan, err := v.Plan(list)
				if err != nil {
					return err
				}
				index := "conversations_active"
				switch {
				case name == "open":
					index = "conversations_unresolved"
				case strings.HasPrefix(name, "updated"):
					index = "conversations_changed"
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

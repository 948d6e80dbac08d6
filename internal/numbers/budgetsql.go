package numbers

import (
	"time"

	"parley"
	"parley/internal/store"
)

// A Spend is how often a number did something in the slot of time that starts
// at Slot.
type Spend struct {
	Slot  time.Time
	Count int
}

// UpsertSpend adds to the count of a number in a slot; a negative count
// subtracts.
func UpsertSpend(tx store.Writer, ws parley.WorkspaceID, number parley.ID, kind string, s Spend) error {
	return store.Exec(tx, ws, `INSERT INTO number_spend (workspace_id, number_id, kind, slot, spent) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (workspace_id, number_id, kind, slot) DO UPDATE SET spent = number_spend.spent + excluded.spent`,
		number, kind, s.Slot, s.Count)
}

// SelectSpends returns the counts of a number for a kind, in slots that started after
// a time, oldest first.
func SelectSpends(v store.Reader, ws parley.WorkspaceID, number parley.ID, kind string, after time.Time) ([]Spend, error) {
	return store.Many(v, ws, func(r store.Row, s *Spend) error { return r.Scan(&s.Slot, &s.Count) },
		`SELECT slot, spent FROM number_spend WHERE workspace_id = $1 AND number_id = $2 AND kind = $3 AND slot > $4 ORDER BY slot`,
		number, kind, after)
}

// DeleteSpends deletes the counts of slots that started before a time.
func DeleteSpends(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "DELETE FROM number_spend WHERE workspace_id = $1 AND slot < $2", before)
}

// SelectNumberBudgets returns the limits that were set for a number. Budgets without
// an entry have the default limit.
func SelectNumberBudgets(v store.Reader, ws parley.WorkspaceID, number parley.ID) (map[parley.Budget]int, error) {
	type set struct {
		budget  parley.Budget
		allowed int
	}
	found, err := store.Many(v, ws, func(r store.Row, s *set) error { return r.Scan((*string)(&s.budget), &s.allowed) },
		"SELECT budget, allowed FROM number_budgets WHERE workspace_id = $1 AND number_id = $2", number)
	limits := map[parley.Budget]int{}
	for _, s := range found {
		limits[s.budget] = s.allowed
	}
	return limits, err
}

// UpsertNumberBudget stores a limit of a number.
func UpsertNumberBudget(tx store.Writer, ws parley.WorkspaceID, number parley.ID, budget parley.Budget, limit int) error {
	return store.Exec(tx, ws, `INSERT INTO number_budgets (workspace_id, number_id, budget, allowed) VALUES ($1, $2, $3, $4)
		ON CONFLICT (workspace_id, number_id, budget) DO UPDATE SET allowed = excluded.allowed`, number, string(budget), limit)
}

// DeleteNumberBudget resets a budget of a number to the default limit.
func DeleteNumberBudget(tx store.Writer, ws parley.WorkspaceID, number parley.ID, budget parley.Budget) error {
	return store.Exec(tx, ws, "DELETE FROM number_budgets WHERE workspace_id = $1 AND number_id = $2 AND budget = $3", number, string(budget))
}

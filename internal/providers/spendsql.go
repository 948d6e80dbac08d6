package providers

import (
	"time"

	"parley"
	"parley/internal/store"
)

// AddSpend adds to what a product used on a day. Numbers can be negative.
func AddSpend(tx store.Writer, ws parley.WorkspaceID, s *parley.ModelSpend) error {
	return store.Exec(tx, ws, `INSERT INTO model_spend (workspace_id, product_id, day, currency, feature, reserved, reserved_cost, tokens_in, tokens_out, calls, cost)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
		ON CONFLICT (workspace_id, product_id, day, currency, feature) DO UPDATE SET reserved = model_spend.reserved + $6,
			reserved_cost = model_spend.reserved_cost + $7, tokens_in = model_spend.tokens_in + $8, tokens_out = model_spend.tokens_out + $9,
			calls = model_spend.calls + $10, cost = model_spend.cost + $11`,
		s.ProductID, dayOf(s.Day), s.Currency, string(s.Feature), s.Reserved, s.ReservedCost, s.TokensIn, s.TokensOut, s.Calls, s.Cost)
}

// Spent is what a product used or reserved on a day.
type Spent struct {
	Tokens int64
	Cost   int64 // of one currency
}

// SelectSpent returns what a product used or reserved on a day, of the costs
// those in one currency.
func SelectSpent(v store.Reader, ws parley.WorkspaceID, product parley.ID, day time.Time, currency string) (Spent, error) {
	return store.One(v, ws, "spend", func(r store.Row, s *Spent) error { return r.Scan(&s.Tokens, &s.Cost) },
		`SELECT CAST(COALESCE(SUM(reserved + tokens_in + tokens_out), 0) AS bigint),
			CAST(COALESCE(SUM(CASE WHEN currency = $4 THEN reserved_cost + cost ELSE 0 END), 0) AS bigint)
		FROM model_spend WHERE workspace_id = $1 AND product_id = $2 AND day = $3`, product, dayOf(day), currency)
}

// SelectSpend returns what the products used on each of the days from one to
// another, both included, newest first.
func SelectSpend(v store.Reader, ws parley.WorkspaceID, from, to parley.Day) ([]parley.ModelSpend, error) {
	return store.Many(v, ws, func(r store.Row, s *parley.ModelSpend) error {
		var day int64
		var feature string
		err := r.Scan(&s.ProductID, &day, &s.Currency, &feature, &s.Reserved, &s.ReservedCost, &s.TokensIn, &s.TokensOut, &s.Calls, &s.Cost)
		s.Day, s.Feature = dayStart(day), parley.ModelFeature(feature)
		return err
	}, `SELECT product_id, day, currency, feature, reserved, reserved_cost, tokens_in, tokens_out, calls, cost FROM model_spend
		WHERE workspace_id = $1 AND day >= $2 AND day <= $3 ORDER BY day DESC, product_id, currency, feature`, int64(from), int64(to))
}

// DeleteSpendBefore deletes the spend of days before a time.
func DeleteSpendBefore(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "DELETE FROM model_spend WHERE workspace_id = $1 AND day < $2", dayOf(before))
}

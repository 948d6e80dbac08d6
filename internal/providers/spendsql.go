package providers

import (
	"time"

	"parley"
	"parley/internal/store"
)

// AddSpend adds to what a product used on a day. Numbers can be negative.
func AddSpend(tx store.Writer, ws parley.WorkspaceID, s *parley.ModelSpend) error {
	return store.Exec(tx, ws, `INSERT INTO model_spend (workspace_id, product_id, day, currency, reserved, tokens_in, tokens_out, calls, cost)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
		ON CONFLICT (workspace_id, product_id, day, currency) DO UPDATE SET reserved = model_spend.reserved + $5, tokens_in = model_spend.tokens_in + $6,
			tokens_out = model_spend.tokens_out + $7, calls = model_spend.calls + $8, cost = model_spend.cost + $9`,
		s.ProductID, dayOf(s.Day), s.Currency, s.Reserved, s.TokensIn, s.TokensOut, s.Calls, s.Cost)
}

// SelectSpent returns the tokens that a product used or reserved on a day.
func SelectSpent(v store.Reader, ws parley.WorkspaceID, product parley.ID, day time.Time) (int64, error) {
	return store.One(v, ws, "spend", store.Only[int64], `SELECT CAST(COALESCE(SUM(reserved + tokens_in + tokens_out), 0) AS bigint)
		FROM model_spend WHERE workspace_id = $1 AND product_id = $2 AND day = $3`, product, dayOf(day))
}

// SelectSpend returns what the products used on each day since a time, newest
// first.
func SelectSpend(v store.Reader, ws parley.WorkspaceID, since time.Time) ([]parley.ModelSpend, error) {
	return store.Many(v, ws, func(r store.Row, s *parley.ModelSpend) error {
		var day int64
		err := r.Scan(&s.ProductID, &day, &s.Currency, &s.Reserved, &s.TokensIn, &s.TokensOut, &s.Calls, &s.Cost)
		s.Day = dayStart(day)
		return err
	}, `SELECT product_id, day, currency, reserved, tokens_in, tokens_out, calls, cost FROM model_spend
		WHERE workspace_id = $1 AND day >= $2 ORDER BY day DESC, product_id, currency`, dayOf(since))
}

// DeleteSpendBefore deletes the spend of days before a time.
func DeleteSpendBefore(tx store.Writer, ws parley.WorkspaceID, before time.Time) error {
	return store.Exec(tx, ws, "DELETE FROM model_spend WHERE workspace_id = $1 AND day < $2", dayOf(before))
}

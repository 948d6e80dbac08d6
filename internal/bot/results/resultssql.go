package results

import (
	"parley"
	"parley/internal/store"
)

// PutResult inserts the result of a conversation, or replaces it.
func PutResult(tx store.Writer, ws parley.WorkspaceID, r *Result) error {
	return store.Exec(tx, ws, `INSERT INTO agent_results (workspace_id, conversation_id, product_id, day, result, reason) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (workspace_id, conversation_id) DO UPDATE SET product_id = $3, day = $4, result = $5, reason = $6`,
		r.ConversationID, r.ProductID, int64(r.Day), string(r.Result), string(r.Reason))
}

// SelectResults returns the results of some conversations, in their order of ids. There
// must be at least one conversation.
func SelectResults(v store.Reader, ws parley.WorkspaceID, conversations []parley.ID) ([]Result, error) {
	return store.Many(v, ws, func(row store.Row, r *Result) error {
		var day int64
		var result, reason string
		err := row.Scan(&r.ConversationID, &r.ProductID, &day, &result, &reason)
		r.Day, r.Result, r.Reason = parley.Day(day), parley.AgentResult(result), parley.HandOverReason(reason)
		return err
	}, `SELECT conversation_id, product_id, day, result, reason FROM agent_results
		WHERE workspace_id = $1 AND conversation_id IN ($2...) ORDER BY conversation_id`, store.ListOf(conversations))
}

// AddCount adds to the conversations with the same product, day and result.
func AddCount(tx store.Writer, ws parley.WorkspaceID, r *Result, n int) error {
	return store.Exec(tx, ws, `INSERT INTO agent_counts (workspace_id, product_id, day, result, reason, count) VALUES ($1, $2, $3, $4, $5, $6)
		ON CONFLICT (workspace_id, product_id, day, result, reason) DO UPDATE SET count = agent_counts.count + $6`,
		r.ProductID, int64(r.Day), string(r.Result), string(r.Reason), n)
}

// SelectCounts returns the counts of the days from one to another, both included, in
// order of days and products.
func SelectCounts(v store.Reader, ws parley.WorkspaceID, from, to parley.Day) ([]Count, error) {
	return store.Many(v, ws, func(row store.Row, c *Count) error {
		var day int64
		var result, reason string
		err := row.Scan(&c.ProductID, &day, &result, &reason, &c.Count)
		c.Day, c.Result, c.Reason = parley.Day(day), parley.AgentResult(result), parley.HandOverReason(reason)
		return err
	}, `SELECT product_id, day, result, reason, count FROM agent_counts
		WHERE workspace_id = $1 AND day >= $2 AND day <= $3 ORDER BY day, product_id, result, reason`, int64(from), int64(to))
}

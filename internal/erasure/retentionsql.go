package erasure

import (
	"time"

	"parley"
	"parley/internal/store"
)

const ruleColumns = "inbox_id, days, clock_at, looked_at"

func scanRule(r store.Row, rule *Rule) error {
	return r.Scan(&rule.InboxID, &rule.Days, &rule.ClockAt, &rule.LookedAt)
}

// upsertRule stores the rule of an inbox.
func upsertRule(tx store.Writer, ws parley.WorkspaceID, rule Rule) error {
	return store.Exec(tx, ws, "INSERT INTO retention_rules (workspace_id, "+ruleColumns+`) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (workspace_id, inbox_id) DO UPDATE SET days = excluded.days, clock_at = excluded.clock_at, looked_at = excluded.looked_at`,
		rule.InboxID, rule.Days, rule.ClockAt, rule.LookedAt)
}

// deleteRule deletes the rule of an inbox.
func deleteRule(tx store.Writer, ws parley.WorkspaceID, inbox parley.ID) error {
	return store.Exec(tx, ws, "DELETE FROM retention_rules WHERE workspace_id = $1 AND inbox_id = $2", inbox)
}

// selectRule returns the rule of an inbox.
func selectRule(v store.Reader, ws parley.WorkspaceID, inbox parley.ID) (Rule, error) {
	return store.One(v, ws, "rule", scanRule, "SELECT "+ruleColumns+" FROM retention_rules WHERE workspace_id = $1 AND inbox_id = $2", inbox)
}

// selectRules returns all rules.
func selectRules(v store.Reader, ws parley.WorkspaceID) ([]Rule, error) {
	return store.Many(v, ws, scanRule, "SELECT "+ruleColumns+" FROM retention_rules WHERE workspace_id = $1 ORDER BY inbox_id")
}

// selectRunsByRule reports whether an erasure by a rule is running.
func selectRunsByRule(v store.Reader, ws parley.WorkspaceID) (bool, error) {
	found, err := store.Many(v, ws, store.Only[int], "SELECT 1 FROM erasures WHERE workspace_id = $1 AND subject_id IS NULL AND finished_at = 0 LIMIT 1")
	return len(found) > 0, err
}

// ofItsOwn is true for a conversation that is no part of another one, or of one that is
// gone: a part is deleted after what shows it.
const ofItsOwn = `(merged_into IS NULL OR NOT EXISTS (SELECT 1 FROM conversations t
	WHERE t.workspace_id = $1 AND t.conversation_id = conversations.merged_into))`

// selectDue returns resolved conversations of an inbox that last changed before a
// time, the oldest first, each with the time of that change.
func selectDue(v store.Reader, ws parley.WorkspaceID, inbox parley.ID, before time.Time, limit int) ([]parley.Position, error) {
	return store.Many(v, ws, func(r store.Row, p *parley.Position) error { return r.Scan(&p.ID, &p.At) },
		`SELECT conversation_id, changed_at FROM conversations
		WHERE workspace_id = $1 AND inbox_id = $2 AND status >= 'resolved' AND status <= 'resolved' AND changed_at < $3 AND `+ofItsOwn+" ORDER BY changed_at LIMIT $4", inbox, before, limit)
}

// selectStillDue returns which of the conversations the current rule of their inbox
// deletes.
func selectStillDue(v store.Reader, ws parley.WorkspaceID, ids []parley.ID) ([]parley.ID, error) {
	return store.Many(v, ws, store.Only[parley.ID], `SELECT c.conversation_id FROM conversations c
		JOIN retention_rules r ON r.workspace_id = c.workspace_id AND r.inbox_id = c.inbox_id
		WHERE c.workspace_id = $1 AND c.status = 'resolved' AND c.changed_at < r.clock_at - r.days * 86400000 AND c.conversation_id IN ($2...)
			AND (c.merged_into IS NULL OR NOT EXISTS (SELECT 1 FROM conversations t WHERE t.workspace_id = $1 AND t.conversation_id = c.merged_into))`, store.ListOf(ids))
}

// countDue returns how many resolved conversations of an inbox last changed before a
// time.
func countDue(v store.Reader, ws parley.WorkspaceID, inbox parley.ID, before time.Time) (int, error) {
	return store.One(v, ws, "count", store.Only[int],
		"SELECT count(*) FROM conversations WHERE workspace_id = $1 AND inbox_id = $2 AND status >= 'resolved' AND status <= 'resolved' AND changed_at < $3 AND "+ofItsOwn, inbox, before)
}

// selectOldestEvent returns the time of the oldest event in the log, zero if there is
// none.
func selectOldestEvent(v store.Reader, ws parley.WorkspaceID) (time.Time, error) {
	found, err := store.Many(v, ws, store.Only[time.Time], "SELECT created_at FROM events WHERE workspace_id = $1 ORDER BY seq LIMIT 1")
	if err != nil || len(found) == 0 {
		return time.Time{}, err
	}
	return found[0], nil
}

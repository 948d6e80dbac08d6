package store

import (
	"time"

	"parley"
)

// The statements in this file are the only ones that do not filter by
// workspace. They find the workspace that a request belongs to, or they concern
// the whole store.

// KeyByHash returns the key with this secret hash, in any workspace. A request
// finds its workspace this way.
func (v *View) KeyByHash(hash [32]byte) (parley.Key, error) {
	return one(v, "key", scanKey, "SELECT "+shownKeyColumns+" FROM api_keys WHERE secret_hash = $1", hash[:])
}

// Workspaces returns all workspaces, oldest first.
func (v *View) Workspaces() ([]parley.Workspace, error) {
	return many(v, scanWorkspace, "SELECT "+workspaceColumns+workspaceTables+" ORDER BY w.workspace_id")
}

// A NumberOf is a number with its workspace and its lease.
type NumberOf struct {
	Workspace parley.WorkspaceID
	parley.Number
	Lease NumberLease
}

const numberOfColumns = "workspace_id, lease_owner, lease_generation, lease_until, " + numberColumns

func scanNumberOf(r row, n *NumberOf) error {
	return r.scan(append([]any{&n.Workspace, &n.Lease.Owner, &n.Lease.Generation, &n.Lease.Until}, numberDest(&n.Number)...)...)
}

// NumbersHeld returns the numbers whose current or last lease belongs to a
// process.
func (v *View) NumbersHeld(owner string) ([]NumberOf, error) {
	return many(v, scanNumberOf, "SELECT "+numberOfColumns+" FROM numbers WHERE lease_owner = $1 AND lease_owner <> ''", owner)
}

// FreeNumbers returns numbers that have no lease and need one: they are enabled
// and either paired or left in the middle of a pairing. A lease that ends after
// farthest came from a clock that was ahead, so it does not count.
func (v *View) FreeNumbers(now, farthest time.Time) ([]NumberOf, error) {
	return many(v, scanNumberOf, "SELECT "+numberOfColumns+` FROM numbers
		WHERE enabled AND (lease_until <= $1 OR lease_until > $3) AND (device <> '' OR status = $2) ORDER BY lease_until, number_id`,
		now, string(parley.NumberPairing), farthest)
}

// Waiting returns the number of queued deliveries.
func (v *View) Waiting() (int, error) {
	return one(v, "deliveries", scanCount, "SELECT count(*) FROM deliveries")
}

// A CalledNumber is a number with waiting calls.
type CalledNumber struct {
	Workspace parley.WorkspaceID
	NumberID  parley.ID
}

// DueNumbers returns the numbers that have a delivery due. It stops at the
// first due delivery of each number, so its cost does not grow with the queue.
func (v *View) DueNumbers(now time.Time) ([]NumberOf, error) {
	return many(v, scanNumberOf, "SELECT "+numberOfColumns+` FROM numbers n WHERE (SELECT 1 FROM deliveries d
		WHERE d.workspace_id = n.workspace_id AND d.number_id = n.number_id AND d.due_at > 0 AND d.due_at <= $1
		ORDER BY d.due_at LIMIT 1) = 1`, now)
}

// NewestChange returns the time of the latest change in the store, or zero if
// there was none.
func (v *View) NewestChange() (time.Time, error) {
	return one(v, "workspace", func(r row, at *time.Time) error {
		var told time.Time
		err := r.scan(at, &told)
		if told.After(*at) {
			*at = told
		}
		return err
	}, `SELECT COALESCE(max(w.changed_at), 0), COALESCE(max((SELECT e.created_at FROM events e
		WHERE e.workspace_id = w.workspace_id AND e.seq = w.seq)), 0) FROM workspaces w`)
}

// MisdatedWorkspaces returns the workspaces that have a delivery scheduled
// later than farthest.
func (v *View) MisdatedWorkspaces(farthest time.Time) ([]parley.WorkspaceID, error) {
	return many(v, func(r row, ws *parley.WorkspaceID) error { return r.scan(ws) },
		"SELECT DISTINCT workspace_id FROM deliveries WHERE due_at > $1 OR due_at < -CAST($1 AS bigint)", farthest)
}

// CalledNumbers returns the numbers that a process holds and that have waiting
// calls.
func (v *View) CalledNumbers(owner string) ([]CalledNumber, error) {
	return many(v, func(r row, n *CalledNumber) error { return r.scan(&n.Workspace, &n.NumberID) },
		`SELECT DISTINCT c.workspace_id, c.number_id FROM number_calls c
		JOIN numbers n ON n.workspace_id = c.workspace_id AND n.number_id = c.number_id
		WHERE c.begun_by = '' AND n.lease_owner = $1`, owner)
}

// DeleteNumberCalls deletes calls made before a time. Their callers have timed
// out.
func (tx *Tx) DeleteNumberCalls(before time.Time) error {
	return tx.exec("DELETE FROM number_calls WHERE created_at < $1", before)
}

// DeleteWriters deletes the rows of writers last seen before a time. A live
// writer inserts its row again with its next transaction.
func (tx *Tx) DeleteWriters(before time.Time) error {
	return tx.exec("DELETE FROM writers WHERE seen_at < $1", before)
}

// SessionByHash returns the session of a token, in any workspace.
func (v *View) SessionByHash(hash [32]byte) (parley.Session, error) {
	return one(v, "session", scanSession, "SELECT "+sessionColumns+" FROM sessions WHERE token_hash = $1", hash[:])
}

// InvitationByHash returns the invitation of a token, in any workspace.
func (v *View) InvitationByHash(hash [32]byte) (parley.Invitation, error) {
	return one(v, "invitation", scanInvitation, "SELECT "+invitationColumns+invitationTables+"WHERE i.token_hash = $1", hash[:])
}

// A Login is a member that an e-mail address may refer to.
type Login struct {
	Workspace parley.WorkspaceID
	Member    parley.Member
}

// LoginsByEmail returns at most limit members with an e-mail address, ordered
// by workspace. Removed members are left out.
func (v *View) LoginsByEmail(email string, limit int) ([]Login, error) {
	return many(v, func(r row, l *Login) error {
		return r.scan(append([]any{&l.Workspace}, memberDest(&l.Member)...)...)
	}, "SELECT workspace_id, "+memberColumns+` FROM members
		WHERE email_key = $1 AND removed_at = 0 ORDER BY workspace_id LIMIT $2`, parley.EmailKey(email), limit)
}

// WorkspacesBehind returns the workspaces in which a follower of the log has work
// left or was of an older version. Workspaces with the least work left come first.
func (v *View) WorkspacesBehind(follower string, version int) ([]parley.WorkspaceID, error) {
	return many(v, func(r row, ws *parley.WorkspaceID) error { return r.scan(ws) },
		`SELECT w.workspace_id FROM workspaces w LEFT JOIN followers f ON f.workspace_id = w.workspace_id AND f.name = $1
		WHERE f.workspace_id IS NULL OR f.place <> '' OR f.version < $2 OR f.epoch <> w.epoch OR f.seq <> w.seq
		ORDER BY CASE WHEN f.place = '' AND f.version = $2 AND f.epoch = w.epoch THEN 0 ELSE 1 END, w.seq - f.seq`, follower, version)
}

// CustomerSessionByHash returns the unexpired session of a customer's token, in
// any workspace.
func (v *View) CustomerSessionByHash(hash [32]byte, now time.Time) (parley.CustomerSession, error) {
	return one(v, "session", scanCustomerSession, "SELECT "+customerSessionColumns+` FROM customer_sessions s
		WHERE s.token_hash = $1 AND s.expires_at > $2`+vouchedFor, hash[:], now)
}

// WorkspaceOfInbox returns the workspace of an inbox. The page of a widget
// knows only the inbox.
func (v *View) WorkspaceOfInbox(inbox parley.ID) (parley.WorkspaceID, error) {
	return one(v, "inbox", func(r row, ws *parley.WorkspaceID) error { return r.scan(ws) },
		"SELECT workspace_id FROM inboxes WHERE inbox_id = $1", inbox)
}

// WidgetsWithOrigins returns the settings of the widgets that restrict their
// origins. It reads every row of widget_settings.
func (v *View) WidgetsWithOrigins() ([]parley.WidgetSettings, error) {
	return many(v, scanWidgetSettings, "SELECT "+widgetColumns+" FROM widget_settings WHERE origins <> ''")
}

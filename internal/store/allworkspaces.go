package store

import (
	"time"

	"parley"
)

// The statements of this file are the only ones that do not name a workspace:
// they find out which workspace is concerned, or concern the whole store.

// KeyByHash returns the key whose secret has the hash, of whatever workspace.
// It is how a request gets to its workspace.
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

// NumbersHeld returns the numbers that a process holds or held last.
func (v *View) NumbersHeld(owner string) ([]NumberOf, error) {
	return many(v, scanNumberOf, "SELECT "+numberOfColumns+" FROM numbers WHERE lease_owner = $1 AND lease_owner <> ''", owner)
}

// FreeNumbers returns numbers that nobody holds and that somebody should: they
// are to be connected and are paired, or their pairing was left behind. A lease
// that ends after farthest was given by a clock that was ahead, and holds nothing.
func (v *View) FreeNumbers(now, farthest time.Time) ([]NumberOf, error) {
	return many(v, scanNumberOf, "SELECT "+numberOfColumns+` FROM numbers
		WHERE enabled AND (lease_until <= $1 OR lease_until > $3) AND (device <> '' OR status = $2) ORDER BY lease_until, number_id`,
		now, string(parley.NumberPairing), farthest)
}

// Waiting returns how many messages wait for their channel.
func (v *View) Waiting() (int, error) {
	return one(v, "deliveries", scanCount, "SELECT count(*) FROM deliveries")
}

// A CalledNumber is a number that calls wait for.
type CalledNumber struct {
	Workspace parley.WorkspaceID
	NumberID  parley.ID
}

// DueNumbers returns the numbers that have deliveries due. It looks for one of
// each number, and not for all that is due to learn whose it is.
func (v *View) DueNumbers(now time.Time) ([]NumberOf, error) {
	return many(v, scanNumberOf, "SELECT "+numberOfColumns+` FROM numbers n WHERE (SELECT 1 FROM deliveries d
		WHERE d.workspace_id = n.workspace_id AND d.number_id = n.number_id AND d.due_at > 0 AND d.due_at <= $1
		ORDER BY d.due_at LIMIT 1) = 1`, now)
}

// NewestChange returns when anything in the store changed last; zero for never.
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

// MisdatedWorkspaces returns the workspaces with deliveries that are to be tried
// later than farthest.
func (v *View) MisdatedWorkspaces(farthest time.Time) ([]parley.WorkspaceID, error) {
	return many(v, func(r row, ws *parley.WorkspaceID) error { return r.scan(ws) },
		"SELECT DISTINCT workspace_id FROM deliveries WHERE due_at > $1 OR due_at < -CAST($1 AS bigint)", farthest)
}

// CalledNumbers returns the numbers that a process holds and that calls wait
// for.
func (v *View) CalledNumbers(owner string) ([]CalledNumber, error) {
	return many(v, func(r row, n *CalledNumber) error { return r.scan(&n.Workspace, &n.NumberID) },
		`SELECT DISTINCT c.workspace_id, c.number_id FROM number_calls c
		JOIN numbers n ON n.workspace_id = c.workspace_id AND n.number_id = c.number_id
		WHERE c.begun_by = '' AND n.lease_owner = $1`, owner)
}

// DeleteNumberCalls forgets calls that were made before a time: nobody waits
// for them any more.
func (tx *Tx) DeleteNumberCalls(before time.Time) error {
	return tx.exec("DELETE FROM number_calls WHERE created_at < $1", before)
}

// DeleteWriters forgets the writers of processes that were last seen before a
// time. A writer that lives comes back with its next transaction.
func (tx *Tx) DeleteWriters(before time.Time) error {
	return tx.exec("DELETE FROM writers WHERE seen_at < $1", before)
}

// SessionByHash returns the session of a token, whose workspace is not known
// yet.
func (v *View) SessionByHash(hash [32]byte) (parley.Session, error) {
	return one(v, "session", scanSession, "SELECT "+sessionColumns+" FROM sessions WHERE token_hash = $1", hash[:])
}

// InvitationByHash returns the invitation of a token, whose workspace is not
// known yet.
func (v *View) InvitationByHash(hash [32]byte) (parley.Invitation, error) {
	return one(v, "invitation", scanInvitation, "SELECT "+invitationColumns+invitationTables+"WHERE i.token_hash = $1", hash[:])
}

// A Login is a member whom an e-mail address may mean.
type Login struct {
	Workspace parley.WorkspaceID
	Member    parley.Member
}

// LoginsByEmail returns the members of an e-mail address who were not removed,
// in the order of their workspaces, limit at most.
func (v *View) LoginsByEmail(email string, limit int) ([]Login, error) {
	return many(v, func(r row, l *Login) error {
		return r.scan(append([]any{&l.Workspace}, memberDest(&l.Member)...)...)
	}, "SELECT workspace_id, "+memberColumns+` FROM members
		WHERE email_key = $1 AND removed_at = 0 ORDER BY workspace_id LIMIT $2`, parley.EmailKey(email), limit)
}

// UnindexedWorkspaces returns the workspaces whose log is not, or not in this
// version of words, in the index of the search: those with the least to do
// first.
func (v *View) UnindexedWorkspaces(version int) ([]parley.WorkspaceID, error) {
	return many(v, func(r row, ws *parley.WorkspaceID) error { return r.scan(ws) },
		`SELECT w.workspace_id FROM workspaces w LEFT JOIN search_positions p ON p.workspace_id = w.workspace_id
		WHERE p.workspace_id IS NULL OR p.stage <> '' OR p.version <> $1 OR p.epoch <> w.epoch OR p.seq <> w.seq
		ORDER BY CASE WHEN p.stage = '' AND p.version = $1 AND p.epoch = w.epoch THEN 0 ELSE 1 END, w.seq - p.seq`, version)
}

// CustomerSessionByHash returns the session of a customer's token that has not
// ended at a time, whose workspace is not known yet.
func (v *View) CustomerSessionByHash(hash [32]byte, now time.Time) (parley.CustomerSession, error) {
	return one(v, "session", scanCustomerSession, "SELECT "+customerSessionColumns+` FROM customer_sessions s
		WHERE s.token_hash = $1 AND s.expires_at > $2`+vouchedFor, hash[:], now)
}

// WorkspaceOfInbox returns the workspace of an inbox, of which alone a widget's
// page knows.
func (v *View) WorkspaceOfInbox(inbox parley.ID) (parley.WorkspaceID, error) {
	return one(v, "inbox", func(r row, ws *parley.WorkspaceID) error { return r.scan(ws) },
		"SELECT workspace_id FROM inboxes WHERE inbox_id = $1", inbox)
}

// WidgetsWithOrigins returns the widgets that list the pages that may show
// them. It reads the settings of every widget.
func (v *View) WidgetsWithOrigins() ([]parley.WidgetSettings, error) {
	return many(v, scanWidgetSettings, "SELECT "+widgetColumns+" FROM widget_settings WHERE origins <> ''")
}

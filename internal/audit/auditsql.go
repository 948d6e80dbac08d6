package audit

import (
	"time"

	"parley"
	"parley/internal/audit/entry"
	"parley/internal/audit/recording"
	"parley/internal/store"
)

// Statements of a page: all entries, those of an action, of an actor, of both. The last
// arguments are the period, the position, and the limit.
const (
	from = "SELECT " + recording.Columns + " FROM audit WHERE workspace_id = $1"
	// within is the period and the position; any time is below farthest.
	within = " AND at >= $2 AND at < $3 AND (at, entry_id) < ($4, $5)"
	order  = " ORDER BY at DESC, entry_id DESC LIMIT "
)

// farthest is later than the time of any entry, in a form that both engines compare.
var farthest = time.UnixMilli(1 << 52)

// SelectEntries returns a page of entries, newest first.
func SelectEntries(v store.Reader, ws parley.WorkspaceID, f Filter, after parley.Position, limit int) (parley.Page[entry.Entry], error) {
	page := store.ListPage[entry.Entry]{Limit: limit, Scan: recording.Scan, Next: func(last *entry.Entry) parley.Position {
		return parley.Position{At: last.At, ID: last.ID}
	}}
	if after.IsZero() {
		after = parley.Position{At: farthest, ID: parley.ID{1}} // of a time that no entry has, so any id will do
	}
	to := f.To
	if to.IsZero() {
		to = farthest
	}
	switch anyone := f.ActorType == "" && f.ActorID == ""; {
	case anyone && f.Action == "":
		return store.Page(v, ws, page, from+within+order+"$6", f.From, to, after.At, after.ID)
	case anyone:
		return store.Page(v, ws, page, from+within+" AND action = $6"+order+"$7", f.From, to, after.At, after.ID, string(f.Action))
	case f.Action == "":
		return store.Page(v, ws, page, from+within+" AND actor_id = $6 AND ($7 = '' OR actor_type = $7)"+order+"$8",
			f.From, to, after.At, after.ID, f.ActorID, string(f.ActorType))
	}
	return store.Page(v, ws, page, from+within+" AND action = $6 AND actor_id = $7 AND ($8 = '' OR actor_type = $8)"+order+"$9",
		f.From, to, after.At, after.ID, string(f.Action), f.ActorID, string(f.ActorType))
}

// deleteEntries deletes at most limit entries from before a time, oldest first, and returns
// their ids.
func deleteEntries(tx store.Writer, ws parley.WorkspaceID, before time.Time, limit int) ([]parley.ID, error) {
	return store.Many(tx, ws, store.Only[parley.ID], `DELETE FROM audit WHERE workspace_id = $1 AND entry_id IN (
		SELECT a.entry_id FROM audit a WHERE a.workspace_id = $1 AND a.at < $2 ORDER BY a.at, a.entry_id LIMIT $3) RETURNING entry_id`, before, limit)
}

// selectMembersEver returns the newest members, removed ones included.
func selectMembersEver(v store.Reader, ws parley.WorkspaceID, limit int) ([]KnownActor, error) {
	return store.Many(v, ws, func(r store.Row, a *KnownActor) error {
		var removed time.Time
		err := r.Scan(&a.ID, &a.Name, &removed)
		a.Type, a.Former = entry.Member, !removed.IsZero()
		return err
	}, "SELECT member_id, name, removed_at FROM members WHERE workspace_id = $1 ORDER BY created_at DESC, member_id LIMIT $2", limit)
}

// selectKeysEver returns the newest keys, revoked ones included.
func selectKeysEver(v store.Reader, ws parley.WorkspaceID, limit int) ([]KnownActor, error) {
	return store.Many(v, ws, func(r store.Row, a *KnownActor) error {
		var id parley.ID
		var revoked time.Time
		err := r.Scan(&id, &a.Name, &revoked)
		a.Type, a.ID, a.Former = entry.Key, id.String(), !revoked.IsZero()
		return err
	}, "SELECT key_id, name, revoked_at FROM api_keys WHERE workspace_id = $1 ORDER BY key_id DESC LIMIT $2", limit)
}

// A named is a record with its name.
type named struct{ id, name string }

func scanNamed(r store.Row, n *named) error {
	var id parley.ID
	err := r.Scan(&id, &n.name)
	n.id = id.String()
	return err
}

// selectMemberNames returns the names of members, removed ones included.
func selectMemberNames(v store.Reader, ws parley.WorkspaceID, ids store.List) ([]named, error) {
	return store.Many(v, ws, func(r store.Row, n *named) error { return r.Scan(&n.id, &n.name) },
		"SELECT member_id, name FROM members WHERE workspace_id = $1 AND member_id IN ($2...)", ids)
}

func selectKeyNames(v store.Reader, ws parley.WorkspaceID, ids store.List) ([]named, error) {
	return store.Many(v, ws, scanNamed, "SELECT key_id, name FROM api_keys WHERE workspace_id = $1 AND key_id IN ($2...)", ids)
}

func selectInboxNames(v store.Reader, ws parley.WorkspaceID, ids store.List) ([]named, error) {
	return store.Many(v, ws, scanNamed, "SELECT inbox_id, name FROM inboxes WHERE workspace_id = $1 AND inbox_id IN ($2...)", ids)
}

func selectProductNames(v store.Reader, ws parley.WorkspaceID, ids store.List) ([]named, error) {
	return store.Many(v, ws, scanNamed, "SELECT product_id, name FROM products WHERE workspace_id = $1 AND product_id IN ($2...)", ids)
}

func selectTeamNames(v store.Reader, ws parley.WorkspaceID, ids store.List) ([]named, error) {
	return store.Many(v, ws, scanNamed, "SELECT team_id, name FROM teams WHERE workspace_id = $1 AND team_id IN ($2...)", ids)
}

func selectProviderNames(v store.Reader, ws parley.WorkspaceID, ids store.List) ([]named, error) {
	return store.Many(v, ws, scanNamed, "SELECT provider_id, name FROM model_providers WHERE workspace_id = $1 AND provider_id IN ($2...)", ids)
}

func selectHelpCenterNames(v store.Reader, ws parley.WorkspaceID, ids store.List) ([]named, error) {
	return store.Many(v, ws, scanNamed, "SELECT product_id, title FROM help_centers WHERE workspace_id = $1 AND product_id IN ($2...)", ids)
}

func selectNumberNames(v store.Reader, ws parley.WorkspaceID, ids store.List) ([]named, error) {
	return store.Many(v, ws, scanNamed, "SELECT number_id, phone FROM numbers WHERE workspace_id = $1 AND number_id IN ($2...)", ids)
}

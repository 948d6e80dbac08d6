package desk

import (
	"time"

	"parley"
	"parley/internal/store"
)

// A Timer is something that is to happen later.
type Timer struct {
	Kind string
	Name string // of what the timer is about; "" for the workspace itself
	// DueAt is when the timer is to run or, if it has an Owner, when the lease of that
	// run ends.
	DueAt    time.Time
	Attempts int    // runs that failed, and the one that holds the timer
	Owner    string // the run that holds the timer; "" for none
}

const timerColumns = "kind, name, due_at, attempts, owner"

func scanTimer(r store.Row, t *Timer) error {
	return r.Scan(&t.Kind, &t.Name, &t.DueAt, &t.Attempts, &t.Owner)
}

// InsertTimer inserts a timer if there is none of this kind and name.
func InsertTimer(tx store.Writer, ws parley.WorkspaceID, kind, name string, due time.Time) error {
	return store.Exec(tx, ws, `INSERT INTO timers (workspace_id, kind, name, due_at, attempts, owner) VALUES ($1, $2, $3, $4, 0, '')
		ON CONFLICT (workspace_id, kind, name) DO NOTHING`, kind, name, due)
}

// SetTimer gives a timer a new due time, and inserts the timer if there is none of this
// kind and name. Its failed attempts no longer count. A run that holds the timer loses it.
func SetTimer(tx store.Writer, ws parley.WorkspaceID, kind, name string, due time.Time) error {
	return store.Exec(tx, ws, `INSERT INTO timers (workspace_id, kind, name, due_at, attempts, owner) VALUES ($1, $2, $3, $4, 0, '')
		ON CONFLICT (workspace_id, kind, name) DO UPDATE SET due_at = excluded.due_at, attempts = 0, owner = ''`, kind, name, due)
}

// AdvanceTimer gives a timer an earlier due time, and inserts the timer if there is none of
// this kind and name. One that is due earlier already stays as it is.
func AdvanceTimer(tx store.Writer, ws parley.WorkspaceID, kind, name string, due time.Time) error {
	return store.Exec(tx, ws, `INSERT INTO timers (workspace_id, kind, name, due_at, attempts, owner) VALUES ($1, $2, $3, $4, 0, '')
		ON CONFLICT (workspace_id, kind, name) DO UPDATE SET due_at = excluded.due_at, attempts = 0, owner = ''
		WHERE timers.due_at > excluded.due_at`, kind, name, due)
}

// UpdateTimer stores the time, attempts and owner of a timer.
func UpdateTimer(tx store.Writer, ws parley.WorkspaceID, t *Timer) error {
	return store.Exec(tx, ws, "UPDATE timers SET due_at = $4, attempts = $5, owner = $6 WHERE workspace_id = $1 AND kind = $2 AND name = $3",
		t.Kind, t.Name, t.DueAt, t.Attempts, t.Owner)
}

// DeleteTimer deletes a timer. A run that holds it loses it.
func DeleteTimer(tx store.Writer, ws parley.WorkspaceID, kind, name string) error {
	return store.Exec(tx, ws, "DELETE FROM timers WHERE workspace_id = $1 AND kind = $2 AND name = $3", kind, name)
}

// SelectTimer returns a timer.
func SelectTimer(v store.Reader, ws parley.WorkspaceID, kind, name string) (Timer, error) {
	return store.One(v, ws, "timer", scanTimer,
		"SELECT "+timerColumns+" FROM timers WHERE workspace_id = $1 AND kind = $2 AND name = $3", kind, name)
}

// EndTimer deletes a timer if its due time and its owner are still those that were read.
func EndTimer(tx store.Writer, ws parley.WorkspaceID, read *Timer) error {
	return store.Exec(tx, ws, "DELETE FROM timers WHERE workspace_id = $1 AND kind = $2 AND name = $3 AND due_at + 0 = $4 AND owner = $5",
		read.Kind, read.Name, read.DueAt, read.Owner)
}

// EndTimers is [EndTimer] for timers of a kind. It deletes those with the same due time and
// owner by one statement.
func EndTimers(tx store.Writer, ws parley.WorkspaceID, kind string, read []Timer) error {
	type group struct {
		dueAt time.Time
		owner string
	}
	names := make(map[group][]string)
	for i := range read {
		g := group{read[i].DueAt, read[i].Owner}
		names[g] = append(names[g], read[i].Name)
	}
	for g, names := range names {
		// The sum keeps the statement from the index by time, in which all of them are.
		err := store.Exec(tx, ws, "DELETE FROM timers WHERE workspace_id = $1 AND kind = $2 AND due_at + 0 = $3 AND owner = $4 AND name IN ($5...)",
			kind, g.dueAt, g.owner, store.ListOf(names))
		if err != nil {
			return err
		}
	}
	return nil
}

// RepeatTimer is [SetTimer] for a timer whose due time and owner are still those that were
// read.
func RepeatTimer(tx store.Writer, ws parley.WorkspaceID, read *Timer, due time.Time) error {
	return store.Exec(tx, ws, `UPDATE timers SET due_at = $6, attempts = 0, owner = ''
		WHERE workspace_id = $1 AND kind = $2 AND name = $3 AND due_at + 0 = $4 AND owner = $5`, read.Kind, read.Name, read.DueAt, read.Owner, due)
}

// SelectDueKinds returns those of some kinds of which a timer is due, in alphabetical
// order. It looks at one timer of each kind, so the number of due timers does not matter.
func SelectDueKinds(v store.Reader, ws parley.WorkspaceID, kinds []string, now time.Time) ([]string, error) {
	return store.Many(v, ws, store.Only[string], `WITH RECURSIVE kinds (kind) AS (
			SELECT '' UNION ALL
			SELECT (SELECT MIN(t.kind) FROM timers t WHERE t.workspace_id = $1 AND t.kind > k.kind) FROM kinds k WHERE k.kind IS NOT NULL
		) SELECT k.kind FROM kinds k WHERE k.kind IN ($3...)
		AND (SELECT MIN(t.due_at) FROM timers t WHERE t.workspace_id = $1 AND t.kind = k.kind) <= $2 ORDER BY k.kind`, now, store.ListOf(kinds))
}

// SelectDueTimers returns timers of a kind that are due, at most limit. Timers that have
// waited longest come first.
func SelectDueTimers(v store.Reader, ws parley.WorkspaceID, kind string, now time.Time, limit int) ([]Timer, error) {
	return store.Many(v, ws, scanTimer, "SELECT "+timerColumns+
		" FROM timers WHERE workspace_id = $1 AND kind = $2 AND due_at <= $3 ORDER BY due_at LIMIT $4", kind, now, limit)
}

// SelectWorkspacesDue returns the workspaces with timers of some kinds that are due,
// those first whose oldest one has waited longest. It looks for one timer of each
// workspace, so the number of due timers does not matter.
func SelectWorkspacesDue(v store.Reader, kinds []string, now time.Time) ([]parley.WorkspaceID, error) {
	return store.ManyAcross(v, store.Only[parley.WorkspaceID], `SELECT d.workspace_id FROM (SELECT w.workspace_id, (SELECT t.due_at
			FROM timers t WHERE t.workspace_id = w.workspace_id AND t.due_at <= $1 AND t.kind IN ($2...) ORDER BY t.due_at LIMIT 1
		) AS due_at FROM workspaces w) d WHERE d.due_at IS NOT NULL ORDER BY d.due_at`, now, store.ListOf(kinds))
}

// A Wait says since when timers of a kind have been due.
type Wait struct {
	Kind  string
	Since time.Time // of the timer that has waited longest
}

// SelectWaits returns the waits of the kinds with timers that are due, of all workspaces.
// Its cost grows with the number of those timers.
func SelectWaits(v store.Reader, now time.Time) ([]Wait, error) {
	return store.ManyAcross(v, func(r store.Row, w *Wait) error { return r.Scan(&w.Kind, &w.Since) }, `SELECT t.kind, MIN(t.due_at)
		FROM workspaces w CROSS JOIN timers t WHERE t.workspace_id = w.workspace_id AND t.due_at <= $1 GROUP BY t.kind`, now)
}

// SelectWorkspacesWithoutTimer returns the workspaces without a nameless timer of a
// kind.
func SelectWorkspacesWithoutTimer(v store.Reader, kind string) ([]parley.WorkspaceID, error) {
	return store.ManyAcross(v, store.Only[parley.WorkspaceID], `SELECT w.workspace_id FROM workspaces w LEFT JOIN timers t
		ON t.workspace_id = w.workspace_id AND t.kind = $1 AND t.name = '' WHERE t.workspace_id IS NULL`, kind)
}

// A TimerSpan bounds the due times that timers of a kind can have been given.
type TimerSpan struct {
	Kind string
	// Farthest is the latest time of a timer that waits, and Lease of one that runs.
	Farthest, Lease time.Time
}

// SelectMisdatedTimers returns the workspaces with timers of a kind outside a span.
func SelectMisdatedTimers(v store.Reader, span TimerSpan) ([]parley.WorkspaceID, error) {
	return store.ManyAcross(v, store.Only[parley.WorkspaceID], `SELECT DISTINCT workspace_id FROM timers WHERE kind = $1
		AND (due_at > $2 OR owner <> '' AND due_at > $3)`, span.Kind, span.Farthest, span.Lease)
}

// RedateTimers makes the timers of a workspace due whose time is outside a span.
func RedateTimers(tx store.Writer, ws parley.WorkspaceID, span TimerSpan, now time.Time) error {
	return store.Exec(tx, ws, `UPDATE timers SET due_at = $5, owner = '' WHERE workspace_id = $1 AND kind = $2
		AND (due_at > $3 OR owner <> '' AND due_at > $4)`, span.Kind, span.Farthest, span.Lease, now)
}

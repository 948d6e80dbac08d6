package schedule

import (
	"time"

	"parley"
	"parley/internal/store"
)

// SelectOldestWithoutBackups returns the oldest workspace if no workspace has the
// timer for backups, otherwise nothing.
func SelectOldestWithoutBackups(v *store.View) ([]parley.WorkspaceID, error) {
	return store.ManyAcross(v, store.Only[parley.WorkspaceID], `SELECT workspace_id FROM workspaces
		WHERE NOT EXISTS (SELECT 1 FROM timers WHERE kind = $1) ORDER BY created_at, workspace_id LIMIT 1`, kind)
}

func scanState(r store.Row, s *State) error {
	var every, took int64
	err := r.Scan(&every, &s.PlannedAt, &s.DoneAt, &took, &s.Bytes, &s.Failures)
	s.Every, s.Took = time.Duration(every)*time.Millisecond, time.Duration(took)*time.Millisecond
	return err
}

// SelectState returns the only row, or a NotFound error if there is no schedule.
func SelectState(v store.Reader) (State, error) {
	return store.OneAcross(v, "schedule of backups", scanState,
		"SELECT every, planned_at, done_at, took, bytes, failures FROM backup_schedules WHERE name = $1", kind)
}

// UpsertPlan stores the interval of backups and, if the schedule is new, when it
// began.
func UpsertPlan(tx store.Writer, every time.Duration, now time.Time) error {
	return store.ExecAcross(tx, `INSERT INTO backup_schedules (name, every, planned_at, done_at, took, bytes, failures)
		VALUES ($1, $2, $3, 0, 0, 0, 0) ON CONFLICT (name) DO UPDATE SET every = excluded.every`, kind, every.Milliseconds(), now)
}

// DeletePlan deletes the schedule.
func DeletePlan(tx store.Writer) error {
	return store.ExecAcross(tx, "DELETE FROM backup_schedules WHERE name = $1", kind)
}

// UpdateDone stores the outcome of the last successful backup.
func UpdateDone(tx store.Writer, s *State) error {
	return store.ExecAcross(tx, "UPDATE backup_schedules SET done_at = $2, took = $3, bytes = $4 WHERE name = $1",
		kind, s.DoneAt, s.Took.Milliseconds(), s.Bytes)
}

// UpdateFailed counts a failure.
func UpdateFailed(tx store.Writer) error {
	return store.ExecAcross(tx, "UPDATE backup_schedules SET failures = failures + 1 WHERE name = $1", kind)
}

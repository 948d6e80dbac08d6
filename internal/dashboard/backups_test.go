package dashboard_test

import (
	"testing"
	"time"

	"parley/internal/backup/schedule"
)

// TestBackups shows the state of the schedule: there is none, it is new, and it is
// late.
func TestBackups(t *testing.T) {
	each(t, func(t *testing.T, w *world) {
		const path = "/v1/dashboard/backups"
		w.Get(path).Want(200).Is("everySeconds", "null").Is("lastAt", "null").Is("late", "false")
		if err := schedule.Plan(t.Context(), w.Desk, 24*time.Hour); err != nil {
			t.Fatal(err)
		}
		w.Get(path).Want(200).Is("everySeconds", "86400").Is("lastAt", "null").Is("late", "false")
		w.Advance(48*time.Hour + time.Millisecond)
		w.Get(path).Want(200).Is("late", "true")
		if err := schedule.Plan(t.Context(), w.Desk, 72*time.Hour); err != nil {
			t.Fatal(err)
		}
		w.Get(path).Want(200).Is("everySeconds", "259200").Is("late", "false")
	})
}
